// Package config reads a person's configuration, namely the XDG file, profiles, the environment and
// secrets, into one validated struct.
package config

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"darkroom/client/disk"
)

// Paths are the program's folders and files, all absolute. Folders of private data are made
// with mode 0700 when something is first written.
type Paths struct {
	Config    string // config.yaml
	Catalog   string // user overlay of the catalog
	Themes    string // folder of a person's own themes
	Dialects  string // folder of dialects, which profiles share
	Views     string // views of jobs: filters with a name
	Secrets   string // folder of key files, where there is no keyring
	History   string // the history database
	Spool     string // folder of the outcomes of creates from when the history could not be written
	Drafts    string // folder of autosaved drafts
	Chats     string // folder of conversations
	Marks     string // starred and recent models
	Folders   string // that files were taken from
	Filters   string // of jq, that were used on bodies
	Looks     string // how Queue and Compose look
	Drift     string // counts of what answers about tasks of others have besides the interface
	Tour      string // that the tour of the first start is over
	Times     string // how points in time are written
	Identity  string // of this installation: its id and the secret that it signs with
	Previews  string // folder of scaled pictures, which can be deleted at any time
	Frames    string // folder of last frames of videos; drafts may name files in it
	Runs      string // folder of the runs of comparisons, one below it for each profile
	Sandbox   string // folder of the embedded gateway's tasks and media
	Downloads string // folder that results are saved into, unless configured
}

// XDGPaths are the paths by the XDG base directory specification, from the current environment.
func XDGPaths() Paths {
	xdg.Reload()
	downloads := xdg.UserDirs.Download
	if downloads == "" {
		downloads = xdg.Home
	}
	return Paths{
		Config:    filepath.Join(xdg.ConfigHome, "darkroom", "config.yaml"),
		Catalog:   filepath.Join(xdg.ConfigHome, "darkroom", "catalog.yaml"),
		Themes:    filepath.Join(xdg.ConfigHome, "darkroom", "themes"),
		Dialects:  filepath.Join(xdg.ConfigHome, "darkroom", dialectsKind),
		Views:     filepath.Join(xdg.ConfigHome, "darkroom", "views.yaml"),
		Secrets:   filepath.Join(xdg.DataHome, "darkroom", "keys"),
		History:   filepath.Join(xdg.DataHome, "darkroom", "history.db"),
		Spool:     filepath.Join(xdg.StateHome, "darkroom", "spool"),
		Drafts:    filepath.Join(xdg.StateHome, "darkroom", "drafts"),
		Chats:     filepath.Join(xdg.StateHome, "darkroom", "chats"),
		Marks:     filepath.Join(xdg.StateHome, "darkroom", "models.json"),
		Folders:   filepath.Join(xdg.StateHome, "darkroom", "folders.json"),
		Filters:   filepath.Join(xdg.StateHome, "darkroom", "filters.json"),
		Looks:     filepath.Join(xdg.StateHome, "darkroom", "looks.json"),
		Drift:     filepath.Join(xdg.StateHome, "darkroom", "drift.json"),
		Tour:      filepath.Join(xdg.StateHome, "darkroom", "tour"),
		Times:     filepath.Join(xdg.StateHome, "darkroom", "times"),
		Identity:  filepath.Join(xdg.StateHome, "darkroom", "installation"),
		Previews:  filepath.Join(xdg.CacheHome, "darkroom", "previews"),
		Frames:    filepath.Join(xdg.CacheHome, "darkroom", "frames"),
		Runs:      filepath.Join(xdg.StateHome, "darkroom", "runs"),
		Sandbox:   filepath.Join(xdg.StateHome, "darkroom", "sandbox"),
		Downloads: filepath.Join(downloads, "darkroom"),
	}
}

// WritePrivate writes a file that only its owner may read, atomically: a reader sees the old
// content or the new. A symbolic link stays one: its target is written.
func WritePrivate(path string, data []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = disk.Replace(path, func(f *os.File) error {
			_, err := f.Write(data)
			return err
		})
	}
	return Unwritable(path, "written", err)
}

// fill writes a file to the disk, and closes it in any case.
func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
