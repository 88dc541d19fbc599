package suite

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/yamlfile"
	"darkroom/jobs/compare/check"
	"darkroom/jobs/delivered"
)

// skip marks what is left out.
const skip = "SKIP:"

// Bounds of lists.
const (
	maxModels     = 500
	maxFormats    = 50
	maxExclusions = 100
	maxExcluded   = 500 // values in all exclusions
	maxExpected   = 200
)

// cutSkip tells whether a text is left out, and what it is without the mark.
func cutSkip(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, skip)
	if ok {
		rest = strings.TrimSpace(rest)
	}
	return rest, ok
}

func (r *reader) prompts(s *Suite, e yamlfile.Entry) error {
	items, err := r.items(e, "prompts: [a kite, {id: city, text: a tram}]", MaxCells)
	if err != nil {
		return err
	}
	for i, n := range items {
		key := numbered("prompts", i)
		r.markNode(key, n, e)
		p, err := r.prompt(key, n, e)
		if err != nil {
			return err
		}
		if _, err := expand.Parse(p.Text); err != nil {
			return r.node(n, e, "the prompt cannot be read as a template: %s", inTemplate(err))
		}
		if strings.TrimSpace(p.Text) == "" && len(p.Values) == 0 {
			return r.node(n, e, "a prompt without a text needs values, as its image")
		}
		s.Prompts = append(s.Prompts, p)
	}
	return nil
}

func (r *reader) prompt(key string, n ast.Node, of yamlfile.Entry) (Prompt, error) {
	var p Prompt
	if _, ok := n.(ast.MapNode); !ok {
		v, err := r.value(n)
		if err != nil {
			return p, err
		}
		text, ok := scalarText(v)
		if !ok {
			return p, r.node(n, of, "a prompt is a text, or {id, text, values}; a text that begins with { is written in quotes")
		}
		p.Text = text
		return p, nil
	}
	all, err := r.entries(n)
	if err != nil {
		return p, err
	}
	for _, x := range all {
		switch x.Key {
		case "id":
			err = r.line(x, &p.ID)
			if err == nil && strings.ContainsAny(p.ID, "*, ") {
				err = r.at(x, "id: a word without spaces, commas and stars is needed")
			}
		case "text":
			err = r.text(x, &p.Text)
		case "values":
			err = r.values(key+".values", x, &p.Values)
		default:
			err = r.at(x, "unknown key %q of a prompt; allowed: id, text, values; a text that begins with { is written in quotes", show(x.Key))
		}
		if err != nil {
			return p, err
		}
	}
	return p, nil
}

func (r *reader) models(s *Suite, e yamlfile.Entry) error {
	items, err := r.items(e, "models: [famA3, famB*, {model: famC, model_name: pro}]", maxModels)
	if err != nil {
		return err
	}
	for i, n := range items {
		key := numbered("models", i)
		r.markNode(key, n, e)
		m, err := r.model(key, n, e)
		if err != nil {
			return err
		}
		if m.Model, m.Skip = cutSkip(m.Model); !isName(m.Model) {
			return r.node(n, e, "a model is a name of 1 to %d characters", maxName)
		}
		if slices.ContainsFunc(s.Models, func(o Model) bool { return o.Model == m.Model && o.ModelName == m.ModelName }) {
			return r.node(n, e, "%s stands here twice; what varies beside the model is an axis", show(m.Model))
		}
		s.Models = append(s.Models, m)
	}
	if !slices.ContainsFunc(s.Models, func(m Model) bool { return !m.Skip }) {
		return r.at(e, "every model is left out")
	}
	return nil
}

func (r *reader) model(key string, n ast.Node, of yamlfile.Entry) (Model, error) {
	var m Model
	if _, ok := n.(ast.MapNode); !ok {
		v, err := r.value(n)
		if err != nil {
			return m, err
		}
		text, ok := scalarText(v)
		if !ok {
			return m, r.node(n, of, "a model is a name, or {model, model_name, mode, values}")
		}
		m.Model = text
		return m, nil
	}
	all, err := r.entries(n)
	if err != nil {
		return m, err
	}
	for _, x := range all {
		switch x.Key {
		case "model":
			err = r.text(x, &m.Model)
		case "model_name":
			err = r.line(x, &m.ModelName)
		case "mode":
			err = r.line(x, &m.Mode)
		case "values":
			err = r.values(key+".values", x, &m.Values)
		default:
			err = r.at(x, "unknown key %q of a model; allowed: model, model_name, mode, values", show(x.Key))
		}
		if err != nil {
			return m, err
		}
	}
	return m, nil
}

