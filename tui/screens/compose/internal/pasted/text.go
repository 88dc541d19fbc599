package pasted

import (
	"strings"

	"darkroom/client/intake"
)

// pasteText is a pasted text without credentials, as it goes into the form. said tells what was
// taken out, or why the text is held back, which leaves none at all.
type pasteText struct{ text, said string }

// after appends what is said of the text to something else, in one line.
func (t pasteText) after(said string) string { return strings.TrimSuffix(said+"; "+t.said, "; ") }

// redactAtOnce bounds the text that is searched for keys without a command, in bytes.
const redactAtOnce = 16 << 10

// redact removes credentials from a text.
func redact(text string) pasteText {
	kept, said := intake.Redact(text)
	return pasteText{kept, said}
}

// redacted returns the text that a command has searched for keys. While the command is still at it,
// a short text is searched at once; a long one is held back.
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
