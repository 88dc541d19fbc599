package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"sync"
	"time"

	"darkroom/client/sandbox/folder"
)

// store keeps task records, the log of creates, and input pictures. With a folder
// everything is on disk before put returns; records found on disk only (made by
// another server on the same folder, or before a restart) are read on demand. It is
// safe for concurrent use.
type store struct {
	root *os.Root // nil: in memory
	now  func() time.Time

	mu      sync.RWMutex
	crowd   crowd
	creates int64 // in-memory count, when root is nil

	logMu sync.Mutex    // one line of creates.log at a time
	blobs *folder.Cache // input pictures by SHA-256

	keeper keeper // of the folder
}

const (
	createsLog = "creates.log"
	tasksDir   = "tasks"
	mediaDir   = "media"
	blobsDir   = "blobs"

	mediaMemory = 64 << 20
	mediaDisk   = 1 << 30
	blobsMemory = 32 << 20
	blobsDisk   = 1 << 30
)

// openStore opens or makes the folder; dir "" keeps everything in memory. Nothing is
// loaded.
func openStore(dir string, now func() time.Time) (*store, error) {
	s := &store{now: now, crowd: newCrowd(), keeper: keeper{tasks: tasksKept, age: tasksAge, log: logKept}}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("sandbox: state folder: %w", err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, fmt.Errorf("sandbox: state folder: %w", err)
		}
		for _, d := range []string{tasksDir, blobsDir, mediaDir} {
			if err := root.Mkdir(d, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
				_ = root.Close()
				return nil, fmt.Errorf("sandbox: state folder: %w", err)
			}
		}
		s.root = root
	}
	s.blobs = folder.NewCache(s.root, blobsDir, blobsMemory, blobsDisk)
	return s, nil
}

func (s *store) close() error {
	if s.root == nil {
		return nil
	}
	return s.root.Close()
}

// put makes a new task durable: first the line in the log of creates, then the record. If it fails
// the task does not exist, although the log may name it.
func (s *store) put(r *record) error {
	if s.root == nil {
		return s.admit(r)
	}
	if err := s.logCreate(r); err != nil {
		return err
	}
	b, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("sandbox: task %s: %w", r.ID, err)
	}
	if err := folder.Write(s.root, tasksDir+"/"+r.ID+".json", b, true); err != nil {
		return fmt.Errorf("sandbox: keeping task %s: %w", r.ID, err)
	}
	s.remember(r)
	s.prune()
	return nil
}

// admit keeps a new task in memory alone. It refuses the task if so many are live that there is no
// room: no live task is ever dropped.
func (s *store) admit(r *record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.crowd.room(s.now()) {
		e := statusError(http.StatusTooManyRequests)
		e.Message, e.retryAfter = "the embedded gateway has no room for more live tasks in memory: wait until some have ended, or start it with a folder (--dir)", "5"
		return e
	}
	s.crowd.add(r)
	s.creates++
	return nil
}

// remember caches a record of the folder.
func (s *store) remember(r *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.crowd.add(r)
	s.crowd.trim()
}

// forget drops a record that was removed from the cache.
func (s *store) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.crowd.drop(id)
}

// get returns a task, or nil if there is none of that id and of any of the kinds. The record is
// shared and must not be changed.
func (s *store) get(id string, kinds ...kind) *record {
	if !validID(id) {
		return nil
	}
	s.mu.RLock()
	r := s.crowd.records[id]
	s.mu.RUnlock()
	if r == nil && s.root != nil {
		if r = s.load(id); r != nil {
			s.remember(r)
		}
	}
	if r == nil {
		return nil
	}
	for _, k := range kinds {
		if r.Kind == k {
			return r
		}
	}
	return nil
}

// load reads a record from disk; nil when it is not there or damaged.
func (s *store) load(id string) *record {
	b, err := s.root.ReadFile(tasksDir + "/" + id + ".json")
	if err != nil {
		return nil
	}
	var r record
	if json.Unmarshal(b, &r) != nil || r.Version != recordVersion || r.ID != id || !r.complete() {
		return nil
	}
	return &r
}

// complete reports whether a record holds the plan that its kind needs.
func (r *record) complete() bool {
	switch r.Kind {
	case kindVideo:
		return r.Video != nil
	case kindMusic:
		return r.Music != nil
	case kindImage, kindResponse:
		return r.Image != nil
	default:
		return false
	}
}

// created is one line of creates.log: proof of every create that was accepted.
type created struct {
	ID         string `json:"id"`
	Kind       kind   `json:"kind"`
	Model      string `json:"model"`
	ExternalID string `json:"external_task_id,omitempty"`
	At         string `json:"at"` // RFC 3339, UTC
}

func (s *store) logCreate(r *record) error {
	b, err := json.Marshal(created{r.ID, r.Kind, r.Model, r.ExternalID, r.created().UTC().Format(time.RFC3339Nano)})
	if err != nil {
		return err
	}
	s.logMu.Lock()
	defer s.logMu.Unlock()
	f, err := s.root.OpenFile(createsLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("sandbox: log of creates: %w", err)
	}
	_, err = f.Write(append(b, '\n'))
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// putBlob keeps an input picture and returns its name.
func (s *store) putBlob(b []byte) (string, error) {
	sum := sha256.Sum256(b)
	name := hex.EncodeToString(sum[:])
	if _, ok := s.blobs.Get(name); ok {
		return name, nil
	}
	return name, s.blobs.Put(name, b, true)
}
