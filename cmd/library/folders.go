package library

import (
	"fmt"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"darkroom/cmd/config"
)

// Bounds of the remembered folders.
const (
	maxFolders    = 12
	maxFolder     = 4096 // of a path, in bytes
	foldersFormat = 1
)

// Folders remembers the folders that files were taken from. Each change reads the file and rewrites
// it under a lock, as [Marks] does.
type Folders struct{ path string }

// OpenFolders are the folders listed in a file, which need not exist.
func OpenFolders(path string) Folders { return Folders{path} }

type foldersFile struct {
	Version int      `json:"version"`
	Folders []string `json:"folders"` // newest first
}

// Load are the folders, newest first.
func (u Folders) Load() ([]string, error) {
	f, err := u.read()
	return f.Folders, err
}

// Used moves a folder to the front. A path that JSON cannot hold is not remembered.
func (u Folders) Used(dir string) ([]string, error) {
	if !folder(dir) {
		return u.Load()
	}
	unlock, err := config.Lock(u.path + ".lock")
	if err != nil {
		return nil, config.Unwritable(u.path, "written", err)
	}
	defer unlock()
	f, err := u.read()
	if err != nil {
		return nil, err
	}
	f.Version = foldersFormat
	f.Folders = slices.DeleteFunc(f.Folders, func(s string) bool { return s == dir })
	f.Folders = slices.Insert(f.Folders, 0, dir)
	f.Folders = f.Folders[:min(len(f.Folders), maxFolders)]
	return f.Folders, writeKept(u.path, f)
}

func (u Folders) read() (foldersFile, error) {
	got := foldersFile{}
	if err := readKept(u.path, "the folders", &got); err != nil {
		return foldersFile{}, err
	}
	if got.Version > foldersFormat {
		return foldersFile{}, fmt.Errorf("%s is of version %d, and this program knows %d", u.path, got.Version, foldersFormat)
	}
	got.Folders = slices.DeleteFunc(got.Folders, func(s string) bool { return !folder(s) })
	got.Folders = got.Folders[:min(len(got.Folders), maxFolders)]
	return got, nil
}

// folder reports whether a text can be the path of a remembered folder.
func folder(s string) bool {
	return filepath.IsAbs(s) && len(s) <= maxFolder && utf8.ValidString(s)
}
