package compose

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/items"
)

// scopeItems is that of the keys and actions of the dialog for structured values.
const scopeItems = "items"

// structure is what the screen knows of fields that are edited piece by piece. The text
// of such a field in the form is its JSON, whichever way it is edited.
type structure struct {
	known fieldsKey // what specs was made for
	specs map[string]items.Spec

	parsed map[string]parsed // by field: what its text was parsed to
}

// piecesOpen is the dialog for them.
type piecesOpen struct {
	dialog *items.Model // nil when none is open
	field  string       // the one that the dialog is for
	text   string       // the text of that field that the dialog shows
}

// parsed is what a text was parsed to, so that a long list is not parsed at every key.
type parsed struct {
	text  string
	kind  catalog.Kind
	value any
	err   error
}

// parse is [catalog.Field.Parse], once for a text.
func (m *sheet) parse(f *catalog.Field, text string) (any, error) {
	if !structured(f.Kind) {
		return f.Parse(text)
	}
	if p, ok := m.pieced.parsed[f.Name]; ok && p.text == text && p.kind == f.Kind {
		return p.value, p.err
	}
	v, err := f.Parse(text)
	if m.pieced.parsed == nil {
		m.pieced.parsed = map[string]parsed{}
	}
	m.pieced.parsed[f.Name] = parsed{text, f.Kind, v, err}
	return v, err
}

// maxFacts bounds what is remembered about references.
const maxFacts = 4000

// spec says what the value of a field of the form is made of; false for a field that is
// not edited piece by piece.
func (m *sheet) spec(name string) (items.Spec, bool) {
	s := &m.pieced
	if s.specs == nil || s.known != m.known {
		s.known, s.specs = m.known, map[string]items.Spec{}
		for _, f := range m.fields {
			if spec, ok := m.specOf(f); ok {
				s.specs[f.Name] = spec
			}
		}
	}
	spec, ok := s.specs[name]
	return spec, ok
}

// pieces reports whether a field shows as pieces now, not as JSON.
func (m *sheet) pieces(name string) bool {
	if _, ok := m.spec(name); !ok || m.raw[name] {
		return false
	}
	if _, bad := m.draft.Values[name].(string); bad {
		m.raw[name] = true // no JSON: it is mended as text
		return false
	}
	return true
}

// pieceValue is the value of a field as it is edited: long data URIs are abbreviated.
func (m *sheet) pieceValue(name string) any { return m.data.Shrink(m.draft.Values[name]) }

// entries is how a row shows a value that is edited piece by piece.
func (m *sheet) entries(r form.Field) form.Field {
	if !m.pieces(r.ID) {
		return r
	}
	spec, _ := m.spec(r.ID)
	r.Kind, r.MaxRows, r.Hint, r.Detail = form.Items, 6, "", m.keys.Keys("compose.items")
	if spec.List {
		r.Add = "+ add"
	}
	value := m.draft.Values[r.ID]
	list, ok := value.([]any)
	if !ok && value != nil {
		list = []any{value}
	}
	for i, x := range list {
		e := form.Entry{}
		if i < r.MaxRows { // the others do not show
			x = m.data.Shrink(x)
			e.Text = spec.Summary(x, m.facts).String()
			if spec.List {
				e.Text = items.Ordinal(i) + " " + e.Text
			}
			for _, f := range spec.Judge(x, m.facts) {
				e.Mark = max(e.Mark, f.Mark)
			}
		}
		r.Entries = append(r.Entries, e)
	}
	if len(list) == 0 {
		r.Hint = strings.Join(spec.Names(), ", ")
	}
	return r
}

