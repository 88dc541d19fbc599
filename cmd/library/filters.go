package library

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"darkroom/cmd/config"
)

// Bounds of the remembered filters.
const (
	maxFilters    = 50
	maxFilter     = 2000 // bytes of one
	filtersFormat = 1
)

// Filters remembers the jq filters that were used on bodies. Each change reads the file and rewrites
// it under a lock, as [Marks] does.
type Filters struct{ path string }

// OpenFilters are the filters listed in a file, which need not exist.
func OpenFilters(path string) Filters { return Filters{path} }

type filtersFile struct {
	Version int      `json:"version"`
	Filters []string `json:"filters"` // newest first
}

// Load are the filters, newest first.
func (u Filters) Load() ([]string, error) {
	got := filtersFile{}
	if err := readKept(u.path, "the filters", &got); err != nil {
		return nil, err
	}
	if got.Version > filtersFormat {
		return nil, fmt.Errorf("%s is of version %d, and this program knows %d", u.path, got.Version, filtersFormat)
	}
	all := slices.DeleteFunc(got.Filters, func(s string) bool { return !jqFilter(s) })
	return all[:min(len(all), maxFilters)], nil
}

// Used moves a filter to the front. One that JSON cannot hold is not remembered.
func (u Filters) Used(text string) ([]string, error) {
	if !jqFilter(text) {
		return u.Load()
	}
	unlock, err := config.Lock(u.path + ".lock")
	if err != nil {
		return nil, config.Unwritable(u.path, "written", err)
	}
	defer unlock()
	all, err := u.Load()
	if err != nil {
		return nil, err
	}
	all = slices.Insert(slices.DeleteFunc(all, func(s string) bool { return s == text }), 0, text)
	all = all[:min(len(all), maxFilters)]
	return all, writeKept(u.path, filtersFile{filtersFormat, all})
}

// jqFilter reports whether a text can be a remembered filter.
func jqFilter(s string) bool { return s != "" && len(s) <= maxFilter && utf8.ValidString(s) }
