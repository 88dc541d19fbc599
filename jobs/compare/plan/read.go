package plan

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/client/text"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/suite"
)

// maxCombinations bounds what is looked at before exclusions.
const maxCombinations = 20 * suite.MaxCells

// maxText bounds the prompts of all cells together, in bytes: a small template can stand for very much
// text, and a run keeps it for each cell.
const maxText = 64 << 20

var errText = fmt.Errorf("the prompts of all cells have more than %d MB", maxText>>20)

// prompt is one prompt of a template.
type prompt struct {
	compare.Prompt
	of     string // id of the template
	index  int
	values client.Values
}

// choice is a model that a run compares.
type choice struct {
	id, name, mode string
	values         client.Values
	index          int // in the suite
}

// axis is one with its values as the catalog's field has them.
type axis struct {
	field  string // canonical
	as     string // as the suite names it
	values []any  // nil leaves it unset
	texts  []string
}

// maker makes one plan.
type maker struct {
	Input
	s       suite.Suite
	prompts []prompt
	models  []choice
	axes    []axis
	values  client.Values // the same in every cell
	out     []compare.Cell
	size    int // bytes of their prompts

	ways    map[string][]string // formats by model
	judged  map[key]*verdict
	fields  map[[3]string]map[string]bool // by model, mode and format
	digests map[string]string             // by path
	unused  []bool                        // exclusions that chose no cell
}

func (m *maker) readPrompts() error {
	lib := expand.NewLibrary(m.Wildcards)
	seen, size := map[string]bool{}, 0
	for i, p := range m.s.Prompts {
		place := fmt.Sprintf("prompts.%d", i)
		t, err := expand.Parse(p.Text)
		if err != nil {
			return m.s.Errorf(place, "%v", err)
		}
		x, err := t.Bind(m.s.Vars, lib)
		if err != nil {
			return m.s.Errorf(place, "%v", err)
		}
		n := x.Count()
		if !n.IsInt64() || n.Int64() > suite.MaxCells || len(m.prompts)+int(n.Int64()) > suite.MaxCells {
			return m.s.Errorf(place, "%s prompts; at most %d", expand.Number(n), suite.MaxCells)
		}
		for k := range n.Int64() {
			text, err := x.At(big.NewInt(k))
			if err != nil {
				return m.s.Errorf(place, "%v", err)
			}
			if err := client.CheckPrompt(text); err != nil {
				return m.s.Errorf(place, "%v", err)
			}
			if size += len(text); size > maxText {
				return m.s.Errorf(place, "%v", errText)
			}
			id := m.s.PromptID(i)
			if n.Int64() > 1 {
				id = fmt.Sprintf("%s.%d", id, k+1)
			}
			if seen[id] {
				return m.s.Errorf(place, "two prompts are named %s", id)
			}
			seen[id] = true
			m.prompts = append(m.prompts, prompt{compare.Prompt{ID: id, Text: text}, m.s.PromptID(i), i, nil})
		}
	}
	return nil
}

// fits reports whether a text fits a pattern, in which * stands for any characters.
func fits(pattern, s string) bool {
	head, rest, more := strings.Cut(pattern, "*")
	if !more {
		return pattern == s
	}
	if !strings.HasPrefix(s, head) {
		return false
	}
	s = s[len(head):]
	parts := strings.Split(rest, "*")
	for _, p := range parts[:len(parts)-1] {
		i := strings.Index(s, p)
		if i < 0 {
			return false
		}
		s = s[i+len(p):]
	}
	return strings.HasSuffix(s, parts[len(parts)-1])
}