func (r *reader) formats(s *Suite, e yamlfile.Entry) error {
	s.Formats = nil
	if items, ok := yamlfile.Items(e.Value); ok && len(items) > 0 {
		if len(items) > maxFormats {
			return r.at(e, "%d formats; at most %d", len(items), maxFormats)
		}
		for _, n := range items {
			v, err := r.value(n)
			if err != nil {
				return err
			}
			f, _ := v.(string)
			switch {
			case !isName(f), f == FormatsAuto, f == FormatsAll:
				return r.node(n, e, "in a list each format is a name; auto and all stand alone, as formats: all")
			case slices.Contains(s.Formats, f):
				return r.node(n, e, "format %s stands here twice", f)
			}
			r.markNode("formats."+f, n, e)
			s.Formats = append(s.Formats, f)
		}
		return nil
	}
	var f string
	if err := r.text(e, &f); err != nil || f != FormatsAuto && f != FormatsAll {
		return r.at(e, "formats: allowed are auto (the model's own), all (every one that reaches it) or a list of names")
	}
	s.Formats = []string{f}
	return nil
}

func (r *reader) exclude(s *Suite, e yamlfile.Entry) error {
	items, err := r.items(e, "exclude: [{model: famA*, duration: 8}]", maxExclusions)
	if err != nil {
		return err
	}
	count := 0
	for i, n := range items {
		r.markNode(numbered("exclude", i), n, e)
		all, err := r.entries(n)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return r.node(n, e, "an exclusion without conditions would leave out everything")
		}
		var m Match
		for _, x := range all {
			c := Condition{About: x.Key}
			v, err := r.value(x.Value)
			if err != nil {
				return err
			}
			list, ok := v.([]any)
			if !ok {
				list = []any{v}
			}
			for _, v := range list {
				text, ok := scalarText(v)
				if !ok && v != nil {
					return r.at(x, "%s: a value or a list of values is needed", show(x.Key))
				}
				c.Values = append(c.Values, text)
			}
			if len(c.Values) == 0 {
				return r.at(x, "%s has no value", show(x.Key))
			}
			if count += len(c.Values); count > maxExcluded {
				return r.at(x, "the exclusions have more than %d values", maxExcluded)
			}
			r.mark(numbered("exclude", i)+"."+x.Key, x.Line, x.Column)
			m = append(m, c)
		}
		s.Exclude = append(s.Exclude, m)
	}
	return nil
}

func (r *reader) expect(s *Suite, e yamlfile.Entry) error {
	items, err := r.items(e, "expect: [status is completed, total < 30s]", maxExpected)
	if err != nil {
		return err
	}
	for i, n := range items {
		v, err := r.value(n)
		if err != nil {
			return err
		}
		text, ok := v.(string)
		if !ok || strings.TrimSpace(text) == "" || client.CleanLine(text) != text {
			return r.node(n, e, "an expectation is one line of text, as total < 30s")
		}
		if _, err := check.Parse(text); err != nil {
			return r.node(n, e, "%v", err)
		}
		r.markNode(numbered("expect", i), n, e)
		s.Expect = append(s.Expect, text)
	}
	return nil
}

// toleranceUnits are the units that an amount may have, with what makes them the base unit.
func toleranceUnits() map[string]float64 {
	return map[string]float64{"": 1, "s": 1, "ms": 0.001, "px": 1, "fps": 1, "Hz": 1, "kHz": 1000, "%": 1}
}

func (r *reader) tolerance(s *Suite, e yamlfile.Entry) error {
	all, err := r.entries(e.Value)
	if err != nil {
		return err
	}
	for _, x := range all {
		if allowed := delivered.Fields(); !slices.Contains(allowed, x.Key) {
			return r.at(x, "%q has no tolerance; allowed: %s", show(x.Key), strings.Join(allowed, ", "))
		}
		var t string
		if err := r.text(x, &t); err != nil {
			return err
		}
		cut := strings.TrimRight(t, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%")
		unit := t[len(cut):]
		scale, known := toleranceUnits()[unit]
		amount, ok := number(strings.TrimSpace(cut))
		if !ok || !known || amount < 0 || amount > 1e9 {
			return r.at(x, "%s: an amount is needed, as 0.5s, 8px or 5%%", x.Key)
		}
		r.mark("tolerance."+x.Key, x.Line, x.Column)
		s.Tolerance = append(s.Tolerance, Tolerance{Field: x.Key, Amount: amount * scale, Percent: unit == "%"})
	}
	return nil
}

func (r *reader) score(s *Suite, e yamlfile.Entry) error {
	all, err := r.entries(e.Value)
	if err != nil {
		return err
	}
	c := Score{Name: "score"}
	for _, x := range all {
		switch x.Key {
		case "name":
			err = r.line(x, &c.Name)
		case "command":
			err = r.command(x, &c)
		default:
			err = r.at(x, "unknown key %q of a scorer; allowed: name, command", show(x.Key))
		}
		if err != nil {
			return err
		}
	}
	if len(c.Command) == 0 {
		return r.at(e, "score: a command is needed, as command: [./score.sh]")
	}
	s.Score = &c
	return nil
}

func (r *reader) command(e yamlfile.Entry, c *Score) error {
	items, err := r.items(e, "command: [./score.sh, --fast]", maxExpected)
	if err != nil {
		return err
	}
	for i, n := range items {
		v, err := r.value(n)
		if err != nil {
			return err
		}
		word, ok := scalarText(v)
		if !ok || i == 0 && word == "" || strings.ContainsRune(word, 0) {
			return r.node(n, e, "command: each word is a text")
		}
		c.Command = append(c.Command, word)
	}
	return nil
}
