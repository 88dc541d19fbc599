// Package download saves the results of jobs: in a part file from which a later try goes on,
// checked for length and for the type of their bytes, hashed while they are written, synced, and
// renamed into place. Unless Options.Overwrite says so, nothing is ever overwritten.
package download

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"darkroom/client"
	"darkroom/client/disk"
	"darkroom/client/transport"
	"darkroom/jobs"
)

// Source is the part of client.Client that reads assets.
type Source interface {
	// Open reads an asset from a byte on; see client.Client.Open.
	Open(ctx context.Context, format, id string, a client.Asset, from int64, etag string) (*client.Media, error)
}

// Options of a Saver. Dir and Source are required.
type Options struct {
	Dir    string // made when it is not there, mode 0700
	Source Source
	// Template names the files, see DefaultTemplate; "" for that.
	Template string
	// MaxBytes is the most that one file may have; 0 for 8 GiB.
	MaxBytes int64
	// MinFree is how many bytes a download leaves free on the disk; 0 for 64 MiB, negative for
	// none.
	MinFree int64
	// Concurrency is how many files are fetched at a time; 0 for 3.
	Concurrency int
	// MinRate is the least rate at which bytes have to come in, in bytes a second over a minute; a
	// slower download is broken off, and the next try goes on from there. 0 for 1 KiB, negative for
	// none.
	MinRate int64
	// Overwrite puts a file in the place of what has its name already, unless this Saver
	// itself saved that: no result of a run replaces another one.
	Overwrite bool
	// NoSidecar leaves out the JSON file beside each file.
	NoSidecar bool
	// Free returns the free bytes of the disk that holds a folder; nil asks the system. A negative
	// answer means that nobody knows.
	Free func(dir string) int64
}

// Saver writes assets below one folder. It is safe for concurrent use.
type Saver struct {
	o    Options
	name template
	turn chan struct{}
	// write is os.File.Write; tests let it fail.
	write func(f *os.File, p []byte) (int, error)

	mu    sync.Mutex
	saved map[string]bool // names that this Saver gave, kept where Options.Overwrite is set
}

var _ jobs.Saver = (*Saver)(nil)

// New checks the options. It touches no disk.
func New(o Options) (*Saver, error) {
	if o.Dir == "" || o.Source == nil {
		return nil, errors.New("download: a folder and a source are required")
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("download: %w", err)
	}
	o.Dir = dir
	if o.Template == "" {
		o.Template = DefaultTemplate
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = usualSize
	}
	if o.MinFree == 0 {
		o.MinFree = usualFree
	}
	o.MinFree = max(o.MinFree, 0)
	if o.Concurrency <= 0 {
		o.Concurrency = UsualConcurrency
	}
	if o.MinRate == 0 {
		o.MinRate = 1 << 10
	}
	if o.Free == nil {
		o.Free = disk.Free
	}
	t, err := parseTemplate(o.Template)
	if err != nil {
		return nil, fmt.Errorf("download: %w", err)
	}
	return &Saver{o: o, name: t, turn: make(chan struct{}, o.Concurrency), write: (*os.File).Write, saved: map[string]bool{}}, nil
}

// Save implements jobs.Saver. A video's URL is tried first, and the format's content path
// when that fails (GATEWAY: GET /v1/videos/{id}/content).
func (s *Saver) Save(ctx context.Context, r jobs.FileRequest, progress func(done, total int64)) (jobs.File, error) {
	// What came in an answer is in memory alone, and does not wait for downloads.
	if len(r.Asset.Inline) == 0 {
		select {
		case s.turn <- struct{}{}:
			defer func() { <-s.turn }()
		case <-ctx.Done():
			return jobs.File{}, fault(jobs.SaveTemporary, ctx.Err())
		}
	}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return jobs.File{}, diskFault(err)
	}
	root, err := os.OpenRoot(s.o.Dir)
	if err != nil {
		return jobs.File{}, diskFault(err)
	}
	defer root.Close() //nolint:errcheck // only read from
	if err := root.MkdirAll(partDir, 0o700); err != nil {
		return jobs.File{}, diskFault(err)
	}
	var failed error
	for _, a := range ways(r.Asset, r.Job.TaskID) {
		try := r
		try.Asset = a
		g := grab{s: s, root: root, r: try, progress: progress}
		f, err := g.run(ctx)
		if r.Tried != nil && g.from != "" {
			r.Tried(g.from, err)
		}
		if err == nil {
			return f, nil
		}
		if _, none := errors.AsType[*client.NoContentError](err); none && failed != nil {
			return jobs.File{}, failed
		}
		failed = both(failed, err)
		if ctx.Err() != nil || isFault(err, jobs.SaveNoSpace) {
			return jobs.File{}, err
		}
		if _, large := errors.AsType[*limitError](err); large {
			return jobs.File{}, err // and would be from anywhere else
		}
		if g.begun && isFault(err, jobs.SaveTemporary) {
			if _, goesOn := g.reached(); goesOn {
				return jobs.File{}, err // broken off: the next try goes on from there
			}
		}
	}
	return jobs.File{}, failed
}

