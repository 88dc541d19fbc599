package compose

import (
	"context"
	"path"
	"strconv"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/items"
	"darkroom/tui/widgets/picker"
)

// moveRef moves the reference at the cursor of the focused list.
func (m *Model) moveRef(by int) tea.Cmd {
	if off := m.offMove(by); off != "" {
		return screen.Toast(screen.Info, off)
	}
	return m.handle(m.form.MoveItem(by))
}

// offMove says why no reference can be moved, "" when one can.
func (m *Model) offMove(by int) string {
	f, ok := m.fieldNamed(m.form.Focused())
	switch {
	case ok && m.pieces(f.Name):
		return "the items are moved in their dialog, which " + or(m.deps.Keys.Keys("compose.items"), "the palette") + " opens"
	case !ok || f.Kind != catalog.Medias:
		return "no list of references has the focus"
	}
	_, at, ok := m.form.Item()
	last := len(m.draft.Values.List(f.Name)) - 1
	switch {
	case !ok:
		return "no reference is under the cursor"
	case by < 0 && at == 0:
		return "it is the first one"
	case by > 0 && at >= last:
		return "it is the last one"
	}
	return ""
}

// namedRef is a reference with what it can be called.
type namedRef struct {
	field, ordinal, ref string
	name, role          string // of a content item
}

// namedRefs are all references of the draft, in the order of the form.
func (m *Model) namedRefs() (out []namedRef) {
	for i := range m.fields {
		f := &m.fields[i]
		switch v := m.draft.Values[f.Name]; {
		case f.Kind == catalog.Content:
			for n, x := range (client.Values{"": v}).List("") {
				it, _ := x.(map[string]any)
				name, _ := it["name"].(string)
				role, _ := it["role"].(string)
				kind, _ := it["type"].(string)
				obj, _ := it[kind].(map[string]any)
				if ref, ok := obj["url"].(string); ok {
					out = append(out, namedRef{f.Name, items.Ordinal(n), ref, name, role})
				}
			}
		case f.Kind == catalog.Medias:
			for n, ref := range (client.Values{"": v}).Strings("") {
				out = append(out, namedRef{field: f.Name, ordinal: items.Ordinal(n), ref: ref})
			}
		case f.Kind == catalog.Media:
			if ref, ok := v.(string); ok && strings.TrimSpace(ref) != "" {
				out = append(out, namedRef{field: f.Name, ref: ref})
			}
		}
	}
	return out
}

// called is what a reference is called in a prompt: its own name, else that of its file, else its
// role, else the field's.
func (r namedRef) called() string {
	if r.name != "" {
		return client.CleanLine(r.name)
	}
	if !strings.HasPrefix(r.ref, "data:") {
		name := r.ref
		if p, ok := client.FilePath(strings.TrimSpace(r.ref)); ok {
			name = p
		} else {
			name, _, _ = strings.Cut(name, "?")
		}
		base := path.Base(name)
		base = strings.TrimSuffix(base, path.Ext(base))
		if base = client.CleanLine(base); base != "" && base != "." && base != "/" {
			return base
		}
	}
	return or(client.CleanLine(r.role), r.field)
}

// pickName is what is picked for while a reference is chosen whose name goes into the prompt.
const pickName = "#name"

// nameRef puts the name of a reference into the prompt; of several one is chosen.
func (m *Model) nameRef() tea.Cmd {
	list := m.namedRefs()
	switch len(list) {
	case 0:
		return screen.Toast(screen.Info, m.offName())
	case 1:
		return m.insertName("0")
	}
	out := make([]picker.Item, len(list))
	for i, r := range list {
		detail := strings.TrimSpace(strings.Join([]string{r.ordinal, m.label(r.field), client.CleanLine(r.role)}, " "))
		out[i] = picker.Item{ID: strconv.Itoa(i), Title: r.called(), Detail: detail}
	}
	m.picking, m.onlyPane = pickName, false
	m.picker = picker.New("Which reference?", "name, field …", out)
	m.frame.fresh = false
	return nil
}

func (m *Model) offName() string {
	if len(m.namedRefs()) == 0 {
		return "there is no reference to name"
	}
	return ""
}

// insertName puts the name of a reference at the cursor of the prompt. Only of the names of
// content items the interface says that a text may use them.
func (m *Model) insertName(id string) tea.Cmd {
	list := m.namedRefs()
	i, err := strconv.Atoi(id)
	if err != nil || i < 0 || i >= len(list) {
		return nil
	}
	name := list[i].called()
	m.goTo(client.FieldPrompt)
	if t := m.form.Before(client.FieldPrompt); t != "" && !unicode.IsSpace([]rune(t)[0]) {
		name = " " + name
	}
	if !m.form.Insert(client.FieldPrompt, name) {
		return nil
	}
	said := "its own name is in the prompt: a text may refer to an item of content by it"
	if list[i].name == "" {
		said = "the interface shows no way for a text to refer to this reference: the plain name is in the prompt"
		if f, ok := m.fieldNamed("content"); ok && f.Kind == catalog.Content {
			said += "; an item of Content can have a name of its own"
		}
	}
	return tea.Batch(m.changed(client.FieldPrompt), screen.Toast(screen.Info, said))
}

