package body

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
)

// SetStyles implements screen.Dialog.
func (d *Dialog) SetStyles(st *themes.Styles) {
	d.Styles = st
	d.paper = form.NewPaper(st)
}

// size is that of the box: all of a small screen, most of a large one.
func (d *Dialog) size() (w, h int) { return min(d.W, max(80, d.W-8)), min(d.H, max(24, d.H-2)) }

func (d *Dialog) inputRoom() int {
	w, _ := d.size()
	iw, _ := widgets.Inner(w, 3)
	return iw - len(d.prompt())
}

func (d *Dialog) prompt() string {
	if d.mode == finding {
		return "search "
	}
	return "jq "
}

// View implements screen.Dialog.
func (d *Dialog) View() string {
	w, h := d.size()
	if w < 2 || h < 2 {
		return widgets.Fit("", w, h)
	}
	iw, ih := widgets.Inner(w, h)
	lines := d.head(iw, max(0, ih/3))
	room := max(0, ih-len(lines)-1)
	switch b := d.current(); {
	case b != nil:
		d.tree.SetSize(iw, room)
		if room > 0 {
			lines = append(lines, strings.Split(widgets.Fit(d.tree.View(d.Styles), iw, room), "\n")...)
		}
	case d.loading:
		lines = append(lines, d.Styles.Muted.Render("reading …"))
	case !d.bad:
		lines = append(lines, d.Styles.Muted.Render("No body of this job was kept."))
	}
	lines = strings.Split(widgets.Fit(strings.Join(lines, "\n"), iw, max(0, ih-1)), "\n")
	if ih > 0 {
		lines = append(lines, d.foot(iw))
	}
	return widgets.Box(d.Styles, d.title(), d.right(), strings.Join(lines, "\n"), w, h, true)
}

func (d *Dialog) title() string {
	text := client.CleanLine(d.o.Title)
	if b := d.current(); b != nil {
		text += " · " + b.Label()
	}
	return text
}

func (d *Dialog) right() string {
	b := d.current()
	if b == nil {
		return ""
	}
	text := human.Bytes(int64(b.Bytes))
	if n := len(d.all); n > 1 {
		text = fmt.Sprintf("%d of %d · %s", d.at+1, n, text)
	}
	return text
}

// head are the lines above a body: of a request where it was sent to, of a layer what it is.
func (d *Dialog) head(w, most int) []string {
	st := d.Styles
	var out []string
	add := func(style func(...string) string, text string) {
		for _, l := range widgets.WrapLines(client.CleanLine(text), w, 3) {
			out = append(out, style(l))
		}
	}
	switch d.layer {
	case filtered:
		add(st.Accent.Render, "jq "+d.label)
	case compared:
		add(st.Accent.Render, d.label)
	default:
		if r := d.request(); r != nil {
			add(st.Code.Render, r.Method+" "+r.URL)
			for _, h := range r.Header {
				add(st.Muted.Render, h)
			}
			for _, n := range r.Notes {
				add(st.Warn.Render, "⚠ "+n)
			}
		}
	}
	return out[:min(len(out), most)]
}

// foot is the last line: what is typed, else where the cursor is and what is to be said.
func (d *Dialog) foot(w int) string {
	st := d.Styles
	if d.mode != reading {
		p := d.prompt()
		hint := map[mode]string{finding: "text to find", filtering: ".output.results[0].url"}[d.mode]
		return widgets.Line(st.Accent.Render(p)+d.input.Field(d.paper, hint, true, max(1, w-len(p))), w)
	}
	note := st.Muted.Render(widgets.Truncate(d.note, w))
	if d.bad {
		note = st.Bad.Render(widgets.Truncate("✗ "+d.note, w))
	}
	path := ""
	if d.layer == whole {
		path = client.CleanLine(d.tree.Path())
	}
	if room := w - widgets.Width(note) - 2; room < widgets.Width(path) {
		path = widgets.Truncate(path, max(0, room))
	}
	return widgets.Line(widgets.Spread(st.Code.Render(path), note, w), w)
}
