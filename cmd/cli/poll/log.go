package poll

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
)

// What a line is about; where several things changed at once, the first of these.
const (
	changeState  = "state"  // From became To
	changeStatus = "status" // the gateway's own term, within a state
	changeFile   = "file"   // one was saved, or could not be
	changeNote   = "note"
)

// line is a change as a poller prints it.
type line struct {
	At        time.Time  `json:"at"`
	Job       string     `json:"job"`
	Profile   string     `json:"profile"`
	Model     string     `json:"model"`
	Change    string     `json:"change"`
	From      jobs.State `json:"from,omitempty"` // of a change of the state; "" for a job that was not seen before
	To        jobs.State `json:"to"`             // the state now
	RawStatus string     `json:"raw_status,omitempty"`
	TaskID    string     `json:"task_id,omitempty"`
	Note      string     `json:"note,omitempty"`
	Error     string     `json:"error,omitempty"`
	Warnings  []string   `json:"warnings,omitempty"`
	Files     []string   `json:"files,omitempty"` // that lie on this machine now

	saved []string // those of Files that are new
}

// log prints the changes of jobs.
type log struct {
	k    *kit.Kit
	seen map[string]jobs.Job
	away follow.AwayNote
}

// put prints a job when something about it that is worth a line has changed.
func (l *log) put(j jobs.Job) error {
	old, known := l.seen[j.ID]
	if jobs.Settled(j) { // it is not heard of again, as a rule
		delete(l.seen, j.ID)
	} else {
		l.seen[j.ID] = j
	}
	line := lineOf(old, known, j, time.Now())
	if line.Change == "" {
		return nil
	}
	return l.print(line)
}

// behind reports whether the history tells another state of a job than the last line about it: the
// engine has written that, and its news are still on the way.
func (l *log) behind(ctx context.Context, s jobs.Store) bool {
	for id, j := range l.seen {
		if w, err := s.Get(ctx, id); err == nil && w.Job.State != j.State {
			return true
		}
	}
	return false
}

// justNow is how long the end of a job stays news to a poller that first sees the job ended.
const justNow = time.Minute

// lineOf returns what changed of a job; Change is "" if nothing is worth a line. A job is not known
// before it was seen, nor once it was thought to be over.
func lineOf(old jobs.Job, known bool, j jobs.Job, now time.Time) line {
	files := savedFiles(j)
	troubles := slices.DeleteFunc(follow.FileTroubles(j), func(s string) bool { return slices.Contains(follow.FileTroubles(old), s) })
	fresh := slices.DeleteFunc(slices.Clone(j.Warnings), func(s string) bool { return slices.Contains(old.Warnings, s) })
	p := line{
		At: now.Truncate(time.Millisecond), Job: j.ID, Profile: j.Profile, Model: j.Draft.Model, To: j.State,
		RawStatus: j.RawStatus, TaskID: j.TaskID, Note: cmp.Or(j.Note, strings.Join(append(troubles, fresh...), "; ")), Files: files, Warnings: j.Warnings,
		saved: slices.DeleteFunc(slices.Clone(files), func(f string) bool { return slices.Contains(savedFiles(old), f) }),
	}
	if j.Error != nil {
		p.Error = strings.TrimSpace(j.Error.Code + " " + j.Error.Message)
	}
	ended := j.EndedAt
	if ended.IsZero() {
		ended = j.UpdatedAt
	}
	switch {
	case known && old.State != j.State, !known && (j.State.Active() || now.Sub(ended) <= justNow):
		p.Change, p.From = changeState, old.State
	case known && old.RawStatus != j.RawStatus:
		p.Change = changeStatus
	case len(p.saved) > 0 && (known || now.Sub(j.UpdatedAt) <= justNow) || known && len(troubles) > 0:
		p.Change = changeFile
	case known && old.Note != j.Note:
		p.Change = changeNote
	}
	return p
}

func savedFiles(j jobs.Job) (paths []string) {
	for _, f := range j.Files {
		if f.State == jobs.FileSaved {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

func (l *log) print(p line) error {
	if !l.k.Out.Table() {
		return l.k.Out.One(p)
	}
	l.k.IO.Printf("%s\n", client.CleanLine(p.String()))
	return nil
}

// String is the line for people: an arrow stands for a change of the state alone.
func (p line) String() string {
	parts := []string{human.Times{Now: p.At}.Clock(p.At), jobs.ShortID(p.Job), p.Model}
	if p.Change == changeState {
		parts = append(parts, cmp.Or(string(p.From), "-"), "→")
	}
	parts = append(parts, string(p.To))
	if p.RawStatus != "" && !strings.EqualFold(p.RawStatus, string(p.To)) {
		parts = append(parts, "("+p.RawStatus+")")
	}
	parts = append(parts, p.TaskID, p.Error, p.Note)
	if p.Change == changeNote && p.Note == "" {
		parts = append(parts, "it goes on")
	}
	if len(p.saved) > 0 {
		parts = append(parts, "saved "+strings.Join(p.saved, " "))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "  ")
}
