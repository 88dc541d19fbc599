package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/goccy/go-yaml"
)

// maxFile bounds config.yaml, in bytes.
const maxFile = 1 << 20

// File is config.yaml. Every key is optional.
type File struct {
	// Profile is the one used when none is named.
	Profile string `yaml:"profile,omitempty"`
	// Theme is auto, or the name of a theme.
	Theme string `yaml:"theme,omitempty"`
	// Downloads is the folder for results.
	Downloads string `yaml:"downloads,omitempty"`
	// AutoDownload saves results as soon as they are there; on when absent, because
	// nobody says how long a result lives.
	AutoDownload *bool `yaml:"auto_download,omitempty"`
	// Mouse is on when absent.
	Mouse *bool `yaml:"mouse,omitempty"`
	// Keys rebinds actions: action id to keys.
	Keys map[string][]string `yaml:"keys,omitempty"`
	// Profiles are gateways by name.
	Profiles map[string]ProfileFile `yaml:"profiles,omitempty"`
}

// ProfileFile is one gateway of config.yaml; its key is kept elsewhere.
type ProfileFile struct {
	BaseURL string `yaml:"base_url"`
}

// ReadFile reads config.yaml; a file that is not there is an empty one. Errors carry
// line and column, and no text of the file: somebody may have put a key there.
func ReadFile(path string) (File, error) {
	_, f, err := readFile(path)
	return f, err
}

func readFile(path string) ([]byte, File, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, File{}, nil
	}
	if err != nil {
		return nil, File{}, err
	}
	if info.Size() > maxFile {
		return nil, File{}, fmt.Errorf("%s has %d bytes; at most %d are read", path, info.Size(), maxFile)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, File{}, err
	}
	f, err := parse(b)
	if err != nil {
		return nil, File{}, fmt.Errorf("%s: %w", path, err)
	}
	return b, f, nil
}

// parse reads and checks the content of config.yaml, strictly.
func parse(b []byte) (f File, err error) {
	// The YAML library is known to panic on some malformed input.
	defer func() {
		if r := recover(); r != nil {
			f, err = File{}, errors.New("not readable as YAML")
		}
	}()
	if err := yaml.UnmarshalWithOptions(b, &f, yaml.Strict()); err != nil {
		return File{}, errors.New(yaml.FormatError(err, false, false))
	}
	for _, name := range slices.Sorted(maps.Keys(f.Profiles)) {
		if err := CheckName(name); err != nil {
			return File{}, fmt.Errorf("profiles: %w", err)
		}
		u, err := CheckBaseURL(f.Profiles[name].BaseURL)
		if err != nil {
			return File{}, fmt.Errorf("profiles.%s.base_url: %w", name, err)
		}
		f.Profiles[name] = ProfileFile{BaseURL: u}
	}
	return f, nil
}
