package latest

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
)

// Bounds of what is kept: how many jobs of the history are looked through once for the first results
// to show, and how many of each kind are kept.
const (
	lookThrough = 100
	keptOfKind  = 24
)

// listWait bounds the reading of the history.
const listWait = 20 * time.Second

// History tells of jobs. Changes and Counts never block; see [jobs.Reader].
type History interface {
	List(ctx context.Context, q jobs.Query) (jobs.Page, error)
	Changes(seq uint64) ([]jobs.Job, uint64)
	Counts() jobs.Counts
}

// listedMsg brings the newest jobs of the history.
type listedMsg struct {
	jobs []jobs.Job
	err  error
}

// feed is the newest jobs of each kind, newest first. Each kind has one draft, so that these are its
// latest results, in this run of the console and after the next start. Not among them are those of
// comparisons, tasks of others that are watched, and what was rejected.
type feed struct {
	history History
	profile string // "" for all
	seq     uint64
	by      map[client.Modality][]jobs.Job
	read    bool               // the history was looked through
	stop    context.CancelFunc // ends the read that is on its way; nil for none
}

// load reads the newest jobs, unless they were read or are being read. One page of any kind is read
// instead of one of each, which would go through the whole history for a kind that is seldom used.
func (f *feed) load() tea.Cmd {
	if f.read || f.stop != nil {
		return nil
	}
	h, q := f.history, jobs.Query{Profile: f.profile, Limit: lookThrough}
	ctx, stop := context.WithTimeout(context.Background(), listWait)
	f.stop = stop
	return func() tea.Msg {
		defer stop()
		page, err := h.List(ctx, q)
		return listedMsg{page.Jobs, err}
	}
}

// halt ends the read that is on its way: nobody sees what it would bring, and who went to Queue at once
// waits for another one. The next load reads anew.
func (f *feed) halt() {
	if f.stop != nil {
		f.stop()
		f.stop = nil
	}
}

// took takes in what a read brought. Queue tells of an error, and what comes later shows nevertheless.
func (f *feed) took(msg listedMsg) {
	f.stop = nil
	if msg.err != nil {
		return
	}
	f.read = true
	for i := range msg.jobs {
		f.take(&msg.jobs[i])
	}
}

// look takes in what has changed, and reports whether anything did.
func (f *feed) look() bool {
	list, seq := f.history.Changes(f.seq)
	f.seq = seq
	changed := false
	for i := range list {
		changed = f.take(&list[i]) || changed
	}
	return changed
}

// take takes in a job, unless a newer copy of it is here already.
func (f *feed) take(j *jobs.Job) bool {
	if f.profile != "" && j.Profile != f.profile || j.Observed || j.Run != "" {
		return false
	}
	kind := j.Draft.Modality
	list := f.by[kind]
	i := slices.IndexFunc(list, func(x jobs.Job) bool { return x.ID == j.ID })
	switch {
	case i >= 0 && list[i].Seq > j.Seq:
		return false
	case !j.Rejected.IsZero() && i >= 0:
		f.by[kind] = slices.Delete(list, i, i+1)
		return true
	case !j.Rejected.IsZero():
		return false
	case i >= 0:
		list[i] = *j
		return true
	}
	at := slices.IndexFunc(list, func(x jobs.Job) bool { return newer(j, &x) })
	if at < 0 {
		at = len(list)
	}
	if at >= keptOfKind {
		return false
	}
	list = slices.Insert(list, at, *j)
	f.by[kind] = list[:min(len(list), keptOfKind)]
	return true
}

func newer(a, b *jobs.Job) bool {
	if c := a.CreatedAt.Compare(b.CreatedAt); c != 0 {
		return c > 0
	}
	return a.ID > b.ID
}
