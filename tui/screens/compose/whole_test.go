package compose

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/form"
)

// combo is a model as it may be used: every model x mode x format of the catalog.
type combo struct {
	modality            client.Modality
	model, mode, format string
}

func (x combo) String() string {
	return strings.Join([]string{string(x.modality), x.model, x.mode, x.format}, "/")
}

func combos(c *catalog.Catalog) []combo {
	var out []combo
	for _, k := range client.Modalities() {
		models := c.Models(k)
		if len(models) == 0 { // any name is taken
			d := client.Draft{Modality: k}
			out = append(out, combo{k, "any-model", "", c.DraftFormat(d)})
		}
		for _, x := range models {
			modes := x.ModeNames()
			if !x.ModeRequired || len(modes) == 0 {
				modes = append(modes, "")
			}
			for _, mode := range modes {
				for _, f := range x.Formats {
					out = append(out, combo{k, x.ID, mode, f})
				}
			}
		}
	}
	return out
}

// wholeModel is a form of the embedded catalog that can create through every format.
func wholeModel(t testing.TB) *Model {
	t.Helper()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	m, _, _ := newModel(t, func(d *Deps) { d.Catalog = c })
	var names []string
	for _, f := range formats.All() {
		names = append(names, f.Name())
	}
	d := m.deps
	d.Gateway = gateway{catalog: d.Catalog, names: names}
	d.Drafts = nil
	m = New(d)
	m.SetSize(120, 40)
	return m
}

// to brings the form to a combination, as choosing it row by row does.
func (m *Model) to(x combo) {
	m.sheet.Turn(x.modality)
	c := m.sheet.Chosen[x.modality]
	c.Model, c.Mode, c.Format = x.model, x.mode, x.format
	m.sheet.Chosen[x.modality] = c
	m.doc.Refresh()
}

func codec(name string) client.Format {
	all := formats.All()
	return all[slices.IndexFunc(all, func(f client.Format) bool { return f.Name() == name })]
}

// tinyURI is a reference that every format takes.
const tinyURI = "data:image/png;base64,iVBORw0KGgo="

// sample is a value that a field takes.
func sampleOf(f *catalog.Field) any {
	switch {
	case len(f.Allowed) > 0 && f.Kind != catalog.Medias && f.Kind != catalog.List:
		return f.Allowed[0]
	case len(f.Suggested) > 0 && f.Kind != catalog.Medias && f.Kind != catalog.List:
		return f.Suggested[0]
	}
	switch f.Kind {
	case catalog.Integer, catalog.Number:
		return json.Number("3")
	case catalog.Boolean:
		return true
	case catalog.Size:
		return "1024x1024"
	case catalog.Ratio:
		return "16:9"
	case catalog.Media:
		return tinyURI
	case catalog.Medias:
		return []any{tinyURI}
	case catalog.Content:
		return []any{map[string]any{"type": "image_url", "image_url": map[string]any{"url": "https://example.org/a.png"}}}
	case catalog.List:
		if f.Name == "messages" {
			return []any{map[string]any{"role": "user", "content": "words"}}
		}
		return []any{map[string]any{"id": json.Number("1")}}
	case catalog.Object:
		return map[string]any{"resolution": "720p"}
	default:
		return "words"
	}
}

// TestFormsOfTheWholeCatalog: for every model x mode x format only what the model, the mode
// and the format take is drawn, the usual fields first, the others folded, each with its
// label, unit, values, and a line of help that cites the interface.
func TestFormsOfTheWholeCatalog(t *testing.T) {
	m := wholeModel(t)
	all := combos(m.deps.Catalog)
	require.Greater(t, len(all), 300)
	for _, x := range all {
		m.to(x)
		require.Equal(t, x.format, m.sheet.Effective().Format, x)
		f := codec(x.format)
		carried := map[string]bool{}
		for _, w := range f.Fields() {
			carried[w.Canonical] = true
		}
		var want []string
		for _, c := range m.deps.Catalog.FieldsFor(client.Draft{Modality: x.modality, Model: x.model, Mode: x.mode}, x.format) {
			if carried[c.Name] {
				want = append(want, c.Name)
			}
		}
		m.sheet.More = true
		var drawn []string
		folded := false
		for _, r := range m.sheet.Rows() {
			i := slices.IndexFunc(m.sheet.Fields, func(c catalog.Field) bool { return c.Name == r.ID })
			if i < 0 {
				continue
			}
			c := &m.sheet.Fields[i]
			drawn = append(drawn, r.ID)
			assert.False(t, c.Basic && folded, "%s: %s stands behind what is seldom used", x, r.ID)
			folded = folded || !c.Basic
			m.helps(t, x, c, &r)
		}
		assert.ElementsMatch(t, want, drawn, x.String())

		m.sheet.More = false
		m.sheet.Form.Focus(client.FieldPrompt)
		for _, r := range m.sheet.Rows() {
			if i := slices.IndexFunc(m.sheet.Fields, func(c catalog.Field) bool { return c.Name == r.ID }); i >= 0 {
				assert.True(t, m.sheet.Fields[i].Basic || m.sheet.Form.Text(r.ID) != "", "%s: %s is not folded", x, r.ID)
			}
		}
		x.encodes(t, m, f)
	}
}