// readModels replaces patterns by the catalog's models.
func (m *maker) readModels() error {
	skipped := func(c choice) bool {
		return slices.ContainsFunc(m.s.Models, func(x suite.Model) bool {
			return x.Skip && fits(x.Model, c.id) && (x.ModelName == "" || fits(x.ModelName, c.name))
		})
	}
	for i, x := range m.s.Models {
		if x.Skip {
			continue
		}
		found, err := m.named(i, x)
		if err != nil {
			return err
		}
		pattern := strings.Contains(x.Model+x.ModelName, "*")
		for _, c := range found {
			same := func(o choice) bool { return o.id == c.id && o.name == c.name }
			// What is named by itself says more than a pattern that has it, too.
			own := func(o suite.Model) bool { return o.Model == c.id && o.ModelName == c.name && !o.Skip }
			if skipped(c) || slices.ContainsFunc(m.models, same) || pattern && slices.ContainsFunc(m.s.Models, own) {
				continue
			}
			m.models = append(m.models, c)
		}
	}
	if len(m.models) == 0 {
		return m.s.Errorf("models", "every model is left out")
	}
	return nil
}

// named are the models that one entry stands for.
func (m *maker) named(i int, x suite.Model) ([]choice, error) {
	place := fmt.Sprintf("models.%d", i)
	ids := []string{x.Model}
	if strings.Contains(x.Model, "*") {
		ids = nil
		for _, known := range m.Catalog.Models(m.s.Kind) {
			if fits(x.Model, known.ID) {
				ids = append(ids, known.ID)
			}
		}
		if len(ids) == 0 {
			return nil, m.s.Errorf(place, "no %s model of the catalog fits %s", m.s.Kind, x.Model)
		}
	}
	var out []choice
	for _, id := range ids {
		names := []string{x.ModelName}
		if strings.Contains(x.ModelName, "*") {
			known, _ := m.Catalog.ModelFor(m.s.Kind, id)
			names = slices.DeleteFunc(slices.Clone(known.ModelNames), func(n string) bool { return !fits(x.ModelName, n) })
		}
		for _, n := range names {
			out = append(out, choice{id: id, name: n, mode: x.Mode, index: i})
		}
	}
	if len(out) == 0 {
		return nil, m.s.Errorf(place, "no model_name fits %s", x.ModelName)
	}
	return out, nil
}

// field finds a field of the catalog by any of its names.
func (m *maker) field(place, name string) (catalog.Field, error) {
	if canonical, ok := m.Catalog.Canonical(m.s.Kind, name); ok {
		if f, ok := m.Catalog.Field(m.s.Kind, canonical); ok {
			return f, nil
		}
	}
	var all []string
	for _, f := range m.Catalog.AllFields(m.s.Kind) {
		all = append(all, f.Name)
	}
	near := catalog.Nearest(name, all, 3)
	if len(near) == 0 {
		near = all
	}
	return catalog.Field{}, m.s.Errorf(place, "%s is not a field of %s; there are %s", text.Clip(name, 60), m.s.Kind, strings.Join(near, ", "))
}

func (m *maker) readAxes() error {
	for _, a := range m.s.Axes {
		place := "axes." + a.Field
		x := axis{field: a.Field, as: a.Field}
		var f catalog.Field
		if a.Field != client.FieldMode {
			var err error
			if f, err = m.field(place, a.Field); err != nil {
				return err
			}
			x.field = f.Name
		}
		if slices.ContainsFunc(m.axes, func(o axis) bool { return o.field == x.field }) {
			return m.s.Errorf(place, "two axes are %s", x.field)
		}
		for _, v := range a.Values {
			if v.Skip {
				continue
			}
			var value any = v.String()
			if a.Field != client.FieldMode {
				var err error
				if value, err = m.value(f, v.Value); err != nil {
					return m.place(place, err)
				}
			}
			if i := slices.IndexFunc(x.values, func(o any) bool { return same(o, value) }); i >= 0 {
				return m.s.Errorf(place, "%s and %s are the same value", text.Clip(x.texts[i], 60), text.Clip(v.String(), 60))
			}
			x.values, x.texts = append(x.values, value), append(x.texts, v.String())
		}
		m.axes = append(m.axes, x)
	}
	return nil
}

// same reports whether two values are one, however their numbers are written.
func same(a, b any) bool {
	x, ok := a.(json.Number)
	y, too := b.(json.Number)
	if !ok || !too {
		return reflect.DeepEqual(a, b)
	}
	m, ok := suite.Rational(x.String())
	n, too := suite.Rational(y.String())
	return x == y || ok && too && m.Cmp(n) == 0
}

