package inspect

import (
	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/zone"
)

const (
	wideFrom = 100 // from this width on, facts and answer stand side by side
	tallFrom = 16  // from this height on, facts and routes stand on each other
)

// room is the size of the screen, and which pane shows where not all of them fit.
type room struct {
	w, h int
	page pane
}

func (r room) wide() bool { return r.w >= wideFrom }

// inputHeight is how many lines the input takes: one without a border where room is scarce.
func (r room) inputHeight() int {
	if r.h < 14 {
		return 1
	}
	return 3
}

// body is the room of the panes, below the input and, on a narrow screen, the tabs.
func (r room) body() (w, h int) {
	h = r.h - r.inputHeight()
	if !r.wide() {
		h--
	}
	return r.w, max(0, h)
}

func (r room) leftWidth() int {
	if r.wide() {
		return r.w * 48 / 100
	}
	return r.w
}

// together reports whether facts and routes stand in one column.
func (r room) together() bool {
	_, h := r.body()
	return r.wide() || h >= tallFrom
}

// shows reports whether a pane is on the screen.
func (r room) shows(p pane) bool {
	switch {
	case r.wide() || p == r.page || p == inputPane:
		return true
	case p == answerPane || r.page == answerPane:
		return false
	default:
		return r.together()
	}
}

// entry is the line for typing an id.
type entry struct {
	*form.Editor
	paper form.Paper
}

// room is the width for the id, beside the label of the button.
func (e entry) room(r room, label string) int {
	w := r.w
	if r.inputHeight() == 3 {
		w, _ = widgets.Inner(w, 3)
	}
	return max(8, w-widgets.Width(label)-4)
}

// view is the line with the button for the format, in a box where there is room for one.
func (e entry) view(st *themes.Styles, r room, label, title string, focus bool) string {
	button := widgets.Button(st, actFormat, label, false, false)
	field := func(w int) string {
		hint := widgets.Truncate("id of a task or a job", max(1, e.room(r, label)-6))
		return zone.Mark("input", widgets.Line(widgets.NewInk(st.Accent).Text("❯ ")+e.Field(e.paper, hint, focus, max(1, w-2)), w))
	}
	line := func(w int) string {
		if w < 32 {
			return field(w)
		}
		return field(max(1, w-widgets.Width(button)-1)) + " " + button
	}
	if r.inputHeight() == 1 && title != "Id" && !focus {
		return widgets.Line(st.Warn.Render(widgets.Truncate(title, r.w)), r.w)
	}
	if r.inputHeight() == 1 {
		return widgets.Line(line(r.w), r.w)
	}
	iw, _ := widgets.Inner(r.w, 3)
	return widgets.Box(st, title, "", line(iw), r.w, 3, focus)
}
