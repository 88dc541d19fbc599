package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/suite"
)

// key is what a verdict depends on: the rules ask whether there is a prompt, never what it says.
type key struct {
	prompt, model, setting int
	format                 string
	blank                  bool
}

// verdict is what is known of all cells with one key.
type verdict struct {
	mode   string
	values client.Values
	cannot string
	notes  []string
	seeds  string
	sum    []byte // of values with files by their bytes, as JSON
}

// cells makes the cells, in the suite's order: prompts, models, formats, settings.
func (m *maker) cells() error {
	settings := m.settings()
	n := len(m.prompts) * len(m.models) * settings
	if n > maxCombinations {
		return fmt.Errorf("%d combinations before exclusions; at most %d", n, maxCombinations)
	}
	m.unused = slices.Repeat([]bool{true}, len(m.s.Exclude))
	for pi := range m.prompts {
		for mi := range m.models {
			for _, format := range m.formats(&m.models[mi]) {
				for si := range settings {
					if err := m.cell(pi, mi, format, si); err != nil {
						return err
					}
				}
			}
		}
	}
	if len(m.out) == 0 {
		return m.s.Errorf("exclude", "every cell is left out")
	}
	return nil
}

// settings is how many combinations the axes have.
func (m *maker) settings() int {
	n := 1
	for _, a := range m.axes {
		if n *= len(a.values); n > maxCombinations {
			return maxCombinations + 1
		}
	}
	return n
}

// setting is the i-th combination of the axes; the last one changes fastest.
func (m *maker) setting(i int) []int {
	out := make([]int, len(m.axes))
	for k := len(m.axes) - 1; k >= 0; k-- {
		n := len(m.axes[k].values)
		out[k], i = i%n, i/n
	}
	return out
}

// formats are those that a model is compared in; "" where there is none, which its cell says.
func (m *maker) formats(c *choice) []string {
	if f := m.s.Formats; len(f) > 0 && f[0] != suite.FormatsAuto && f[0] != suite.FormatsAll {
		return f
	}
	ways := m.reaching(c.id)
	switch {
	case len(ways) == 0, m.Catalog.Unlisted(m.s.Kind, c.id):
		return []string{""}
	case slices.Equal(m.s.Formats, []string{suite.FormatsAll}):
		return ways
	}
	return ways[:1]
}

// reaching are the formats that create with a model, preferred first.
func (m *maker) reaching(model string) []string {
	ways, known := m.ways[model]
	if !known {
		ways = m.Catalog.Ways(client.Draft{Modality: m.s.Kind, Model: model}, m.Gateway.FormatsFor)
		m.ways[model] = ways
	}
	return ways
}

// cell adds one cell, unless an exclusion leaves it out.
func (m *maker) cell(pi, mi int, format string, si int) error {
	p, c := &m.prompts[pi], &m.models[mi]
	at := m.setting(si)
	if m.excluded(p, c, format, at) {
		return nil
	}
	if len(m.out) == suite.MaxCells {
		return fmt.Errorf("more than %d cells", suite.MaxCells)
	}
	if m.size += len(p.Text); m.size > maxText {
		return errText
	}
	k := key{prompt: p.index, model: mi, format: format, setting: si, blank: strings.TrimSpace(p.Text) == ""}
	v := m.judged[k]
	if v == nil {
		v = m.judge(p, c, format, at)
		m.judged[k] = v
	}
	x := compare.Cell{Number: len(m.out) + 1, Prompt: p.Prompt, Model: c.id, ModelName: c.name, Mode: v.mode, Format: format,
		Draft:  client.Draft{Modality: m.s.Kind, Model: c.id, ModelName: c.name, Mode: v.mode, Prompt: p.Text, Values: v.values.Clone()},
		Cannot: v.cannot, Notes: v.notes, Seeds: v.seeds}
	for i, a := range m.axes {
		x.Settings = append(x.Settings, compare.Setting{Field: a.field, Value: a.texts[at[i]]})
	}
	x.Hash = hash(&x, v.sum)
	m.out = append(m.out, x)
	return nil
}

