package input

import "sync"

// shelf keeps pastes by number until the loop takes them. It is safe for use by
// several goroutines.
type shelf struct {
	mu     sync.Mutex
	pastes map[int][]byte
	serial int
}

// put keeps text, which the shelf then owns, and returns its number.
func (s *shelf) put(text []byte) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pastes == nil {
		s.pastes = make(map[int][]byte)
	}
	s.serial++
	s.pastes[s.serial] = text
	return s.serial
}

// take returns the paste with this number, once.
func (s *shelf) take(serial int) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.pastes[serial]
	delete(s.pastes, serial)
	return text, ok
}
