package download

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"

	"darkroom/client"
	"darkroom/jobs"
)

// resumable returns how many bytes of the part file may be kept: only those that were synced, from
// the same source and with a strong validator, since nothing else ensures that the rest fits.
func (g *grab) resumable() int64 {
	if len(g.r.Asset.Inline) > 0 {
		return 0
	}
	b, err := readSmall(g.root, g.part+".json")
	if err != nil || json.Unmarshal(b, &g.state) != nil {
		return 0
	}
	st, err := g.file.Stat()
	s := g.state
	if err != nil || s.Source != g.source() || !s.valid() || s.Synced < 0 || st.Size() < s.Synced ||
		s.Total >= 0 && s.Synced >= s.Total {
		return 0
	}
	return s.Synced
}

// continues reports whether an answer is the rest of what the part file holds. An answer that does
// not say of which file it is a part is not.
func (g *grab) continues(m *client.Media, from int64) bool {
	now := partState{ETag: m.ETag, Modified: m.Modified}
	return m.From == from && now.validator() == g.state.validator() &&
		(g.state.Total < 0 || m.Total < 0 || m.Total == g.state.Total)
}

// pause leaves a part file for the next try, or nothing if no try could use it.
func (g *grab) pause(err error) {
	if !isFault(err, jobs.SaveTemporary) && !isFault(err, jobs.SaveNoSpace) || g.hash == nil {
		g.discard()
		return
	}
	next, ok := g.reached()
	switch {
	case !ok:
		g.discard()
	case g.syncFailed: // what was noted before is on the disk, the rest may not be
	case syncData(g.file) == nil:
		saveState(g.root, g.part, next)
	}
}

func (g *grab) discard() {
	for _, ext := range []string{".part", ".json"} {
		_ = g.root.Remove(g.part + ext) // a leftover is truncated by the next try
	}
}

func (g *grab) sum() string { return hex.EncodeToString(g.hash.Sum(nil)) }

// openPart opens a part file, or makes it. Only a plain file with a single name is reused: a link
// in its place would have us write into another file, and a pipe would have us wait.
func openPart(root *os.Root, name string) (*os.File, error) {
	was, err := root.Lstat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	case err != nil:
		return nil, err
	case !plain(was):
		return createNew(root, name)
	}
	f, err := root.OpenFile(name, os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if is, err := f.Stat(); err != nil || !os.SameFile(was, is) || !plain(is) {
		return nil, errors.Join(errors.New("the part file was replaced while it was opened"), err, f.Close())
	}
	return f, nil
}

// createNew makes a file in the place of whatever is there.
func createNew(root *os.Root, name string) (*os.File, error) {
	if err := root.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// maxState bounds what is read of a state file, in bytes.
const maxState = 64 << 10

func readSmall(root *os.Root, name string) ([]byte, error) {
	f, err := openPlain(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	return io.ReadAll(io.LimitReader(f, maxState))
}

// openPlain opens a regular file for reading: opening anything else might block.
func openPlain(root *os.Root, name string) (*os.File, error) {
	st, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, errors.New("it is not a plain file")
	}
	return root.Open(name)
}

func plain(st os.FileInfo) bool { return st.Mode().IsRegular() && names(st) == 1 }
