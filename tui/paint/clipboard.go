//go:build unix

package paint

import (
	"encoding/base64"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	sayWait  = 200 * time.Millisecond
	copyMost = 74_000 // bytes of text; terminals cut longer OSC 52 strings
)

// Copy puts text on the clipboard, if the terminal lets programs do that (OSC 52), which nothing
// tells. Text that is too long for terminals is not sent.
func (t *Terminal) Copy(text string) tea.Cmd {
	return func() tea.Msg {
		if len(text) <= copyMost {
			t.tell("\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x1b\\")
		}
		return nil
	}
}

// Repaint paints the whole frame anew, after something else has written to the terminal.
func (t *Terminal) Repaint() tea.Cmd {
	return func() tea.Msg {
		if t.out.acquire(sayWait) {
			t.out.screen.invalidate()
			t.out.pics.resend()
			t.out.release()
		}
		return paintMsg{}
	}
}

// SetMouse has clicks and the wheel reported from now on, or no longer.
func (t *Terminal) SetMouse(on bool) tea.Cmd {
	return func() tea.Msg {
		if t.modes.mouse.Swap(on) == on {
			return nil
		}
		if on {
			t.tell(mouseOn)
		} else {
			t.tell(mouseOff)
		}
		return nil
	}
}

// tell writes a control string between two frames, while we have the terminal.
func (t *Terminal) tell(s string) {
	if !t.out.acquire(sayWait) {
		return
	}
	defer t.out.release()
	if t.out.active {
		_ = t.out.say(s, sayWait)
	}
}
