package expand

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/places"
	"darkroom/client/secret"
	"darkroom/client/yamlfile"
)

// Preset is a part of a draft, kept under a name. Everything in it is optional.
type Preset struct {
	Name        string // of its file, without the ending
	Description string
	// Expand says how the prompt is expanded; AsIs: it is not a template.
	Expand    Mode
	Variables map[string]string
	// Draft is the part of a draft that it holds. Values may stand under any name that the catalog
	// knows; references in fields that take them may be paths relative to its file.
	Draft client.Draft
}

// PresetFile is a preset and its origin.
type PresetFile struct {
	Preset
	Path    string
	Project bool
	// Hides is the person's own file that the project's preset hides, "" if none.
	Hides string
	// Err says why the file cannot be used; the preset then has only its name.
	Err error
}

// ErrPresetExists is returned if a preset of that name exists and replacing it was not asked for.
var ErrPresetExists = errors.New("there is a preset of that name")

// Says reports whether a prompt has any text: line breaks alone replace nothing.
func Says(prompt string) bool { return strings.TrimSpace(prompt) != "" }

// presetKeys are the keys of a preset, in the order in which they are written.
func presetKeys() []string {
	return []string{"description", "modality", "model", "model_name", "mode", "prompt", "expand", "variables", "values", "extra"}
}

// ParsePreset reads a preset. It is strict: an unknown key, a field that the catalog does not have,
// a value of the wrong kind, or anything that looks like a gateway key is an [*Error] with line and
// column.
func ParsePreset(name, text string, c *catalog.Catalog) (Preset, error) {
	p := Preset{Name: name}
	src := &source{name + ".yaml", strings.TrimPrefix(text, "\ufeff")}
	all, err := tree(src)
	if err != nil {
		return p, err
	}
	var values *yamlfile.Entry
	for _, e := range all {
		if err := p.take(src, e); err != nil {
			return p, err
		}
		if e.Key == "values" {
			values = &e
		}
	}
	if values == nil {
		return p, nil
	}
	p.Draft.Values, err = src.presetValues(*values, p.Draft.Modality, c) // which needs the modality
	return p, err
}

// take reads any key except values.
func (p *Preset) take(src *source, e yamlfile.Entry) error {
	d := &p.Draft
	texts := map[string]*string{
		"description": &p.Description, "modality": (*string)(&d.Modality), "model": &d.Model, "model_name": &d.ModelName,
		"mode": &d.Mode, "prompt": &d.Prompt, "expand": (*string)(&p.Expand),
	}
	if to, ok := texts[e.Key]; ok {
		v, err := src.value(e.Value)
		if err != nil {
			return err
		}
		s, ok := v.(string)
		if !ok {
			return src.at(e, "%s must be text", e.Key)
		}
		*to = s
		switch {
		case e.Key == "modality" && !slices.Contains(client.Modalities(), d.Modality):
			return src.at(e, "modality %q: allowed are video, image, music, speech, chat", show(s))
		case e.Key == "expand" && s != "" && !slices.Contains(modes(), p.Expand):
			return src.at(e, "expand %q: allowed are all, random", show(s))
		}
		return nil
	}
	switch e.Key {
	case "values":
		return nil
	case "variables":
		return p.takeVariables(src, e)
	case "extra":
		return p.takeExtra(src, e)
	}
	return src.at(e, "unknown key %q; allowed: %s", show(e.Key), strings.Join(presetKeys(), ", "))
}

func (p *Preset) takeVariables(src *source, e yamlfile.Entry) error {
	all, err := src.entries(e.Value)
	if err != nil {
		return err
	}
	p.Variables = map[string]string{}
	for _, x := range all {
		if err := CheckVariable(x.Key); err != nil {
			return src.at(x, "%v", err)
		}
		v, err := src.value(x.Value)
		if err != nil {
			return err
		}
		s, ok := client.Values{"": v}.Text("")
		if !ok {
			return src.at(x, "variable %s must be text", show(x.Key))
		}
		p.Variables[x.Key] = s
	}
	return nil
}

func (p *Preset) takeExtra(src *source, e yamlfile.Entry) error {
	all, err := src.entries(e.Value)
	if err != nil {
		return err
	}
	p.Draft.Extra = map[string]json.RawMessage{}
	for _, x := range all {
		if _, err := places.Check(x.Key); err != nil {
			return src.at(x, "%v", err)
		}
		v, err := src.value(x.Value)
		if err == nil {
			err = src.noSecret(x, v)
		}
		if err != nil {
			return err
		}
		raw, err := jsonText(v)
		if err != nil {
			return src.at(x, "%v", err)
		}
		p.Draft.Extra[x.Key] = json.RawMessage(raw)
	}
	return nil
}

// presetValues reads the values: fields of the modality, or of any if there is none.
func (s *source) presetValues(e yamlfile.Entry, m client.Modality, c *catalog.Catalog) (client.Values, error) {
	all, err := s.entries(e.Value)
	if err != nil {
		return nil, err
	}
	out := client.Values{}
	for _, x := range all {
		v, err := s.value(x.Value)
		if err == nil {
			err = s.noSecret(x, v)
		}
		if err != nil {
			return nil, err
		}
		f, ok := fieldOf(m, x.Key, c)
		if !ok {
			return nil, s.at(x, "%q is not a field%s", show(x.Key), ofModality(m, c))
		}
		name := f.Name
		if m == "" {
			name = x.Key // as in For
		}
		if text, ok := v.(string); ok {
			if v, err = f.Parse(text); err != nil {
				return nil, s.at(x, "%v", err)
			}
		}
		if _, twice := out[name]; twice {
			return nil, s.at(x, "%s is another name of %s, which stands here already", show(x.Key), name)
		}
		if v != nil {
			out[name] = v
		}
	}
	return out, nil
}

// ofModality names for a message the modality whose fields are allowed.
func ofModality(m client.Modality, c *catalog.Catalog) string {
	if m == "" {
		return " of any modality"
	}
	var names []string
	for _, f := range c.AllFields(m) {
		names = append(names, f.Name)
	}
	return fmt.Sprintf(" of %s; allowed: %s", m, listed(names, 60))
}

// noSecret refuses anything that looks like a gateway key: presets are shared.
func (s *source) noSecret(e yamlfile.Entry, v any) error {
	if secret.Name(e.Key) || secretIn(v) {
		return s.at(e, "%s looks like a key: a preset holds none", show(e.Key))
	}
	return nil
}

func secretIn(v any) bool {
	switch t := v.(type) {
	case string:
		return len(t) > 7 && strings.EqualFold(t[:7], "bearer ")
	case []any:
		return slices.ContainsFunc(t, secretIn)
	case map[string]any:
		for k, x := range t {
			if secret.Name(k) || secretIn(x) {
				return true
			}
		}
	}
	return false
}
