package queue

import (
	"slices"
	"strings"

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
		{actAdopt, "adopt an id"}, {actResend, "send again"}, {actDownload, "download"},
		{actResubmit, "to compose"}, {actUse, "use result"}, {actRepoll, "ask again"}, {actInspect, "inspect"}, {actDrop, dropWord(m)}, {actPause, "pause"},
	}
	var first []button // what lets a job go on comes before all
	without := func(id string) {
		all = slices.DeleteFunc(all, func(b button) bool { return b.id == id })
	}
	if j != nil {
		if b, ok := best(m, j); ok {
			all = append(all[:2:2], append([]button{b, {actWays, "more"}}, all[2:]...)...)
		}
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
	if m.gallery && m.focus == tablePane {
		return galleryHelp(m)
	}
	short := []key.Binding{k.Short(actOpen, "open")}
	if row := m.list.table.under(); m.list.onHead() && row.Open {
		short[0] = k.Short(actOpen, "fold")
	} else if m.list.onHead() {
		short[0] = k.Short(actOpen, "unfold")
	}
	if m.focus == detailPane {
		short = []key.Binding{k.Short(actBack, "back"), keys.Fixed("←→", "sections")}
	}
	for _, b := range m.buttons() {
		if b.id == actWays && m.off(actStar) == "" {
			short = append(short, k.Short(actStar, "star"))
		}
		short = append(short, k.Short(b.id, b.label))
	}
	view := "gallery"
	if m.gallery {
		view = "list"
	}
	short = append(short, k.Short(actFilter, "filter"), k.Short(actStarred, "starred"), k.Short(actMark, "mark"), k.Short(actGallery, view))
	if !m.gallery && m.list.thumbs.OffNow() == "" {
		short = append(short, pair(k, actBigger, actSmaller, "rows"))
	}
	return short
}

// galleryHelp is the line of help in the gallery: what is done with what is looked at, then how one
// looks.
func galleryHelp(m *Model) []key.Binding {
	k := m.keys
	var out []key.Binding
	first := []button{{actZoom, "zoom"}}
	if b, ok := best(m, m.list.job()); ok && b.id != actOpenFile {
		first = append(first, b)
	}
	for _, b := range append(first, []button{{actStar, "star"}, {actDrop, dropWord(m)}, {actResubmit, "to compose"},
		{actUse, "use"}, {actFlip, "flip"}}...) {
		if m.off(b.id) == "" {
			out = append(out, k.Short(b.id, b.label))
		}
	}
	return append(out, pair(k, actBigger, actSmaller, "size"), k.Short(actOpen, "facts"), k.Short(actFilter, "filter"), k.Short(actStarred, "starred"), k.Short(actMark, "mark"), k.Short(actGallery, "list"))
}

// pair is one entry for two actions that belong together, with the first key of each.
func pair(k keys.Map, one, other, text string) key.Binding {
	var names []string
	for _, id := range []string{one, other} {
		if all := k.Binding(id).Keys(); len(all) > 0 {
			names = append(names, all[0])
		}
	}
	return keys.Fixed(strings.Join(names, " "), text)
}

// zoomHelp is the line of help while a picture is on the whole screen.
func (m *Model) zoomHelp() []key.Binding {
	k := m.keys
	out := append(m.zoomCommands.Line(actClose), pair(k, actNext, actPrev, "next, previous"))
	if m.off(actPlay) == "" {
		out = append(out, k.Short(actPlay, m.film.word()), pair(k, actStep, actStepBack, "frame"))
	}
	for _, b := range []button{{actStar, "star"}, {actDrop, dropWord(m)}, {actFlip, "flip"}, {actResubmit, "to compose"}, {actSeed, "same seed"}, {actUse, "use"}} {
		if m.off(b.id) == "" {
			out = append(out, k.Short(b.id, b.label))
		}
	}
	if !m.zoom.plays() {
		out = append(out, pair(k, actLarger, actLess, "size"), k.Short(actActual, "1:1"))
	}
	return append(out, k.Short(actMark, "mark"), k.Short(actWays, "more ways"))
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	move := []key.Binding{keys.Fixed("↑↓ j k", "move"), keys.Fixed("pgup pgdn", "a page"), keys.Fixed("g G", "first, last of all"), keys.Fixed("← →", "sections of the detail"), keys.Fixed("h l", "the detail sideways")}
	zoom := append(m.zoomCommands.Help(), keys.Fixed("← →", "results beside it, or over a large picture"), keys.Fixed("↑↓", "over a large picture"))
	return [][]key.Binding{m.commands.Help(), move, zoom, body.Help(m.keys)}
}
