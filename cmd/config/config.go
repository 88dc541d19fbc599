package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"darkroom/jobs"
)

// Environment variables.
const (
	EnvBaseURL    = "DARKROOM_BASE_URL"
	EnvKey        = "DARKROOM_API_KEY" // #nosec G101 -- the name of a variable
	EnvProfile    = "DARKROOM_PROFILE"
	EnvDownloads  = "DARKROOM_DOWNLOADS"
	EnvHistory    = "DARKROOM_HISTORY"
	EnvDialect    = "DARKROOM_DIALECT"
	EnvTheme      = "DARKROOM_THEME"
	EnvPreview    = "DARKROOM_PREVIEW"
	EnvReadOnly   = "DARKROOM_READ_ONLY"
	EnvSandboxKey = "DARKROOM_SANDBOX_KEY" // #nosec G101 -- the name of a variable
)

// Sandbox is the name of the profile for the embedded gateway; it needs no configuration.
// envProfileName is the name of the profile made from the environment.
const (
	Sandbox        = jobs.Embedded
	envProfileName = "env"
)

// Profile is the gateway of this run.
type Profile struct {
	Name    string
	BaseURL string // "" for the embedded gateway, whose address is known when it runs
	// Embedded marks the embedded gateway.
	Embedded bool
	// CreatePaths are the create paths that the interface does not show, by format.
	CreatePaths map[string]string
	// Dialect is the gateway's wording for what the interface leaves open; the embedded one has
	// none.
	Dialect Dialect
	// Note is what a person should know about BaseURL, "" for nothing: see [TrimNote].
	Note string
	// Rate limits requests to the gateway, in requests a second; 0 for the default.
	Rate float64
	// PrivateResults allows results from this machine and from private addresses.
	PrivateResults bool
	// History is the address of a shared history, "" for the file on this machine. It may
	// hold a password: see [Profile.Shared].
	History string
	// ReadOnly is what makes the gateway read-only: --read-only, DARKROOM_READ_ONLY or the profile's
	// read_only; "" for nothing.
	ReadOnly string
	// Color and Banner mark the profile in the title bar: see checkColor and checkBanner; "" for
	// none.
	Color, Banner string
	// Source tells a person where the profile was configured.
	Source string
}

// Config is what a run works with.
type Config struct {
	Paths        Paths
	File         File
	Profile      Profile
	Theme        string
	Preview      Preview
	Downloads    string
	AutoDownload bool
	Saving       Saving
	Mouse        bool
	// Notify is how the console announces ended jobs: one of the values of File.Notify.
	Notify string
	// Player is the program that plays videos and sounds, with its arguments; empty for the
	// system's.
	Player []string
	// Retention is how long ended jobs stay in the history; 0 for no limit.
	Retention time.Duration
}

// Request is the input of Load.
type Request struct {
	Paths   Paths
	Profile string // of the --profile flag, "" for none
	Preview string // of the --preview flag, "" for none
	// ReadOnly is the --read-only flag.
	ReadOnly bool
	Env      func(string) string // os.Getenv
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
		Player:       file.Player,
		Retention:    time.Duration(file.Retention) * 24 * time.Hour,
	}
	if c.Preview, err = pickPreview(r, file); err != nil {
		return c, err
	}
	if c.Downloads, err = folder(c.Downloads, r.Env); err != nil {
		return c, err
	}
	if c.Saving, err = file.saving(); err != nil {
		return c, fmt.Errorf("%s: %w", r.Paths.Config, err)
	}
	if c.Notify, err = file.notify(); err != nil {
		return c, fmt.Errorf("%s: %w", r.Paths.Config, err)
	}
	if c.Profile, err = pick(file, r); err != nil {
		return c, err
	}
	if c.Profile.ReadOnly, err = r.readOnly(c.Profile.ReadOnly); err != nil {
		return c, err
	}
	// The embedded gateway belongs to this machine alone, and so do its jobs.
	if h := r.Env(EnvHistory); h != "" && !c.Profile.Embedded {
		if c.Profile.History, err = CheckHistory(h); err != nil {
			return c, fmt.Errorf("%s: %w", EnvHistory, err)
		}
	}
	if d := r.Env(EnvDialect); d != "" && !c.Profile.Embedded {
		if c.Profile.Dialect, err = r.Paths.loadDialect(DialectRef{Name: d}); err != nil {
			return c, fmt.Errorf("%s: %w", EnvDialect, err)
		}
	}
	return c, nil
}

// Other is the request for another profile of the settings. What the environment says of a history
// and of a dialect is for the profile in use alone; what makes a run read-only holds for all.
func (r Request) Other(name string) Request {
	env := r.Env
	r.Profile = name
	r.Env = func(k string) string {
		if k == EnvHistory || k == EnvDialect {
			return ""
		}
		return env(k)
	}
	return r
}

