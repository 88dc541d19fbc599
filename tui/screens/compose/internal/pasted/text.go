package pasted

import (
	"strings"

	"darkroom/client/intake"
)

// Text is what was pasted as it goes into a text: without what authorizes. Said tells what was
// taken out of it, or why it is held back, which leaves no text at all.
type Text struct{ Text, Said string }

// After is what is told of the text behind something else, in one line.
func (t Text) After(said string) string { return strings.TrimSuffix(said+"; "+t.Said, "; ") }

// redactAtOnce bounds what is looked through for keys without a command, in bytes.
const redactAtOnce = 16 << 10

// Redact takes out of a text what authorizes.
func Redact(text string) Text {
	kept, said := intake.Redact(text)
	return Text{kept, said}
}

// Redacted hands a text over that a command has looked through for keys. Whoever does not
// wait for the command gets a short one all the same.
func Redacted(text string, ready <-chan Text) Text {
	select {
	case t := <-ready:
		return t
	default:
	}
	if len(text) > redactAtOnce {
		return Text{Said: "not pasted: it was not yet looked through for keys; paste it again, and wait"}
	}
	return Redact(text)
}
