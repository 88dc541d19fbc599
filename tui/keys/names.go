package keys

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// unsendable are keys that a terminal sends as other keys.
var unsendable = map[string]string{
	"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+j": "enter", "ctrl+h": "backspace",
}

// Normal turns the spellings that people use, "^S", "Ctrl-S", "C-s", "space", "return", into
// bubbletea's name of a key. An error says what is wrong with it.
func Normal(s string) (string, error) {
	in := s
	if s == " " {
		return s, nil
	}
	s = strings.TrimSpace(s)
	if s == "" {
		return "", fmt.Errorf("%q is not a key", in)
	}
	if len(s) == 2 && s[0] == '^' {
		s = "ctrl+" + s[1:]
	}
	if utf8.RuneCountInString(s) == 1 {
		r, _ := utf8.DecodeRuneInString(s)
		if !unicode.IsPrint(r) || !utf8.ValidString(s) {
			return "", fmt.Errorf("%q is not a key", in)
		}
		return s, nil
	}
	name := modifiers(s)
	name = strings.NewReplacer("escape", "esc", "return", "enter", "pagedown", "pgdown", "pageup", "pgup").Replace(name)
	if name == "space" {
		name = " "
	}
	if instead, ok := unsendable[name]; ok {
		return "", fmt.Errorf("%q cannot be told from %s in a terminal", in, instead)
	}
	if _, ok := Parse(name); !ok {
		return "", fmt.Errorf("%q is not a key; write as ctrl+s, alt+x, f2, enter, pgdown", in)
	}
	return name, nil
}

// modifiers writes them as bubbletea does; a single letter behind alt keeps its case.
func modifiers(s string) string {
	rest := s
	var ctrl, alt, shift bool
	for {
		i := strings.IndexAny(rest, "+-")
		if i <= 0 || i == len(rest)-1 {
			break
		}
		switch strings.ToLower(rest[:i]) {
		case "ctrl", "c", "control":
			ctrl = true
		case "alt", "m", "a", "meta", "option", "opt":
			alt = true
		case "shift", "s":
			shift = true
		default:
			return s
		}
		rest = rest[i+1:]
	}
	single := utf8.RuneCountInString(rest) == 1
	if !single || ctrl {
		rest = strings.ToLower(rest)
	}
	if shift && single && !ctrl {
		rest, shift = strings.ToUpper(rest), false
	}
	out := ""
	if alt {
		out += "alt+"
	}
	if ctrl {
		out += "ctrl+"
	}
	if shift {
		out += "shift+"
	}
	return out + rest
}

// Parse is the message that bubbletea sends for the key of that name; false for an unknown name.
func Parse(name string) (tea.KeyMsg, bool) {
	msg := tea.KeyMsg{}
	if rest, ok := strings.CutPrefix(name, "alt+"); ok && rest != "" {
		msg.Alt = true
		name = rest
	}
	if name == " " {
		msg.Type, msg.Runes = tea.KeySpace, []rune{' '}
		return msg, true
	}
	if r, n := utf8.DecodeRuneInString(name); n == len(name) && utf8.ValidString(name) && unicode.IsPrint(r) {
		msg.Type, msg.Runes = tea.KeyRunes, []rune{r}
		return msg, true
	}
	// bubbletea numbers its named keys from -1 down, and control keys from 0 to 127.
	for k := tea.KeyType(127); k > -120; k-- {
		if k != tea.KeyRunes && k.String() == name {
			msg.Type = k
			return msg, true
		}
	}
	return tea.KeyMsg{}, false
}

// Show is a key as the help writes it: "^S", "alt+x", "S-tab", "space".
func Show(name string) string {
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok && utf8.RuneCountInString(rest) == 1 {
		return "^" + strings.ToUpper(rest)
	}
	switch name {
	case " ":
		return "space"
	case "shift+tab":
		return "S-tab"
	}
	if strings.HasPrefix(name, "f") && len(name) > 1 && unicode.IsDigit(rune(name[1])) {
		return strings.ToUpper(name)
	}
	return name
}