// hash is of what is sent without a drawn seed.
func hash(c *compare.Cell, values []byte) string {
	h := sha256.New()
	for _, part := range []string{"1", string(c.Draft.Modality), c.Model, c.ModelName, c.Mode, c.Format, c.Prompt.Text, string(values)} {
		h.Write(fmt.Appendf(nil, "%d:%s", len(part), part))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// excluded reports whether a cell is left out.
func (m *maker) excluded(p *prompt, c *choice, format string, at []int) bool {
	for i, match := range m.s.Exclude {
		if !slices.ContainsFunc(match, func(x suite.Condition) bool { return !m.holds(x, p, c, format, at) }) {
			m.unused[i] = false
			return true
		}
	}
	return false
}

func (m *maker) holds(x suite.Condition, p *prompt, c *choice, format string, at []int) bool {
	var have []string
	switch x.About {
	case "prompt":
		have = []string{p.ID, p.of}
	case "model":
		have = []string{c.id}
	case "model_name":
		have = []string{c.name}
	case "format":
		have = []string{format}
	default:
		for i, a := range m.axes {
			if a.as == x.About {
				have = []string{a.texts[at[i]]}
			}
		}
	}
	return slices.ContainsFunc(x.Values, func(pattern string) bool {
		return slices.ContainsFunc(have, func(s string) bool { return fits(pattern, s) })
	})
}

// judge works out what the cells of one key send, and whether they can.
func (m *maker) judge(p *prompt, c *choice, format string, at []int) *verdict {
	v := &verdict{mode: m.s.Mode, values: client.Values{}}
	if c.mode != "" {
		v.mode = c.mode
	}
	for _, from := range []client.Values{m.values, p.values, c.values} {
		for name, x := range from {
			v.values[name] = x
		}
	}
	for i, a := range m.axes {
		switch x := a.values[at[i]]; {
		case a.field == client.FieldMode:
			v.mode = a.texts[at[i]]
		case x != nil:
			v.values[a.field] = x
		}
	}
	d := client.Draft{Modality: m.s.Kind, Model: c.id, ModelName: c.name, Mode: v.mode, Prompt: p.Text, Values: v.values}
	if v.cannot = m.cannot(d, format, v); v.cannot == "" {
		m.send(d, format, v)
	}
	if v.cannot != "" {
		v.notes = nil
	}
	v.sum = m.sum(v.values)
	return v
}

// sum is the JSON of values with each local file replaced by the digest of its bytes.
func (m *maker) sum(v client.Values) []byte {
	var walk func(any) any
	walk = func(x any) any {
		switch t := x.(type) {
		case string:
			if path, ok := client.FilePath(t); ok {
				return "sha256:" + m.digests[path]
			}
		case []any:
			out := make([]any, len(t))
			for i := range t {
				out[i] = walk(t[i])
			}
			return out
		case map[string]any:
			out := make(map[string]any, len(t))
			for k := range t {
				out[k] = walk(t[k])
			}
			return out
		}
		return x
	}
	out, err := json.Marshal(walk(map[string]any(v)))
	if err != nil {
		return []byte(err.Error()) // no values of ours
	}
	return out
}

// cannot says why the catalog keeps a draft from being sent as it is, "" for none, and notes the
// rest of what it says.
func (m *maker) cannot(d client.Draft, format string, v *verdict) string {
	known, listed := m.Catalog.ModelFor(d.Modality, d.Model)
	if why := notInMode(d, known, listed); why != "" {
		return why // all else would be about another request
	}
	var whys []string
	takes := m.takes(d, format)
	lacks := func(field string) bool { // a fixed one is refused where it differs
		_, fixed := known.Fixed[field]
		return listed && !takes[field] && !fixed
	}
	for _, p := range m.Catalog.CheckTried(d, format) {
		_, set := d.Values[p.Field]
		switch {
		case p.Severity == catalog.Block, set && lacks(p.Field) && p.Severity == catalog.Warn:
			whys = append(whys, p.Message)
		case p.Field != "format" && p.Field != client.FieldMode:
			v.note(p.Message)
		}
	}
	for _, name := range d.Values.Names() {
		if lacks(name) && len(whys) == 0 {
			whys = append(whys, fmt.Sprintf("%s does not take %s in this mode and format", d.Model, name))
		}
	}
	switch {
	case m.Catalog.Unlisted(d.Modality, d.Model) && format == "":
		whys = append(whys, "a model that the catalog does not list is sent where formats: names one")
	case format == "" && len(whys) == 0:
		whys = append(whys, fmt.Sprintf("no format of this gateway creates with model %s", d.Model))
	case len(whys) == 0 && !slices.Contains(m.reaching(d.Model), format):
		whys = append(whys, fmt.Sprintf("format %s does not create with model %s here", format, d.Model))
	}
	return client.CleanLine(strings.Join(whys, "; "))
}

// notInMode says why a model does not have the mode of a draft, "" where it has.
func notInMode(d client.Draft, known catalog.Model, listed bool) string {
	names := known.ModeNames()
	switch {
	case !listed, d.Mode == "", slices.Contains(names, d.Mode):
		return ""
	case len(names) == 0:
		return client.CleanLine(fmt.Sprintf("%s has no mode %s: its requests carry none", d.Model, d.Mode))
	}
	return client.CleanLine(fmt.Sprintf("%s has no mode %s; it has %s", d.Model, d.Mode, strings.Join(names, ", ")))
}

// takes are the fields that a draft's model takes in its mode through a format.
func (m *maker) takes(d client.Draft, format string) map[string]bool {
	k := [3]string{d.Model, d.Mode, format}
	out := m.fields[k]
	if out == nil {
		out = map[string]bool{}
		for _, f := range m.Catalog.FieldsFor(d, format) {
			out[f.Name] = true
		}
		m.fields[k] = out
	}
	return out
}

func (v *verdict) note(text string) {
	if text = client.CleanLine(text); !slices.Contains(v.notes, text) {
		v.notes = append(v.notes, text)
	}
}

// send looks at the request of a draft: what the format would drop is not compared, and a seed goes
// only where one is taken.
func (m *maker) send(d client.Draft, format string, v *verdict) {
	varies := slices.ContainsFunc(m.axes, func(a axis) bool { return a.field == expand.FieldSeed })
	drawn := m.s.Seed == suite.SeedEach || m.s.Seed == suite.SeedSame
	seeded := m.s.Seed != suite.SeedNone && m.takes(d, format)[expand.FieldSeed]
	probe := d
	if probe.Values = d.Values.Clone(); seeded {
		probe.Values[expand.FieldSeed] = json.Number("1")
	}
	p, err := m.Gateway.Preview(probe, format)
	if err != nil {
		v.cannot = client.CleanLine(err.Error())
		return
	}
	for _, x := range p.Dropped {
		switch {
		case x.Field == client.FieldMode:
			v.note("mode is not sent in format " + format + ": " + x.Reason)
		case x.Field == expand.FieldSeed && !varies:
			seeded = false
		case v.cannot == "":
			v.cannot = client.CleanLine(fmt.Sprintf("format %s does not carry %s: %s", format, x.Field, x.Reason))
		}
	}
	switch {
	case seeded && drawn:
		v.seeds = m.s.Seed
	case seeded:
		v.values[expand.FieldSeed] = json.Number(m.s.Seed)
	case m.s.Seed != suite.SeedNone:
		v.note(fmt.Sprintf("no seed is sent: %s takes none in format %s", d.Model, format))
	}
}
