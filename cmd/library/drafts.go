package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"darkroom/client"
	"darkroom/cmd/config"
	"darkroom/tui/screen"
)

// drafts keeps what a person is composing, one file a modality.
type drafts struct{ dir string }

// keptDraft is a draft as a file holds it.
type keptDraft struct {
	client.Draft
	Format string `json:"format,omitempty"`
	// What is said of the prompt as a template, see screen.ComposeDraft.
	Expand string            `json:"expand,omitempty"`
	Vars   map[string]string `json:"vars,omitempty"`
	Job    string            `json:"job,omitempty"`   // the one that it was taken from
	Turned time.Time         `json:"turned,omitzero"` // when its kind was chosen last
}

func (d drafts) path(m client.Modality) string { return filepath.Join(d.dir, string(m)+".json") }

// Load returns the draft kept last; ok is false when there is none. A file that can not
// be read is reported, and stays where it is.
func (d drafts) Load(m client.Modality) (draft screen.ComposeDraft, ok bool, err error) {
	b, err := os.ReadFile(d.path(m))
	if errors.Is(err, fs.ErrNotExist) {
		return draft, false, nil
	}
	if err != nil {
		return draft, false, err
	}
	var kept keptDraft
	if err := json.Unmarshal(b, &kept); err != nil {
		return draft, false, fmt.Errorf("the draft in %s can not be read: %w", d.path(m), err)
	}
	if kept.Modality != m {
		return draft, false, fmt.Errorf("the draft in %s is of %q", d.path(m), kept.Modality)
	}
	return screen.ComposeDraft{Draft: kept.Draft, Format: kept.Format, Job: kept.Job, Expand: kept.Expand, Vars: kept.Vars, Turned: kept.Turned}, true, nil
}

// Save keeps a draft, so that a crash right after loses nothing.
func (d drafts) Save(draft screen.ComposeDraft) error {
	b, err := json.MarshalIndent(keptDraft{draft.Draft, draft.Format, draft.Expand, draft.Vars, draft.Job, draft.Turned}, "", "  ")
	if err != nil {
		return err
	}
	return config.WritePrivate(d.path(draft.Draft.Modality), b)
}
