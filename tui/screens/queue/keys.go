package queue

import (
	"reflect"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/tui/gallery"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

// key handles a key: the filter first, then actions, then moving.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	m.jobs.toEnd = 0
	switch {
	case m.filter.typing:
		return m.filterKey(msg)
	case msg.Paste:
		return nil // text that nobody asked for is no list of commands
	}
	var cmds []tea.Cmd
	for _, k := range keys.Split(msg) {
		cmds = append(cmds, m.command(k.String()))
		m.settle() // the next key means the job on which this one has put the cursor
		if m.Capturing() {
			break // the rest was not meant for what has opened
		}
	}
	return tea.Batch(cmds...)
}

// command does what a single key means. Keys of actions go before those that move, but
// for the space bar, which turns pages in the detail.
func (m *Model) command(name string) tea.Cmd {
	m.jobs.toEnd = 0
	if m.zoom.On() {
		return m.zoomKey(name)
	}
	if m.focus == detailPane {
		if cmd, ok := m.detailKey(name); ok {
			return cmd
		}
	}
	if id, ok := m.commands.Lookup(name); ok {
		return m.do(id)
	}
	if m.focus == detailPane {
		switch name {
		case "h":
			name = "left"
		case "l":
			name = "right"
		}
		m.detail.scroll.HandleKey(name)
		return nil
	}
	to, moved := 0, false
	if m.gallery {
		to, moved = m.grid.Move(name, m.table.Cursor())
	}
	if moved {
		m.table.SetCursor(to)
	} else {
		m.table.HandleKey(name)
	}
	if name == "end" || name == "G" { // read on to it: see history.nearEnd
		m.jobs.toEnd = m.jobs.len() + maxToEnd
	}
	return nil
}

// detailKey takes the keys of the detail that go before actions.
func (m *Model) detailKey(name string) (tea.Cmd, bool) {
	d := &m.detail
	if d.hasTree(m.current) {
		to, ok := d.tree.key(name)
		d.dirty = d.dirty || ok
		switch {
		case to != nil && to.Missing:
			return screen.Toast(screen.Info, "this job is not in the history"), true
		case to != nil:
			return m.jump(to.Job.ID), true
		case ok:
			return nil, true
		}
	}
	switch name {
	case "left":
		d.setSection(d.section - 1)
	case "right":
		d.setSection(d.section + 1)
	case " ":
		d.scroll.HandleKey(name)
	default:
		return nil, false
	}
	return nil, true
}

// zoomKey does what a key means while a picture is on the whole screen: its own keys
// go first, then arrows, then those of the screen.
func (m *Model) zoomKey(name string) tea.Cmd {
	if id, ok := m.zoomCommands.Lookup(name); ok {
		return m.do(id)
	}
	dx, dy := 0, 0
	switch name {
	case "left", "h":
		dx = -1
	case "right", "l":
		dx = 1
	case "up", "k":
		dy = -1
	case "down", "j":
		dy = 1
	default:
		id, ok := m.commands.Lookup(name)
		if !ok {
			return nil
		}
		return m.do(id)
	}
	if !m.zoom.Pan(dx, dy) && dx != 0 {
		return m.step(dx)
	}
	return nil
}

func (m *Model) filterKey(msg tea.KeyMsg) tea.Cmd {
	cmd, changed := m.filter.key(msg)
	m.layout()
	if changed {
		return tea.Batch(cmd, m.setFilter())
	}
	return cmd
}

// setFilter reads the filter and asks for it after a moment without typing. A filter
// that says nothing leaves the list as it is.
func (m *Model) setFilter() tea.Cmd {
	q, ok := m.filter.parse()
	m.layout()
	if !ok {
		return nil
	}
	h := &m.jobs
	q = h.wanted(q)
	if reflect.DeepEqual(q, h.query) && h.err == nil {
		return nil // a blank more
	}
	h.query, h.guest = q, ""
	h.gen++
	return waitFilter(h.gen)
}

