package widgets

import (
	"strings"

	"github.com/charmbracelet/lipgloss"

	"darkroom/themes"
	"darkroom/tui/widgets/zone"
)

// Button is a button of one line, marked as the zone "btn:<id>". Off is drawn but has
// no zone.
func Button(st *themes.Styles, id, label string, focus, off bool) string {
	inks := chromeOf(st)
	ink := inks.button
	switch {
	case off:
		ink = inks.buttonOff
	case focus:
		ink = inks.buttonFocus
	}
	var s string
	switch {
	case !st.Bracketed:
		s = ink.Text(" " + label + " ")
	case !st.Plain && off:
		s = ink.Text("( " + label + " )")
	case !st.Plain:
		s = ink.Text("[ " + label + " ]")
	case focus && !off:
		s = ink.Text("[>" + label + "<]")
	case off:
		s = "( " + label + " )"
	default:
		s = "[ " + label + " ]"
	}
	if off {
		return s
	}
	return zone.Mark("btn:"+id, s)
}

// Tab is one of a row of tabs.
type Tab struct{ ID, Label string }

// Tabs draws tabs in one line of at most w cells, each marked as the zone "tab:<id>".
// When they do not all fit, those around the active one stay.
func Tabs(st *themes.Styles, tabs []Tab, active string, w int) string {
	inks := chromeOf(st)
	cells := make([]string, len(tabs))
	at := 0
	for i, t := range tabs {
		ink, text := inks.tab, " "+t.Label+" "
		if t.ID == active {
			ink, at = inks.tabActive, i
			if st.Plain {
				text = "[" + t.Label + "]"
			}
		}
		cells[i] = zone.Mark("tab:"+t.ID, ink.Text(text))
	}
	return window(cells, at, "", w)
}

// Option is a value to choose, with the text that a person sees.
type Option struct{ Value, Label string }

// Choice is a chooser of one line of at most w cells: the current option stands between
// angle marks, "‹video› image  music", and none moves when another is chosen. Each option is marked as the zone
// "<prefix>:<value>". When they do not all fit, those around the current one stay.
func Choice(st *themes.Styles, prefix string, opts []Option, current int, focus bool, w int) string {
	var (
		on  = NewInk(st.Value)
		off = NewInk(st.Option)
	)
	if focus {
		on = NewInk(st.OptionActive)
	}
	cells := make([]string, len(opts))
	for i, o := range opts {
		label := o.Label
		if label == "" {
			label = o.Value
		}
		text := off.Text(" " + label + " ")
		if i == current {
			text = on.Text("‹" + label + "›")
		}
		cells[i] = zone.Mark(prefix+":"+o.Value, text)
	}
	return window(cells, current, "", w)
}

// window joins cells to at most w, leaving out the first ones and then the last ones so
// that the one at index at stays in sight. "‹" and "›" of the cut are ellipses.
func window(cells []string, at int, sep string, w int) string {
	if w <= 0 || len(cells) == 0 {
		return ""
	}
	at = min(max(0, at), len(cells)-1)
	total := 0
	for _, c := range cells {
		total += lineWidth(c) + len(sep)
	}
	if total-len(sep) <= w {
		return strings.Join(cells, sep)
	}
	lo, hi := at, at+1
	used := lineWidth(cells[at]) + 2 // room for the two ellipses
	for grown := true; grown; {
		grown = false
		if hi < len(cells) && used+lineWidth(cells[hi])+len(sep) <= w {
			used += lineWidth(cells[hi]) + len(sep)
			hi, grown = hi+1, true
		}
		if lo > 0 && used+lineWidth(cells[lo-1])+len(sep) <= w {
			used += lineWidth(cells[lo-1]) + len(sep)
			lo, grown = lo-1, true
		}
	}
	s := strings.Join(cells[lo:hi], sep)
	if lo > 0 {
		s = Ellipsis + s
	}
	if hi < len(cells) {
		s += Ellipsis
	}
	return cut(s, w)
}

// Sign is a state of a job as one sign and its style, for tables and the title bar. Status is one
// of client.Status; an unknown one is shown as such.
func Sign(st *themes.Styles, status string) (string, lipgloss.Style) {
	switch status {
	case "queued":
		return "◌", st.StateQueued
	case "running":
		return "▶", st.StateRunning
	case "completed", "done":
		return "✓", st.StateDone
	case "failed":
		return "✗", st.StateFailed
	case "ambiguous":
		return "‽", st.StateAmbiguous
	default:
		return "?", st.StateUnknown
	}
}
