package improve

import (
	"cmp"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/improve"
	"darkroom/tui/widgets"
)

// maxBetter is the longest prompt that can be improved, and the longest answer accepted as a
// better one, in bytes.
const maxBetter = 64_000

// comparedMsg brings the parts of an answer to the dialog that compares it.
type comparedMsg struct {
	of    *Dialog
	parts []improve.Part
}

// tooLong says that a text is too long to compare, "" when it is not.
func tooLong(what, text string) string {
	if len(text) <= maxBetter {
		return ""
	}
	return what + " is " + human.Bytes(int64(len(text))) + " long: at most " + human.Bytes(maxBetter) + " are compared and taken here"
}

// compare finds the differences between a prompt and the answer. One that is too long ends with
// nothing taken; it is not lost.
func (d *Dialog) compare(prompt string) tea.Cmd {
	answer := d.kept.Answer.Text
	if why := cmp.Or(tooLong("the answer", answer), tooLong("the prompt", prompt)); why != "" {
		d.phase, d.trouble, d.advice = failed, why, "ask again, or ask another model"
		if d.o.Talks != nil {
			d.advice = "Chat keeps the whole answer; " + d.advice
		}
		return nil
	}
	d.phase, d.prompt = comparing, prompt
	return func() tea.Msg {
		// A text not fit to be shown is not fit to be sent either.
		return comparedMsg{d, improve.Diff(prompt, client.Clean(improve.Text(answer, prompt)))}
	}
}

// compared shows the parts.
func (d *Dialog) compared(msg comparedMsg) {
	if msg.of != d || d.phase != comparing {
		return
	}
	d.phase, d.parts = review, msg.parts
	d.changes, d.take, d.at = improve.Choices(d.parts), map[int]bool{}, 0
}

// shownBytes is how many bytes of a text are laid out for a number of lines: enough for characters
// of many bytes a cell.
func shownBytes(w, lines int) int { return max(8<<10, 4*w*lines) }

// firstOf is the beginning of a text, in whole letters.
func firstOf(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + widgets.Ellipsis
}

// lastStep is the step by which the beginning of the text returned by [lastOf] moves, so that the
// lines of a growing text rarely rewrap.
const lastStep = 4 << 10

// lastOf is the end of a text, in whole letters.
func lastOf(s string, most int) string {
	if len(s) <= most+lastStep {
		return s
	}
	at := (len(s) - most) / lastStep * lastStep
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return widgets.Ellipsis + s[at:]
}

// shownPart is a part, cut to the room that there may be, and its index among all.
type shownPart struct {
	index    int
	same     bool
	old, new string
}

// around returns the parts within so many bytes on each side of the one under the cursor.
func (d *Dialog) around(most int) (out []shownPart) {
	at := d.changes[d.at]
	from, to := at, at+1
	for n := 0; from > 0 && n < most; n += len(d.parts[from].Old) + len(d.parts[from].New) {
		from--
	}
	for n := 0; to < len(d.parts) && n < most; to++ {
		n += len(d.parts[to].Old) + len(d.parts[to].New)
	}
	for n := from; n < to; n++ {
		p, cut := d.parts[n], firstOf
		if n < at && p.Same() {
			cut = lastOf
		}
		out = append(out, shownPart{index: n, same: p.Same(), old: cut(p.Old, most), new: cut(p.New, most)})
	}
	return out
}