// value is a value as a field has it, with files as they are sent.
func (m *maker) value(f catalog.Field, v any) (any, error) {
	_, flag := v.(bool)
	if s, ok := (client.Values{"": v}).Text(""); ok && !flag { // a number becomes what the field has for it
		parsed, err := f.Parse(s)
		if err != nil {
			return nil, err
		}
		v = parsed
	}
	return m.files(v, f.Kind.Refers())
}

// files replaces paths, where references stand, and file:// addresses everywhere, by what is sent.
func (m *maker) files(v any, refers bool) (any, error) {
	switch t := v.(type) {
	case string:
		low := strings.ToLower(t)
		remote := slices.ContainsFunc([]string{"http://", "https://", "data:"}, func(p string) bool { return strings.HasPrefix(low, p) })
		if t == "" || remote || !refers && !strings.HasPrefix(low, "file:") {
			return t, nil
		}
		return m.file(t)
	case []any:
		out := make([]any, len(t))
		for i := range t {
			x, err := m.files(t[i], refers)
			if err != nil {
				return nil, err
			}
			out[i] = x
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(t))
		for k := range t {
			x, err := m.files(t[k], refers && slices.Contains(catalog.RefKeys(), k))
			if err != nil {
				return nil, err
			}
			out[k] = x
		}
		return out, nil
	}
	return v, nil
}

// file is the value to send for a file, whose bytes are known from here on.
func (m *maker) file(path string) (string, error) {
	if m.Reference == nil || m.Digest == nil {
		return "", fmt.Errorf("%s is a file; here are none", text.Clip(path, 60))
	}
	url, err := m.Reference(path)
	if err != nil {
		return "", err
	}
	local, ok := client.FilePath(url)
	if _, known := m.digests[local]; ok && !known {
		if m.digests[local], err = m.Digest(local); err != nil {
			return "", err
		}
	}
	return url, nil
}

// readValues reads the values that do not vary, those of prompts and models, too.
func (m *maker) readValues() error {
	var err error
	if m.values, err = m.set("values", m.s.Values); err != nil {
		return err
	}
	for i := range m.prompts {
		p := &m.prompts[i]
		if i > 0 && m.prompts[i-1].index == p.index {
			p.values = m.prompts[i-1].values
			continue
		}
		if p.values, err = m.set(fmt.Sprintf("prompts.%d.values", p.index), m.s.Prompts[p.index].Values); err != nil {
			return err
		}
	}
	for i := range m.models {
		c := &m.models[i]
		if c.values, err = m.set(fmt.Sprintf("models.%d.values", c.index), m.s.Models[c.index].Values); err != nil {
			return err
		}
	}
	return nil
}

// set reads the values of one place, under canonical names.
func (m *maker) set(place string, from client.Values) (client.Values, error) {
	out := client.Values{}
	for _, name := range from.Names() {
		at := place + "." + name
		f, err := m.field(at, name)
		if err != nil {
			return nil, err
		}
		switch _, twice := out[f.Name]; {
		case twice:
			return nil, m.s.Errorf(at, "%s is another name of %s, which stands here already", name, f.Name)
		case slices.ContainsFunc(m.axes, func(a axis) bool { return a.field == f.Name }):
			return nil, m.s.Errorf(at, "%s has a value here, and varies as an axis", f.Name)
		case f.Name == expand.FieldSeed:
			return nil, m.s.Errorf(at, "a suite has seed: for it")
		}
		if out[f.Name], err = m.value(f, from[name]); err != nil {
			return nil, m.place(at, err)
		}
	}
	return out, nil
}

// checkNames refuses axes of other names for what has its own key.
func (m *maker) checkNames() error {
	for _, a := range m.axes {
		if a.field == expand.FieldSeed && m.s.Seed != suite.SeedNone {
			return m.s.Errorf("axes."+a.as, "the axis seed goes with seed: none")
		}
	}
	return nil
}
