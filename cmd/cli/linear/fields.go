package linear

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/client/shell"
	"darkroom/cmd/cli/kit"
)

// errBack asks for the question before.
var errBack = errors.New("back")

// mostNamed is how many names a question reads out by itself.
const mostNamed = 12

func (f *form) askModel(ctx context.Context) error {
	d := f.draft()
	names := kit.ModelIDs(f.k, d.Modality)
	if len(names) == 0 {
		return f.askText(ctx, "Model", "the name of a model of the gateway", &d.Model)
	}
	at := slices.Index(names, d.Model)
	var i int
	var err error
	if len(names) <= mostNamed {
		i, err = f.pick(ctx, "Model", names, at)
	} else {
		i, err = f.pickMany(ctx, names, at)
	}
	if err != nil {
		return err
	}
	if d.Model == names[i] {
		return nil
	}
	d.Model, d.ModelName = names[i], ""
	f.kept.Format = ""
	if m, ok := f.desk.Catalog.ModelFor(d.Modality, d.Model); ok {
		if _, has := m.Mode(d.Mode); !has && len(m.Modes) > 0 {
			d.Mode = m.Modes[0].Name
		}
	}
	return nil
}

// pickMany asks for one of many models, which are read out only when that is wanted.
func (f *form) pickMany(ctx context.Context, names []string, at int) (int, error) {
	for {
		typed, err := f.ask(ctx, "Model (enter: "+f.draft().Model+"; a part of a name finds one, ? reads them all):")
		switch {
		case err != nil:
			return 0, err
		case typed == "" && at >= 0:
			return at, nil
		case typed == ".":
			return 0, errLeave
		case typed == "<":
			return 0, errBack
		case typed == "?":
			f.say("%s.", strings.Join(numbered(names), ", "))
			continue
		}
		i, why := choose(names, typed)
		if why == "" {
			return i, nil
		}
		f.say("%s", why)
	}
}

func (f *form) askName(ctx context.Context) error {
	d := f.draft()
	m, _ := f.desk.Catalog.ModelFor(d.Modality, d.Model)
	i, err := f.pick(ctx, "Version", m.ModelNames, slices.Index(m.ModelNames, d.ModelName))
	if err != nil {
		return err
	}
	d.ModelName = m.ModelNames[i]
	return nil
}

func (f *form) askMode(ctx context.Context) error {
	d := f.draft()
	m, _ := f.desk.Catalog.ModelFor(d.Modality, d.Model)
	names, about := make([]string, len(m.Modes)), make([]string, len(m.Modes))
	for i, x := range m.Modes {
		names[i], about[i] = cmp.Or(x.Label, x.Name), "needs "+cmp.Or(x.Help, "nothing that is known")
	}
	i, err := f.pick(ctx, "Mode", names, slices.Index(m.ModeNames(), d.Mode), about...)
	if err != nil {
		return err
	}
	d.Mode = m.Modes[i].Name
	return nil
}

func (f *form) askPrompt(ctx context.Context) error {
	return f.askText(ctx, "Prompt", "what it is to show or sound like; on one line", &f.draft().Prompt)
}

// askText asks for a text.
func (f *form) askText(ctx context.Context, name, about string, to *string) error {
	question := name + " (enter: " + orNone(*to) + "):"
	for {
		switch typed, err := f.ask(ctx, question); {
		case err != nil:
			return err
		case typed == "":
			return nil
		case typed == "?":
			f.say("%s: %s.", name, about)
		case typed == ".":
			return errLeave
		case typed == "<":
			return errBack
		case typed == "-":
			*to = ""
			return nil
		default:
			*to = typed
			return nil
		}
	}
}

func orNone(s string) string {
	if s == "" {
		return "nothing yet"
	}
	return s
}

// askField asks for the value of a field, and again while what is typed is none.
func (f *form) askField(ctx context.Context, x catalog.Field) error {
	is := f.set(x.Name)
	if is == "" {
		is = "auto"
		if x.Kind.Refers() {
			is = "none"
		}
	}
	question := label(x)
	if x.Unit != "" {
		question += " in " + x.Unit
	}
	if some := x.Offered(); len(some) > 0 && len(some) <= mostNamed {
		question += ", " + strings.Join(some, " or ")
	}
	question += " (enter: " + is + "):"
	for {
		typed, err := f.ask(ctx, question)
		if err != nil {
			return err
		}
		switch typed {
		case "":
			return nil
		case ".":
			return errLeave
		case "<":
			return errBack
		case "?":
			f.explain(x)
			continue
		case "-":
			delete(f.draft().Values, x.Name)
			return nil
		}
		if f.take(x, typed) {
			return nil
		}
	}
}

// explain says what a field is, and what it takes.
func (f *form) explain(x catalog.Field) {
	if help := x.Says(); help != "" {
		f.say("%s: %s.", label(x), strings.TrimSuffix(help, "."))
	}
	if text := kit.AllowedOf(x); text != "" {
		f.say("It takes %s.", strings.TrimSuffix(text, "."))
	}
	if x.Kind.Refers() {
		f.say("Addresses, or files of this machine; in quotation marks where a name has blanks.")
	}
}

// take takes a value in; false, and why is said, if it is none or is refused.
func (f *form) take(x catalog.Field, typed string) bool {
	text := typed
	if x.Kind.Refers() {
		words, whole := shell.Words(typed)
		if !whole {
			f.say("A quotation mark has no end.")
			return false
		}
		for i, w := range words {
			ref, err := media.Reference(w)
			if err != nil {
				f.say("%v.", err)
				return false
			}
			words[i] = ref
		}
		text = strings.Join(words, "\n")
	}
	v, err := x.Parse(text)
	if err != nil {
		f.say("%v.", err)
		return false
	}
	was, had := f.draft().Values[x.Name]
	f.draft().Values[x.Name] = v
	if !f.problems(x.Name) {
		return true
	}
	if delete(f.draft().Values, x.Name); had {
		f.draft().Values[x.Name] = was
	}
	return false
}
