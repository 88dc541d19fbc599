//go:build unix

package paint

import (
	"context"
	"os/exec"
	"runtime"
	"strings"
	"time"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// Ways to notify a person who is looking elsewhere; see [Terminal.Notify].
const (
	NotifyAuto   = "auto"
	NotifyOSC9   = "osc9"   // iTerm2's: one text
	NotifyOSC777 = "osc777" // rxvt's: title and text
	NotifyOSC99  = "osc99"  // kitty's
	NotifyBell   = "bell"
	NotifyNative = "native" // notify-send, or osascript on macOS
	NotifyOff    = "off"
)

const (
	maxNotice  = 160 // characters of a title or text
	nativeWait = 5 * time.Second
)

// Notify shows a notification, in one of the ways above; auto takes what the terminal is known to
// understand, else the bell. Both texts may come from anybody: control characters, sequences and
// what changes the direction of text are removed. If a way is blocked (in tmux without passthrough,
// or without the program), the bell rings.
func (t *Terminal) Notify(by, title, text string) tea.Cmd {
	if by == NotifyOff {
		return nil
	}
	return func() tea.Msg {
		title, text := noticeText(title), noticeText(text)
		if by == NotifyAuto {
			by = t.env().notifies()
		}
		if by == NotifyNative {
			if t.native(title, text) {
				return nil
			}
			by = NotifyBell
		}
		t.tell(wrapNotice(noticeSequence(by, title, text), t.env().multiplexer(), t.tmux().passes))
		return nil
	}
}

// noticeText makes a text fit for a notification: one line, with nothing that a terminal or a
// desktop would take for anything but text.
func noticeText(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp) {
			return -1
		}
		return r
	}, printable(s))
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxNotice {
		s = string(r[:maxNotice-1]) + "…"
	}
	return s
}

// noticeSequence returns what makes a terminal show a notification.
func noticeSequence(by, title, text string) string {
	// A semicolon ends a field of OSC 777, and after a digit makes OSC 9 another command.
	plain := func(s string) string { return strings.ReplaceAll(s, ";", ",") }
	switch by {
	case NotifyOSC9:
		return "\x1b]9;" + plain(title+": "+text) + "\x1b\\"
	case NotifyOSC777:
		return "\x1b]777;notify;" + plain(title) + ";" + plain(text) + "\x1b\\"
	case NotifyOSC99:
		return "\x1b]99;i=darkroom:d=0;" + title + "\x1b\\\x1b]99;i=darkroom:d=1:p=body;" + text + "\x1b\\"
	default:
		return "\a"
	}
}

// wrapNotice takes a sequence through a multiplexer that lets it pass, or else rings the bell.
func wrapNotice(seq, through string, passes func() bool) string {
	switch {
	case through == "" || seq == "\a":
		return seq
	case through == "tmux" && passes():
		return passthrough(seq)
	default:
		return "\a"
	}
}

// native shows a notification with the desktop's own program, and reports whether it did.
func (t *Terminal) native(title, text string) bool {
	name, args := nativeCommand(runtime.GOOS, title, text)
	path, err := exec.LookPath(name)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), nativeWait)
	defer cancel()
	return t.beside(ctx, path, args...).Run() == nil
}

// nativeCommand returns the program and its arguments. Neither text can be read as an option, as
// markup or as a script.
func nativeCommand(system, title, text string) (string, []string) {
	if system == "darwin" {
		return "osascript", []string{
			"-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)", "-e", "end run",
			"--", title, text,
		}
	}
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	return "notify-send", []string{"--app-name=darkroom", "--", title, escape.Replace(text)}
}
