package config

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/goccy/go-yaml"

	"darkroom/client/yamlfile"
)

// maxFile bounds config.yaml, in bytes.
const maxFile = 256 << 10

// limits bound config.yaml, and so the cost of reading it.
func limits() yamlfile.Limits {
	return yamlfile.Limits{Bytes: maxFile, Line: 8 << 10, Lines: 5_000, Nodes: 20_000}
}

// minRate and maxRate bound a profile's rate, in requests a second: one in 100 s at least.
const (
	minRate = 0.01
	maxRate = 1000
)

// maxRetention bounds retention, in days.
const maxRetention = 36500

// File is config.yaml. Every key is optional.
type File struct {
	// Profile is the profile to use when none is named.
	Profile string `yaml:"profile,omitempty"`
	// Theme is auto, or the name of a theme.
	Theme string `yaml:"theme,omitempty"`
	// Preview is how pictures are drawn; auto when absent.
	Preview Preview `yaml:"preview,omitempty"`
	// Downloads is the folder for results.
	Downloads string `yaml:"downloads,omitempty"`
	// AutoDownload saves results as soon as they are there; on when absent, because nobody says
	// how long a result stays available.
	AutoDownload *bool `yaml:"auto_download,omitempty"`
	// DownloadsFile says how results are saved.
	DownloadsFile `yaml:",inline"`
	// Mouse is on when absent.
	Mouse *bool `yaml:"mouse,omitempty"`
	// Notify is how the console announces ended jobs while its terminal does not have the focus:
	// auto, osc9, osc777, osc99, bell, native or off; auto when absent.
	Notify string `yaml:"notify,omitempty"`
	// Player is the program, with its arguments, that plays videos and sounds; the system's when
	// absent. An argument {} stands for the file, which otherwise comes last.
	Player []string `yaml:"player,omitempty"`
	// Retention is how many days ended jobs stay in the history; 0 for no limit. Jobs with a tag
	// stay.
	Retention float64 `yaml:"retention,omitempty"` // whole; the library would cut an int without a word
	// Keys rebinds actions: action id to keys.
	Keys map[string][]string `yaml:"keys,omitempty"`
	// Profiles are gateways by name.
	Profiles map[string]ProfileFile `yaml:"profiles,omitempty"`
}

// ProfileFile is one gateway in config.yaml; its key is stored elsewhere.
type ProfileFile struct {
	BaseURL string `yaml:"base_url"`
	// CreatePaths are the create endpoints that the interface does not show, format to path, as
	// the person learned them elsewhere (GATEWAY: Endpoints, rules 4 and 6).
	CreatePaths map[string]string `yaml:"create_paths,omitempty"`
	// Dialect is the gateway's wording for what the interface leaves open: a dialect's name, or
	// the dialect itself.
	Dialect DialectRef `yaml:"dialect,omitempty"`
	// History is where this gateway's jobs are kept: the address of a PostgreSQL database for a
	// shared history, "" or sqlite for the file on this machine.
	History string `yaml:"history,omitempty"`
	// Rate limits requests to the gateway, in requests a second; 0 for the default.
	Rate float64 `yaml:"rate,omitempty"`
	// PrivateResults lets addresses of results and references lead to this machine and to private
	// addresses; without it they may only if the gateway itself is at such an address.
	PrivateResults bool `yaml:"private_results,omitempty"`
	// ReadOnly lets nothing be sent that creates, changes or deletes; --read-only and
	// DARKROOM_READ_ONLY do so for any profile.
	ReadOnly bool `yaml:"read_only,omitempty"`
	// Color marks the profile in the title bar: a role of the theme (accent, good, warn, bad, info),
	// the name of a colour, or #rrggbb. Banner is a short text beside the profile's name there.
	Color  string `yaml:"color,omitempty"`
	Banner string `yaml:"banner,omitempty"`

	given string // the base URL as written, if it differs
}

// ReadFile reads config.yaml; a missing file counts as an empty one. Errors give line and column,
// but no text from the file: somebody may have put a key there.
func ReadFile(path string) (File, error) {
	_, f, err := readFile(path)
	return f, err
}

func readFile(path string) ([]byte, File, error) {
	b, err := limits().Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, File{}, nil
	}
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
	if err := limits().Decode(b, &f, yaml.Strict()); err != nil {
		if all := problems(b); len(all) > 0 {
			return File{}, all[0] // it says what is allowed
		}
		return File{}, errors.New(yaml.FormatError(err, false, false))
	}
	if all := problems(b); len(all) > 0 {
		return File{}, all[0]
	}
	if err := checkProfiles(b, f); err != nil {
		return File{}, err
	}
	return f, nil
}

// Parse reads the text of a config.yaml.
func Parse(b []byte) (File, error) { return parse(b) }

// Lint returns all mistakes in the text of a config.yaml, in their order: a [*Problem] each where
// the place is known.
func Lint(b []byte) []error {
	var out []error
	for _, p := range problems(b) {
		out = append(out, p)
	}
	if _, err := parse(b); err != nil && len(out) == 0 {
		out = append(out, err)
	}
	return out
}
