// Package rejected removes the files of jobs that a person rejected, once nobody can take that back
// on the screen where it was done. It removes what this installation saved below the folder of the
// downloads, as it was saved, and nothing else: a file that was changed since, or that another job
// names, stays, and so does all that the history has.
package rejected

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/owner"
)

// Namer tells which jobs name files of this machine: in their drafts, or as saved for them. Both
// histories do.
type Namer interface {
	// Naming returns the ids of the jobs that name one of the paths, by path.
	Naming(ctx context.Context, paths []string) (map[string][]string, error)
}

// Purger removes the files of rejected jobs.
type Purger struct {
	Store jobs.Store
	// Installation tells which files were saved from here; nil for none of them.
	Installation *jobs.Installation
	// Dir is the folder of the downloads. What lies elsewhere stays.
	Dir string
	// Now is the clock; nil for that of the system.
	Now func() time.Time
}

// Done is what a purge did.
type Done struct {
	Jobs  int   `json:"jobs"`
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
	// Left are files that stay, each with the reason, as texts.
	Left []string `json:"left,omitempty"`
}

// By selects what the process of a name rejected.
func By(name string) func(*jobs.Job) bool {
	return func(j *jobs.Job) bool { return j.RejectedBy == name }
}

// forgotten is how long ago a process rejected a job of which nobody can tell whether it lives.
const forgotten = 7 * 24 * time.Hour

// Orphaned selects what processes rejected that are gone, or that nobody has heard of for a week.
func Orphaned(now time.Time) func(*jobs.Job) bool {
	return func(j *jobs.Job) bool {
		lives, known := owner.Lives(j.RejectedBy)
		return known && !lives || !known && now.Sub(j.Rejected) > forgotten
	}
}

// page is how many rejected jobs are read at a time.
const page = 500

// Purge removes the files of those rejected jobs that are selected. What it was broken off from is done
// the next time.
func (p *Purger) Purge(ctx context.Context, selected func(*jobs.Job) bool) (Done, error) {
	var done Done
	dir, err := filepath.Abs(p.Dir)
	if err != nil {
		return done, err
	}
	all, err := p.find(ctx, selected)
	if err != nil || len(all) == 0 {
		return done, err
	}
	named, err := p.naming(ctx, all)
	if err != nil {
		return done, err
	}
	f := folder{dir: dir}
	defer f.close()
	for i := range all {
		if err := p.one(ctx, &all[i], &f, named, &done); err != nil {
			return done, fmt.Errorf("the files of job %s: %w", jobs.ShortID(all[i].ID), err)
		}
	}
	return done, nil
}

// find lists the rejected jobs of which files may be left.
func (p *Purger) find(ctx context.Context, selected func(*jobs.Job) bool) (all []jobs.Job, err error) {
	q := jobs.Query{Rejected: jobs.RejectedOnly, Limit: page}
	for {
		list, err := p.Store.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for i := range list.Jobs {
			if j := &list.Jobs[i]; j.RejectedBy != "" && selected(j) {
				all = append(all, *j)
			}
		}
		if q.Before = list.Next; q.Before == "" {
			return all, nil
		}
	}
}

