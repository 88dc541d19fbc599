package compose

import (
	"fmt"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/zone"
)

// improveView draws the dialog in w x h cells.
func (m *Model) improveView(w, h int) string {
	i := &m.improve
	iw, ih := widgets.Inner(w, h)
	if iw < 8 || ih < 1 {
		return widgets.Fit("", w, h)
	}
	var lines []string
	right := client.CleanLine(i.model)
	switch i.phase {
	case running:
		lines = m.runningLines(iw, ih)
	case review:
		lines = m.reviewLines(iw, ih)
		right = fmt.Sprintf("%d of %s accepted", m.accepted(), format.Plural(len(i.changes), "part"))
	default:
		lines = m.askLines(iw, ih)
	}
	return widgets.BoxFooter(m.st, widgets.NewInk(m.st.DialogTitle).Text("Improve the prompt"),
		widgets.NewInk(m.st.Faint).Text(widgets.Truncate(right, iw/2)), "", strings.Join(lines, "\n"), w, h, true)
}

func (m *Model) accepted() int {
	n := 0
	for _, c := range m.improve.changes {
		if m.improve.take[c] {
			n++
		}
	}
	return n
}

// improveButtons are the actions of a phase in one line.
func (m *Model) improveButtons(w int, of ...[2]string) string {
	line, wide := "", 0
	for _, b := range of {
		label := strings.TrimSpace(b[1] + " " + m.deps.Keys.Keys(scopeImprove+"."+b[0]))
		text := widgets.Button(m.st, scopeImprove+"."+b[0], label, false, m.offPart(b[0]) != "")
		if n := widgets.Width(text); wide+n <= w {
			line, wide = line+text+" ", wide+n+1
		}
	}
	return strings.TrimSuffix(line, " ")
}

// askLines say what would be asked of whom, and what it may cost; or what went wrong.
func (m *Model) askLines(w, h int) []string {
	i := &m.improve
	var out []string
	say := func(ink widgets.Ink, text string) {
		for _, l := range widgets.WrapLines(text, w, 0) {
			out = append(out, ink.Text(l))
		}
	}
	ask := "Ask"
	if i.phase == failed {
		ask = "Ask again"
		say(widgets.NewInk(m.st.Bad), "✗ "+i.trouble)
		if i.advice != "" {
			say(widgets.NewInk(m.st.Muted), i.advice)
		}
		say(widgets.NewInk(m.st.Muted), "The prompt is as it was.")
	} else {
		say(widgets.NewInk(m.st.Text), "Asks "+client.CleanLine(i.model)+" for a better prompt for "+string(m.modality)+
			". You see what would change, and accept it part by part.")
		note := "This is a paid request. It is sent once: when its answer is lost it may be paid for all the same, and is not sent again by itself."
		if m.deps.Talks != nil {
			note += " Question and answer are kept as a conversation in Chat."
		}
		say(widgets.NewInk(m.st.Muted), note)
	}
	out = append(out, "", m.improveButtons(w, [2]string{"go", ask}, [2]string{"model", "Another model"}, [2]string{"close", "Back"}), "")
	if room := h - len(out); room > 0 {
		for _, l := range widgets.WrapLines(client.Clean(firstOf(i.prompt, shownBytes(w, room))), w, room) {
			out = append(out, widgets.NewInk(m.st.Faint).Text(l))
		}
	}
	return out[:min(len(out), h)]
}

// runningLines are the end of what has come.
func (m *Model) runningLines(w, h int) []string {
	i := &m.improve
	head := "waiting for the answer …"
	switch {
	case i.stopping:
		head = "stopping …"
	case i.compared != nil:
		head = "comparing the answer with the prompt …"
	case i.text != "":
		head = "the answer comes …"
	}
	out := []string{widgets.NewInk(m.st.Accent).Text(widgets.Truncate(head, w)), ""}
	room := max(0, h-len(out)-2)
	came := strings.Split(widgets.Wrap(client.Clean(lastOf(i.text, shownBytes(w, room))), w), "\n")
	for _, l := range came[max(0, len(came)-room):] {
		out = append(out, widgets.NewInk(m.st.Text).Text(l))
	}
	for len(out) < h-1 {
		out = append(out, "")
	}
	return append(out, m.improveButtons(w, [2]string{"close", "Stop"}))[:h]
}

