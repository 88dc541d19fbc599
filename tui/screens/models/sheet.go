package models

import (
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/widgets"
)

const (
	labelWidth = 11
	nameWidth  = 22 // of what is listed under a heading
	narrowFrom = 64 // below it, texts stand below their names
	mostLines  = 12 // of one text
)

// sheet collects the lines of the detail, none wider than w cells.
type sheet struct {
	catalog *catalog.Catalog // that what is written down is looked up in
	ink     *inks
	w       int
	lines   []string
}

// head begins a section.
func (s *sheet) head(text string) {
	s.lines = append(s.lines, "", s.ink.accent.Text(widgets.Truncate(text, max(1, s.w))))
}

// text puts a text over the whole width, indented.
func (s *sheet) text(ink widgets.Ink, indent int, text string) {
	pad := strings.Repeat(" ", indent)
	for _, l := range widgets.WrapLines(client.CleanLine(text), max(4, s.w-indent), mostLines) {
		s.lines = append(s.lines, pad+ink.Text(l))
	}
}

// pair puts a text beside its label; nothing for an empty one.
func (s *sheet) pair(label, text string, ink widgets.Ink) {
	s.beside(s.ink.label.Text(widgets.Pad(label, labelWidth)), labelWidth, text, ink)
}

// item puts a text beside a name, or below it where there is little room.
func (s *sheet) item(name, text string, ink widgets.Ink) {
	name = client.CleanLine(name)
	head := "  " + s.ink.code.Text(widgets.Truncate(name, max(1, s.w-2)))
	if text == "" {
		s.lines = append(s.lines, head)
		return
	}
	text = client.CleanLine(text)
	switch {
	case s.w < narrowFrom && widgets.Width(name)+widgets.Width(text)+4 <= s.w:
		s.lines = append(s.lines, head+"  "+ink.Text(text))
		return
	case s.w < narrowFrom || widgets.Width(name) > nameWidth-3:
		s.lines = append(s.lines, head)
		s.text(ink, s.indent(), text)
		return
	}
	s.beside(widgets.Pad(head, nameWidth), nameWidth, text, ink)
}

// more puts a further text under an item.
func (s *sheet) more(ink widgets.Ink, text string) {
	if text != "" {
		s.text(ink, s.indent(), text)
	}
}

// indent is that of texts under an item.
func (s *sheet) indent() int {
	if s.w < narrowFrom {
		return 4
	}
	return nameWidth
}

func (s *sheet) beside(head string, at int, text string, ink widgets.Ink) {
	if text == "" {
		return
	}
	for _, l := range widgets.WrapLines(client.CleanLine(text), max(4, s.w-at), mostLines) {
		s.lines = append(s.lines, head+ink.Text(l))
		head = strings.Repeat(" ", at)
	}
}
