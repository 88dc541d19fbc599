package presets

import (
	"strings"

	"darkroom/client"
	"darkroom/tui/widgets"
)

// beside is the width from which the preview stands beside the list.
const beside = 100

// View implements screen.Dialog: the list, with the content of the preset under the cursor.
func (d *Dialog) View() string {
	w, h := min(d.W, 140), min(d.H, 36)
	if w >= beside {
		left := w * 45 / 100
		return widgets.Beside(d.list.View(d.Styles, left, h), d.preview(w-left, h))
	}
	if h < 14 && d.note != "" { // there is no list
		return d.preview(w, h)
	}
	if h < 14 {
		return d.list.View(d.Styles, w, h)
	}
	upper := h / 2
	return d.list.View(d.Styles, w, upper) + "\n" + d.preview(w, h-upper)
}

// preview shows what the preset under the cursor would change.
func (d *Dialog) preview(w, h int) string {
	iw, ih := widgets.Inner(w, h)
	lines := d.about(iw)
	if len(lines) > ih-1 && ih > 2 {
		lines = append(lines[:ih-2:ih-2], widgets.NewInk(d.Styles.Muted).Text("…"))
	}
	for len(lines) < ih-1 {
		lines = append(lines, "")
	}
	lines = append(lines, widgets.NewInk(d.Styles.Faint).Text(widgets.Truncate(d.hints(), iw)))
	title := "What it changes"
	if d.note != "" {
		title = "Presets are parts of a form"
	}
	return widgets.Box(d.Styles, widgets.NewInk(d.Styles.DialogTitle).Text(title), "", strings.Join(lines[:max(0, min(len(lines), ih))], "\n"), w, h, false)
}

// about describes the preset under the cursor, in lines of w cells.
func (d *Dialog) about(w int) []string {
	text, muted := widgets.NewInk(d.Styles.Dialog), widgets.NewInk(d.Styles.Muted)
	var lines []string
	add := func(ink widgets.Ink, s string, most int) {
		for _, l := range widgets.WrapLines(client.CleanLine(s), max(4, w), most) {
			lines = append(lines, ink.Text(l))
		}
	}
	x, ok := d.current()
	switch {
	case d.busy:
		add(muted, "reading …", 1)
	case d.note != "":
		add(text, d.note, 0)
	case !ok:
		add(muted, d.list.Empty, 2)
	default:
		add(muted, x.Path, 3)
		if x.Hides != "" {
			add(muted, "it is taken instead of your own, "+x.Hides, 3)
		}
		if x.Err != nil {
			add(widgets.NewInk(d.Styles.Bad), "✗ "+x.Err.Error(), 0)
			break
		}
		if x.Description != "" {
			add(text, x.Description, 3)
		}
		lines = append(lines, "")
		changes := d.o.Changes(x, x.Draft)
		if len(changes) == 0 {
			add(text, "The form has all of it already.", 2)
		}
		for _, c := range changes {
			add(text, c.String(), 3)
		}
	}
	return lines
}

func (d *Dialog) hints() string {
	var parts []string
	for _, b := range d.ShortHelp() {
		if b.Enabled() {
			parts = append(parts, b.Help().Key+" "+b.Help().Desc)
		}
	}
	return strings.Join(parts, " · ")
}
