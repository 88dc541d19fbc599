package pasted

import (
	"strings"

	"darkroom/client/intake"
)

// pasteText is what was pasted as it goes into a text: without what authorizes. said tells what was
// taken out of it, or why it is held back, which leaves no text at all.
type pasteText struct{ text, said string }

// after is what is told of the text behind something else, in one line.
func (t pasteText) after(said string) string { return strings.TrimSuffix(said+"; "+t.said, "; ") }

// redactAtOnce bounds what is looked through for keys without a command, in bytes.
const redactAtOnce = 16 << 10

// redact takes out of a text what authorizes.
func redact(text string) pasteText {
	kept, said := intake.Redact(text)
	return pasteText{kept, said}
}

// redacted hands a text over that a command has looked through for keys. Whoever does not
// wait for the command gets a short one all the same.
func redacted(text string, ready <-chan pasteText) pasteText {
	select {
	case t := <-ready:
		return t
	default:
	}
	if len(text) > redactAtOnce {
		return pasteText{said: "not pasted: it was not yet looked through for keys; paste it again, and wait"}
	}
	return redact(text)
}
