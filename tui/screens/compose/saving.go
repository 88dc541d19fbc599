package compose

import (
	"errors"
)

// Flush saves what is not on the disk yet, whatever was left lying when the loop ended.
// Drafts that were never read are read first, so that what they hold is not lost.
func (m *Model) Flush() error {
	m.releaseAll("the end came") // nobody runs what it asks for: what was pasted and typed is in the form
	return errors.Join(m.over.Flush(), m.doc.Flush(m.dialogOpen()))
}

// unsavedPaste tells what is pasted or typed and not in the form yet, and what becomes of it at
// quit; "" for nothing.
func (m *Model) unsavedPaste() string {
	if lost := m.pasting.Unsaved(); lost != "" {
		return lost
	}
	switch {
	case m.over.Has(askAttach):
		return "A question about files of this machine is open in Compose: quitting leaves them out, keeps the rest in the form, and submits nothing."
	case m.asksOfPaste():
		return "A question about what was pasted in Compose is open: quitting keeps it as text, with what was typed behind it, and submits nothing."
	case m.pasting.Waiting():
		return "What was typed in Compose waits for a choice: quitting keeps it in the form, and submits nothing."
	}
	return ""
}
