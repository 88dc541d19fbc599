package store

// Alone reports whether nobody else has the history open at this moment. Where the system
// has no locks of files it can not tell, and says yes.
func (s *SQLite) Alone() bool {
	if !locksWork {
		return true
	}
	alone := flock(s.held, true)
	return flock(s.held, false) && alone // an attempt that fails may let go of the shared one
}
