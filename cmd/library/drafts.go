package library

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/cmd/config"
)

// Drafts keeps what a person is composing, one file per modality.
type Drafts struct {
	dir string
	// before is the folder of those that belong to no profile, which earlier versions kept; they are
	// taken where dir has none. "" for none.
	before string
}

// OpenDrafts are the drafts of a profile in a folder, which need not exist: each profile has its own,
// as several can be open in one console.
func OpenDrafts(dir, profile string) Drafts {
	return Drafts{FolderOf(dir, profile), dir}
}

// FolderOf is the folder of a profile in one that has a folder for each. The name of the environment's
// profile has an address in it.
func FolderOf(dir, profile string) string {
	if profile == config.Sandbox || config.CheckName(profile) == nil {
		return filepath.Join(dir, profile)
	}
	sum := sha256.Sum256([]byte(profile))
	return filepath.Join(dir, "env-"+hex.EncodeToString(sum[:6]))
}

// draftFile is a draft as stored in its file.
type draftFile struct {
	client.Draft
	Format string `json:"format,omitempty"`
	// How the prompt is used as a template, see [kept.Draft].
	Expand string            `json:"expand,omitempty"`
	Vars   map[string]string `json:"vars,omitempty"`
	Job    string            `json:"job,omitempty"`   // the job that it was taken from
	Turned time.Time         `json:"turned,omitzero"` // when its kind was chosen last
}

func (d Drafts) path(m client.Modality) string { return filepath.Join(d.dir, string(m)+".json") }

// Load returns the draft kept last; ok is false if there is none. A file that cannot be read is an
// error, and stays where it is.
func (d Drafts) Load(m client.Modality) (draft kept.Draft, ok bool, err error) {
	b, err := os.ReadFile(d.path(m))
	if errors.Is(err, fs.ErrNotExist) && d.before != "" {
		return Drafts{dir: d.before}.Load(m)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return draft, false, nil
	}
	if err != nil {
		return draft, false, err
	}
	var file draftFile
	if err := json.Unmarshal(b, &file); err != nil {
		return draft, false, fmt.Errorf("the draft in %s cannot be read: %w", d.path(m), err)
	}
	if file.Modality != m {
		return draft, false, fmt.Errorf("the draft in %s is of %q", d.path(m), file.Modality)
	}
	return kept.Draft{Draft: file.Draft, Format: file.Format, Job: file.Job, Expand: file.Expand, Vars: file.Vars, Turned: file.Turned}, true, nil
}

// Save writes a draft to the disk, so a crash right afterwards loses nothing.
func (d Drafts) Save(draft kept.Draft) error {
	b, err := json.MarshalIndent(draftFile{draft.Draft, draft.Format, draft.Expand, draft.Vars, draft.Job, draft.Turned}, "", "  ")
	if err != nil {
		return err
	}
	return config.WritePrivate(d.path(draft.Draft.Modality), b)
}
