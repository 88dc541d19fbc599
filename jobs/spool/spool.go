// Package spool keeps what came of creates in files while the history cannot be written, so that no
// id that was paid for is lost: neither when the disk is full, nor when the server of the history
// is away, nor when the process is killed.
//
// Each file is the slot of one create. Its room is written and on the disk before the POST
// begins, so that filling it later needs no space. Its owner holds a lock on it; whoever opens
// the history next takes over the files that nobody holds, see [TakeOver].
package spool

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"darkroom/client/disk"
	"darkroom/jobs"
)

const (
	// suffix of a slot's file, and prefix of one that is being made.
	suffix  = ".create"
	newMark = ".new-"
)

// Spool is a folder of slots for one history. It is safe for concurrent use.
type Spool struct {
	dir, history string

	mu   sync.Mutex
	free []*slot // reserved and empty, to be used again
	over bool
}

var _ jobs.Spool = (*Spool)(nil)

// New makes a spool in a folder for the history with a name. It does not touch the disk.
func New(dir, history string) *Spool { return &Spool{dir: dir, history: history} }

// Reserve implements jobs.Spool.
func (s *Spool) Reserve() (jobs.Slot, error) {
	s.mu.Lock()
	if n := len(s.free); n > 0 {
		slot := s.free[n-1]
		s.free = s.free[:n-1]
		s.mu.Unlock()
		return slot, nil
	}
	s.mu.Unlock()
	slot, err := s.make()
	if err != nil {
		return nil, fmt.Errorf("what the gateway answers could not be kept in %s: %w", s.dir, err)
	}
	return slot, nil
}

// make makes a slot. Its file gets its name when it is locked and its room is on the disk.
func (s *Spool) make() (_ *slot, err error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	name := rand.Text()
	path, fresh := filepath.Join(s.dir, name+suffix), filepath.Join(s.dir, newMark+name)
	f, err := os.OpenFile(fresh, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) // #nosec G304 -- in our folder
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(fresh)
		}
	}()
	_ = disk.Lock(f, true) // nobody else knows the file; where there are no locks, see TakeOver
	// Not zeros, which some file systems do not store.
	if _, err := f.Write(append(header(nil), bytes.Repeat([]byte{' '}, room-head)...)); err != nil {
		return nil, err
	}
	if err := f.Sync(); err != nil {
		return nil, err
	}
	if err := os.Rename(fresh, path); err != nil {
		return nil, err
	}
	return &slot{s: s, f: f, path: path}, disk.SyncDir(os.Open(s.dir))
}

// Close removes the empty slots. Filled ones stay.
func (s *Spool) Close() {
	s.mu.Lock()
	free := s.free
	s.free, s.over = nil, true
	s.mu.Unlock()
	for _, x := range free {
		x.remove()
	}
}

// slot is one file.
type slot struct {
	s *Spool

	mu   sync.Mutex
	path string
	f    *os.File
	big  bool // larger than what is reserved
}

// Path implements jobs.Slot.
func (x *slot) Path() string { return x.path }

// Fill implements jobs.Slot. What does not fit into the reserved room is kept in a larger file in
// its place, if the disk has room for that.
func (x *slot) Fill(o jobs.Outcome) (whole bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, light := range lighter(o) {
		body, err := encode(Record{History: x.s.history, Outcome: light})
		if err != nil {
			return false, err
		}
		if head+len(body) > room {
			continue
		}
		if err := x.write(body); err != nil {
			return false, err
		}
		return i == 0 || x.larger(o), nil
	}
	return false, errors.New("the answer does not fit into the room for it")
}

// write fills the room. The header comes last: killed before it, nothing is kept.
func (x *slot) write(body []byte) error {
	if _, err := x.f.WriteAt(body, int64(head)); err != nil {
		return err
	}
	_, err := x.f.WriteAt(header(body), 0)
	return err
}

// larger puts a file with the whole outcome in the place of the one that was filled.
func (x *slot) larger(o jobs.Outcome) bool {
	body, err := encode(Record{History: x.s.history, Outcome: o})
	if err != nil || len(body) > maxRecord {
		return false
	}
	fresh := filepath.Join(x.s.dir, newMark+rand.Text())
	f, err := os.OpenFile(fresh, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) // #nosec G304 -- in our folder
	if err != nil {
		return false
	}
	_ = disk.Lock(f, true)
	_, err = f.Write(append(header(body), body...))
	if err == nil {
		err = os.Rename(fresh, x.path)
	}
	if err != nil {
		_ = f.Close()
		_ = os.Remove(fresh)
		return false
	}
	_ = x.f.Close()
	x.f, x.big = f, true
	return true
}

// Sync implements jobs.Slot.
func (x *slot) Sync() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.f == nil {
		return nil
	}
	err := x.f.Sync()
	if x.big {
		err = errors.Join(err, disk.SyncDir(os.Open(x.s.dir)))
	}
	return err
}

// Free implements jobs.Slot. The file is used again for the next create.
func (x *slot) Free() {
	x.mu.Lock()
	again := x.f != nil && !x.big
	if again {
		_, err := x.f.WriteAt(header(nil), 0)
		again = err == nil
	}
	x.mu.Unlock()
	x.s.mu.Lock()
	if again = again && !x.s.over; again {
		x.s.free = append(x.s.free, x)
	}
	x.s.mu.Unlock()
	if !again {
		x.remove()
	}
}

func (x *slot) remove() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.f == nil {
		return
	}
	_ = os.Remove(x.path) // an empty one is removed by the next one who looks
	_ = x.f.Close()
	x.f = nil
}

// Leave implements jobs.Slot: the lock is given back, the file stays.
func (x *slot) Leave() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.f != nil {
		_ = x.f.Close()
		x.f = nil
	}
}
