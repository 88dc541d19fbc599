package improve

import (
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// side is which of the texts is drawn as prose.
type side int

const (
	yours     side = iota // the prompt as it is
	suggested             // the prompt as the model would have it
	becomes               // the prompt with what is chosen
)

// reviewLines are the two prompts, the choices, and what becomes of the prompt with them: at most h
// lines. Where there is little room, the choices and the outcome show alone.
func (d *Dialog) reviewLines(w, h int) []string {
	if len(d.changes) == 0 {
		said := "the model would change nothing"
		if len(improve.Changes(d.parts)) > 0 {
			said += " but capitals and full stops"
		}
		return []string{widgets.NewInk(d.Styles.Good).Text("✓ ") + widgets.Truncate(said, w-2), "",
			d.buttons(w, [2]string{actClose, "Back"})}
	}
	foot := []string{d.buttons(w, [2]string{actAsk, "Take"}, [2]string{actToggle, "Toggle"}, [2]string{actAll, "All"}, [2]string{actNone, "None"}, [2]string{actClose, "Back"})}
	if d.kept.Advice != "" {
		foot = append([]string{widgets.NewInk(d.Styles.Warn).Text(widgets.Truncate("⚠ "+d.kept.Advice, w))}, foot...)
	}
	room := h - len(foot) - 1 // the heading of the outcome
	if room < 2 {
		return append(d.choiceLines(w, max(1, h-len(foot))), foot...)[:h]
	}
	texts := room >= 9
	if texts {
		room -= 3 // the headings of the other parts
	}
	rows := min(len(d.changes), max(1, room*2/5))
	out := d.window(becomes, w, max(1, (room-rows)*2/5))
	if !texts {
		out = d.window(becomes, w, room-rows)
	}
	var lines []string
	if texts {
		left := room - rows - len(out)
		old := d.window(yours, w, max(1, left/3))
		lines = append(lines, d.heading("yours", w))
		lines = append(lines, old...)
		lines = append(lines, d.heading("suggested", w))
		lines = append(lines, d.window(suggested, w, max(1, left-len(old)))...)
		lines = append(lines, d.heading("choose", w))
	}
	lines = append(lines, d.choiceLines(w, rows)...)
	lines = append(lines, d.heading("becomes", w))
	lines = append(lines, out...)
	return append(lines, foot...)
}

// heading is a rule with a word in it.
func (d *Dialog) heading(word string, w int) string {
	rule := widgets.NewInk(d.Styles.Border)
	return rule.Text("─ ") + widgets.NewInk(d.Styles.Muted).Text(word) + rule.Text(" "+strings.Repeat("─", max(0, w-len(word)-3)))
}

// window is a text as prose in at most that many lines, those with the change under the cursor among
// them.
func (d *Dialog) window(of side, w, room int) []string {
	lines, at := d.prose(of, w, room)
	top := max(0, min(at-room/2, len(lines)-room))
	return lines[top:min(len(lines), top+room)]
}

// prose is a text with the words that change in colours, or in brackets where there are none; and the
// index of the line with the change under the cursor. Of a long text only what is around that is
// laid out.
func (d *Dialog) prose(of side, w, room int) (lines []string, at int) {
	st := d.Styles
	plain := widgets.NewInk(st.Text)
	take := improve.Following(d.parts, d.takes)
	var b strings.Builder
	before := ""
	parts := d.around(shownBytes(w, room))
	for _, p := range parts {
		if p.index == d.changes[d.at] {
			before = b.String()
		}
		text, ink, open, end := p.old, widgets.NewInk(st.Bad), "[-", "-]"
		if of == suggested || of == becomes && take(p.index) {
			text, ink, open, end = p.new, widgets.NewInk(st.Good), "{+", "+}"
		}
		switch {
		case text == "":
		case p.same, of == becomes && !take(p.index):
			b.WriteString(plain.Text(client.Clean(text)))
		case improve.Slight(d.parts[p.index]):
			b.WriteString(plain.Text(client.Clean(text)))
		default:
			if p.index == d.changes[d.at] && of != becomes {
				ink = widgets.NewInk(st.RowSelected)
			}
			b.WriteString(d.changed(ink, client.Clean(text), open, end))
		}
	}
	if n := len(parts); of == becomes && n > 0 && parts[n-1].index == len(d.parts)-1 {
		b.WriteString(plain.Text(improve.Ending(d.parts, d.takes)))
	}
	at = strings.Count(widgets.Wrap(before, w), "\n")
	return strings.Split(widgets.Wrap(b.String(), w), "\n"), at
}

// changed is a change in its colour, without the blanks and commas around it; in brackets where
// colours do not show.
func (d *Dialog) changed(ink widgets.Ink, text, open, end string) string {
	if !d.Styles.Plain {
		return ink.Text(text)
	}
	return ink.Text(open + lineEnds(text) + end)
}

// lineEnds shows the line ends of a change, which would be lost at the end of one.
func lineEnds(s string) string { return strings.ReplaceAll(s, "\n", "⏎") }

// box shows by shape whether a change is chosen.
func box(on bool) string {
	if on {
		return "☑"
	}
	return "☐"
}

// choiceLines are the changes as sentences, one a line, the one under the cursor among them.
func (d *Dialog) choiceLines(w, rows int) []string {
	top := max(0, min(d.at-rows/2, len(d.changes)-rows))
	var out []string
	for n := top; n < min(top+rows, len(d.changes)); n++ {
		on := d.take[d.changes[n]]
		lead, ink := "  ", widgets.NewInk(d.Styles.Row)
		if n == d.at {
			lead, ink = widgets.NewInk(d.Styles.Accent).Text("▸")+" ", widgets.NewInk(d.Styles.RowSelected)
		}
		p := d.parts[d.changes[n]]
		p.Old, p.New = firstOf(p.Old, shownBytes(w, 1)), firstOf(p.New, shownBytes(w, 1))
		line := box(on) + " " + widgets.Truncate(client.CleanLine(improve.Sentence(p)), w-4)
		out = append(out, zone.Mark(zonePart+strconv.Itoa(n), lead+ink.Over(widgets.Fit(line, w-2, 1))))
	}
	return out
}