// ways returns the places from which an asset's bytes can be had, best first.
func ways(a client.Asset, taskID string) []client.Asset {
	if len(a.Inline) > 0 || a.URL == "" {
		return []client.Asset{a}
	}
	direct := a
	direct.Content = false
	if taskID == "" || (a.Kind != client.AssetVideo && !a.Content) {
		return []client.Asset{direct}
	}
	content := a
	content.URL, content.Content = "", true
	return []client.Asset{direct, content}
}

func fault(f jobs.SaveFault, err error) error { return &jobs.SaveError{Fault: f, Err: err} }

func isFault(err error, f jobs.SaveFault) bool {
	se, ok := errors.AsType[*jobs.SaveError](err)
	return ok && se.Fault == f
}

// diskFault classifies an error of the file system.
func diskFault(err error) error {
	if disk.Full(err) {
		if path, ok := errors.AsType[*os.PathError](err); ok {
			err = path.Err // the name of a part says nothing to anybody
		}
		return fault(jobs.SaveNoSpace, fmt.Errorf("the disk is full: %w", err))
	}
	return fault(jobs.SaveTemporary, err)
}

// sourceFault classifies an error of opening the asset.
func sourceFault(err error) error {
	api, ok := errors.AsType[*client.APIError](err)
	if !ok && mends(err) {
		return fault(jobs.SaveTemporary, err)
	}
	if !ok {
		return fault(jobs.SavePermanent, err)
	}
	switch s := api.HTTPStatus; {
	case s == 401 || s == 403 || s == 404 || s == 410 || s < 300:
		return fault(jobs.SaveExpired, err) // below 300: a page where media should be
	case s == 400 && expired(api.Code+" "+api.Message):
		return fault(jobs.SaveExpired, err) // as some stores say it of signed addresses
	case s == 408 || s == 416 || s == 425 || s == 429 || s >= 500:
		return fault(jobs.SaveTemporary, err)
	default:
		return fault(jobs.SavePermanent, err)
	}
}

// mends reports whether asking again may help after an error that is not an answer.
func mends(err error) bool {
	_, unfetchable := errors.AsType[*transport.UnfetchableError](err)
	_, nowhere := errors.AsType[*client.NoContentError](err)
	return !unfetchable && !nowhere
}

// Tidy removes the folder of the parts when there are none, for folders that a person
// looks into.
func (s *Saver) Tidy() { _ = os.Remove(filepath.Join(s.o.Dir, partDir)) } // fails while it is not empty

func expired(words string) bool { return strings.Contains(strings.ToLower(words), "expired") }

// size is a number of bytes for people: exact where it is small.
func size(n int64) string {
	const units = "kMGTPE"
	if n < 10_000 {
		return fmt.Sprintf("%d bytes", n)
	}
	v, i := float64(n)/1000, 0
	for v >= 1000 {
		v, i = v/1000, i+1
	}
	return fmt.Sprintf("%.1f %cB", v, units[i])
}

// Clean removes part files that nobody went on with for the given time.
func (s *Saver) Clean(olderThan time.Duration) error {
	entries, err := os.ReadDir(filepath.Join(s.o.Dir, partDir))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(s.o.Dir)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // only removes
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > olderThan {
			if err := root.Remove(partDir + "/" + e.Name()); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// usualFree is how many bytes are left free on a disk if nobody says how many.
const usualFree = 64 << 20

// usualSize is the most that one file may have, unless Options.MaxBytes says otherwise.
const usualSize = 8 << 30

// UsualConcurrency is how many files are fetched at a time, unless Options.Concurrency says otherwise;
// UsualSize and UsualFree are usualSize and usualFree as a person writes them.
const (
	UsualConcurrency = 3
	UsualSize        = "8 GiB"
	UsualFree        = "64 MiB"
)

// HasRoom reports whether the disk that holds a folder has at least [Options.MinFree] free; true if
// the system does not tell.
func HasRoom(dir string, minFree int64) bool {
	if minFree == 0 {
		minFree = usualFree
	}
	free := disk.Free(dir)
	return free < 0 || free >= minFree
}
