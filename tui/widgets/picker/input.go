package picker

import (
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/widgets"
)

// input is a line of text with a cursor that stands still, so that nothing wakes up.
type input struct {
	runes []rune
	at    int
}

// maxQuery bounds what is typed or pasted, in runes.
const maxQuery = 200

func (in *input) set(s string) {
	in.runes = nil
	in.at = 0
	in.insert([]rune(s))
}

func (in *input) text() string { return string(in.runes) }

// insert adds runes at the cursor; what cannot be shown in a line is left out.
func (in *input) insert(rs []rune) {
	var ok []rune
	for _, r := range rs {
		if unicode.IsPrint(r) && len(in.runes)+len(ok) < maxQuery {
			ok = append(ok, r)
		}
	}
	tail := append([]rune(nil), in.runes[in.at:]...)
	in.runes = append(append(in.runes[:in.at:in.at], ok...), tail...)
	in.at += len(ok)
}

// handle edits by a key and reports whether it took it.
func (in *input) handle(msg tea.KeyMsg) bool {
	switch msg.String() {
	case "backspace", "ctrl+h":
		if in.at > 0 {
			in.remove(in.at-1, in.at)
		}
	case "delete", "ctrl+d":
		if in.at < len(in.runes) {
			in.remove(in.at, in.at+1)
		}
	case "left", "ctrl+b":
		in.at = max(0, in.at-1)
	case "right", "ctrl+f":
		in.at = min(len(in.runes), in.at+1)
	case "ctrl+a":
		in.at = 0
	case "ctrl+e":
		in.at = len(in.runes)
	case "ctrl+u":
		in.remove(0, in.at)
	case "ctrl+w", "alt+backspace":
		i := in.at
		for i > 0 && in.runes[i-1] == ' ' {
			i--
		}
		for i > 0 && in.runes[i-1] != ' ' {
			i--
		}
		in.remove(i, in.at)
	default:
		if (msg.Type != tea.KeyRunes && msg.Type != tea.KeySpace) || msg.Alt {
			return false
		}
		in.insert(msg.Runes)
	}
	return true
}

func (in *input) remove(from, to int) {
	in.runes = append(in.runes[:from:from], in.runes[to:]...)
	in.at = from
}

// view draws the line in exactly w cells, with the cursor in sight.
func (in *input) view(text, cursor, hint widgets.Ink, placeholder string, w int) string {
	if w <= 0 {
		return ""
	}
	if len(in.runes) == 0 {
		rest := widgets.Fit(placeholder, max(0, w-1), 1)
		if first, tail, ok := splitFirst(rest); ok {
			return widgets.Fit(cursor.Text(first)+hint.Text(tail), w, 1)
		}
		return cursor.Text(" ")
	}
	from := 0
	for from < in.at && widgets.Width(string(in.runes[from:in.at]))+2 > w {
		from++
	}
	under, after := " ", ""
	if in.at < len(in.runes) {
		under, after = string(in.runes[in.at:in.at+1]), string(in.runes[in.at+1:])
	}
	return widgets.Fit(text.Text(string(in.runes[from:in.at]))+cursor.Text(under)+text.Text(after), w, 1)
}

func splitFirst(s string) (first, rest string, ok bool) {
	for i := range s {
		if i > 0 {
			return s[:i], s[i:], true
		}
	}
	return s, "", strings.TrimSpace(s) != ""
}
