// Package toast keeps short messages that go away by themselves, and draws the newest one where it
// hides the least. It has no clock: the shell says when a message ends and what time it is.
package toast

import (
	"strconv"
	"time"

	"github.com/charmbracelet/lipgloss"

	"darkroom/themes"
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

type message struct {
	id    int
	level Level
	owner string
	text  string
	until time.Time
}

// Stack holds the current messages. The zero value is empty and ready. It belongs to one model: it
// is not safe for concurrent use.
type Stack struct {
	list []message
	next int
}

// Push adds a message that expires at until. Owner is the screen that it belongs to, "" for none. A
// message that is there already is not doubled: it becomes the newest, and stays until the later end.
func (s *Stack) Push(level Level, owner, text string, until time.Time) {
	for _, m := range s.list {
		if m.text == text && m.level == level && m.until.After(until) {
			until = m.until
		}
	}
	s.drop(func(m message) bool { return m.text == text && m.level == level })
	s.next++
	s.list = append(s.list, message{id: s.next, level: level, owner: owner, text: text, until: until})
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

// Leave removes the messages that belong to another screen than the one that is shown now.
func (s *Stack) Leave(shown string) {
	s.drop(func(m message) bool { return m.owner != "" && m.owner != shown })
}

// Pass gives the newest message to another screen, if it belongs to one.
func (s *Stack) Pass(to string) {
	if n := len(s.list); n > 0 && s.list[n-1].owner != "" {
		s.list[n-1].owner = to
	}
}

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
