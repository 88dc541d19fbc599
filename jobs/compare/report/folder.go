package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"darkroom/client/disk"
	"darkroom/client/text"
)

// folder is the one beside a page, with what is too large to be in the page. It holds a list of what
// this program put there: nothing else is ever replaced or removed.
type folder struct {
	path string
	root *os.Root // nil until there is something to put or to remove
	old  []string // of the report before, as its list says
	made []string
}

const (
	listName = ".darkroom-report.json"
	maxList  = 4 << 20
)

// oursRE is what names of ours look like, see [shelf.put]; a list that names anything else is not obeyed.
var oursRE = text.Pattern(`^[0-9]+\.w?[0-9]+\.[a-z0-9]{1,8}$`)

// replace writes a page to a path, and then removes what only the page before it needed.
func (f *folder) replace(path string, write func(io.Writer) error) error {
	if err := f.open(false); err != nil {
		return err
	}
	defer func() {
		if f.root != nil {
			_ = f.root.Close()
		}
	}()
	err := disk.Replace(path, func(file *os.File) error {
		w := bufio.NewWriterSize(file, 1<<16)
		return errors.Join(write(w), w.Flush())
	})
	if err != nil || f.root == nil {
		return err
	}
	return f.tidy()
}

// open opens the folder, and makes it if told to. Without that, what is no folder of ours is left alone.
func (f *folder) open(create bool) error {
	if f.root != nil {
		return nil
	}
	info, err := os.Lstat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !create:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		if err := os.Mkdir(f.path, 0o700); err != nil {
			return err
		}
	case err != nil:
		return err
	case !info.IsDir() && !create:
		return nil
	case !info.IsDir():
		return fmt.Errorf("%s is in the way: it is not a folder, and the results that are too large for the page go there; choose another name for the report", filepath.Base(f.path))
	}
	root, err := os.OpenRoot(f.path)
	if err != nil {
		return err
	}
	f.root = root
	f.old = f.list()
	return nil
}

// list is what this program put there before.
func (f *folder) list() []string {
	if info, err := f.root.Lstat(listName); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := f.root.Open(listName)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	var names []string
	if json.NewDecoder(io.LimitReader(file, maxList)).Decode(&names) != nil {
		return nil
	}
	return slices.DeleteFunc(names, func(n string) bool { return !oursRE().MatchString(n) })
}

// write writes a file whole or not at all; a link of its name is replaced, not followed.
func (f *folder) write(name string, from io.Reader) error {
	part := "." + name + ".part"
	if err := f.root.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := f.root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(file, from); err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = f.root.Rename(part, name)
	}
	if err != nil {
		_ = f.root.Remove(part)
	}
	return err
}

// put keeps a file under a name of ours.
func (f *folder) put(name string, from io.Reader) error {
	if err := f.open(true); err != nil {
		return err
	}
	if !slices.Contains(f.old, name) {
		if _, err := f.root.Lstat(name); err == nil {
			return fmt.Errorf("%s is in the way: no report put it there; choose another name for the report", filepath.Join(filepath.Base(f.path), name))
		}
	}
	f.made = append(f.made, name)
	if len(f.made) == 1 { // before anything is there that it does not name
		if err := f.note(); err != nil {
			return err
		}
	}
	return f.write(name, from)
}

// note writes the list of what may be there.
func (f *folder) note() error {
	names := append(slices.Clone(f.old), f.made...)
	slices.Sort(names)
	return f.keep(slices.Compact(names))
}

func (f *folder) keep(names []string) error {
	b, err := json.Marshal(names)
	if err != nil {
		return err
	}
	return f.write(listName, readerOf(b))
}

// tidy removes what an earlier report needed alone, and the folder once it is empty.
func (f *folder) tidy() error {
	if len(f.old) == 0 && len(f.made) == 0 {
		return nil
	}
	var errs []error
	for _, name := range f.old {
		if slices.Contains(f.made, name) {
			continue
		}
		if info, err := f.root.Lstat(name); err == nil && info.Mode().IsRegular() {
			errs = append(errs, f.root.Remove(name))
		}
	}
	if len(f.made) > 0 {
		return errors.Join(append(errs, f.keep(f.made))...)
	}
	if err := f.root.Remove(listName); err != nil {
		errs = append(errs, err)
	}
	_ = os.Remove(f.path) // stays where there is something else in it
	return errors.Join(errs...)
}
