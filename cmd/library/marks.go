package library

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/cmd/config"
)

// Bounds of what is remembered about models.
const (
	maxStars  = 500
	maxRecent = 20
	maxModel  = 200 // of a name, in characters
)

// marksVersion is the version of the file; a newer version is left alone.
const marksVersion = 1

// Marks remembers which models a person starred and used. Each change reads the file and rewrites
// it under a lock, so two consoles do not lose each other's changes.
type Marks struct{ path string }

// OpenMarks are the marks in a file, which need not exist.
func OpenMarks(path string) Marks { return Marks{path} }

// marksFile is what the file holds.
type marksFile struct {
	Version  int      `json:"version"`
	Stars    []string `json:"stars"`
	Recent   []string `json:"recent"`
	Improver string   `json:"improver,omitempty"`
}

// Load reads the marks; there are none without the file.
func (m Marks) Load() (kept.Marks, error) {
	f, err := m.read()
	return kept.Marks{Stars: f.Stars, Recent: f.Recent, Improver: f.Improver}, err
}

// Star gives a model a star or takes it away; repeating a call changes nothing.
func (m Marks) Star(model string, on bool) (kept.Marks, error) {
	return m.change(model, func(f *marksFile) error {
		f.Stars = slices.DeleteFunc(f.Stars, func(s string) bool { return s == model && !on })
		if !on || slices.Contains(f.Stars, model) {
			return nil
		}
		if len(f.Stars) >= maxStars {
			return fmt.Errorf("%d models have stars, and no more are kept: take one away first", len(f.Stars))
		}
		f.Stars = append(f.Stars, model)
		return nil
	})
}

// Used moves a model to the front of the recent ones.
func (m Marks) Used(model string) (kept.Marks, error) {
	return m.change(model, func(f *marksFile) error {
		f.Recent = slices.DeleteFunc(f.Recent, func(s string) bool { return s == model })
		f.Recent = slices.Insert(f.Recent, 0, model)
		f.Recent = f.Recent[:min(len(f.Recent), maxRecent)]
		return nil
	})
}

// Improve makes a chat model the one that improves prompts.
func (m Marks) Improve(model string) (kept.Marks, error) {
	return m.change(model, func(f *marksFile) error {
		f.Improver = model
		return nil
	})
}

func (m Marks) change(model string, how func(*marksFile) error) (kept.Marks, error) {
	if err := checkModelName(model); err != nil {
		return kept.Marks{}, err
	}
	unlock, err := config.Lock(m.path + ".lock")
	if err != nil {
		return kept.Marks{}, config.Unwritable(m.path, "written", err)
	}
	defer unlock()
	f, err := m.read()
	if err == nil {
		err = how(&f)
	}
	if err != nil {
		return kept.Marks{}, err
	}
	f.Version = marksVersion
	err = writeKept(m.path, f)
	return kept.Marks{Stars: f.Stars, Recent: f.Recent, Improver: f.Improver}, err
}

// read reads the file. A file that is something else is left as it is, and never overwritten.
func (m Marks) read() (marksFile, error) {
	f := marksFile{Stars: []string{}, Recent: []string{}}
	got := f
	if err := readKept(m.path, "the stars", &got); err != nil {
		return f, err
	}
	if got.Version > marksVersion {
		return f, fmt.Errorf("%s is of version %d, and this program knows %d", m.path, got.Version, marksVersion)
	}
	bad := func(s string) bool { return checkModelName(s) != nil }
	got.Stars, got.Recent = slices.DeleteFunc(got.Stars, bad), slices.DeleteFunc(got.Recent, bad)
	if got.Improver != "" && bad(got.Improver) {
		got.Improver = ""
	}
	return got, nil
}

// checkModelName refuses what cannot be a model's name: what is remembered is shown again.
func checkModelName(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return errors.New("the name of a model is needed")
	case s != client.CleanLine(s) || strings.TrimSpace(s) != s:
		return fmt.Errorf("%q is not the name of a model: it has blanks around it or characters that do not show", client.CleanLine(s))
	case utf8.RuneCountInString(s) > maxModel:
		return fmt.Errorf("the name of a model has %d characters; at most %d are kept", utf8.RuneCountInString(s), maxModel)
	}
	return nil
}