// openItems opens the dialog for a field; at is "+" to add an item at once, or the index
// of the item to edit.
func (m *Model) openItems(field, at string) tea.Cmd {
	spec, ok := m.spec(field)
	if !ok {
		return screen.Toast(screen.Info, field+" has no keys that the gateway names: it is edited as JSON")
	}
	if _, bad := m.draft.Values[field].(string); bad {
		m.goTo(field)
		return screen.Toast(screen.Warn, m.jsonProblem(field))
	}
	m.onlyPane = false
	m.shape(field)
	m.form.Focus(field)
	s := &m.items
	s.dialog, s.field, s.text = items.New(spec, m.pieceValue(field), m.st), field, m.form.Text(field)
	s.dialog.SetFacts(m.facts)
	if n, err := strconv.Atoi(at); err == nil && n < s.dialog.Len() {
		s.dialog.Select(n)
		s.dialog.Do(items.Edit)
	}
	cmd := m.commit(field)
	if at == "+" {
		s.dialog.Select(s.dialog.Len()) // behind the last
		cmd = tea.Batch(cmd, m.itemsEvent(s.dialog.Do(items.Add)))
	}
	return cmd
}

// shape shows a field as pieces; the steps back of its text as JSON go.
func (m *sheet) shape(field string) {
	if !m.raw[field] {
		return
	}
	delete(m.raw, field)
	text := m.form.Text(field)
	m.form.SetFields(m.rows())
	m.form.Forget(field)
	m.form.SetText(field, text)
}

// shapeAgain shows a field whose JSON was left as pieces, unless it is none.
func (m *sheet) shapeAgain(field string) {
	if _, ok := m.spec(field); !ok {
		return
	}
	if _, bad := m.draft.Values[field].(string); !bad {
		m.shape(field)
	}
}

func (m *sheet) jsonProblem(field string) string {
	for i := range m.problems {
		if p := &m.problems[i]; p.Field == field && p.Severity == catalog.Block {
			return client.CleanLine(p.Message)
		}
	}
	return field + " is no JSON that fits"
}

// openAny opens the dialog for the focused field, else for the first that has one,
// preferring a field with a value.
func (m *Model) openAny() tea.Cmd {
	best := ""
	for i := range m.fields {
		name := m.fields[i].Name
		_, ok := m.spec(name)
		switch {
		case structured(m.fields[i].Kind) && name == m.form.Focused():
			return m.openItems(name, "")
		case ok && (best == "" || m.form.Text(best) == "" && m.form.Text(name) != ""):
			best = name
		}
	}
	if best == "" {
		return screen.Toast(screen.Info, "this model has no field that is edited piece by piece")
	}
	return m.openItems(best, "")
}

// itemsEvent follows what happened in the dialog: the field's text is the value as JSON.
func (m *Model) itemsEvent(ev items.Event) tea.Cmd {
	s := &m.items
	var cmds []tea.Cmd
	field := s.field
	if ev.Changed {
		s.text = ""
		if v := s.dialog.Value(); v != nil {
			s.text = items.Format(v)
		}
		m.form.SetText(field, s.text)
		cmds = append(cmds, m.changed(field))
	}
	if ev.Left || ev.Closed {
		cmds = append(cmds, m.commit(field))
	}
	switch {
	case ev.Raw:
		m.raw[field] = true
		s.dialog = nil
		m.form.SetFields(m.rows())
		m.goTo(field)
	case ev.Closed:
		s.dialog = nil
		m.form.SetFields(m.rows())
		m.form.Focus(field)
	}
	return tea.Batch(cmds...)
}

// syncItems follows what changed around the dialog: another model, or another value of
// its field, as from the editor.
func (m *Model) syncItems() {
	s := &m.items
	if s.dialog == nil {
		return
	}
	_, bad := m.draft.Values[s.field].(string)
	if _, ok := m.spec(s.field); !ok || bad {
		s.dialog = nil
		return
	}
	if text := m.form.Text(s.field); text != s.text {
		s.text = text
		s.dialog.SetValue(m.pieceValue(s.field))
	}
}

// pasteItems adds what was pasted onto a field of pieces, as files that were dragged.
func (m *Model) pasteItems(k tea.KeyMsg) (tea.Cmd, bool) {
	field := m.form.Focused()
	if _, ok := m.spec(field); !ok || !m.pieces(field) {
		return nil, false
	}
	cmd := m.openItems(field, "")
	if m.items.dialog == nil {
		return cmd, true
	}
	m.items.dialog.Select(m.items.dialog.Len())
	return tea.Batch(cmd, m.itemsEvent(m.items.dialog.Key(k))), true
}
