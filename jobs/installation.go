package jobs

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"darkroom/client"
)

// ProofBefore is the proof of jobs and files that a history of one machine held before there
// were proofs. A history that others write to, and an import, never bring it: see [Job.Strange].
const ProofBefore = "before"

// Strange takes from a job the proof that only a history of this machine can hold: of a row
// that others may have written it says nothing.
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

// Installation is this installation of the program on this machine: it proves, by a secret of
// its own, which local files a job may send and which files on the disk it saved. Rows of a
// history that others write to are their words; the proofs are what they cannot forge. It is
// safe for concurrent use.
type Installation struct {
	id     string
	secret []byte
}

// NewInstallation makes one with a random id and secret. Where it is not kept, its proofs hold
// as long as the process.
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

// String is the id and the secret, to be kept where nobody else reads it.
func (i *Installation) String() string { return i.id + ":" + hex.EncodeToString(i.secret) }

// ID names the installation. It is no secret.
func (i *Installation) ID() string { return i.id }

// Sign notes that this installation made the job. Where the draft names local files, a proof
// says so of just these, for this job and profile.
func (i *Installation) Sign(j *Job) {
	j.Installation, j.Proof = i.id, ""
	if files := j.Draft.LocalFiles(); len(files) > 0 {
		j.Proof = i.proofOf(j, files)
	}
}

// Made reports whether the local files that a job names may be sent from here: there are
// none, or this installation made the job, and of it the proof.
// Of a draft that was cut it is not known, which is no.
func (i *Installation) Made(j *Job) bool {
	if j.Draft.Cut {
		return false
	}
	files := j.Draft.LocalFiles()
	return len(files) == 0 || j.Proof == ProofBefore || same(j.Proof, i.proofOf(j, files))
}

// Adopt signs what a history of this machine held before there were proofs, so that it is known
// here again wherever the job goes.
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

// Saved reports whether this installation saved a file of a job, and at this place.
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

// mac is keyed over texts that cannot run into one another.
func (i *Installation) mac(parts []string) string {
	h := hmac.New(sha256.New, i.secret)
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func same(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }

// Bounds of a job's warnings.
const (
	maxWarnings = 16
	maxWarning  = 300 // bytes
)

// Warn adds warnings to a job, as what was asked for and was not delivered: each is cleaned
// and cut to a line, and kept once; the first sixteen stay. The next [Change] of the job
// writes them.
func (j *Job) Warn(texts ...string) {
	for _, t := range texts {
		t = cut(client.CleanLine(t), maxWarning)
		if t != "" && len(j.Warnings) < maxWarnings && !slices.Contains(j.Warnings, t) {
			j.Warnings = append(slices.Clip(j.Warnings), t)
		}
	}
}
