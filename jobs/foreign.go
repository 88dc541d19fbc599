package jobs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"darkroom/client"
)

// noteForeign begins the note of a job that is held since it names local files which are not
// proven to be this installation's.
const noteForeign = "not sent, since its local files are not known to be of this installation: "

// ForeignError refuses what would read or send local files that another person's row names.
type ForeignError struct{ Files []client.LocalFile }

// Error names the files, cleaned.
func (e *ForeignError) Error() string {
	return "it names local files, and another installation made it: " + fileNames(e.Files) + ". Look at them before they are sent from here"
}

// maxNamed is how many files a text names.
const maxNamed = 8

func fileNames(files []client.LocalFile) string {
	var names []string
	for i, f := range files {
		if i == maxNamed {
			names = append(names, fmt.Sprintf("and %d more", len(files)-i))
			break
		}
		name := f.Path()
		if name == "" {
			name = f.Ref
		}
		names = append(names, cut(client.CleanLine(name), maxExchText))
	}
	return strings.Join(names, ", ")
}

// ForPerson reports whether a create waits for a person, and nothing goes on with it by
// itself: the gateway could not be reached for a while, see [Unreached], or it names local
// files that are not this installation's.
func ForPerson(j Job) bool {
	return Unreached(j) || j.State == Planned && (j.Foreign || j.Paused && strings.HasPrefix(j.Note, noteForeign))
}

// Judge notes whose files a job of the history names: Foreign, and Elsewhere of its files,
// which it changes in place. What an engine returns is judged already.
func (e *Engine) Judge(j Job) Job {
	i := e.o.Installation
	j.Foreign = !i.Made(&j)
	if j.Draft.Cut { // for a list to show; before anything is done the whole job decides
		j.Foreign = j.Installation != i.id && j.Proof != "" && j.Proof != ProofBefore
	}
	for n := range j.Files {
		if f := &j.Files[n]; f.State == FileSaved {
			f.Elsewhere = !i.Saved(j.ID, *f)
		}
	}
	return j
}

// foreign refuses a job whose local files are not this installation's.
func (e *Engine) foreign(j *Job) error {
	if e.o.Installation.Made(j) {
		return nil
	}
	return &ForeignError{Files: j.Draft.LocalFiles()}
}

// holdForeign keeps a create from being sent whose local files are not this installation's:
// a person decides.
func (w *worker) holdForeign(ctx context.Context) {
	sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWait)
	defer cancel()
	names := fileNames(w.work.Job.Draft.LocalFiles())
	_, err := w.e.tell(sctx, w.work.Job.ID, EventPlanned, func(j *Job) (string, error) {
		if j.State != Planned {
			return "", errSame // a person was faster
		}
		j.Paused, j.Note = true, client.CleanLine(noteForeign+names)
		return "held: it names local files, and it is not proven that this installation made it", nil
	})
	if err != nil {
		w.retryLater(0) // it is looked at again, and never sent before
	}
}

// SendFiles makes the local files that a job names this installation's own to send: a planned
// job is sent then, an ambiguous or refused one can be sent again. A person does so who has
// seen the paths, which mean files of this machine from now on.
func (e *Engine) SendFiles(ctx context.Context, id string) error {
	e.settleOrphan(ctx, id)
	e.wait(id)
	_, err := e.amend(ctx, id, func(now time.Time, w Work) (Change, error) {
		c := change(&w)
		s := w.Job.State
		if err := Allowed(ActSendFiles, &w.Job); err != nil {
			return c, err
		}
		e.o.Installation.Sign(&c.Job)
		c.Events = []Event{{At: now, Kind: EventPerson, From: s, To: s,
			Message: "sends its files from this installation: " + fileNames(c.Job.Draft.LocalFiles())}}
		if s != Planned {
			return c, nil
		}
		c.Take, c.Job.Paused, c.Job.Note = true, false, ""
		c.Attempts, c.Backoff = 0, 0
		schedule(&c, now)
		return c, nil
	})
	return err
}

// OwnDraft is the draft of a job for a person to go on with. Local files that are not this
// installation's are left out, since their paths mean others here: left tells so, and is ""
// otherwise.
func (j *Job) OwnDraft() (d client.Draft, left string) {
	if !j.Foreign {
		return j.Draft.Clone(), ""
	}
	return j.Draft.WithoutFiles(), "left out are the local files of another installation: " + fileNames(j.Draft.LocalFiles())
}
