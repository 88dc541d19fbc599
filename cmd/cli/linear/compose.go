package linear

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/client/kept"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// form asks for what a draft needs. The draft is Compose's own: it is kept after each answer, and what is
// left here goes on there.
type form struct {
	*session
	kept kept.Draft
}

func (s *session) form(d client.Draft) *form {
	if d.Values == nil {
		d.Values = client.Values{}
	}
	return &form{session: s, kept: kept.Draft{Draft: d}}
}

func (f *form) draft() *client.Draft { return &f.kept.Draft }

// keep writes the draft down.
func (f *form) keep() {
	if err := f.drafts.Save(f.kept); err != nil {
		f.say("The draft could not be kept: %v", err)
	}
}

// compose asks for a draft of a kind, from the one that was kept on, and sends it.
func (s *session) compose(ctx context.Context, args []string) error {
	kinds := kit.Kinds()
	kind := strings.Join(args, " ")
	if kind == "" {
		i, err := s.pick(ctx, "What is it to be", kinds, 0)
		if err != nil {
			return err
		}
		kind = kinds[i]
	}
	if !slices.Contains(kinds, kind) {
		return kit.Usage("new %s: %s are allowed", kind, strings.Join(kinds, ", "))
	}
	f := s.form(s.desk.Catalog.Default(client.Modality(kind)))
	d, ok, err := s.drafts.Load(client.Modality(kind))
	switch {
	case err != nil:
		s.say("The draft that was kept cannot be read: %v", err)
	case ok:
		f = s.form(d.Draft)
		f.kept.Format, f.kept.Job, f.kept.Expand, f.kept.Vars = d.Format, d.Job, d.Expand, d.Vars
	}
	for at := 0; ; {
		all := f.questions()
		if at >= len(all) {
			return f.review(ctx)
		}
		switch err := all[at].ask(ctx); {
		case errors.Is(err, errBack):
			at = max(0, at-1)
		case err != nil:
			return f.left(err)
		default:
			f.keep()
			at++
		}
	}
}

// left ends the questions early.
func (f *form) left(err error) error {
	if errors.Is(err, errLeave) {
		f.say("Left. What you have is kept: new %s goes on with it.", f.draft().Modality)
	}
	return err
}

// question is one that the form asks, or asks again from the review.
type question struct {
	label string
	ask   func(ctx context.Context) error
	shown func() string // what is set, "" for nothing
}

// questions are those about model, mode, prompt and the basic fields, as the draft is now.
func (f *form) questions() []question {
	return slices.Concat(f.heads(), f.fields(true))
}

func (f *form) heads() []question {
	d := f.draft()
	out := []question{{"Model", f.askModel, func() string { return d.Model }}}
	m, _ := f.desk.Catalog.ModelFor(d.Modality, d.Model)
	if len(m.ModelNames) > 0 {
		out = append(out, question{"Version", f.askName, func() string { return d.ModelName }})
	}
	if len(m.Modes) > 1 {
		out = append(out, question{"Mode", f.askMode, func() string { return m.ModeCalled(d.Mode) }})
	}
	return append(out, question{"Prompt", f.askPrompt, func() string { return d.Prompt }})
}

// fields are the questions about basic fields, or about the others.
func (f *form) fields(basic bool) []question {
	var out []question
	for _, x := range f.desk.Catalog.FieldsFor(*f.draft(), f.kept.Format) {
		if x.Basic == basic {
			out = append(out, question{label(x), func(ctx context.Context) error { return f.askField(ctx, x) }, func() string { return f.set(x.Name) }})
		}
	}
	return out
}

func label(x catalog.Field) string {
	if x.Label == "" {
		return x.Name
	}
	return x.Label
}

// label is what a person calls a field.
func (f *form) label(name string) string {
	if x, ok := f.desk.Catalog.Field(f.draft().Modality, name); ok {
		return label(x)
	}
	return name
}

// set is the value of a field in words, "" for none.
func (f *form) set(name string) string {
	if _, ok := f.draft().Values[name]; !ok {
		return ""
	}
	if list := f.draft().Values.Strings(name); len(list) > 0 {
		shown := make([]string, len(list))
		for i, ref := range list {
			shown[i] = kit.ShownRef(ref)
		}
		return strings.Join(shown, ", ")
	}
	t, _ := f.draft().Values.Text(name)
	return t
}

// problems tells what the catalog finds about a field; it reports whether something blocks.
func (f *form) problems(field string) bool {
	blocked := false
	for _, p := range f.desk.Catalog.CheckTried(*f.draft(), f.kept.Format) {
		if field != "" && p.Field != field {
			continue
		}
		switch p.Severity {
		case catalog.Block:
			blocked = true
			f.say("Wrong: %s.", strings.TrimSuffix(f.desk.Catalog.Worded(f.draft().Modality, &p, f.label(p.Field)), "."))
		case catalog.Warn:
			f.say("Note: %s.", strings.TrimSuffix(f.desk.Catalog.Worded(f.draft().Modality, &p, f.label(p.Field)), "."))
		}
	}
	return blocked
}

