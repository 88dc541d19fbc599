package jobs

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"darkroom/client"
	"darkroom/client/text"
)

// ProofBefore is the proof of jobs and files that a history of one machine held before there
// were proofs. A history that others write to, and an import, never bring it: see [Job.Strange].
const ProofBefore = "before"

// Strange removes a proof that only a history of this machine can hold: in a row that others may
// have written it proves nothing.
func (j *Job) Strange() {
	if j.Proof == ProofBefore {
		j.Proof = ""
	}
	before := func(f File) bool { return f.Proof == ProofBefore }
	if !slices.ContainsFunc(j.Files, before) {
		return
	}
	j.Files = slices.Clone(j.Files) // others may have the job, too
	for i := range j.Files {
		if before(j.Files[i]) {
			j.Files[i].Proof = ""
		}
	}
}

// secretSize is the length of an installation's secret, in bytes.
const secretSize = 32

// Installation is this installation of the program on this machine. By a secret of its own it
// proves which local files a job may send and which files on the disk it saved. Others can write
// anything into the rows of a shared history, but cannot forge the proofs. It is safe for
// concurrent use.
type Installation struct {
	id     string
	secret []byte
}

// NewInstallation makes one with a random id and secret. Unless it is stored, its proofs last as
// long as the process.
func NewInstallation() *Installation {
	secret := make([]byte, secretSize)
	_, _ = rand.Read(secret) // it never fails
	return &Installation{id: uuid.NewString(), secret: secret}
}

// ParseInstallation reads what [Installation.String] wrote.
func ParseInstallation(text string) (*Installation, error) {
	id, secret, _ := strings.Cut(strings.TrimSpace(text), ":")
	raw, err := hex.DecodeString(secret)
	if u, e := uuid.Parse(id); e != nil || u.String() != id || err != nil || len(raw) != secretSize {
		return nil, fmt.Errorf("no id of an installation and its secret")
	}
	return &Installation{id: id, secret: raw}, nil
}

// String is the id and the secret: store it where nobody else can read it.
func (i *Installation) String() string { return i.id + ":" + hex.EncodeToString(i.secret) }

// ID names the installation. It is no secret.
func (i *Installation) ID() string { return i.id }

// Sign notes that this installation made the job. If the draft names local files, a proof covers
// exactly these, for this job and profile.
func (i *Installation) Sign(j *Job) {
	j.Installation, j.Proof = i.id, ""
	if files := j.Draft.LocalFiles(); len(files) > 0 {
		j.Proof = i.proofOf(j, files)
	}
}

// Made reports whether the local files that a job names may be sent from here: there are none, or
// a proof says that this installation made the job. For a cut draft that is unknown, so the answer
// is no.
func (i *Installation) Made(j *Job) bool {
	if j.Draft.Cut {
		return false
	}
	files := j.Draft.LocalFiles()
	return len(files) == 0 || j.Proof == ProofBefore || same(j.Proof, i.proofOf(j, files))
}

// Adopt signs what a history of this machine held before there were proofs, so that it is
// recognised here wherever the job goes.
func (i *Installation) Adopt(j *Job) {
	if i == nil {
		return
	}
	if j.Proof == ProofBefore {
		i.Sign(j)
	}
	for n := range j.Files {
		if f := &j.Files[n]; f.Proof == ProofBefore {
			i.SignFile(j.ID, f)
		}
	}
}

// SignFile notes that this installation saved a file of a job.
func (i *Installation) SignFile(job string, f *File) { f.Proof = i.proofOfFile(job, f) }

// Saved reports whether this installation saved this file of a job, at this path.
func (i *Installation) Saved(job string, f File) bool {
	return f.State == FileSaved && (f.Proof == ProofBefore || same(f.Proof, i.proofOfFile(job, &f)))
}

func (i *Installation) proofOf(j *Job, files []client.LocalFile) string {
	parts := []string{"job", j.ID, j.Profile}
	for _, f := range slices.SortedFunc(slices.Values(files), func(a, b client.LocalFile) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Ref, b.Ref))
	}) {
		parts = append(parts, f.Field, f.Ref)
	}
	return i.mac(parts)
}

func (i *Installation) proofOfFile(job string, f *File) string {
	return i.mac([]string{"file", job, fmt.Sprint(f.Index), f.Path})
}

// mac is keyed, over texts that cannot run into one another.
func (i *Installation) mac(parts []string) string {
	h := hmac.New(sha256.New, i.secret)
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func same(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }

// noteForeign begins the note of a job that is held because it names local files not proven to be
// this installation's.
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
		names = append(names, text.Cap(client.CleanLine(name), maxExchText))
	}
	return strings.Join(names, ", ")
}

// ForPerson reports whether a create waits for a person, and nothing moves it on by itself: the
// gateway could not be reached for a while, see [Unreached], or it names local files that are not
// this installation's.
func ForPerson(j Job) bool {
	return Unreached(j) || j.State == Planned && (j.Foreign || j.Paused && strings.HasPrefix(j.Note, noteForeign))
}

// Judge marks whose files a job of the history names: it sets Foreign, and Elsewhere in its files,
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

// holdForeign holds a create whose local files are not this installation's: a person decides.
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

// SendFiles lets this installation send the local files that a job names: a planned job is then
// sent, an ambiguous or refused one can be resent. It is for a person who has seen the paths,
// which from now on mean files on this machine.
func (e *Engine) SendFiles(ctx context.Context, id string) error {
	e.settleOrphan(ctx, id)
	e.inbox.want(id)
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
		plan(&c, now)
		return c, nil
	})
	return err
}

// OwnDraft is the draft of a job for a person to go on with. Local files that are not this
// installation's are left out, since their paths mean other files here; left says so, and is ""
// otherwise.
func (j *Job) OwnDraft() (d client.Draft, left string) {
	if !j.Foreign {
		return j.Draft.Clone(), ""
	}
	return j.Draft.WithoutFiles(), "left out are the local files of another installation: " + fileNames(j.Draft.LocalFiles())
}
