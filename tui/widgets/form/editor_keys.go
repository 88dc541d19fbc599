package form

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// InLine is a key whose paste is one line: blanks and breaks in a row become one blank.
func InLine(k tea.KeyMsg) tea.KeyMsg {
	if k.Paste {
		k.Runes = []rune(strings.Join(strings.Fields(string(k.Runes)), " "))
	}
	return k
}

// Update handles a key in a text field of w cells. used is false for a key without a meaning here,
// as up in the first line; changed says that the text has changed.
func (e *Editor) Update(k tea.KeyMsg, w int) (used, changed bool) {
	switch k.Type {
	case tea.KeyRunes, tea.KeySpace:
		if k.Alt && !k.Paste {
			return e.alt(k)
		}
		// One message may carry many runes: all that the terminal sent in one read.
		return true, e.Insert(string(k.Runes))
	case tea.KeyEnter, tea.KeyCtrlJ:
		if !e.multi {
			return false, false
		}
		return true, e.Insert("\n")
	}
	if used, changed = e.eraseKey(k); used {
		return used, changed
	}
	return e.moveKey(k, w), false
}

func (e *Editor) alt(k tea.KeyMsg) (used, changed bool) {
	switch string(k.Runes) {
	case "b":
		e.SetCursor(e.word(-1))
	case "f":
		e.SetCursor(e.word(1))
	case "d":
		return true, e.erase(e.cur, e.word(1))
	default:
		return false, false
	}
	return true, false
}

func (e *Editor) eraseKey(k tea.KeyMsg) (used, changed bool) {
	switch k.String() {
	case "backspace", "ctrl+h":
		return true, e.erase(e.cur-1, e.cur)
	case "delete", "ctrl+d":
		return true, e.erase(e.cur, e.cur+1)
	case "ctrl+w", "alt+backspace":
		return true, e.erase(e.word(-1), e.cur)
	case "alt+delete", "ctrl+delete":
		return true, e.erase(e.cur, e.word(1))
	case "ctrl+u":
		return true, e.erase(e.lineStart(), e.cur)
	case "ctrl+k":
		return true, e.erase(e.cur, e.lineEnd())
	case "ctrl+_", "ctrl+z":
		return true, e.Undo()
	case "ctrl+y":
		return true, e.Redo()
	}
	return false, false
}

func (e *Editor) moveKey(k tea.KeyMsg, w int) bool {
	switch k.String() {
	case "left", "ctrl+b":
		e.SetCursor(e.cur - 1)
	case "right", "ctrl+f":
		e.SetCursor(e.cur + 1)
	case "ctrl+left", "alt+left":
		e.SetCursor(e.word(-1))
	case "ctrl+right", "alt+right":
		e.SetCursor(e.word(1))
	case "home", "ctrl+a":
		e.SetCursor(e.lineStart())
	case "end", "ctrl+e":
		e.SetCursor(e.lineEnd())
	case "ctrl+home":
		e.SetCursor(0)
	case "ctrl+end":
		e.SetCursor(len(e.cells))
	case "up":
		return e.multi && e.vertical(-1, w)
	case "down":
		return e.multi && e.vertical(1, w)
	default:
		return false
	}
	return true
}

// word is where the word before (dir < 0) or behind the cursor ends.
func (e *Editor) word(dir int) int {
	i := e.cur
	in := func(j int) bool {
		if j < 0 || j >= len(e.cells) {
			return false
		}
		r, _ := utf8.DecodeRuneInString(e.cells[j])
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
	}
	if dir < 0 {
		for i > 0 && !in(i-1) {
			i--
		}
		for i > 0 && in(i-1) {
			i--
		}
		return i
	}
	for i < len(e.cells) && !in(i) {
		i++
	}
	for i < len(e.cells) && in(i) {
		i++
	}
	return i
}

func (e *Editor) lineStart() int {
	i := e.cur
	for i > 0 && e.cells[i-1] != "\n" {
		i--
	}
	return i
}

func (e *Editor) lineEnd() int {
	i := e.cur
	for i < len(e.cells) && e.cells[i] != "\n" {
		i++
	}
	return i
}