// reviewLines are the prompt with its changes, and the list of them below.
func (m *Model) reviewLines(w, h int) []string {
	i := &m.improve
	if len(i.changes) == 0 {
		return []string{widgets.NewInk(m.st.Good).Text("✓ ") + widgets.Truncate("the model would change nothing", w-2), "",
			m.improveButtons(w, [2]string{"close", "Back"})}
	}
	foot := m.improveButtons(w, [2]string{"go", "Take"}, [2]string{"toggle", "Accept or reject"}, [2]string{"all", "All"}, [2]string{"none", "None"}, [2]string{"close", "Back"})
	rule := widgets.NewInk(m.st.Border).Text(strings.Repeat("─", w))
	rows := max(1, min(len(i.changes), (h-3)/2))
	room := max(1, h-rows-3)
	text, at := m.diffLines(w, room)
	top := max(0, min(at-room/2, len(text)-room))
	text = text[top:min(len(text), top+room)]
	for len(text) < room {
		text = append(text, "")
	}
	out := append(text, rule)
	out = append(out, m.partLines(w, rows)...)
	if i.kept.Advice != "" {
		rule = widgets.NewInk(m.st.Warn).Text(widgets.Truncate("⚠ "+i.kept.Advice, w))
	}
	out = append(out, rule, foot)
	if len(out) > h {
		return out[len(out)-h:]
	}
	return out
}

// diffLines are the prompt with what goes in [-…-] and what comes in {+…+}, which reads
// without colours; and the line of the part under the cursor. Of a long prompt it is what stands
// around that part.
func (m *Model) diffLines(w, room int) ([]string, int) {
	i := &m.improve
	st := m.st
	plain, gone, added := widgets.NewInk(st.Text), widgets.NewInk(st.Struck), widgets.NewInk(st.Good)
	var b strings.Builder
	from, parts := i.around(shownBytes(w, room))
	n, before := from, ""
	for _, part := range parts {
		if part.same {
			b.WriteString(plain.Text(client.Clean(part.old)))
			continue
		}
		if n == i.at {
			before = b.String()
		}
		lead := fmt.Sprintf("%s%d", box(i.take[i.changes[n]]), n+1)
		ink := widgets.NewInk(st.Muted)
		if n == i.at {
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

// box says by shape whether a part is accepted.
func box(on bool) string {
	if on {
		return "☑"
	}
	return "☐"
}

// partLines are the changes, one a line, the one under the cursor among them.
func (m *Model) partLines(w, rows int) []string {
	i := &m.improve
	top := max(0, min(i.at-rows/2, len(i.changes)-rows))
	var out []string
	for n := top; n < min(top+rows, len(i.changes)); n++ {
		p := i.parts[i.changes[n]]
		lead, ink := "  ", widgets.NewInk(m.st.Row)
		if n == i.at {
			lead, ink = widgets.NewInk(m.st.Accent).Text("▸")+" ", widgets.NewInk(m.st.RowSelected)
		}
		head := fmt.Sprintf("%s %d  ", box(i.take[i.changes[n]]), n+1)
		half := max(4, (w-2-widgets.Width(head)-3)/2)
		line := head + oneOf(p.Old, half) + " → " + oneOf(p.New, half)
		out = append(out, zone.Mark(zonePart+strconv.Itoa(n), lead+ink.Over(widgets.Fit(line, w-2, 1))))
	}
	return out
}

// oneOf is a side of a change in one line.
func oneOf(s string, w int) string {
	if strings.TrimSpace(s) == "" {
		return "(nothing)"
	}
	return widgets.Truncate(client.CleanLine(lineEnds(firstOf(s, shownBytes(w, 1)))), w)
}