// helps checks what a person is told about a field.
func (m *Model) helps(t *testing.T, x combo, c *catalog.Field, r *form.Field) {
	t.Helper()
	assert.NotEmpty(t, r.Label, "%s: %s", x, r.ID)
	assert.Equal(t, c.Unit, r.Unit, "%s: %s", x, r.ID)
	text, source := m.sheet.Describe(r.ID)
	assert.NotEmpty(t, text, "%s: %s has no help", x, r.ID)
	assert.NotContains(t, text, "\n", "%s: %s", x, r.ID)
	assert.NotEmpty(t, source, "%s: %s cites nothing", x, r.ID)
	offered := map[string]bool{}
	for _, o := range r.Options {
		offered[o.Value] = true
	}
	for _, v := range c.Allowed {
		if c.Kind != catalog.Medias && c.Kind != catalog.List && c.Kind != catalog.Object {
			assert.True(t, offered[v], "%s: %s does not offer %s", x, r.ID, v)
		}
	}
	for _, bound := range []*float64{c.Min, c.Max} {
		if bound != nil {
			assert.Contains(t, r.Hint, fmt.Sprintf("%g", *bound), "%s: %s", x, r.ID)
		}
	}
}

// encodes checks that the format sends each field that is drawn.
func (x combo) encodes(t *testing.T, m *Model, f client.Format) {
	t.Helper()
	for i := range m.sheet.Fields {
		c := &m.sheet.Fields[i]
		d := client.Draft{Modality: x.modality, Model: x.model, Mode: x.mode, Prompt: "a kite", Values: client.Values{c.Name: sampleOf(c)},
			Wire: m.deps.Catalog.WireNames(x.model, x.format)}
		_, dropped, err := f.EncodeCreate(d)
		if err != nil {
			assert.NotContains(t, err.Error(), c.Name, "%s: a value of %s", x, c.Name)
			continue
		}
		for _, what := range dropped {
			assert.NotEqual(t, c.Name, what.Field, "%s: %s is drawn and not sent: %s", x, c.Name, what.Reason)
		}
	}
}

// TestValuesSurviveEveryChange walks through models, modes, formats and kinds: what was set
// is drawn, or shown struck out with a reason, and is there again at the end.
func TestValuesSurviveEveryChange(t *testing.T) {
	m := wholeModel(t)
	all := combos(m.deps.Catalog)
	home := combo{client.Video, "famF-video", "i2v", "videos"}
	m.to(home)
	set := map[string]string{}
	for i := range m.sheet.Fields {
		f := &m.sheet.Fields[i]
		set[f.Name] = sheet.FieldText(*f, sampleOf(f))
		m.sheet.Form.SetText(f.Name, set[f.Name])
	}
	m.doc.Refresh()
	require.Greater(t, len(set), 10)
	r := rand.New(rand.NewPCG(5, 8)) //nolint:gosec // reproducible, not secret
	for range 400 {
		x := all[r.IntN(len(all))]
		m.to(x)
		rows := map[string]form.Field{}
		for _, row := range m.sheet.Rows() {
			rows[row.ID] = row
		}
		for name, text := range set {
			if m.deps.Catalog.Apart(name) && has(m, x.modality, name) || m.deps.Catalog.Apart(name) && x.modality != home.modality {
				continue // each kind has its own
			}
			if _, drawn := rows[name]; drawn {
				assert.JSONEq(t, quoteIfPlain(text), quoteIfPlain(m.sheet.Form.Text(name)), "%s: %s", x, name)
				continue
			}
			old, struck := rows[sheet.RowOld+name]
			if assert.True(t, struck, "%s: %s is neither drawn nor struck out", x, name) {
				assert.Equal(t, form.Struck, old.Kind)
				assert.NotEmpty(t, old.Hint)
				assert.NotEmpty(t, old.Detail, "why it does not apply")
			}
		}
	}
	m.to(home)
	for name, text := range set {
		assert.JSONEq(t, quoteIfPlain(text), quoteIfPlain(m.sheet.Form.Text(name)), name)
		assert.Contains(t, m.sheet.Draft.Values, name, "and is sent again")
	}
}

