package config

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// Environment variables.
const (
	EnvBaseURL    = "DARKROOM_BASE_URL"
	EnvKey        = "DARKROOM_API_KEY" // #nosec G101 -- the name of a variable
	EnvProfile    = "DARKROOM_PROFILE"
	EnvDownloads  = "DARKROOM_DOWNLOADS"
	EnvTheme      = "DARKROOM_THEME"
	EnvSandboxKey = "DARKROOM_SANDBOX_KEY" // #nosec G101 -- the name of a variable
)

// Sandbox is the name of the profile that stands for the embedded gateway; it needs no
// configuration. EnvProfileName is the name of the one made of the environment.
const (
	Sandbox        = "sandbox"
	EnvProfileName = "env"
)

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

// Profile is the gateway that this run talks to.
type Profile struct {
	Name    string
	BaseURL string // "" for the embedded gateway, whose address is known when it runs
	// Embedded says that it is the embedded gateway.
	Embedded bool
	// Source tells a person where it was configured.
	Source string
}

// Config is what a run works with.
type Config struct {
	Paths        Paths
	File         File
	Profile      Profile
	Theme        string
	Downloads    string
	AutoDownload bool
	Mouse        bool
}

// Request is what Load is asked for.
type Request struct {
	Paths   Paths
	Profile string              // of the --profile flag, "" for none
	Env     func(string) string // os.Getenv
}

// Load reads and checks everything but secrets, which are read when they are needed.
// The profile is, in this order: the one asked for, DARKROOM_PROFILE, the environment's
// DARKROOM_BASE_URL, the file's default, the embedded gateway.
func Load(r Request) (Config, error) {
	file, err := ReadFile(r.Paths.Config)
	if err != nil {
		return Config{}, err
	}
	c := Config{
		Paths: r.Paths, File: file,
		Theme:        firstOf(r.Env(EnvTheme), file.Theme, "auto"),
		Downloads:    firstOf(r.Env(EnvDownloads), file.Downloads, r.Paths.Downloads),
		AutoDownload: file.AutoDownload == nil || *file.AutoDownload,
		Mouse:        file.Mouse == nil || *file.Mouse,
	}
	c.Downloads = expandHome(c.Downloads, r.Env("HOME"))
	c.Profile, err = pick(file, r)
	return c, err
}

func pick(file File, r Request) (Profile, error) {
	name, source := r.Profile, "--profile"
	if name == "" {
		name, source = r.Env(EnvProfile), EnvProfile
	}
	if name == "" && r.Env(EnvBaseURL) != "" {
		name, source = EnvProfileName, EnvBaseURL
	}
	if name == "" {
		name, source = file.Profile, r.Paths.Config
	}
	switch name {
	case "", Sandbox:
		return Profile{Name: Sandbox, Embedded: true, Source: "no profile is configured"}, nil
	case EnvProfileName:
		if u := r.Env(EnvBaseURL); u != "" {
			u, err := CheckBaseURL(u)
			if err != nil {
				return Profile{}, fmt.Errorf("%s: %w", EnvBaseURL, err)
			}
			if r.Env(EnvKey) == "" {
				return Profile{}, fmt.Errorf("%s is set and %s is not: set both, or neither", EnvBaseURL, EnvKey)
			}
			return Profile{Name: EnvProfileName, BaseURL: u, Source: source}, nil
		}
	}
	p, ok := file.Profiles[name]
	if !ok {
		return Profile{}, fmt.Errorf("profile %q (from %s) does not exist; there are: %s. Make it with `darkroom auth login --profile %s`",
			name, source, strings.Join(append(slices.Sorted(maps.Keys(file.Profiles)), Sandbox), ", "), name)
	}
	return Profile{Name: name, BaseURL: p.BaseURL, Source: r.Paths.Config}, nil
}

// ReadFile reads config.yaml; a file that is not there is an empty one. Errors carry
// line and column.
func ReadFile(path string) (File, error) {
	var f File
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	if len(strings.TrimSpace(string(b))) == 0 {
		return f, nil
	}
	if err := yaml.UnmarshalWithOptions(b, &f, yaml.Strict()); err != nil {
		return f, fmt.Errorf("%s: %w", path, err)
	}
	for name, p := range f.Profiles {
		if err := CheckName(name); err != nil {
			return f, fmt.Errorf("%s: profiles: %w", path, err)
		}
		if f.Profiles[name], err = p.check(); err != nil {
			return f, fmt.Errorf("%s: profiles.%s.base_url: %w", path, name, err)
		}
	}
	return f, nil
}

func (p ProfileFile) check() (ProfileFile, error) {
	u, err := CheckBaseURL(p.BaseURL)
	return ProfileFile{BaseURL: u}, err
}

// WriteFile writes config.yaml whole. Comments in it are lost, so it is only called for
// changes that a person asked for.
func WriteFile(path string, f File) error {
	b, err := yaml.Marshal(f)
	if err != nil {
		return err
	}
	return WritePrivate(path, b)
}

// CheckName says whether a profile may have this name.
func CheckName(name string) error {
	if name == "" || len(name) > 40 || name == Sandbox || name == EnvProfileName ||
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return fmt.Errorf("profile name %q: 1 to 40 letters, digits, - and _, and not %s or %s", name, Sandbox, EnvProfileName)
	}
	return nil
}

// CheckBaseURL returns a gateway's base address without a trailing slash, or says what
// is wrong with it. Plain http is allowed for loopback hosts only: the key would travel
// readable.
func CheckBaseURL(s string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil {
		return "", fmt.Errorf("%q is no URL", s)
	}
	switch {
	case u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return "", fmt.Errorf("%q: an address like https://gateway.example is needed", s)
	case u.User != nil:
		return "", errors.New("no user and password belong into the address; the key is kept apart")
	case u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("%q: no query and no fragment belong into the address", s)
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return "", fmt.Errorf("%q: plain http would send the key readable; use https (http is for loopback only)", s)
	}
	return strings.TrimRight(u.String(), "/"), nil
}

func loopback(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}

func expandHome(path, home string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
		return home + "/" + rest
	}
	return path
}

func firstOf(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}