// Profiles are the profiles that there are, as far as their settings tell without being loaded: the one
// in use first, then those of the settings, then the embedded gateway.
func (c *Config) Profiles() []Profile {
	all := []Profile{c.Profile}
	run := "" // what makes all of them read-only
	if by := c.Profile.ReadOnly; by != c.File.Profiles[c.Profile.Name].readOnly(c.Profile.Name) {
		run = by
	}
	for _, name := range slices.Sorted(maps.Keys(c.File.Profiles)) {
		f := c.File.Profiles[name]
		p := Profile{Name: name, BaseURL: f.BaseURL, ReadOnly: firstOf(f.readOnly(name), run), Color: f.Color, Banner: f.Banner}
		if name != c.Profile.Name {
			all = append(all, p)
		}
	}
	if !c.Profile.Embedded {
		all = append(all, Profile{Name: Sandbox, Embedded: true, ReadOnly: run})
	}
	return all
}

// Names are those of the profiles whose gateways can be asked about a task: all but the embedded one,
// unless that is in use.
func (c *Config) Names() (names []string) {
	for _, p := range c.Profiles() {
		if !p.Embedded || c.Profile.Embedded {
			names = append(names, p.Name)
		}
	}
	return names
}

func pick(file File, r Request) (Profile, error) {
	name, source := r.Profile, "--profile"
	if name == "" {
		name, source = r.Env(EnvProfile), EnvProfile
	}
	if name == "" && strings.TrimSpace(r.Env(EnvBaseURL)) != "" {
		name, source = envProfileName, EnvBaseURL
	}
	if name == "" {
		name, source = file.Profile, r.Paths.Config
	}
	switch name {
	case "":
		return Profile{Name: Sandbox, Embedded: true, CreatePaths: embeddedPaths(), Source: "no profile is configured"}, nil
	case Sandbox:
		return Profile{Name: Sandbox, Embedded: true, CreatePaths: embeddedPaths(), Source: source}, nil
	case envProfileName:
		return fromEnv(r.Env, source)
	}
	p, ok := file.Profiles[name]
	if !ok {
		return Profile{}, fmt.Errorf("profile %q (from %s) does not exist; there are: %s. `darkroom auth login --profile NAME` makes one",
			name, source, strings.Join(append(slices.Sorted(maps.Keys(file.Profiles)), Sandbox), ", "))
	}
	words, err := r.Paths.loadDialect(p.Dialect)
	if err != nil {
		return Profile{}, fmt.Errorf("profile %s: %w", name, err)
	}
	return Profile{
		Name: name, BaseURL: p.BaseURL, CreatePaths: p.CreatePaths, Dialect: words, Note: TrimNote(p.given),
		Rate: p.Rate, PrivateResults: p.PrivateResults, History: p.History, Source: r.Paths.Config,
		ReadOnly: p.readOnly(name), Color: p.Color, Banner: p.Banner,
	}, nil
}

// embeddedPaths are the create paths that are not shown but served by the embedded gateway.
func embeddedPaths() map[string]string { return map[string]string{"responses": "/v1/responses"} }

// fromEnv makes a profile from the environment alone. Its key must come from there, too: a stored
// key belongs to another gateway.
func fromEnv(env func(string) string, source string) (Profile, error) {
	base := strings.TrimSpace(env(EnvBaseURL))
	if base == "" {
		return Profile{}, fmt.Errorf("profile %q (from %s) is made of %s and %s: set both", envProfileName, source, EnvBaseURL, EnvKey)
	}
	u, err := CheckBaseURL(base)
	if err != nil {
		return Profile{}, fmt.Errorf("%s: %w", EnvBaseURL, err)
	}
	if strings.TrimSpace(env(EnvKey)) == "" {
		return Profile{}, fmt.Errorf("%s is set and %s is not: set both, or neither", EnvBaseURL, EnvKey)
	}
	return Profile{Name: envName(u), BaseURL: u, Note: TrimNote(base), Source: source}, nil
}

// folder is the absolute path of the folder for results. A relative path in the settings would
// mean another folder wherever the program is started; in the environment it means what it means
// to a shell.
func folder(path string, env func(string) string) (string, error) {
	if path == "~" || strings.HasPrefix(path, "~/") {
		if home := env("HOME"); home != "" {
			path = filepath.Join(home, path[1:])
		}
	}
	switch {
	case filepath.IsAbs(path):
		return filepath.Clean(path), nil
	case env(EnvDownloads) != "":
		return filepath.Abs(path)
	default:
		return "", fmt.Errorf("downloads: %q: give an absolute path, or one that begins with ~/", path)
	}
}

func firstOf(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}

// envName names the environment's profile after its gateway: jobs belong to a profile, and another
// address in the environment tomorrow is another gateway.
func envName(base string) string {
	_, rest, _ := strings.Cut(base, "://")
	return envProfileName + ":" + rest
}

// IsEnv reports whether a profile was made from the environment.
func IsEnv(name string) bool {
	return name == envProfileName || strings.HasPrefix(name, envProfileName+":")
}
