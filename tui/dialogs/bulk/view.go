package bulk

import (
	"fmt"
	"strings"

	"darkroom/tui/widgets"
)

// Largest size of the box, in cells.
const (
	maxWidth  = 76
	maxHeight = 18
	fixed     = 4 // lines around the list: the head, a blank, the buttons, and one above them
)

func (d *Dialog) size() (w, h int) {
	w = min(d.W, maxWidth)
	iw, _ := widgets.Inner(w, maxHeight)
	return w, min(d.H, maxHeight, fixed+2+max(1, len(d.list(iw))))
}

// lay lays the list out anew.
func (d *Dialog) lay() {
	if d.Styles == nil || d.W <= 0 {
		return
	}
	iw, ih := widgets.Inner(d.size())
	d.lines.SetSize(iw, max(0, ih-fixed))
	d.lines.SetLines(d.list(iw))
}

// list is what failed, and who is left out below the reason, in w cells.
func (d *Dialog) list(w int) (out []string) {
	if d.Styles == nil {
		return nil
	}
	bad, warn, muted := widgets.NewInk(d.Styles.Bad), widgets.NewInk(d.Styles.Warn), widgets.NewInk(d.Styles.Muted)
	wrap := func(ink widgets.Ink, text string) {
		for _, l := range widgets.WrapLines(text, max(4, w-2), 4) { // beside the scroll bar
			out = append(out, ink.Text(l))
		}
	}
	if n := len(d.failed); n > 0 {
		wrap(bad, fmt.Sprintf("%d failed", n))
	}
	for _, text := range d.failed {
		wrap(muted, text)
	}
	why := ""
	for i, it := range d.left {
		if it.Off != why || i == 0 {
			why = it.Off
			n := 0
			for _, x := range d.left[i:] {
				if x.Off == why {
					n++
				}
			}
			wrap(warn, fmt.Sprintf("%d left out: %s", n, why))
		}
		out = append(out, muted.Text(widgets.Truncate("  "+it.Name, max(4, w-2))))
	}
	return out
}

// View implements screen.Dialog.
func (d *Dialog) View() string {
	w, h := d.size()
	iw, ih := widgets.Inner(w, h)
	if iw <= 0 || ih <= 0 {
		return widgets.Fit("", w, h)
	}
	ink := widgets.NewInk(d.Styles.Dialog)
	if d.phase == ended && (d.wrong != nil || len(d.failed) > 0) {
		ink = widgets.NewInk(d.Styles.Bad)
	}
	lines := []string{ink.Text(widgets.Truncate(d.head(), iw))}
	if d.phase == working {
		lines[0] = d.bar(iw)
	}
	if ih > fixed {
		lines = append(lines, "")
		lines = append(lines, strings.Split(d.lines.View(d.Styles), "\n")...)
	}
	for len(lines) < ih-1 {
		lines = append(lines, "")
	}
	lines = append(lines[:min(len(lines), ih-1)], widgets.PadLeft(d.buttons(), iw))
	return widgets.Box(d.Styles, widgets.NewInk(d.Styles.DialogTitle).Text(widgets.Truncate(d.title(), max(1, iw-2))), "", strings.Join(lines, "\n"), w, h, true)
}

// bar is how far it is.
func (d *Dialog) bar(w int) string {
	text := " " + d.head()
	room := max(0, w-widgets.Width(text))
	n := 0
	if len(d.ids) > 0 {
		n = room * d.done / len(d.ids)
	}
	return widgets.NewInk(d.Styles.Accent).Text(strings.Repeat("━", n)+strings.Repeat("·", room-n)) + text
}

func (d *Dialog) buttons() string {
	switch d.phase {
	case asking:
		return widgets.Button(d.Styles, zoneNo, "Leave it", !d.yes, false) + "  " + widgets.Button(d.Styles, zoneYes, d.o.Button, d.yes, len(d.ids) == 0)
	case working:
		return widgets.Button(d.Styles, zoneNo, "Stop", true, d.ctx.Err() != nil)
	default:
		return widgets.Button(d.Styles, zoneNo, "Close", true, false)
	}
}