// prober asks what is behind a URL, without the key.
type prober interface {
	Head(ctx context.Context, address string) (client.Head, error)
}

// headsMsg is what servers said of URLs.
type headsMsg struct{ lines []string }

// maxHeads bounds how many URLs are asked for at once.
const maxHeads = 8

// urls are those of the focused field: the one at the cursor of a list, else all.
func (m *Model) urls() (out []string) {
	id := m.form.Focused()
	f, ok := m.fieldNamed(id)
	if !ok || !holdsMedia(&f) && !m.nested(id) {
		return nil
	}
	if text, _, ok := m.form.Item(); ok && !m.nested(id) {
		if s := scheme(strings.TrimSpace(text)); s == "http" || s == "https" {
			return []string{strings.TrimSpace(text)}
		}
	}
	for ref := range m.references(id) {
		if s := scheme(strings.TrimSpace(ref)); (s == "http" || s == "https") && len(out) < maxHeads {
			out = append(out, strings.TrimSpace(ref))
		}
	}
	return out
}

func (m *Model) offCheck() string {
	if len(m.urls()) == 0 {
		return "the focused field has no http:// or https:// reference"
	}
	return ""
}

// checkURLs asks the servers of the focused field's URLs; nothing is ever asked by itself.
func (m *Model) checkURLs() tea.Cmd {
	p, ok := m.deps.Gateway.(prober)
	list := m.urls()
	switch {
	case !ok:
		return screen.Toast(screen.Info, "nobody can be asked here")
	case len(list) == 0:
		return screen.Toast(screen.Info, m.offCheck())
	case m.refs.asking:
		return screen.Toast(screen.Info, "the servers are being asked already")
	}
	m.refs.asking = true
	return tea.Batch(screen.Toast(screen.Info, "asking for the head of "+count(len(list), "URL")+", without the key"), func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), refWait)
		defer stop()
		var out headsMsg
		for _, u := range list {
			h, err := p.Head(ctx, u)
			out.lines = append(out.lines, headLines(u, h, err)...)
		}
		return out
	})
}

// headLines tell what a server said of a URL.
func headLines(u string, h client.Head, err error) []string {
	out := []string{client.CleanLine(u)}
	if err != nil {
		return append(out, "  ✗ "+client.CleanLine(err.Error()))
	}
	sign, parts := "✓", []string{h.Status(), or(client.CleanLine(h.MediaType), "no type"), "length not told"}
	if h.StatusCode < 200 || h.StatusCode > 299 {
		sign = "✗"
	}
	if h.Bytes >= 0 {
		parts[2] = format.Bytes(h.Bytes)
	}
	parts = append(parts, format.Dur(h.Took))
	out = append(out, "  "+sign+" "+strings.Join(parts, " · "))
	for _, hop := range h.Hops {
		out = append(out, "  → "+client.CleanLine(hop))
	}
	return out
}

func (m *Model) headsCame(msg headsMsg) tea.Cmd {
	m.refs.asking = false
	ask := confirm.New("What the servers say", strings.Join(msg.lines, "\n"), "close", confirm.Button{ID: "close", Label: "Close"})
	m.refs.heads, m.refs.ask = &msg, &ask
	return nil
}

// originMsg brings the job that a kept form was taken from.
type originMsg struct {
	id  string
	job jobs.Job
	err error
}

// originJob is the job that the form was taken from, "" for none; one that is still being read
// is not forgotten.
func (m *Model) originJob() string {
	if m.origin != nil {
		return m.origin.job
	}
	return m.refs.origin
}

// findOrigin reads the job that a kept form was taken from.
func (m *Model) findOrigin(drafts map[client.Modality]screen.ComposeDraft) tea.Cmd {
	h, ok := m.deps.Jobs.(history)
	id := drafts[m.modality].Job
	if !ok || id == "" || m.origin != nil {
		return nil
	}
	m.refs.origin = id
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), pastWait)
		defer stop()
		j, err := h.Get(ctx, id)
		return originMsg{id: id, job: j, err: err}
	}
}

// originCame shows again what differs from the job; one that is gone is not spoken of.
func (m *Model) originCame(msg originMsg) tea.Cmd {
	if m.refs.origin != msg.id || m.origin != nil {
		return nil
	}
	m.refs.origin = ""
	if msg.err == nil {
		m.origin = m.originFrom(msg.job)
		m.refresh()
	}
	return nil
}

// originFrom is the job itself as the origin of the form, whatever the form holds by now.
func (m *Model) originFrom(j jobs.Job) *origin {
	o := &origin{job: j.ID, draft: j.Draft.Clone(), format: j.Format, texts: map[string]string{}}
	o.draft.Values = client.Values{}
	for name, v := range j.Draft.Values {
		if canonical, ok := m.deps.Catalog.Canonical(j.Draft.Modality, name); ok {
			name = canonical
		}
		o.draft.Values[name] = v
		f, _ := m.deps.Catalog.Field(j.Draft.Modality, name)
		o.texts[name] = fieldText(f, m.data.shrink(v))
	}
	return o
}
