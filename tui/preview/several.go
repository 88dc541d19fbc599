package preview

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Several are the previews of several places that are in sight together, each known by an id. Make it
// with [NewSeveral]. It belongs to one screen: it is not safe for concurrent use.
type Several struct {
	loader *Loader
	slot   string
	want   map[string]Key      // asked for, by id
	got    map[string]ReadyMsg // what came of it
}

// NewSeveral returns the previews of no place yet. slot begins the loader's slots of all places, and
// tells them from those of others; a nil loader makes none.
func NewSeveral(l *Loader, slot string) Several {
	return Several{loader: l, slot: slot, want: map[string]Key{}, got: map[string]ReadyMsg{}}
}

// Load asks for the preview of a place unless it is the one that was asked for last there; what is kept
// shows at once. The slot of the request is set here.
func (s *Several) Load(id string, r Request) tea.Cmd {
	key := r.Key()
	if s.want[id] == key && !s.loader.Lost(key) {
		return nil
	}
	r.Slot = s.slot + id
	s.want[id] = key
	delete(s.got, id)
	if got, ok := s.loader.Peek(r); ok {
		s.got[id] = got
	}
	return s.loader.Load(r)
}

// Take takes in the preview of a place, and reports whether it is wanted there.
func (s *Several) Take(msg ReadyMsg) bool {
	id, ok := strings.CutPrefix(msg.Slot, s.slot)
	want, known := s.want[id]
	if !ok || !known || want != msg.Key {
		return false
	}
	s.got[id] = msg
	return true
}

// Keep gives up all previews but those of some places: what was made of the others stays in the loader.
func (s *Several) Keep(ids map[string]bool) {
	for id := range s.want {
		if ids[id] {
			continue
		}
		if _, have := s.got[id]; !have {
			s.loader.Cancel(s.slot + id)
		}
		delete(s.want, id)
		delete(s.got, id)
	}
}

// Got returns what came for a place, false while nothing has.
func (s *Several) Got(id string) (ReadyMsg, bool) {
	msg, ok := s.got[id]
	return msg, ok
}

// Wanted reports whether a place was asked for.
func (s *Several) Wanted(id string) bool {
	_, ok := s.want[id]
	return ok
}

// Loaded returns how many previews there are, and how many were asked for.
func (s *Several) Loaded() (got, wanted int) { return len(s.got), len(s.want) }