// click handles a press of the mouse on a zone.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	m.jobs.toEnd = 0
	if m.filter.typing && msg.Zone != "filter" {
		m.filter.end()
		m.layout()
	}
	if m.zoom.On() {
		if msg.Double {
			m.closeZoom()
		}
		return nil
	}
	if m.choose(msg.Zone) {
		m.setFocus(tablePane)
		m.settle()
		if msg.Double {
			return m.do(actOpen)
		}
		return nil
	}
	what, value, _ := strings.Cut(msg.Zone, ":")
	switch what {
	case pictureZone:
		m.setFocus(detailPane)
		if j := m.job(); msg.Double && offLook(m, j) == "" {
			m.openZoom()
		}
	case "detail":
		m.setFocus(detailPane)
	case "filter":
		return m.do(actFilter)
	case "btn":
		return m.do(value)
	case "tab":
		for s := facts; s < sections; s++ {
			if value == s.String() {
				m.showSection(s)
			}
		}
	}
	return nil
}

// choose puts the cursor on the job of a zone, false for other zones.
func (m *Model) choose(zone string) bool {
	if id, ok := gallery.Hit(zone); ok && m.gallery {
		i, ok := m.jobs.index(id)
		if ok {
			m.table.SetCursor(i)
		}
		return ok
	}
	return m.table.Click(zone)
}

func (m *Model) wheel(msg screen.WheelMsg) {
	m.jobs.toEnd = 0
	switch {
	case m.zoom.On():
		if offCloser(m) == "" {
			m.zoom.Closer(-msg.Delta)
		}
	case m.gallery && m.tableShows() && msg.Zone != "detail":
		m.table.SetCursor(m.grid.Wheel(msg.Delta, m.table.Cursor()))
	case msg.Zone == "detail" || !m.tableShows():
		m.detail.scroll.Wheel(msg.Delta)
	default:
		m.table.Wheel(msg.Delta)
	}
}

// do does an action by its id.
func (m *Model) do(id string) tea.Cmd {
	if off := m.off(id); off != "" {
		return m.refused.tell(id, off, m.choice())
	}
	if j := m.cutFor(id); j != nil {
		return whole(m.deps.Jobs, j.ID, id)
	}
	if (keys.Action{ID: id}).Scope() == scopeZoom {
		return m.zoomCommands.Do(m, id)
	}
	if !inZoom(id) {
		m.closeZoom()
	}
	return m.commands.Do(m, id)
}

// inZoom reports whether an action of the screen makes sense while a picture is on the
// whole of it; others lead back.
func inZoom(id string) bool {
	return slices.Contains([]string{
		actStar, actMark, actTag, actRemark, actCopy, actDownload, actOpenFile, actFlip, actPlay, actStep, actStepBack,
	}, id)
}

// off says why an action cannot be done now, "" when it can.
func (m *Model) off(id string) string {
	if (keys.Action{ID: id}).Scope() == scopeZoom {
		return m.zoomCommands.Off(m, id)
	}
	return m.commands.Off(m, id)
}

// open opens the detail, and in it the picture.
func (m *Model) open() {
	if m.focus == detailPane && offLook(m, m.job()) == "" {
		m.openZoom()
		return
	}
	m.setFocus(detailPane)
}

// turn goes on to the next pane, and within the detail to the next section.
func (m *Model) turn(forward bool) {
	d := &m.detail
	switch {
	case m.focus == tablePane && forward:
		m.showSection(facts)
	case m.focus == tablePane:
		m.showSection(sections - 1)
	case forward && d.section < sections-1:
		d.setSection(d.section + 1)
	case !forward && d.section > facts:
		d.setSection(d.section - 1)
	default:
		m.setFocus(tablePane)
	}
}

// showSection goes to a section of the detail.
func (m *Model) showSection(s section) {
	m.detail.setSection(s)
	m.setFocus(detailPane)
}

func (m *Model) setFocus(p pane) {
	m.focus = p
	m.layout()
}

// leave goes one step back: out of the detail, the marks, the filter.
func (m *Model) leave() tea.Cmd {
	switch {
	case m.focus == detailPane:
		m.setFocus(tablePane)
	case len(m.jobs.marked) > 0:
		clear(m.jobs.marked)
	case m.filter.text() != "":
		m.filter.input.SetValue("")
		return m.setFilter()
	}
	return nil
}

// button is an action that has a button.
type button struct{ id, label string }

