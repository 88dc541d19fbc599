// Package toast keeps and draws short messages that go away by themselves. It has no
// clock: the shell says when a message ends and what time it is.
package toast

import (
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/overlay"
	"darkroom/tui/widgets/zone"
)

// Level grades a message; the values are those of screen.Level.
type Level int

// Levels of messages.
const (
	Info Level = iota
	Good
	Warn
	Bad
)

// limit is how many messages are kept; the oldest go first.
const limit = 5

// maxLines is how many lines of a message are shown.
const maxLines = 3

type message struct {
	id    int
	level Level
	text  string
	until time.Time
}

// Stack holds the current messages. The zero value is empty and ready. It belongs to one model: it
// is not safe for concurrent use.
type Stack struct {
	list []message
	next int
}

// Push adds a message that expires at until. A message shown already is not doubled: it stays
// until the later end.
func (s *Stack) Push(level Level, text string, until time.Time) {
	for i := range s.list {
		if m := &s.list[i]; m.text == text && m.level == level {
			if until.After(m.until) {
				m.until = until
			}
			return
		}
	}
	s.next++
	s.list = append(s.list, message{id: s.next, level: level, text: text, until: until})
	if n := len(s.list); n > limit {
		s.list = append([]message(nil), s.list[n-limit:]...)
	}
}

// Expire removes the messages that have expired by now, and reports whether there were any.
func (s *Stack) Expire(now time.Time) bool {
	return s.drop(func(m message) bool { return !m.until.After(now) })
}

// Dismiss removes the message of a zone "toast:<n>", and reports whether it existed.
func (s *Stack) Dismiss(zoneID string) bool {
	return s.drop(func(m message) bool { return m.zone() == zoneID })
}

// Remove removes the messages with a text that is no longer true.
func (s *Stack) Remove(text string) { s.drop(func(m message) bool { return m.text == text }) }

// Clear removes all messages.
func (s *Stack) Clear() { s.list = nil }

func (s *Stack) drop(gone func(message) bool) bool {
	var kept []message
	for _, m := range s.list {
		if !gone(m) {
			kept = append(kept, m)
		}
	}
	changed := len(kept) != len(s.list)
	s.list = kept
	return changed
}

// Len is the number of messages.
func (s *Stack) Len() int { return len(s.list) }

// Next is when the next message ends; false when there is none.
func (s *Stack) Next() (time.Time, bool) {
	var first time.Time
	for _, m := range s.list {
		if first.IsZero() || m.until.Before(first) {
			first = m.until
		}
	}
	return first, len(s.list) > 0
}

func (m message) zone() string { return "toast:" + strconv.Itoa(m.id) }

// View draws the messages on each other, the newest last, at most w cells wide and h
// lines high; "" when there is none. Lay it over a frame at the lower right. A message
// is the zone "toast:<n>"; a click on it is for [Stack.Dismiss].
func (s *Stack) View(st *themes.Styles, w, h int) string {
	blocks := s.blocks(st, w, h)
	wide := 0
	for _, b := range blocks {
		wide = max(wide, widgets.Width(b))
	}
	for i, b := range blocks {
		blocks[i] = widgets.PadLeft(b, wide)
	}
	return strings.Join(blocks, "\n")
}

// Over lays the messages over the lower right corner of a frame, above its last below
// lines, as [Stack.View] but without blanks beside the narrower ones.
func (s *Stack) Over(st *themes.Styles, frame string, below int) string {
	if len(s.list) == 0 {
		return frame
	}
	w, h := widgets.Width(frame), widgets.Height(frame)-below
	y := h
	blocks := s.blocks(st, min(w-2, 60), h-1)
	for i := len(blocks) - 1; i >= 0; i-- {
		y -= widgets.Height(blocks[i])
		frame = overlay.Place(frame, blocks[i], w-1-widgets.Width(blocks[i]), y)
	}
	return frame
}

// blocks are the newest messages that fit, in their order.
func (s *Stack) blocks(st *themes.Styles, w, h int) []string {
	if w < 8 || h < 3 {
		return nil
	}
	var blocks []string
	for i := len(s.list) - 1; i >= 0; i-- {
		b := s.list[i].view(st, w)
		if h -= widgets.Height(b); h < 0 {
			break
		}
		blocks = append([]string{b}, blocks...)
	}
	return blocks
}

func (m message) view(st *themes.Styles, w int) string {
	sign, style := m.look(st)
	ink := widgets.NewInk(style)
	lines := widgets.WrapLines(m.text, w-6, maxLines)
	iw := widgets.Width(strings.Join(lines, "\n"))
	rule := strings.Repeat("─", iw+4)
	out := []string{ink.Text("╭" + rule + "╮")}
	for i, l := range lines {
		lead := " "
		if i == 0 {
			lead = sign
		}
		out = append(out, ink.Text("│ "+lead+" ")+widgets.Fit(l, iw, 1)+ink.Text(" │"))
	}
	out = append(out, ink.Text("╰"+rule+"╯"))
	return zone.Mark(m.zone(), strings.Join(out, "\n"))
}

func (m message) look(st *themes.Styles) (string, lipgloss.Style) {
	switch m.level {
	case Good:
		return "✓", st.ToastGood
	case Warn:
		return "!", st.ToastWarn
	case Bad:
		return "✗", st.ToastBad
	default:
		return "i", st.ToastInfo
	}
}
