package compose

import (
	"strings"

	"darkroom/client"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/overlay"
)

// presetsBeside is the width from which the preview stands beside the list.
const presetsBeside = 100

func (m *Model) layoutPresets() {
	if s := m.presets.save; s != nil {
		iw, ih := widgets.Inner(m.saveSize())
		s.form.SetSize(iw, max(3, min(ih-2, 6)))
	}
}

func (m *Model) saveSize() (w, h int) { return min(m.w, 76), min(m.h, 14) }

// presetsView draws the dialogs of the presets over a frame.
func (m *Model) presetsView(view string) string {
	p := &m.presets
	if p.list != nil {
		view = overlay.Dialog(m.st, view, m.presetsList())
	}
	if p.save != nil {
		view = overlay.Dialog(m.st, view, m.saveView())
	}
	if p.ask != nil {
		view = overlay.Dialog(m.st, view, p.ask.View(m.st, min(m.w, 72), min(m.h, 20)))
	}
	return view
}

// presetsList is the list with what the preset under the cursor holds.
func (m *Model) presetsList() string {
	w, h := min(m.w, 140), min(m.h, 36)
	if w >= presetsBeside {
		left := w * 45 / 100
		return widgets.Beside(m.presets.list.View(m.st, left, h), m.presetPreview(w-left, h))
	}
	if h < 14 && m.presets.note != "" { // there is no list
		return m.presetPreview(w, h)
	}
	if h < 14 {
		return m.presets.list.View(m.st, w, h)
	}
	upper := h / 2
	return m.presets.list.View(m.st, w, upper) + "\n" + m.presetPreview(w, h-upper)
}

// presetPreview is what the preset under the cursor would change.
func (m *Model) presetPreview(w, h int) string {
	iw, ih := widgets.Inner(w, h)
	text, muted := widgets.NewInk(m.st.Dialog), widgets.NewInk(m.st.Muted)
	var lines []string
	add := func(ink widgets.Ink, s string, most int) {
		for _, l := range widgets.WrapLines(client.CleanLine(s), max(4, iw), most) {
			lines = append(lines, ink.Text(l))
		}
	}
	p := &m.presets
	x, ok := p.current()
	switch {
	case p.busy:
		add(muted, "reading …", 1)
	case p.note != "":
		add(text, p.note, 0)
	case !ok:
		add(muted, p.list.Empty, 2)
	default:
		add(muted, x.Path, 3)
		if x.Hides != "" {
			add(muted, "it is taken instead of your own, "+x.Hides, 3)
		}
		if x.Err != nil {
			add(widgets.NewInk(m.st.Bad), "✗ "+x.Err.Error(), 0)
			break
		}
		if x.Description != "" {
			add(text, x.Description, 3)
		}
		lines = append(lines, "")
		changes := m.presetChanges(x, x.Draft)
		if len(changes) == 0 {
			add(text, "The form has all of it already.", 2)
		}
		for _, c := range changes {
			add(text, c.String(), 3)
		}
	}
	if len(lines) > ih-1 && ih > 2 {
		lines = append(lines[:ih-2:ih-2], muted.Text("…"))
	}
	for len(lines) < ih-1 {
		lines = append(lines, "")
	}
	lines = append(lines, widgets.NewInk(m.st.Faint).Text(widgets.Truncate(m.presetHints(), iw)))
	title := "What it changes"
	if p.note != "" {
		title = "Presets are parts of a form"
	}
	return widgets.Box(m.st, widgets.NewInk(m.st.DialogTitle).Text(title), "", strings.Join(lines[:max(0, min(len(lines), ih))], "\n"), w, h, false)
}

func (m *Model) presetHints() string {
	var parts []string
	_, ok := m.presets.current()
	for _, x := range [][2]string{{"take", "take"}, {"save", "save the form"}, {"delete", "delete"}, {"close", "back"}} {
		if !ok && (x[0] == "take" || x[0] == "delete") {
			continue
		}
		if k := m.deps.Keys.Keys(scopePresets + "." + x[0]); k != "" {
			parts = append(parts, k+" "+x[1])
		}
	}
	return strings.Join(parts, " · ")
}

// saveView is the dialog that saves.
func (m *Model) saveView() string {
	s := m.presets.save
	w, h := m.saveSize()
	iw, ih := widgets.Inner(w, h)
	if iw <= 0 || ih <= 0 {
		return widgets.Fit("", w, h)
	}
	lines := widgets.TrimBlank(s.form.Lines())
	said, ink := m.saveSays(), widgets.NewInk(m.st.Muted)
	if s.failed != "" {
		said, ink = "✗ "+s.failed, widgets.NewInk(m.st.Bad)
	}
	if room := ih - len(lines) - 1; room > 0 {
		lines = append(lines, "")
		for _, l := range widgets.WrapLines(client.CleanLine(said), max(4, iw), room) {
			lines = append(lines, ink.Text(l))
		}
	}
	h = min(h, len(lines)+2)
	return widgets.BoxFooter(m.st, widgets.NewInk(m.st.DialogTitle).Text("Save as a preset"), "", "", strings.Join(lines[:min(len(lines), ih)], "\n"), w, h, true)
}

// saveSays is where the file goes, and what is in it.
func (m *Model) saveSays() string {
	p, project := m.presetToSave()
	s := client.CleanLine(m.deps.Shelf.Folder(project)) + ": " + string(p.Draft.Modality) + " " + client.CleanLine(p.Draft.Model) + ", " +
		format.Plural(len(p.Draft.Values), "value")
	if n := len(p.Draft.Extra); n > 0 {
		s += ", " + format.Plural(n, "raw addition")
	}
	switch {
	case p.Draft.Prompt == "":
		s += ", no prompt"
	case p.Expand != "":
		s += ", the prompt as a template"
	default:
		s += ", the prompt"
	}
	if project {
		s += ". Files that it names have to be in that folder; everybody in the project can read it."
	}
	return s
}
