package library

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"darkroom/cmd/config"
	"darkroom/jobs/filter"
)

// ErrNoView says that no view has a name.
var ErrNoView = errors.New("no such view")

// Views are a person's own views of jobs, in a YAML file that may be edited by hand; what stands in
// it beside views, such as comments, goes with the next change from here. Each change reads the file
// and writes it anew under a lock, so that two consoles do not lose each other's changes.
type Views struct{ path string }

// OpenViews are the views in a file, which need not exist.
func OpenViews(path string) Views { return Views{path} }

// All are the views that come with the program with a person's own, see [filter.Views]. With an
// error, which says what is wrong with the file, they are the program's alone.
func (v Views) All() ([]filter.View, error) {
	own, err := v.read()
	return filter.Views(own), err
}

// Save keeps a view, in the place of one of the same name. At is its place among the own ones,
// counted from 1; 0 leaves it where it is, or puts a new one behind the others.
func (v Views) Save(view filter.View, at int) error {
	view.Own = false
	if err := view.Check(); err != nil {
		return err
	}
	return v.change(func(own []filter.View) ([]filter.View, error) {
		i := index(own, view.Name)
		if i >= 0 {
			own = slices.Delete(own, i, i+1)
		} else {
			i = len(own)
		}
		if at > 0 {
			i = min(at-1, len(own))
		}
		return slices.Insert(own, i, view), nil
	})
}

// Remove removes an own view; one of the program's that it stood for shows again.
func (v Views) Remove(name string) error {
	return v.change(func(own []filter.View) ([]filter.View, error) {
		i := index(own, name)
		if i >= 0 {
			return slices.Delete(own, i, i+1), nil
		}
		if _, known := filter.FindView(filter.BuiltIn(), name); known {
			return nil, fmt.Errorf("the view %s comes with the program, and cannot be removed; one of your own of that name would stand in its place", name)
		}
		return nil, fmt.Errorf("%w: %q", ErrNoView, name)
	})
}

func index(all []filter.View, name string) int {
	return slices.IndexFunc(all, func(v filter.View) bool { return strings.EqualFold(v.Name, name) })
}

func (v Views) change(how func([]filter.View) ([]filter.View, error)) error {
	unlock, err := config.Lock(v.path + ".lock")
	if err != nil {
		return config.Unwritable(v.path, "written", err)
	}
	defer unlock()
	own, err := v.read()
	if err == nil {
		own, err = how(own)
	}
	if err != nil {
		return err
	}
	b, err := filter.WriteViews(own)
	if err != nil {
		return err
	}
	return config.Unwritable(v.path, "written", config.WritePrivate(v.path, b))
}

// read reads the own views. A file that is something else is left as it is, and never overwritten.
func (v Views) read() ([]filter.View, error) {
	b, err := filter.ViewLimits().Read(v.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var own []filter.View
	if err == nil {
		own, err = filter.ReadViews(b)
	}
	if err != nil {
		return nil, fmt.Errorf("the views in %s cannot be read (%w): mend it, or move it away to begin anew", v.path, err)
	}
	return own, nil
}