// buttons are the actions with a button in the detail and a place in the help line that are
// worth one now, the most wanted first: they can be done, and there is something left to do.
func (m *Model) buttons() []button {
	j := m.job()
	all := []button{
		{actAdopt, "adopt an id"}, {actResend, "send again"}, {actPlay, m.film.word()}, {actPlayer, m.outside.Word(j)}, {actOpenFile, "open file"}, {actDownload, "download"},
		{actResubmit, "to compose"}, {actUse, "use result"}, {actRepoll, "ask again"}, {actInspect, "inspect"}, {actDrop, "drop"}, {actPause, "pause"},
	}
	var first []button // what lets a job go on comes before all
	without := func(id string) {
		all = slices.DeleteFunc(all, func(b button) bool { return b.id == id })
	}
	if j != nil {
		for _, h := range m.scene.Holds(j) {
			switch h.Kind {
			case jobs.HoldAll:
				first = append(first, button{actPauseAll, "resume all"})
			case jobs.HoldHost:
				first = append(first, button{actPauseHost, "resume host"})
			default:
				first = append(first, button{actPause, "resume"})
				without(actPause)
			}
		}
		if j.SavesOnly() {
			first = append(first, button{actDrop, "stop saving"})
			without(actDrop)
		}
		if len(m.jobs.marked) == 0 && (j.Saved() || j.Fetching()) {
			without(actDownload)
		}
	}
	return slices.DeleteFunc(append(first, all...), func(b button) bool { return m.off(b.id) != "" })
}

// buttonLine is as many buttons for what can be done now as there is room for.
func (m *Model) buttonLine(w int) string {
	line, used := "", 0
	for _, b := range m.buttons() {
		s := widgets.Button(m.st, b.id, b.label, false, false)
		n := widgets.Width(s)
		if used > 0 {
			n++
		}
		if used+n > w {
			continue
		}
		if used > 0 {
			line += " "
		}
		line += s
		used += n
	}
	return line
}

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action {
	out := m.commands.Actions(m)
	if m.zoom.On() {
		out = append(m.zoomCommands.Actions(m), out...)
	}
	return out
}

// ShortHelp implements help.KeyMap.
func (m *Model) ShortHelp() []key.Binding {
	k := m.keys
	switch {
	case m.stack.Top() != nil:
		return m.stack.ShortHelp()
	case m.filter.typing:
		return []key.Binding{keys.Fixed("enter", "keep"), keys.Fixed("esc", "clear")}
	case m.zoom.On():
		return m.zoomHelp()
	}
	short := []key.Binding{k.Short(actOpen, "open")}
	if m.focus == detailPane {
		short = []key.Binding{k.Short(actBack, "back"), keys.Fixed("←→", "sections")}
	}
	for _, b := range m.buttons() {
		short = append(short, k.Short(b.id, b.label))
	}
	view := "gallery"
	if m.gallery {
		view = "list"
	}
	return append(short, k.Short(actFilter, "filter"), k.Short(actMark, "mark"), k.Short(actGallery, view))
}

// zoomHelp is the line of help while a picture is on the whole screen.
func (m *Model) zoomHelp() []key.Binding {
	k := m.keys
	out := m.zoomCommands.Line(actClose, actNext, actPrev)
	if m.off(actPlay) == "" {
		out = append(out, k.Short(actPlay, m.film.word()), k.Short(actStep, "frame on"), k.Short(actStepBack, "frame back"))
	}
	if !m.zoomPlays() {
		out = append(out, m.zoomCommands.Line(actLarger, actLess, actActual)...)
	}
	return append(out, k.Short(actFlip, "flip"), k.Short(actStar, "star"), k.Short(actMark, "mark"), k.Short(actOpenFile, "open file"))
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	move := []key.Binding{keys.Fixed("↑↓ j k", "move"), keys.Fixed("pgup pgdn", "a page"), keys.Fixed("g G", "first, last of all"), keys.Fixed("← →", "sections of the detail"), keys.Fixed("h l", "the detail sideways")}
	zoom := append(m.zoomCommands.Help(), keys.Fixed("← →", "results beside it, or over a large picture"), keys.Fixed("↑↓", "over a large picture"))
	return [][]key.Binding{m.commands.Help(), move, zoom}
}
