package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"darkroom/client"
	"darkroom/cmd/config"
)

// drafts keeps what a person is composing, one file a modality.
type drafts struct{ dir string }

func (d drafts) path(m client.Modality) string { return filepath.Join(d.dir, string(m)+".json") }

// Load returns the draft kept last; ok is false when there is none. A file that can not
// be read is reported, and stays where it is.
func (d drafts) Load(m client.Modality) (draft client.Draft, ok bool, err error) {
	b, err := os.ReadFile(d.path(m))
	if errors.Is(err, fs.ErrNotExist) {
		return draft, false, nil
	}
	if err != nil {
		return draft, false, err
	}
	if err := json.Unmarshal(b, &draft); err != nil {
		return draft, false, fmt.Errorf("the draft in %s can not be read: %w", d.path(m), err)
	}
	if draft.Modality != m {
		return client.Draft{}, false, fmt.Errorf("the draft in %s is of %q", d.path(m), draft.Modality)
	}
	return draft, true, nil
}

// Save keeps a draft, so that a crash right after loses nothing.
func (d drafts) Save(draft client.Draft) error {
	b, err := json.MarshalIndent(draft, "", "  ")
	if err != nil {
		return err
	}
	return config.WritePrivate(d.path(draft.Modality), b)
}
