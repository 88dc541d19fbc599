package improve

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/tui/widgets"
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
		h -= ih - len(lines)
		right = fmt.Sprintf("%d of %s chosen", d.accepted(), human.Plural(len(d.changes), "change"))
	default:
		lines = d.askLines(iw, ih)
		h -= ih - len(lines)
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
			". You see what would change, and choose.")
		note := "It is sent once."
		if !d.o.Free {
			note = "This request is billed. It is sent once: if the answer is lost it may still be billed, and it is never sent again by itself."
		}
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
