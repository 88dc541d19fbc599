package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// projectFolder holds what a project keeps for everybody who works on it.
const projectFolder = ".darkroom"

// Folders are the folders of presets and wildcard files: a person's own, and those of the project,
// which is the folder that the program was started in. A project's files are somebody else's: they
// are bounded and checked, and cannot lead out of the project, not even by links.
type Folders struct {
	own     string // absolute
	project string // the folder of the project, absolute
}

// NewFolders are the folders beside config.yaml, and those in .darkroom of the working directory.
func NewFolders(p Paths, work string) (Folders, error) {
	work, err := filepath.Abs(work)
	return Folders{own: filepath.Dir(p.Config), project: work}, err
}

// Path is the folder of a kind of files, "presets" or "wildcards".
func (f Folders) Path(kind string, project bool) string {
	if project {
		return filepath.Join(f.project, projectFolder, kind)
	}
	return filepath.Join(f.own, kind)
}

// open opens a folder; nil if it does not exist.
func (f Folders) open(kind string, project bool) (*os.Root, error) {
	if !project {
		return some(os.OpenRoot(f.Path(kind, false)))
	}
	base, err := some(os.OpenRoot(f.project))
	if base == nil {
		return nil, err
	}
	defer func() { _ = base.Close() }()
	if foreign(base, projectFolder) != "" || foreign(base, filepath.Join(projectFolder, kind)) != "" {
		return nil, nil // see Foreign
	}
	return some(base.OpenRoot(filepath.Join(projectFolder, kind)))
}

// Foreign says why the project's folder is not read; "" if it is read, or if there is none. What
// another user of this machine put there, as in /tmp, is no project of the person's.
func (f Folders) Foreign() string {
	base, err := some(os.OpenRoot(f.project))
	if base == nil || err != nil {
		return ""
	}
	defer func() { _ = base.Close() }()
	for _, name := range []string{projectFolder, filepath.Join(projectFolder, "presets"), filepath.Join(projectFolder, "wildcards")} {
		if why := foreign(base, name); why != "" {
			return filepath.Join(f.project, name) + " is not read: " + why
		}
	}
	return ""
}

// foreign says why a folder is somebody else's; "" if it is not, or does not exist.
func foreign(base *os.Root, name string) string {
	info, err := base.Stat(name)
	if err != nil {
		return ""
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && int(owner.Uid) != os.Geteuid() {
		return "it belongs to another user"
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Sprintf("others can write to it (mode %#o): `chmod go-w` it", info.Mode().Perm())
	}
	return ""
}

func some(r *os.Root, err error) (*os.Root, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// make is open for writing: it makes a missing folder.
func (f Folders) make(kind string, project bool) (*os.Root, error) {
	base, sub := f.own, kind
	if project {
		base, sub = f.project, filepath.Join(projectFolder, kind)
	} else if err := os.MkdirAll(base, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	if err := root.MkdirAll(sub, 0o700); err != nil {
		return nil, err
	}
	return root.OpenRoot(sub)
}

// Wildcards joins the wildcard files of the project and the person's own in one folder; of two
// files of the same name the project's wins. Close it after use.
type Wildcards struct{ roots []*os.Root }

// Wildcards opens the wildcard files. There may be none.
func (f Folders) Wildcards() (*Wildcards, error) {
	w := &Wildcards{}
	for _, project := range []bool{true, false} {
		r, err := f.open("wildcards", project)
		if err != nil {
			return nil, errors.Join(err, w.Close())
		}
		if r != nil {
			w.roots = append(w.roots, r)
		}
	}
	return w, nil
}

// Close implements io.Closer.
func (w *Wildcards) Close() error {
	var errs []error
	for _, r := range w.roots {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}

// Open implements fs.FS. It opens only files and folders: opening a pipe would block.
func (w *Wildcards) Open(name string) (fs.File, error) {
	for _, r := range w.roots {
		info, err := fs.Stat(r.FS(), name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular() && !info.IsDir():
			return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it is not a file")}
		}
		return r.FS().Open(name)
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadDir implements fs.ReadDirFS.
func (w *Wildcards) ReadDir(name string) ([]fs.DirEntry, error) {
	var out []fs.DirEntry
	found := false
	for _, r := range w.roots {
		entries, err := fs.ReadDir(r.FS(), name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return out, err
		}
		found = true
		for _, e := range entries {
			if !slices.ContainsFunc(out, func(x fs.DirEntry) bool { return x.Name() == e.Name() }) {
				out = append(out, e)
			}
		}
	}
	if !found {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return out, nil
}
