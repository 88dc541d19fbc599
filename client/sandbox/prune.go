package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"
)

// What a state folder keeps. Only tasks that have ended are ever removed, the oldest
// first; one that a fault keeps from ending counts as live.
const (
	tasksKept = 20_000              // records; beyond it the oldest go, down to 7/8
	tasksAge  = 30 * 24 * time.Hour // of a record, since its create
	logKept   = 8 << 20             // bytes of creates.log before its older half is counted only

	pruneEvery = 1024      // creates of one server between two looks at the folder
	pruneAfter = time.Hour // between looks, for servers that make few
	lockAge    = 10 * time.Minute
)

const (
	prunedMark = "pruned"      // its time is that of the last look
	pruneLock  = "pruning"     // a folder while one server removes
	oldLog     = "creates.%d." // creates.N.log: older creates, N of them before its first line
)

// keeper removes old tasks from a state folder that several servers may share. It works
// inside a create, every now and then; nothing runs in the background.
type keeper struct {
	tasks int
	age   time.Duration
	log   int64 // bytes

	mu     sync.Mutex
	since  int // creates since the last look
	looked bool
}

// prune looks after the folder, if it is time to. What cannot be removed stays until the
// next look: a create never fails for it.
func (s *store) prune() {
	k := &s.keeper
	if !k.mu.TryLock() {
		return // another create is at it
	}
	defer k.mu.Unlock()
	if k.since++; k.looked && k.since < pruneEvery {
		return
	}
	if !k.looked && !s.lookDue() {
		k.looked = true
		return
	}
	k.looked, k.since = true, 0
	if !s.lockFolder() {
		return
	}
	defer func() { _ = s.root.Remove(pruneLock) }()
	s.pruneTasks()
	s.turnLog()
	if err := s.root.WriteFile(prunedMark, nil, 0o600); err == nil {
		now := time.Now()
		_ = s.root.Chtimes(prunedMark, now, now)
	}
}

// lookDue reports whether it is time to look at the folder: no server has done so for a while.
func (s *store) lookDue() bool {
	fi, err := s.root.Stat(prunedMark)
	return err != nil || time.Since(fi.ModTime()) > pruneAfter
}

// lockFolder makes this server the only one that removes. A lock that a killed server
// left is taken away, and the next look goes on.
func (s *store) lockFolder() bool {
	err := s.root.Mkdir(pruneLock, 0o700)
	if errors.Is(err, fs.ErrExist) {
		if fi, err := s.root.Stat(pruneLock); err == nil && time.Since(fi.ModTime()) > lockAge {
			_ = s.root.Remove(pruneLock)
		}
	}
	return err == nil
}

// pruneTasks removes records by age and by count. Their media go with the cache.
func (s *store) pruneTasks() {
	entries, err := fs.ReadDir(s.root.FS(), tasksDir)
	if err != nil {
		return
	}
	infos := make([]fs.FileInfo, 0, len(entries))
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() {
			infos = append(infos, fi)
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	left, goal := len(infos), len(infos)
	if left > s.keeper.tasks {
		goal = s.keeper.tasks * 7 / 8
	}
	for _, fi := range infos {
		age := time.Since(fi.ModTime())
		if left <= goal && age <= s.keeper.age {
			return
		}
		if s.removable(fi.Name(), age) && s.root.Remove(tasksDir+"/"+fi.Name()) == nil {
			left--
		}
	}
}

// removable says whether a file among the tasks may go: a task that has ended, or what
// a killed server left half written. A damaged record is no task, and goes in its turn.
func (s *store) removable(name string, age time.Duration) bool {
	if strings.Contains(name, ".part-") {
		return age > time.Hour
	}
	id, isTask := strings.CutSuffix(name, ".json")
	if !isTask || !validID(id) {
		return false
	}
	if r := s.load(id); r != nil && !r.ended(s.now()) {
		return false
	}
	s.forget(id)
	return true
}

// ended reports whether a task is over.
func (r *record) ended(now time.Time) bool {
	st := r.at(now)
	return st.phase == phaseCompleted || st.phase == phaseFailed
}

// turnLog starts a new log of creates when it has grown too large, and removes the one
// before the last. Servers that have the old file open still write there, and are
// counted: see countCreates.
func (s *store) turnLog() {
	fi, err := s.root.Stat(createsLog)
	if err != nil || fi.Size() < s.keeper.log/2 {
		return
	}
	olds := s.oldLogs()
	before := int64(0)
	if n := len(olds); n > 0 {
		before = olds[n-1] + s.countLines(oldLogName(olds[n-1]))
	}
	if s.root.Rename(createsLog, oldLogName(before)) != nil {
		return
	}
	for _, n := range olds {
		_ = s.root.Remove(oldLogName(n))
	}
}

func oldLogName(before int64) string { return fmt.Sprintf(oldLog+"log", before) }

// oldLogs lists the numbers of the older logs, in order: how many creates there were
// before each.
func (s *store) oldLogs() []int64 {
	d, err := s.root.Open(".")
	if err != nil {
		return nil
	}
	defer func() { _ = d.Close() }()
	names, _ := d.Readdirnames(-1) // what could be read of a handful of names
	var out []int64
	for _, name := range names {
		var n int64
		if _, err := fmt.Sscanf(name, oldLog, &n); err == nil && name == oldLogName(n) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// countCreates returns how many creates were accepted: with a folder, by all servers
// that ever used it.
func (s *store) countCreates() int64 {
	if s.root == nil {
		s.mu.RLock()
		defer s.mu.RUnlock()
		return s.creates
	}
	n := s.countLines(createsLog)
	if olds := s.oldLogs(); len(olds) > 0 {
		last := olds[len(olds)-1]
		n += last + s.countLines(oldLogName(last))
	}
	return n
}

func (s *store) countLines(name string) int64 {
	f, err := s.root.Open(name)
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }()
	var n int64
	buf := make([]byte, 64<<10)
	for {
		k, err := f.Read(buf)
		n += int64(bytes.Count(buf[:k], []byte{'\n'}))
		if err != nil {
			return n // at the end, or what could be read
		}
	}
}
