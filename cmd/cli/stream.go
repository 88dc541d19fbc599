package cli

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
)

// stream is an output that remembers its first failure. A reader that goes away, as head does, is no
// failure: nobody wants the rest, and the work goes on. It is safe for concurrent use.
type stream struct {
	w io.Writer

	mu   sync.Mutex
	gone bool
	err  error
}

// Write implements io.Writer.
func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return len(b), nil
	}
	n, err := s.w.Write(b)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		s.gone = true
		return len(b), nil
	}
	if s.err == nil {
		s.err = err
	}
	return n, err
}

func (s *stream) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		return nil
	}
	return fmt.Errorf("writing the output: %w", s.err)
}
