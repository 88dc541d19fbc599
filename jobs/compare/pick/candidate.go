package pick

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// Candidate is a model with the draft as it would get it.
type Candidate struct {
	Model catalog.Model
	Draft client.Draft
	// Format is the one that was chosen for the draft, "" if it does not reach the model: then the
	// model's own is used.
	Format string
	// Changes tell what of the draft had to be altered for this model: it would not run the same.
	Changes []string
	// Names tell what is named differently, or left out because it is no setting: its model_name, a
	// format that does not reach it.
	Names []string
	// Warns and Infos are what the catalog says about the result.
	Warns []string
	Infos []string
	// Block says why the model cannot take the draft, "" when it can.
	Block string
	// Tried says that the catalog does not know the model: it gets the draft as it is. Live, that
	// the gateway's lists have it.
	Tried, Live bool
	// NeedsPrompt says that only a prompt is missing.
	NeedsPrompt bool
}

// adapt fits a draft to the candidate's model, and notes what it altered. What the model cannot do
// at all is a block, since leaving it out would compare different things. format is the one that
// was chosen, "" for none.
func (x Candidate) adapt(c *catalog.Catalog, base client.Draft, format string) Candidate {
	d := base.Clone()
	d.Model, d.Wire = x.Model.ID, nil
	x.fitFormat(format)
	x.fitModelName(&d, base)
	if !x.Tried {
		x.fitMode(c, &d, base)
	}
	x.fitValues(c, &d)
	x.Draft = d
	problems := c.CheckTried(d, x.Format)
	if catalog.Blocked(problems) && strings.TrimSpace(d.Prompt) == "" {
		d.Prompt = "a prompt"
		if with := c.CheckTried(d, x.Format); !catalog.Blocked(with) {
			problems, x.NeedsPrompt = with, true
		}
	}
	for _, p := range problems {
		switch p.Severity {
		case catalog.Block:
			if x.Block == "" {
				x.Block = p.Message
			}
		case catalog.Warn:
			x.Warns = append(x.Warns, p.Message)
		default:
			x.Infos = append(x.Infos, p.Message)
		}
	}
	return x
}

func (x *Candidate) change(format string, args ...any) {
	x.Changes = append(x.Changes, client.CleanLine(fmt.Sprintf(format, args...)))
}

func (x *Candidate) name(format string, args ...any) {
	x.Names = append(x.Names, client.CleanLine(fmt.Sprintf(format, args...)))
}

// fitFormat takes the format that was chosen if it reaches the model. A model that is merely tried
// has no format of its own, and needs one of its kind.
func (x *Candidate) fitFormat(chosen string) {
	switch ways := x.Model.Formats; {
	case slices.Contains(ways, chosen):
		x.Format = chosen
		return
	case x.Tried && len(ways) == 0:
		x.Block = "no format here makes " + string(x.Model.Modality)
	case x.Tried:
		x.Format = ways[0]
	}
	if chosen != "" {
		x.name("not through format %s, which does not reach it", chosen)
	}
}

// doing is what a mode of the model does, in the words of the form.
func (x *Candidate) doing(mode string) string {
	if m, ok := x.Model.Mode(mode); ok && m.Label != "" {
		return m.Label
	}
	return mode
}

func (x *Candidate) fitModelName(d *client.Draft, base client.Draft) {
	names := x.Model.ModelNames
	switch {
	case base.Model == x.Model.ID || base.ModelName != "" && slices.Contains(names, base.ModelName):
	case len(names) > 0:
		d.ModelName = names[0]
		x.name("model name %s taken", names[0])
	case base.ModelName != "":
		d.ModelName = ""
		x.name("model name removed")
	}
}

func (x *Candidate) fitMode(c *catalog.Catalog, d *client.Draft, base client.Draft) {
	names := x.Model.ModeNames()
	switch {
	case len(names) == 0:
		if base.Mode != "" {
			d.Mode = ""
			x.change("mode removed")
		}
	case base.Mode == "":
		if !x.Model.ModeRequired {
			return
		}
		d.Mode = names[0]
		for _, n := range names { // the first one whose needs the draft meets
			try := *d
			try.Mode = n
			if !catalog.Blocked(c.CheckFor(try, x.Format)) {
				d.Mode = n
				break
			}
		}
		x.change("mode %s taken", x.doing(d.Mode))
	case !slices.Contains(names, base.Mode):
		can := make([]string, len(names))
		for i, n := range names {
			can[i] = x.doing(n)
		}
		slices.Sort(can)
		x.Block = client.CleanLine("only " + strings.Join(slices.Compact(can), ", "))
	}
}

// fitValues removes the values that the model does not take in its mode, and those that it decides
// by itself.
func (x *Candidate) fitValues(c *catalog.Catalog, d *client.Draft) {
	takes := map[string]bool{}
	for _, f := range c.FieldsFor(*d, x.Format) {
		takes[f.Name] = true
	}
	for _, name := range d.Values.Names() {
		fixed, isFixed := x.Model.Fixed[name]
		text, _ := d.Values.Text(name)
		switch {
		case name == client.FieldExternalTaskID:
			x.name("%s removed: it names one task", c.LabelOf(x.Model.Modality, name))
		case isFixed && !strings.EqualFold(text, fixed):
			x.change("%s removed: always %s", c.LabelOf(x.Model.Modality, name), fixed)
		case !x.Tried && !takes[name]:
			x.change("%s removed", c.LabelOf(x.Model.Modality, name))
		default:
			continue
		}
		delete(d.Values, name)
	}
}

// Able reports a model that is known to take the draft as it is.
func (x *Candidate) Able() bool { return !x.Tried && x.Block == "" && len(x.Changes) == 0 }

// Remark is the one thing to say about a candidate in a narrow line.
func (x *Candidate) Remark() string {
	switch {
	case x.Block != "":
		return x.Block
	case len(x.Changes) > 0:
		return strings.Join(x.Changes, ", ")
	case len(x.Warns) > 0:
		return x.Warns[0]
	default:
		return ""
	}
}
