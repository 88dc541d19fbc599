package improve

import (
	"fmt"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// View implements screen.Dialog.
func (d *Dialog) View() string {
	w, h := min(d.W, 100), min(d.H, 30)
	iw, ih := widgets.Inner(w, h)
	if iw < 8 || ih < 1 {
		return widgets.Fit("", w, h)
	}
	var lines []string
	right := client.CleanLine(d.o.Model)
	switch d.phase {
	case running, comparing:
		lines = d.runningLines(iw, ih)
	case review:
		lines = d.reviewLines(iw, ih)
		right = fmt.Sprintf("%d of %s accepted", d.accepted(), human.Plural(len(d.changes), "part"))
	default:
		lines = d.askLines(iw, ih)
	}
	return widgets.BoxFooter(d.Styles, widgets.NewInk(d.Styles.DialogTitle).Text("Improve the prompt"),
		widgets.NewInk(d.Styles.Faint).Text(widgets.Truncate(right, iw/2)), "", strings.Join(lines, "\n"), w, h, true)
}

// buttons are the actions of a phase in one line.
func (d *Dialog) buttons(w int, of ...[2]string) string {
	line, wide := "", 0
	for _, b := range of {
		label := strings.TrimSpace(b[1] + " " + d.o.Keys.Keys(b[0]))
		text := widgets.Button(d.Styles, b[0], label, false, d.commands.Off(d, b[0]) != "")
		if n := widgets.Width(text); wide+n <= w {
			line, wide = line+text+" ", wide+n+1
		}
	}
	return strings.TrimSuffix(line, " ")
}

// askLines say what would be asked, which model, and what it may cost; or what went wrong.
func (d *Dialog) askLines(w, h int) []string {
	var out []string
	say := func(ink widgets.Ink, text string) {
		for _, l := range widgets.WrapLines(text, w, 0) {
			out = append(out, ink.Text(l))
		}
	}
	ask := "Ask"
	if d.phase == failed {
		ask = "Ask again"
		say(widgets.NewInk(d.Styles.Bad), "✗ "+d.trouble)
		if d.advice != "" {
			say(widgets.NewInk(d.Styles.Muted), d.advice)
		}
		say(widgets.NewInk(d.Styles.Muted), "The prompt is as it was.")
	} else {
		say(widgets.NewInk(d.Styles.Text), "Asks "+client.CleanLine(d.o.Model)+" for a better prompt for "+string(d.o.Modality)+
			". You see what would change, and accept it part by part.")
		note := "This is a paid request. It is sent once: when its answer is lost it may be paid for all the same, and is not sent again by itself."
		if d.o.Talks != nil {
			note += " Question and answer are kept as a conversation in Chat."
		}
		say(widgets.NewInk(d.Styles.Muted), note)
	}
	out = append(out, "", d.buttons(w, [2]string{actAsk, ask}, [2]string{actModel, "Another model"}, [2]string{actClose, "Back"}), "")
	if room := h - len(out); room > 0 {
		for _, l := range widgets.WrapLines(client.Clean(firstOf(d.prompt, shownBytes(w, room))), w, room) {
			out = append(out, widgets.NewInk(d.Styles.Faint).Text(l))
		}
	}
	return out[:min(len(out), h)]
}

// runningLines are the end of the text received.
func (d *Dialog) runningLines(w, h int) []string {
	head := "waiting for the answer …"
	switch {
	case d.stopping:
		head = "stopping …"
	case d.phase == comparing:
		head = "comparing the answer with the prompt …"
	case d.text != "":
		head = "the answer is coming …"
	}
	out := []string{widgets.NewInk(d.Styles.Accent).Text(widgets.Truncate(head, w)), ""}
	room := max(0, h-len(out)-2)
	came := strings.Split(widgets.Wrap(client.Clean(lastOf(d.text, shownBytes(w, room))), w), "\n")
	for _, l := range came[max(0, len(came)-room):] {
		out = append(out, widgets.NewInk(d.Styles.Text).Text(l))
	}
	for len(out) < h-1 {
		out = append(out, "")
	}
	return append(out, d.buttons(w, [2]string{actClose, "Stop"}))[:h]
}

// reviewLines are the prompt with its changes, and the list of the changes below.
func (d *Dialog) reviewLines(w, h int) []string {
	if len(d.changes) == 0 {
		return []string{widgets.NewInk(d.Styles.Good).Text("✓ ") + widgets.Truncate("the model would change nothing", w-2), "",
			d.buttons(w, [2]string{actClose, "Back"})}
	}
	foot := d.buttons(w, [2]string{actAsk, "Take"}, [2]string{actToggle, "Accept or reject"}, [2]string{actAll, "All"}, [2]string{actNone, "None"}, [2]string{actClose, "Back"})
	rule := widgets.NewInk(d.Styles.Border).Text(strings.Repeat("─", w))
	rows := max(1, min(len(d.changes), (h-3)/2))
	room := max(1, h-rows-3)
	text, at := d.diffLines(w, room)
	top := max(0, min(at-room/2, len(text)-room))
	text = text[top:min(len(text), top+room)]
	for len(text) < room {
		text = append(text, "")
	}
	out := append(text, rule)
	out = append(out, d.partLines(w, rows)...)
	if d.kept.Advice != "" {
		rule = widgets.NewInk(d.Styles.Warn).Text(widgets.Truncate("⚠ "+d.kept.Advice, w))
	}
	out = append(out, rule, foot)
	if len(out) > h {
		return out[len(out)-h:]
	}
	return out
}

// diffLines are the prompt with deletions as [-…-] and insertions as {+…+}, readable without
// colours; and the index of the line with the part under the cursor. Of a long prompt only the
// text around that part is shown.
func (d *Dialog) diffLines(w, room int) ([]string, int) {
	st := d.Styles
	plain, gone, added := widgets.NewInk(st.Text), widgets.NewInk(st.Struck), widgets.NewInk(st.Good)
	var b strings.Builder
	from, parts := d.around(shownBytes(w, room))
	n, before := from, ""
	for _, part := range parts {
		if part.same {
			b.WriteString(plain.Text(client.Clean(part.old)))
			continue
		}
		if n == d.at {
			before = b.String()
		}
		lead := fmt.Sprintf("%s%d", box(d.take[d.changes[n]]), n+1)
		ink := widgets.NewInk(st.Muted)
		if n == d.at {
			ink = widgets.NewInk(st.RowSelected)
			lead = "▸" + lead
		}
		b.WriteString(ink.Text(lead))
		if part.old != "" {
			b.WriteString(gone.Text("[-" + lineEnds(client.Clean(part.old)) + "-]"))
		}
		if part.new != "" {
			b.WriteString(added.Text("{+" + lineEnds(client.Clean(part.new)) + "+}"))
		}
		n++
	}
	at := strings.Count(widgets.Wrap(before, w), "\n")
	return strings.Split(widgets.Wrap(b.String(), w), "\n"), at
}

// lineEnds shows the line ends of a change, which would be lost at the end of one.
func lineEnds(s string) string { return strings.ReplaceAll(s, "\n", "⏎") }

// box shows by shape whether a part is accepted.
func box(on bool) string {
	if on {
		return "☑"
	}
	return "☐"
}

// partLines are the changes, one a line, the one under the cursor among them.
func (d *Dialog) partLines(w, rows int) []string {
	top := max(0, min(d.at-rows/2, len(d.changes)-rows))
	var out []string
	for n := top; n < min(top+rows, len(d.changes)); n++ {
		p := d.parts[d.changes[n]]
		lead, ink := "  ", widgets.NewInk(d.Styles.Row)
		if n == d.at {
			lead, ink = widgets.NewInk(d.Styles.Accent).Text("▸")+" ", widgets.NewInk(d.Styles.RowSelected)
		}
		head := fmt.Sprintf("%s %d  ", box(d.take[d.changes[n]]), n+1)
		half := max(4, (w-2-widgets.Width(head)-3)/2)
		line := head + oneOf(p.Old, half) + " → " + oneOf(p.New, half)
		out = append(out, zone.Mark(zonePart+strconv.Itoa(n), lead+ink.Over(widgets.Fit(line, w-2, 1))))
	}
	return out
}

// oneOf is one side of a change, as one line.
func oneOf(s string, w int) string {
	if strings.TrimSpace(s) == "" {
		return "(nothing)"
	}
	return widgets.Truncate(client.CleanLine(lineEnds(firstOf(s, shownBytes(w, 1)))), w)
}
