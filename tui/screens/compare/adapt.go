package compare

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// candidate is a model with the draft as it would get it.
type candidate struct {
	model catalog.Model
	draft client.Draft
	// format is the one that was chosen for the draft, "" where it does not reach the
	// model: then the model's own goes.
	format string
	// changes say what had to be altered for this model, for a person.
	changes []string
	// warns and infos are what the catalog says about the result.
	warns []string
	infos []string
	// block says why the model can not take the draft, "" when it can.
	block string
	// needsPrompt says that the one thing missing is a prompt.
	needsPrompt bool
}

// adapt fits a draft to a model. What is altered is told; what the model can not do at
// all is a block, since leaving it out would compare different things. format is the one
// that was chosen, "" for none.
func adapt(c *catalog.Catalog, base client.Draft, format string, m catalog.Model) candidate {
	d := base.Clone()
	d.Model, d.Wire = m.ID, nil
	x := candidate{model: m}
	if slices.Contains(m.Formats, format) {
		x.format = format
	} else if format != "" {
		x.change("not through format %s, which does not reach it", format)
	}
	x.fitModelName(&d, base)
	x.fitMode(c, &d, base)
	x.fitValues(c, &d)
	x.draft = d
	problems := c.CheckFor(d, x.format)
	if catalog.Blocked(problems) && strings.TrimSpace(d.Prompt) == "" {
		d.Prompt = "a prompt"
		if with := c.CheckFor(d, x.format); !catalog.Blocked(with) {
			problems, x.needsPrompt = with, true
		}
	}
	for _, p := range problems {
		switch p.Severity {
		case catalog.Block:
			if x.block == "" {
				x.block = p.Message
			}
		case catalog.Warn:
			x.warns = append(x.warns, p.Message)
		default:
			x.infos = append(x.infos, p.Message)
		}
	}
	return x
}

func (x *candidate) change(format string, args ...any) {
	x.changes = append(x.changes, client.CleanLine(fmt.Sprintf(format, args...)))
}

func (x *candidate) fitModelName(d *client.Draft, base client.Draft) {
	names := x.model.ModelNames
	switch {
	case base.Model == x.model.ID || base.ModelName != "" && slices.Contains(names, base.ModelName):
	case len(names) > 0:
		d.ModelName = names[0]
		x.change("model_name %s taken", names[0])
	case base.ModelName != "":
		d.ModelName = ""
		x.change("model_name removed")
	}
}

func (x *candidate) fitMode(c *catalog.Catalog, d *client.Draft, base client.Draft) {
	names := x.model.ModeNames()
	switch {
	case len(names) == 0:
		if base.Mode != "" {
			d.Mode = ""
			x.change("mode removed")
		}
	case base.Mode == "":
		if !x.model.ModeRequired {
			return
		}
		d.Mode = names[0]
		for _, n := range names { // the first one whose needs the draft meets
			try := *d
			try.Mode = n
			if !catalog.Blocked(c.CheckFor(try, x.format)) {
				d.Mode = n
				break
			}
		}
		x.change("mode %s taken", d.Mode)
	case !slices.Contains(names, base.Mode):
		x.block = fmt.Sprintf("has no mode %s; it has %s", client.CleanLine(base.Mode), strings.Join(names, ", "))
	}
}

// fitValues takes out what the model does not take in its mode, and what it decides by
// itself.
func (x *candidate) fitValues(c *catalog.Catalog, d *client.Draft) {
	takes := map[string]bool{}
	for _, f := range c.FieldsFor(*d, x.format) {
		takes[f.Name] = true
	}
	for _, name := range d.Values.Names() {
		fixed, isFixed := x.model.Fixed[name]
		text, _ := d.Values.Text(name)
		switch {
		case name == client.FieldExternalTaskID:
			x.change("%s removed: it names one task", name)
		case isFixed && !strings.EqualFold(text, fixed):
			x.change("%s removed: always %s", name, fixed)
		case !takes[name]:
			x.change("%s removed", name)
		default:
			continue
		}
		delete(d.Values, name)
	}
}

// remark is the one thing to say about a candidate in a narrow line.
func (x *candidate) remark() string {
	switch {
	case x.block != "":
		return x.block
	case len(x.changes) > 0:
		return strings.Join(x.changes, ", ")
	case len(x.warns) > 0:
		return x.warns[0]
	default:
		return ""
	}
}
