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
	// tried says that the catalog does not know the model: it gets the draft as it is. live, that
	// the gateway's lists have it.
	tried, live bool
	// needsPrompt says that the one thing missing is a prompt.
	needsPrompt bool
}

// adapt fits a draft to the candidate's model. What is altered is told; what the model can not do at
// all is a block, since leaving it out would compare different things. format is the one
// that was chosen, "" for none.
func (x candidate) adapt(c *catalog.Catalog, base client.Draft, format string) candidate {
	d := base.Clone()
	d.Model, d.Wire = x.model.ID, nil
	x.fitFormat(format)
	x.fitModelName(&d, base)
	if !x.tried {
		x.fitMode(c, &d, base)
	}
	x.fitValues(c, &d)
	x.draft = d
	problems := c.CheckTried(d, x.format)
	if catalog.Blocked(problems) && strings.TrimSpace(d.Prompt) == "" {
		d.Prompt = "a prompt"
		if with := c.CheckTried(d, x.format); !catalog.Blocked(with) {
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

// fitFormat takes the format that was chosen where it reaches the model. One that is tried needs a
// format of its kind in any case.
func (x *candidate) fitFormat(chosen string) {
	switch ways := x.model.Formats; {
	case slices.Contains(ways, chosen):
		x.format = chosen
		return
	case x.tried && len(ways) == 0:
		x.block = "no format here makes " + string(x.model.Modality)
	case x.tried:
		x.format = ways[0]
	}
	if chosen != "" {
		x.change("not through format %s, which does not reach it", chosen)
	}
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
		case !x.tried && !takes[name]:
			x.change("%s removed", name)
		default:
			continue
		}
		delete(d.Values, name)
	}
}

// able reports a model that is known to take the draft.
func (x *candidate) able() bool { return !x.tried && x.block == "" }

// name is what the list calls the model; the sign is the one of the choice in Compose.
func (x *candidate) name() string {
	if x.live {
		return "◇ " + client.CleanLine(x.model.ID)
	}
	return client.CleanLine(x.model.ID)
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
