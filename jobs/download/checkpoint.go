package download

import (
	"crypto/sha256"
	"encoding"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"os"
	"time"
)

// How far a kill or a power loss can set a download back: whichever comes first.
const (
	syncEvery = 32 << 20 // bytes
	syncAfter = time.Second
)

// checkpoints sync what is written while more comes in, one at a time, and note how far that is.
// Only the goroutine of the copy uses them.
type checkpoints struct {
	g     *grab
	at    int64     // bytes of the last one begun
	when  time.Time // its beginning
	under chan error
}

func newCheckpoints(g *grab) *checkpoints {
	return &checkpoints{g: g, at: g.done, when: time.Now()}
}

// look begins a checkpoint if one is due and none is under way. The error is that of an earlier
// one: a disk reports only once what it did not take.
func (c *checkpoints) look() error {
	if c.g.done == c.at || c.g.done-c.at < syncEvery && time.Since(c.when) < syncAfter {
		return nil
	}
	if c.under != nil {
		select {
		case err := <-c.under:
			c.under = nil
			if err != nil {
				return err
			}
		default:
			return nil
		}
	}
	next, ok := c.g.reached()
	if !ok {
		return nil
	}
	c.at, c.when, c.under = c.g.done, time.Now(), make(chan error, 1)
	go func(under chan<- error) {
		err := syncData(c.g.file)
		if err == nil {
			saveState(c.g.root, c.g.part, next)
		}
		under <- err
	}(c.under)
	return nil
}

// wait waits for the one under way.
func (c *checkpoints) wait() error {
	if c.under == nil {
		return nil
	}
	err := <-c.under
	c.under = nil
	return err
}

// reached returns the state by which a later try goes on from everything written so far. ok is
// false if no try could use it.
func (g *grab) reached() (partState, bool) {
	if !g.state.valid() {
		return partState{}, false
	}
	next := g.state
	next.Synced = g.done
	next.Hash = hashState(g.hash)
	return next, true
}

// partState lies beside a part file and says from where a later try may go on.
type partState struct {
	Source   string `json:"source"` // "content" or "url"
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"` // a strong date, see client.Media
	Total    int64  `json:"total"`
	Synced   int64  `json:"synced"` // bytes that are on the disk for sure
	// Hash is the state of the SHA-256 of these bytes, so that they need not be read again.
	Hash []byte `json:"hash,omitempty"`
}

// validator returns what the server is asked to compare, to tell whether the file is still the
// same; "" if nothing ensures that the rest fits what is here.
func (s partState) validator() string {
	if len(s.ETag) > 1 && s.ETag[0] == '"' {
		return s.ETag
	}
	return s.Modified
}

func (s partState) valid() bool { return s.validator() != "" }

// saveState replaces the state file. A failure leaves the old one, which is still true.
func saveState(root *os.Root, part string, s partState) {
	b, err := json.Marshal(s)
	if err != nil {
		return
	}
	tmp := part + ".json.new"
	f, err := createNew(root, tmp)
	if err != nil {
		return
	}
	_, werr := f.Write(b)
	if errors.Join(werr, f.Close()) != nil || root.Rename(tmp, part+".json") != nil {
		_ = root.Remove(tmp)
	}
}

// hashState returns a hash's inner state; nil if the hash cannot tell.
func hashState(h hash.Hash) []byte {
	m, ok := h.(encoding.BinaryMarshaler)
	if !ok {
		return nil
	}
	b, err := m.MarshalBinary()
	if err != nil {
		return nil
	}
	return b
}

// restoreHash makes the hash of the first n bytes of a file: from its kept state, or by reading
// them if that is not understood (another version of the program wrote it).
func restoreHash(f io.ReadSeeker, state []byte, n int64) (hash.Hash, error) {
	h := sha256.New()
	if u, ok := h.(encoding.BinaryUnmarshaler); ok && len(state) > 0 && u.UnmarshalBinary(state) == nil {
		return h, nil
	}
	h = sha256.New()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if got, err := io.CopyN(h, f, n); err != nil || got != n {
		return nil, errors.Join(errors.New("the part file could not be read back"), err)
	}
	return h, nil
}
