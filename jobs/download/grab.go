package download

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"darkroom/client"
	"darkroom/client/disk"
	"darkroom/client/sniff"
	"darkroom/jobs"
)

// partDir holds what is not complete yet, below the folder of the files, so that the last
// step is a rename on one file system.
const partDir = ".parts"

// bufferSize is what is read, written and hashed at a time.
const bufferSize = 1 << 20

var buffers = sync.Pool{New: func() any { b := make([]byte, bufferSize); return &b }}

// grab is one try to get one asset from one place.
type grab struct {
	s        *Saver
	root     *os.Root
	r        jobs.FileRequest
	progress func(done, total int64)

	from  string // the place that was asked last, as FileRequest.Tried has it; "" for none
	part  string
	file  *os.File
	hash  hash.Hash
	state partState
	done  int64
	head  []byte // the first headLen bytes
	typ   sniff.Type
	begun bool // bytes of this try came in
	// syncFailed: the disk did not take something that was written.
	syncFailed bool
}

// headLen is how many bytes of the beginning are kept: to tell the type, and for the words of an
// error that came in place of media.
const headLen = 4 << 10

func (g *grab) run(ctx context.Context) (jobs.File, error) {
	g.part = fmt.Sprintf("%s/%s_%d", partDir, safeValue(g.r.Job.ID), g.r.Index)
	f, err := openPart(g.root, g.part+".part")
	if err != nil {
		return jobs.File{}, diskFault(err)
	}
	g.file = f
	defer f.Close() //nolint:errcheck // synced before it counts
	if err := disk.Lock(f, true); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return jobs.File{}, fault(jobs.SaveTemporary, fmt.Errorf("another process is fetching it: %w", err))
	}
	media, err := g.open(ctx)
	if err != nil {
		if st, serr := f.Stat(); serr == nil && st.Size() == 0 {
			g.discard()
		}
		return jobs.File{}, err
	}
	err = g.copy(ctx, media)
	if cerr := media.Body.Close(); err == nil && cerr != nil && g.state.Total < 0 {
		err = g.fault(jobs.SaveTemporary, cerr)
	}
	if err == nil {
		if serr := f.Sync(); serr != nil {
			g.syncFailed, err = true, diskFault(serr)
		}
	}
	if err != nil {
		g.pause(err)
		return jobs.File{}, err
	}
	return g.place()
}

// open begins to read: from the end of the part file, if the server lets us.
func (g *grab) open(ctx context.Context) (*client.Media, error) {
	from := g.resumable()
	media, err := g.ask(ctx, from)
	if err != nil && from > 0 && ctx.Err() == nil && !refused(err) {
		from = 0 // the range was answered oddly, or cannot be had any more
		media, err = g.ask(ctx, 0)
	}
	if err != nil {
		return nil, sourceFault(err)
	}
	if from > 0 && !g.continues(media, from) {
		if media.From != 0 {
			_ = media.Body.Close()
			if media, err = g.ask(ctx, 0); err != nil {
				return nil, sourceFault(err)
			}
		}
		from = 0
	}
	if media.From != from {
		_ = media.Body.Close()
		return nil, g.fault(jobs.SaveTemporary, fmt.Errorf("asked for bytes from %d, got them from %d", from, media.From))
	}
	if err := g.begin(media, from); err != nil {
		_ = media.Body.Close()
		return nil, err
	}
	return media, nil
}

// refused reports an answer that would be no better if the whole file were asked for.
func refused(err error) bool {
	api, ok := errors.AsType[*client.APIError](err)
	return ok && api.HTTPStatus != http.StatusRequestedRangeNotSatisfiable
}

func (g *grab) ask(ctx context.Context, from int64) (*client.Media, error) {
	format := g.r.Job.QueryFormat
	if format == "" {
		format = g.r.Job.Format
	}
	if len(g.r.Asset.Inline) > 0 {
		b := g.r.Asset.Inline
		return &client.Media{Body: io.NopCloser(bytes.NewReader(b)), Total: int64(len(b)), Quote: func(head []byte) []byte { return head }}, nil
	}
	validator := ""
	if from > 0 {
		validator = g.state.validator()
	}
	media, err := g.s.o.Source.Open(ctx, format, g.r.Job.TaskID, g.r.Asset, from, validator)
	g.from = place(g.r.Asset, media, err)
	return media, err
}

func (g *grab) source() string {
	if g.r.Asset.Content {
		return "content"
	}
	return "url"
}

