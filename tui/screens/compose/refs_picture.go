package compose

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/files"
	"darkroom/tui/widgets/format"
)

// refSlot is the place of the preview beside the dialogs.
const refSlot = "compose.refs"

// seeFiles asks for what shows and is not known yet: types and sizes of files, and the preview
// of the one under the cursor.
func (m *Model) seeFiles() tea.Cmd {
	d := m.refs.files
	var cmds []tea.Cmd
	w, h := m.refsSize()
	d.View(m.st, w, h) // says how many rows show
	if list := d.Wants(); len(list) > 0 {
		cmds = append(cmds, func() tea.Msg { return factsMsg{files.Look(list)} })
	}
	path, dir, ok := d.Current()
	if !ok || dir {
		path = ""
	}
	return tea.Batch(append(cmds, m.see(path, "", h))...)
}

// see asks for a preview beside a dialog of h lines; nothing shows for "".
func (m *Model) see(path, poster string, h int) tea.Cmd {
	p := &m.refs.picture
	if m.refs.pictures == 0 || path == "" {
		*p = picture{}
		if m.deps.Previews != nil {
			m.deps.Previews.Cancel(refSlot)
		}
		return nil
	}
	iw, ih := widgets.Inner(m.refs.pictures, h)
	r := preview.Request{Slot: refSlot, Path: path, Poster: poster, Width: iw, Height: ih, Mode: m.deps.Previews.Mode(m.st)}
	if r.Key() == p.wanted && !m.deps.Previews.Lost(r.Key()) {
		return nil
	}
	p.wanted = r.Key()
	p.got, p.have = m.deps.Previews.Peek(r)
	return m.deps.Previews.Load(r)
}

// withPicture adds the preview to a dialog of h lines.
func (m *Model) withPicture(box string, h int) string {
	w := m.refs.pictures
	if w == 0 {
		return box
	}
	p := &m.refs.picture
	iw, ih := widgets.Inner(w, h)
	title, text := "", ""
	faint := widgets.NewInk(m.st.Faint)
	switch {
	case p.wanted == preview.Key{}:
		text = faint.Text("no file under the cursor")
	case !p.have:
		text = faint.Text("preview …")
	case p.got.Lines != nil:
		title, text = p.got.Info.Title(), strings.Join(p.got.Lines, "\n")
	case p.got.Err != nil:
		lines := widgets.WrapLines("✗ "+client.Clean(p.got.Err.Error()), iw, ih)
		for i := range lines {
			lines[i] = widgets.NewInk(m.st.Bad).Text(lines[i])
		}
		text = strings.Join(lines, "\n")
	default:
		title, text = p.got.Info.Title(), preview.Card(m.st, p.got.Info, iw, ih)
	}
	footer := ""
	if p.have && p.got.Info.Bytes > 0 {
		footer = format.Bytes(p.got.Info.Bytes)
	}
	return widgets.Beside(box, widgets.BoxFooter(m.st, title, "", footer, text, w, h, false))
}

// seeRefs asks again for what shows beside the dialog of files or results, if there is one.
func (m *Model) seeRefs() tea.Cmd {
	switch r := &m.refs; {
	case r.files != nil:
		return m.seeFiles()
	case r.found.dialog != nil:
		return m.seeResult()
	}
	return nil
}
