package queue

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"darkroom/jobs"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

// button is an action that has a button.
type button struct{ id, label string }

// buttons are the actions that have a button in the detail and a place in the help line, and
// deserve one now, the most wanted first: they can be done, and still have something to do.
func (m *Model) buttons() []button {
	j := m.list.job()
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
			case jobs.HoldReadOnly: // no key ends that
			default:
				first = append(first, button{actPause, "resume"})
				without(actPause)
			}
		}
		if j.SavesOnly() {
			first = append(first, button{actDrop, "stop saving"})
			without(actDrop)
		}
		if len(m.list.jobs.marked) == 0 && (j.Saved() || j.Fetching()) {
			without(actDownload)
		}
	}
	return slices.DeleteFunc(append(first, all...), func(b button) bool { return m.off(b.id) != "" })
}

// buttonLine is as many buttons as fit.
func buttonLine(k *kit, all []button, w int) string {
	line, used := "", 0
	for _, b := range all {
		s := widgets.Button(k.st, b.id, b.label, false, false)
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
	if all := m.stack.Actions(); len(all) > 0 {
		return all
	}
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
	case m.list.filter.Typing():
		return []key.Binding{keys.Fixed("enter", "keep"), keys.Fixed("esc", "clear")}
	case m.zoom.On():
		return m.zoomHelp()
	}
	if m.pulse && m.beside() == 0 {
		return []key.Binding{k.Short(actBack, "back"), keys.Fixed("↑↓", "scroll")}
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
	if !m.zoom.plays() {
		out = append(out, m.zoomCommands.Line(actLarger, actLess, actActual)...)
	}
	return append(out, k.Short(actFlip, "flip"), k.Short(actStar, "star"), k.Short(actMark, "mark"), k.Short(actOpenFile, "open file"))
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	move := []key.Binding{keys.Fixed("↑↓ j k", "move"), keys.Fixed("pgup pgdn", "a page"), keys.Fixed("g G", "first, last of all"), keys.Fixed("← →", "sections of the detail"), keys.Fixed("h l", "the detail sideways")}
	zoom := append(m.zoomCommands.Help(), keys.Fixed("← →", "results beside it, or over a large picture"), keys.Fixed("↑↓", "over a large picture"))
	return [][]key.Binding{m.commands.Help(), move, zoom, body.Help(m.keys)}
}