// begin brings the part file, the hash and the state to where the copy goes on.
func (g *grab) begin(m *client.Media, from int64) error {
	g.hash, g.head, g.done = sha256.New(), nil, 0
	if m.Total > g.s.o.MaxBytes {
		return g.fault(jobs.SavePermanent, tooLarge(fmt.Sprintf("it has %s", size(m.Total)), g.s.o.MaxBytes))
	}
	if free := g.s.o.Free(g.s.o.Dir); free >= 0 && free < max(m.Total-from, 0)+g.s.o.MinFree {
		return fault(jobs.SaveNoSpace, fmt.Errorf("the disk of %s is full: it needs %s beside the %s that stay free (keep_free in the settings), and %s are free",
			g.s.o.Dir, size(max(m.Total-from, 0)), size(g.s.o.MinFree), size(free)))
	}
	if err := g.file.Truncate(from); err != nil {
		return diskFault(err)
	}
	if from > 0 {
		if err := g.resume(from); err != nil {
			return diskFault(err)
		}
	}
	if _, err := g.file.Seek(from, io.SeekStart); err != nil {
		return diskFault(err)
	}
	g.state = partState{Source: g.source(), ETag: m.ETag, Modified: m.Modified, Total: m.Total, Synced: from, Hash: g.state.Hash}
	if from == 0 {
		g.state.Hash = nil
	}
	if g.state.valid() {
		saveState(g.root, g.part, g.state)
	} else {
		_ = g.root.Remove(g.part + ".json") // it told of what is gone now
	}
	return nil
}

// resume restores the hash and the head of what is there.
func (g *grab) resume(from int64) (err error) {
	if g.hash, err = restoreHash(g.file, g.state.Hash, from); err != nil {
		return err
	}
	head := make([]byte, min(from, headLen))
	if _, err := g.file.ReadAt(head, 0); err != nil {
		return err
	}
	g.head, g.done = head, from
	return nil
}

// keepHead keeps the first bytes that pass.
func (g *grab) keepHead(p []byte) {
	if room := headLen - len(g.head); room > 0 {
		g.head = append(g.head, p[:min(room, len(p))]...)
	}
}

// copy reads to the end, and refuses what is not media as soon as that shows.
func (g *grab) copy(ctx context.Context, m *client.Media) (err error) {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	points := newCheckpoints(g)
	defer func() {
		if serr := points.wait(); serr != nil {
			g.syncFailed = true
			err = cmp.Or(err, diskFault(serr))
		}
	}()
	checked, flow := false, flow{since: time.Now(), at: g.done}
	g.progress(g.done, m.Total)
	for {
		n, rerr := m.Body.Read(*buf)
		if n > 0 {
			if err := g.write((*buf)[:n]); err != nil {
				return err
			}
			g.progress(g.done, m.Total)
		}
		if !checked && (len(g.head) >= headLen || rerr != nil) && (rerr == nil || rerr == io.EOF) {
			checked = true
			if err := g.check(m); err != nil {
				return err
			}
		}
		if rerr == io.EOF {
			return g.complete(m)
		}
		if rerr != nil {
			return g.fault(jobs.SaveTemporary, fmt.Errorf("after %s: %w", size(g.done), rerr))
		}
		if err := cmp.Or(ctx.Err(), flow.check(g.done, g.s.o.MinRate)); err != nil {
			return g.fault(jobs.SaveTemporary, err)
		}
		if err := points.look(); err != nil {
			g.syncFailed = true
			return diskFault(err)
		}
	}
}

// write adds bytes to the part file, and to the hash those of them that the disk took.
func (g *grab) write(p []byte) error {
	if g.done+int64(len(p)) > g.s.o.MaxBytes {
		return g.fault(jobs.SavePermanent, tooLarge("it has more bytes than it may have", g.s.o.MaxBytes))
	}
	if t := g.state.Total; t >= 0 && g.done+int64(len(p)) > t {
		g.state = partState{} // whatever these bytes are, no later try may go on with them
		return g.fault(jobs.SaveTemporary, fmt.Errorf("more came than the %d bytes that were announced", t))
	}
	g.begun = true
	n, err := g.s.write(g.file, p)
	p = p[:n]
	g.keepHead(p)
	_, _ = g.hash.Write(p) // never fails
	g.done += int64(n)
	if err != nil {
		return diskFault(err)
	}
	return nil
}
