package download

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"
	"sync"

	"darkroom/client"
	"darkroom/jobs"
)

// partDir holds what is not complete yet, below the folder of the files, so that the last
// step is a rename on one file system.
const partDir = ".parts"

// bufferSize is what is read and hashed at a time; syncEvery is how far a kill or a power
// loss can set a download back.
const (
	bufferSize = 1 << 20
	syncEvery  = 32 << 20
)

var buffers = sync.Pool{New: func() any { b := make([]byte, bufferSize); return &b }}

// grab is one try to get one asset from one place.
type grab struct {
	s        *Saver
	root     *os.Root
	r        jobs.FileRequest
	progress func(done, total int64)

	part  string
	file  *os.File
	hash  hash.Hash
	state partState
	done  int64
	head  []byte // the first SniffLen bytes
	typ   Type
}

func (g *grab) run(ctx context.Context) (jobs.File, error) {
	g.part = fmt.Sprintf("%s/%s_%d", partDir, safeValue(g.r.Job.ID), g.r.Index)
	f, err := openPart(g.root, g.part+".part")
	if err != nil {
		return jobs.File{}, diskFault(err)
	}
	g.file = f
	defer f.Close() //nolint:errcheck // synced before it counts
	if err := lockFile(f); err != nil {
		return jobs.File{}, fault(jobs.SaveTemporary, fmt.Errorf("another process is fetching it: %w", err))
	}
	media, err := g.open(ctx)
	if err != nil {
		return jobs.File{}, err
	}
	err = g.copy(ctx, media)
	if cerr := media.Body.Close(); err == nil && cerr != nil && g.state.Total < 0 {
		err = fault(jobs.SaveTemporary, cerr)
	}
	if err != nil {
		g.pause(err)
		return jobs.File{}, err
	}
	if err := f.Sync(); err != nil {
		return jobs.File{}, diskFault(err)
	}
	return g.place()
}

// open begins to read, where the part file ends if the server lets us.
func (g *grab) open(ctx context.Context) (*client.Media, error) {
	from := g.resumable()
	media, err := g.ask(ctx, from)
	if err != nil && from > 0 && ctx.Err() == nil {
		from = 0
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
		return nil, fault(jobs.SaveTemporary, fmt.Errorf("asked for bytes from %d, got them from %d", from, media.From))
	}
	if err := g.begin(media, from); err != nil {
		_ = media.Body.Close()
		return nil, err
	}
	return media, nil
}

func (g *grab) ask(ctx context.Context, from int64) (*client.Media, error) {
	format := g.r.Job.QueryFormat
	if format == "" {
		format = g.r.Job.Format
	}
	if len(g.r.Asset.Inline) > 0 {
		b := g.r.Asset.Inline
		return &client.Media{Body: io.NopCloser(strings.NewReader(string(b))), Total: int64(len(b))}, nil
	}
	etag := ""
	if from > 0 {
		etag = g.state.ETag
	}
	return g.s.o.Source.Open(ctx, format, g.r.Job.TaskID, g.r.Asset, from, etag)
}

func (g *grab) source() string {
	if g.r.Asset.Content {
		return "content"
	}
	return "url"
}

// begin brings the part file, the hash and the state to where the copy goes on.
func (g *grab) begin(m *client.Media, from int64) error {
	g.hash = sha256.New()
	g.head, g.done = nil, 0
	if err := g.file.Truncate(from); err != nil {
		return diskFault(err)
	}
	if _, err := g.file.Seek(0, io.SeekStart); err != nil {
		return diskFault(err)
	}
	if from > 0 {
		n, err := io.Copy(g.hash, io.TeeReader(g.file, headWriter{g}))
		if err != nil || n != from {
			return diskFault(errors.Join(errors.New("the part file could not be read back"), err))
		}
		g.done = from
	}
	if m.Total > g.s.o.MaxBytes {
		return fault(jobs.SavePermanent, fmt.Errorf("it has %d bytes, the limit is %d", m.Total, g.s.o.MaxBytes))
	}
	if free := g.s.o.Free(g.s.o.Dir); free >= 0 && free < max(m.Total-from, 0)+g.s.o.MinFree {
		return fault(jobs.SaveNoSpace, fmt.Errorf("it needs %d bytes beside the %d that stay free, the disk has %d",
			max(m.Total-from, 0), g.s.o.MinFree, free))
	}
	g.state = partState{Source: g.source(), ETag: m.ETag, Total: m.Total, Synced: from}
	g.saveState()
	return nil
}

// headWriter keeps the first bytes that pass.
type headWriter struct{ g *grab }

func (w headWriter) Write(p []byte) (int, error) {
	if room := SniffLen - len(w.g.head); room > 0 {
		w.g.head = append(w.g.head, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

// copy reads to the end, and refuses what is no media as soon as that shows.
func (g *grab) copy(ctx context.Context, m *client.Media) error {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	checked, synced := false, g.done
	g.progress(g.done, m.Total)
	for {
		n, rerr := m.Body.Read(*buf)
		if n > 0 {
			p := (*buf)[:n]
			if g.done+int64(n) > g.s.o.MaxBytes {
				return fault(jobs.SavePermanent, fmt.Errorf("it has more than the %d bytes that are the limit", g.s.o.MaxBytes))
			}
			_, _ = headWriter{g}.Write(p) // never fails
			if _, err := g.file.Write(p); err != nil {
				return diskFault(err)
			}
			_, _ = g.hash.Write(p) // never fails
			g.done += int64(n)
			g.progress(g.done, m.Total)
		}
		if !checked && (len(g.head) >= SniffLen || rerr != nil) && (rerr == nil || rerr == io.EOF) {
			checked = true
			if err := g.check(m); err != nil {
				return err
			}
		}
		if rerr == io.EOF {
			return g.complete(m)
		}
		if rerr != nil {
			return fault(jobs.SaveTemporary, fmt.Errorf("after %d bytes: %w", g.done, rerr))
		}
		if err := ctx.Err(); err != nil {
			return fault(jobs.SaveTemporary, err)
		}
		if g.done-synced >= syncEvery {
			synced = g.done
			g.sync()
		}
	}
}

// check looks at the first bytes.
func (g *grab) check(m *client.Media) error {
	if len(g.head) == 0 {
		return fault(jobs.SaveTemporary, errors.New("the server sent nothing"))
	}
	t, ok := fits(g.r.Asset.Kind, Sniff(g.head))
	g.typ = t
	switch {
	case ok:
		return nil
	case t.Class == ClassText:
		const shown = 200
		return fault(jobs.SaveExpired, fmt.Errorf("the server sent text instead of the %s: %s",
			g.r.Asset.Kind, client.CleanLine(cut(string(g.head), shown))))
	default:
		return fault(jobs.SavePermanent, fmt.Errorf("the server sent %s instead of the %s (it said %q)",
			t.MediaType, g.r.Asset.Kind, client.CleanLine(m.MediaType)))
	}
}

func (g *grab) complete(m *client.Media) error {
	if m.Total >= 0 && g.done != m.Total {
		return fault(jobs.SaveTemporary, fmt.Errorf("it ended after %d of %d bytes", g.done, m.Total))
	}
	return nil
}
