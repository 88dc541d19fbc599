package screen

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
)

// MaxCopied is the longest text handed to the terminal for the clipboard, in bytes: terminals cut
// or drop longer ones.
const MaxCopied = 72_000

// Copied is a text for the clipboard, or why it is too long for one; advice says what to do then.
func Copied(text, what, advice string) tea.Msg {
	if len(text) > MaxCopied {
		return ToastMsg{Level: Warn, Text: fmt.Sprintf("nothing was copied: %s has %s, and a clipboard takes %s; %s",
			what, human.Bytes(int64(len(text))), human.Bytes(MaxCopied), advice)}
	}
	return CopyMsg{Text: text, What: what}
}