// naming says which other jobs name the files of some: those among the rejected ones do not count.
func (p *Purger) naming(ctx context.Context, all []jobs.Job) (map[string][]string, error) {
	var paths []string
	gone := map[string]bool{}
	for i := range all {
		gone[all[i].ID] = true
		for _, f := range all[i].Files {
			if p.saved(&all[i], f) {
				paths = append(paths, f.Path)
			}
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	n, ok := p.Store.(Namer)
	if !ok {
		return nil, errors.New("this history does not tell which jobs name a file")
	}
	named, err := n.Naming(ctx, paths)
	for path, ids := range named {
		named[path] = slices.DeleteFunc(ids, func(id string) bool { return gone[id] })
	}
	return named, err
}

// saved reports whether a file of a job was saved from here.
func (p *Purger) saved(j *jobs.Job, f jobs.File) bool {
	return p.Installation != nil && f.State == jobs.FileSaved && p.Installation.Saved(j.ID, f)
}

// errBack: the reject was taken back meanwhile, or somebody else removes the files.
var errBack = errors.New("no longer to be removed")

// one removes the files of one job and notes that.
func (p *Purger) one(ctx context.Context, j *jobs.Job, f *folder, named map[string][]string, done *Done) error {
	left := map[int]string{} // why, by the index of the file
	for _, file := range j.Files {
		if why := p.why(ctx, j, file, f, named); why != "" {
			left[file.Index] = why
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	var files int
	var bytes int64
	_, err := p.Store.Amend(ctx, j.ID, func(w jobs.Work) (jobs.Change, error) {
		c := jobs.Change{Job: w.Job, Due: w.Due, Attempts: w.Attempts, Backoff: w.Backoff, Token: w.Token}
		if !w.Job.Rejected.Equal(j.Rejected) || w.Job.RejectedBy != j.RejectedBy {
			return c, errBack
		}
		files, bytes, c.Job.Files = 0, 0, slices.Clone(w.Job.Files)
		var gone, stays []string
		for i := range c.Job.Files {
			file := &c.Job.Files[i]
			name := client.CleanLine(filepath.Base(file.Path))
			switch why, is := left[file.Index]; {
			case file.State != jobs.FileSaved || why == elsewhere:
				continue
			case is:
				stays = append(stays, name+" ("+why+")")
				continue
			}
			if err := f.remove(j.ID, file.Path); err != nil {
				stays = append(stays, name+" ("+client.CleanLine(err.Error())+")")
				continue
			}
			files, bytes = files+1, bytes+file.Bytes
			*file = jobs.File{Index: file.Index, Kind: file.Kind, State: jobs.FileRemoved, Total: -1, MediaType: file.MediaType}
			gone = append(gone, name)
		}
		c.Job.RejectedBy, c.Job.UpdatedAt = "", p.now()
		s := w.Job.State
		c.Events = []jobs.Event{{At: c.Job.UpdatedAt, Kind: jobs.EventFile, From: s, To: s, Message: said(gone, stays)}}
		return c, nil
	})
	if errors.Is(err, errBack) || errors.Is(err, jobs.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	done.Jobs, done.Files, done.Bytes = done.Jobs+1, done.Files+files, done.Bytes+bytes
	for _, file := range j.Files {
		if why := left[file.Index]; why != "" && why != elsewhere && file.State == jobs.FileSaved {
			done.Left = append(done.Left, client.CleanLine(file.Path)+": "+why)
		}
	}
	return nil
}

// now is to the millisecond, as histories keep it.
func (p *Purger) now() time.Time {
	now := time.Now
	if p.Now != nil {
		now = p.Now
	}
	return now().Round(0).Truncate(time.Millisecond)
}

// elsewhere: the file is none of ours, and nothing is said of it.
const elsewhere = "it was not saved from here"

// why says why a file stays; "" if it may go. A file that is missing may.
func (p *Purger) why(ctx context.Context, j *jobs.Job, file jobs.File, f *folder, named map[string][]string) string {
	others := slices.DeleteFunc(slices.Clone(named[file.Path]), func(id string) bool { return id == j.ID })
	switch {
	case !p.saved(j, file):
		return elsewhere
	case j.Starred():
		return "the job is starred"
	case len(others) > 0:
		return "job " + jobs.ShortID(others[0]) + " names it, too"
	default:
		return f.why(ctx, file)
	}
}

// said is the line of the timeline.
func said(gone, stays []string) string {
	var parts []string
	if len(gone) > 0 {
		parts = append(parts, "removed the files: "+some(gone))
	}
	if len(stays) > 0 {
		parts = append(parts, "left: "+some(stays))
	}
	if len(parts) == 0 {
		return "no files to remove"
	}
	return strings.Join(parts, "; ")
}

// maxNamed is how many files a line names.
const maxNamed = 6

func some(names []string) string {
	if more := len(names) - maxNamed; more > 0 {
		names = append(slices.Clone(names[:maxNamed]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
