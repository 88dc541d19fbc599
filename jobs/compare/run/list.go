package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/disk"
	"darkroom/jobs/compare"
)

// Head is a run as lists show it.
type Head struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Profile   string         `json:"profile"`
	Host      string         `json:"host,omitempty"`
	SuiteHash string         `json:"suite_hash"`
	CreatedAt time.Time      `json:"created_at"`
	EndedAt   time.Time      `json:"ended_at,omitzero"`
	Status    compare.Status `json:"status"`
	Tally     compare.Tally  `json:"tally"`
	// Live: somebody is at work on it, here or in another process.
	Live bool `json:"live"`
	// Error says why it cannot be read; of such a run no more than the id is known.
	Error string `json:"error,omitempty"`
}

// maxRuns bounds a list; older runs are left out.
const maxRuns = 10_000

// List lists the runs, newest first. Of each it reads the first line and the end.
func (b *Bench) List(ctx context.Context) ([]Head, error) {
	entries, err := os.ReadDir(b.o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), suffix); ok && checkID(id) == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids) // they begin with the time
	slices.Reverse(ids)
	out := make([]Head, 0, min(len(ids), maxRuns))
	for _, id := range ids[:min(len(ids), maxRuns)] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if h, live := b.headOf(id); live {
			out = append(out, h)
			continue
		}
		h, err := readHead(pathOf(b.o.Dir, id))
		if err != nil {
			h = Head{Error: client.CleanLine(err.Error())}
		}
		h.ID = id
		out = append(out, h)
	}
	return out, nil
}

// Bounds of what a list reads of a journal, in bytes.
const (
	maxHead = 64 << 10
	maxTail = 256 << 10
)

// readHead reads the head of a journal, and its last records.
func readHead(path string) (Head, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|disk.PlainOnly, 0)
	if err != nil {
		return Head{}, err
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return Head{}, errors.Join(err, errors.New("it is not a regular file"))
	}
	first := make([]byte, min(st.Size(), maxHead))
	if _, err := io.ReadFull(f, first); err != nil {
		return Head{}, err
	}
	text, _, whole := bytes.Cut(first, []byte("\n"))
	var x record
	if err := json.Unmarshal(text, &x); err != nil || !whole || x.Run == nil || x.Kind != kindRun {
		return Head{}, fmt.Errorf("%w: it does not begin with the head of a run", errDamaged)
	}
	if x.Version != version {
		return Head{}, fmt.Errorf("it is of version %d of the format, and this program reads %d", x.Version, version)
	}
	clean(x.Run)
	h := headOf(x.Run)
	h.Status, h.Tally = compare.Open, compare.Tally{Cells: x.Cells}
	from := max(0, st.Size()-maxTail)
	last := make([]byte, st.Size()-from)
	if _, err := f.ReadAt(last, from); err != nil && !errors.Is(err, io.EOF) {
		return Head{}, err
	}
	h.end(last)
	if err := disk.Lock(f, false); errors.Is(err, disk.ErrLocked) {
		h.Live = true
	}
	return h, nil
}

func headOf(r *compare.Run) Head {
	return Head{
		ID: r.ID, Name: r.Name, Profile: r.Profile, Host: r.Host, SuiteHash: r.SuiteHash,
		CreatedAt: r.CreatedAt, EndedAt: r.EndedAt, Status: r.Status,
	}
}

// end takes over what the end of a journal tells: every write to it ends with a tally.
func (h *Head) end(last []byte) {
	begin := fmt.Appendf(nil, `{"v":%d,"kind":%q`, version, kindTally)
	lines := bytes.Split(last[:bytes.LastIndexByte(last, '\n')+1], []byte("\n"))
	for _, l := range slices.Backward(lines) {
		var x record
		if !bytes.HasPrefix(l, begin) || json.Unmarshal(l, &x) != nil || x.Tally == nil {
			continue
		}
		h.Tally, h.Status, h.EndedAt = *x.Tally, x.Status, x.At
		line((*string)(&h.Status))
		return
	}
}

// Remove removes a run that nobody is at work on, with all that lies beside its journal under its id, as
// its votes. Its jobs stay in the history, and their files where they are.
func (b *Bench) Remove(_ context.Context, id string) error {
	if err := checkID(id); err != nil {
		return err
	}
	f, err := os.OpenFile(pathOf(b.o.Dir, id), os.O_RDONLY|disk.PlainOnly, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrUnknown
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if err := disk.Lock(f, true); errors.Is(err, disk.ErrLocked) {
		return ErrBusy
	}
	b.forget(id)
	if err := os.Remove(pathOf(b.o.Dir, id)); err != nil {
		return err
	}
	entries, err := os.ReadDir(b.o.Dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), id+".") {
			err = errors.Join(err, os.RemoveAll(filepath.Join(b.o.Dir, e.Name())))
		}
	}
	return errors.Join(err, disk.SyncDir(os.Open(b.o.Dir)))
}