// quoteIfPlain makes any text JSON, so that lists compare by what they hold.
func quoteIfPlain(s string) string {
	if json.Valid([]byte(s)) {
		return s
	}
	return fmt.Sprintf("%q", s)
}

// TestChecksOfTheWholeCatalog: what a mode still misses is named where it can be gone to,
// hard limits block, usual ones warn, and a mapping is told before it happens.
func TestChecksOfTheWholeCatalog(t *testing.T) {
	m := wholeModel(t)
	met := map[string]int{}
	for _, x := range combos(m.deps.Catalog) {
		m.to(x)
		for i := range m.sheet.Problems {
			p := &m.sheet.Problems[i]
			if p.Severity == catalog.Block {
				m.sheet.GoToProblem(p)
				places := append([]string{p.Field}, p.Allowed...)
				if m.sheet.Wide[p.Field] { // the format has no such field
					places = append(places, sheet.RowFormat)
				}
				require.Contains(t, places, m.sheet.Form.Focused(), "%s: %q cannot be gone to", x, p.Message)
			}
		}
		for i := range m.sheet.Fields {
			f := m.sheet.Fields[i]
			for _, c := range wrongFor(&f) {
				m.sheet.Form.SetText(f.Name, c.text)
				m.doc.Refresh()
				at := slices.IndexFunc(m.sheet.Problems, func(p catalog.Problem) bool { return p.Field == f.Name && p.Severity == c.severity })
				if assert.GreaterOrEqual(t, at, 0, "%s: %s %q draws no %s", x, f.Name, c.text, c.severity) {
					p := m.sheet.Problems[at]
					met[string(c.severity)]++
					assert.Contains(t, p.Message, c.says, "%s: %s", x, f.Name)
					assert.NotEmpty(t, p.Source, "%s: %q cites nothing", x, p.Message)
				}
				m.sheet.Form.SetText(f.Name, "")
				m.doc.Refresh()
			}
		}
	}
	for _, s := range []catalog.Severity{catalog.Block, catalog.Warn, catalog.Info} {
		assert.Positive(t, met[string(s)], "the catalog has no limit of this strength: the test looks at nothing")
	}
}

type wrong struct {
	text     string
	severity catalog.Severity
	says     string
}

// wrongFor are values beyond the limits of a field, with what is to be said of each.
func wrongFor(f *catalog.Field) []wrong {
	strength := catalog.Warn
	if f.Hard {
		strength = catalog.Block
	}
	var out []wrong
	if f.Kind == catalog.Integer || f.Kind == catalog.Number {
		if f.Mapped && len(f.Allowed) > 0 {
			return []wrong{{"5", catalog.Info, "mapped to one of " + strings.Join(f.Allowed, ", ")}, {"5", catalog.Info, "which one is not documented"}}
		}
		if len(f.Allowed) == 0 && f.Max != nil {
			out = append(out, wrong{fmt.Sprintf("%g", *f.Max+1), strength, fmt.Sprintf("%g", *f.Max)})
		}
		if len(f.Allowed) == 0 && f.Min != nil {
			out = append(out, wrong{fmt.Sprintf("%g", *f.Min-1), strength, fmt.Sprintf("%g", *f.Min)})
		}
	}
	if f.Kind == catalog.Choice && len(f.Allowed) > 0 && !f.Mapped {
		out = append(out, wrong{"something-else", strength, f.Allowed[0]})
	}
	return out
}
