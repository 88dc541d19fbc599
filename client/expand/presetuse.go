package expand

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// For returns the preset's draft for a modality, with values under canonical names and references
// mapped by local. local gets references without a scheme, which are paths relative to the preset's
// file, and "file://" addresses, which are found at any depth; it may refuse. A nil local refuses
// all of them. Without a modality, names stay as they are.
func (p Preset) For(m client.Modality, c *catalog.Catalog, local func(string) (string, error)) (client.Draft, error) {
	d := p.Draft.Clone()
	if d.Modality != "" && d.Modality != m {
		return d, fmt.Errorf("preset %s is for %s, not for %s", show(p.Name), d.Modality, m)
	}
	if local == nil {
		local = func(s string) (string, error) { return "", fmt.Errorf("%q is a file; here are none", show(s)) }
	}
	d.Modality = m
	values := d.Values
	d.Values = nil
	for _, name := range values.Names() {
		f, ok := fieldOf(m, name, c)
		if !ok {
			return d, fmt.Errorf("preset %s: %s is not a field%s", show(p.Name), show(name), ofModality(m, c))
		}
		canonical := f.Name
		if m == "" {
			canonical = name // which field it is depends on the modality it is used for
		}
		if d.Values == nil {
			d.Values = client.Values{}
		}
		if _, twice := d.Values[canonical]; twice {
			return d, fmt.Errorf("preset %s: %s stands there twice, under several names", show(p.Name), canonical)
		}
		v, err := eachPath(values[name], f.Kind.Refers(), local)
		if err != nil {
			return d, fmt.Errorf("preset %s: %s: %w", show(p.Name), canonical, err)
		}
		d.Values[canonical] = v
	}
	return d, nil
}

// fieldOf finds a field by any of its names; without a modality, in the first that has it.
func fieldOf(m client.Modality, name string, c *catalog.Catalog) (catalog.Field, bool) {
	in := []client.Modality{m}
	if m == "" {
		in = client.Modalities()
	}
	for _, m := range in {
		if canonical, ok := c.Canonical(m, name); ok {
			return c.Field(m, canonical)
		}
	}
	return catalog.Field{}, false
}

// hasScheme reports whether a reference has a scheme, so is not a path.
func hasScheme(s string) bool {
	low := strings.ToLower(s)
	return slices.ContainsFunc([]string{"http://", "https://", "data:", "file:"}, func(p string) bool { return strings.HasPrefix(low, p) })
}

// eachPath maps file addresses at any depth and, with media, every reference that is a path.
func eachPath(v any, media bool, to func(string) (string, error)) (any, error) {
	switch t := v.(type) {
	case string:
		if t != "" && (media && !hasScheme(t) || strings.HasPrefix(strings.ToLower(t), "file:")) {
			return to(t)
		}
	case []any:
		out := make([]any, len(t))
		for i, x := range t {
			y, err := eachPath(x, media, to)
			if err != nil {
				return nil, err
			}
			out[i] = y
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(t))
		for k, x := range t {
			y, err := eachPath(x, false, to)
			if err != nil {
				return nil, err
			}
			out[k] = y
		}
		return out, nil
	}
	return v, nil
}

// YAML writes a preset so that ParsePreset reads it back unchanged. It refuses whatever ParsePreset
// would refuse, with the same errors.
func (p Preset) YAML(c *catalog.Catalog) (string, error) {
	for _, pretty := range []bool{true, false} {
		s, err := p.text(pretty)
		if err != nil {
			return "", err
		}
		got, err := ParsePreset(p.Name, s, c)
		if err == nil && got.same(p) {
			return s, nil
		}
		if err != nil && !pretty {
			return "", err
		}
	}
	return "", fmt.Errorf("preset %s cannot be written so that it reads the same: values stand under the catalog's own names, without nulls", show(p.Name))
}

// same compares content, not notation.
func (p Preset) same(q Preset) bool {
	a, errA := p.text(false)
	b, errB := q.text(false)
	return errA == nil && errB == nil && reflect.DeepEqual(a, b)
}

// text writes the keys in their order, with values as JSON, which is valid YAML; with pretty, a
// prompt of several lines is written as a block.
func (p Preset) text(pretty bool) (string, error) {
	d := p.Draft
	var b strings.Builder
	line := func(indent, key string, v any) error {
		s, err := jsonText(v)
		if err != nil {
			return fmt.Errorf("%s: %w", show(strings.TrimSpace(key)), err)
		}
		k, err := plainKey(key)
		if err != nil {
			return err
		}
		b.WriteString(indent + k + ": " + s + "\n")
		return nil
	}
	for _, x := range [][2]string{
		{"description", p.Description}, {"modality", string(d.Modality)}, {"model", d.Model}, {"model_name", d.ModelName},
		{"mode", d.Mode}, {"prompt", d.Prompt}, {"expand", string(p.Expand)},
	} {
		if x[1] == "" {
			continue
		}
		if pretty && x[0] == "prompt" && strings.Contains(x[1], "\n") {
			b.WriteString("prompt: |-\n  " + strings.ReplaceAll(x[1], "\n", "\n  ") + "\n")
			continue
		}
		if err := line("", x[0], x[1]); err != nil {
			return "", err
		}
	}
	block := func(key string, names []string, v func(string) any) error {
		if len(names) == 0 {
			return nil
		}
		b.WriteString(key + ":\n")
		for _, n := range names {
			if err := line("  ", n, v(n)); err != nil {
				return err
			}
		}
		return nil
	}
	err := block("variables", slices.Sorted(maps.Keys(p.Variables)), func(n string) any { return p.Variables[n] })
	if err == nil {
		err = block("values", d.Values.Names(), func(n string) any { return d.Values[n] })
	}
	if err == nil {
		err = block("extra", slices.Sorted(maps.Keys(d.Extra)), func(n string) any { return json.RawMessage(d.Extra[n]) })
	}
	return b.String(), err
}

// plainKey quotes a key that is not a plain name.
func plainKey(s string) (string, error) {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz_") == "" && !slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, s) {
		return s, nil
	}
	return jsonText(s)
}