// review reads the draft back, and sends it or changes something.
func (f *form) review(ctx context.Context) error {
	f.keep()
	blocked := f.readBack()
	for {
		typed, err := f.ask(ctx, "Submit? yes, the name of what to change, more for all names, a dot to leave:")
		if err != nil {
			return err
		}
		switch strings.ToLower(typed) {
		case "":
		case "y", "yes":
			if !blocked {
				return f.submit(ctx)
			}
			f.say("It is not sent: change what is wrong first.")
		case ".", "n", "no":
			return f.left(errLeave)
		case "more", "?":
			f.say("%s.", strings.Join(labels(f.all()), ", "))
		default:
			changed, err := f.change(ctx, typed)
			if err != nil {
				return f.left(err)
			}
			if changed {
				blocked = f.readBack()
			}
		}
	}
}

// all are the questions about everything that can be set.
func (f *form) all() []question { return slices.Concat(f.heads(), f.fields(true), f.fields(false)) }

// readBack tells what is set and what is wrong; it reports whether something blocks.
func (f *form) readBack() bool {
	for _, q := range f.all() {
		if is := q.shown(); is != "" {
			f.say("%s: %s.", q.label, strings.TrimSuffix(is, "."))
		}
	}
	return f.problems("")
}

func labels(all []question) []string {
	out := make([]string, len(all))
	for i := range all {
		out[i] = all[i].label
	}
	return out
}

// change asks again what a word names; it reports whether that was answered.
func (f *form) change(ctx context.Context, word string) (bool, error) {
	all := f.all()
	i, why := choose(labels(all), word)
	if why != "" {
		f.say("%s There are: %s.", why, strings.Join(labels(all), ", "))
		return false, nil
	}
	switch err := all[i].ask(ctx); {
	case errors.Is(err, errBack):
		return false, nil
	case err != nil:
		return false, err
	}
	f.keep()
	return true, nil
}

// submit journals the draft and has it sent.
func (f *form) submit(ctx context.Context) error {
	if err := f.desk.MayCreate(); err != nil {
		return err
	}
	if f.kept.Format == "" && f.desk.FormatFor(*f.draft()) == "" {
		return f.desk.NoFormat(*f.draft())
	}
	ids, err := f.desk.Engine.Submit(ctx, []jobs.Submission{{Draft: f.draft().Clone(), Format: f.kept.Format}})
	if err != nil {
		return err
	}
	f.kept.Job = ids[0]
	f.keep()
	f.say("%s is sent%s. What happens to it is told here; wait listens until it is over.", jobs.ShortID(ids[0]), f.k.At())
	return nil
}

// pick asks for one of several: a number, a name or the beginning of one. Enter takes the one at current.
// A question mark tells what about says of each, where it says anything.
func (s *session) pick(ctx context.Context, question string, names []string, current int, about ...string) (int, error) {
	text := question + ": " + strings.Join(numbered(names), ", ")
	if current >= 0 && current < len(names) {
		text += " (enter: " + names[current] + ")"
	}
	for {
		typed, err := s.ask(ctx, text+"?")
		if err != nil {
			return 0, err
		}
		switch typed {
		case "":
			if current >= 0 && current < len(names) {
				return current, nil
			}
			continue
		case ".":
			return 0, errLeave
		case "<":
			return 0, errBack
		case "?":
			for i, a := range about {
				s.say("%s: %s.", names[i], a)
			}
			s.say("Type a number, a name, or how a name begins.")
			continue
		}
		i, why := choose(names, typed)
		if why == "" {
			return i, nil
		}
		s.say("%s", why)
	}
}

// choose is the one of names that is meant, or why none is.
func choose(names []string, typed string) (int, string) {
	if i, ok := number(typed, len(names)); ok {
		return i, ""
	}
	var begin, within []int
	for i, name := range names {
		switch name, t := strings.ToLower(name), strings.ToLower(typed); {
		case name == t:
			return i, ""
		case strings.HasPrefix(name, t):
			begin = append(begin, i)
		case strings.Contains(name, t):
			within = append(within, i)
		}
	}
	if len(begin) == 0 && strings.Trim(typed, "0123456789") != "" { // a number is that of a choice
		begin = within
	}
	switch len(begin) {
	case 1:
		return begin[0], ""
	case 0:
		return 0, fmt.Sprintf("%q is not one of the %s.", typed, human.Plural(len(names), "choice"))
	}
	some := make([]string, 0, len(begin))
	for _, i := range begin {
		some = append(some, names[i])
	}
	return 0, fmt.Sprintf("%q may be %s.", typed, strings.Join(some, ", "))
}

func numbered(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = fmt.Sprintf("%d %s", i+1, n)
	}
	return out
}
