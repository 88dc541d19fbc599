package config

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// testPaths are paths below a fresh folder.
func testPaths(t *testing.T) Paths {
	t.Helper()
	d := t.TempDir()
	return Paths{
		Config: filepath.Join(d, "config", "config.yaml"), Catalog: filepath.Join(d, "config", "catalog.yaml"), Dialects: filepath.Join(d, "config", "dialects"),
		Secrets: filepath.Join(d, "keys"), History: filepath.Join(d, "history.db"),
		Drafts: filepath.Join(d, "drafts"), Marks: filepath.Join(d, "models.json"), Views: filepath.Join(d, "views.yaml"), Folders: filepath.Join(d, "folders.json"), Filters: filepath.Join(d, "filters.json"), Looks: filepath.Join(d, "looks.json"), Times: filepath.Join(d, "times"), Drift: filepath.Join(d, "drift.json"), Sandbox: filepath.Join(d, "sandbox"), Runs: filepath.Join(d, "runs"), Downloads: filepath.Join(d, "downloads"),
	}
}

func environment(m map[string]string) func(string) string {
	return func(k string) string { return m[k] }
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func TestWhichProfile(t *testing.T) {
	t.Parallel()
	const file = "profiles: {work: {base_url: https://work.example/}, home: {base_url: 'http://127.0.0.1:8400'}}\n"
	env := func(kv ...string) map[string]string {
		m := map[string]string{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i]] = kv[i+1]
		}
		return m
	}
	for name, c := range map[string]struct {
		file, flag string
		env        map[string]string
		want       Profile
		errs       []string
	}{
		"nothing":               {want: Profile{Name: Sandbox, Embedded: true, CreatePaths: embeddedPaths(), Source: "no profile is configured"}},
		"the file's default":    {file: "profile: work\n" + file, want: Profile{Name: "work", BaseURL: "https://work.example", Source: "FILE"}},
		"no default":            {file: file, want: Profile{Name: Sandbox, Embedded: true, CreatePaths: embeddedPaths(), Source: "no profile is configured"}},
		"sandbox by the file":   {file: "profile: sandbox\n" + file, want: Profile{Name: Sandbox, Embedded: true, CreatePaths: embeddedPaths(), Source: "FILE"}},
		"base URL over default": {file: "profile: work\n" + file, env: env(EnvBaseURL, "https://x.example/", EnvKey, "k"), want: Profile{Name: "env:x.example", BaseURL: "https://x.example", Source: EnvBaseURL}},
		"name over base URL":    {file: file, env: env(EnvProfile, "home", EnvBaseURL, "https://x.example"), want: Profile{Name: "home", BaseURL: "http://127.0.0.1:8400", Source: "FILE"}},
		"flag over all":         {file: file, flag: "work", env: env(EnvProfile, "home", EnvBaseURL, "https://x.example"), want: Profile{Name: "work", BaseURL: "https://work.example", Source: "FILE"}},
		"sandbox by flag":       {file: "profile: work\n" + file, flag: "sandbox", want: Profile{Name: Sandbox, Embedded: true, CreatePaths: embeddedPaths(), Source: "--profile"}},
		"base URL without key":  {env: env(EnvBaseURL, "https://x.example"), errs: []string{EnvBaseURL, EnvKey, "set both"}},
		"key without base URL":  {env: env(EnvKey, "k"), want: Profile{Name: Sandbox, Embedded: true, CreatePaths: embeddedPaths(), Source: "no profile is configured"}},
		"env without base URL":  {flag: "env", errs: []string{"env", "--profile", EnvBaseURL, "set both"}},
		"bad base URL":          {env: env(EnvBaseURL, "http://x.example", EnvKey, "sk-secret"), errs: []string{EnvBaseURL, "http://x.example", "https"}},
		"unknown":               {file: file, flag: "wrok", errs: []string{`"wrok"`, "--profile", "home, work, sandbox", "auth login"}},
		"unknown by variable":   {env: env(EnvProfile, "wrok"), errs: []string{`"wrok"`, EnvProfile}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := testPaths(t)
			if c.file != "" {
				write(t, p.Config, c.file)
			}
			got, err := Load(Request{Paths: p, Profile: c.flag, Env: environment(c.env)})
			if len(c.errs) > 0 {
				require.Error(t, err)
				for _, s := range c.errs {
					require.Contains(t, err.Error(), s)
				}
				require.NotContains(t, err.Error(), "sk-secret")
				return
			}
			require.NoError(t, err)
			if c.want.Source == "FILE" {
				c.want.Source = p.Config
			}
			require.Equal(t, c.want, got.Profile)
		})
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	p := testPaths(t)
	c, err := Load(Request{Paths: p, Env: environment(nil)})
	require.NoError(t, err)
	require.Equal(t, "auto", c.Theme)
	require.True(t, c.Mouse && c.AutoDownload)
	require.Equal(t, p.Downloads, c.Downloads)

	write(t, p.Config, "theme: light\nmouse: false\nauto_download: false\ndownloads: ~/media\nkeys:\n  queue.download: [d, ctrl+d]\n")
	c, err = Load(Request{Paths: p, Env: environment(map[string]string{"HOME": "/home/u"})})
	require.NoError(t, err)
	require.Equal(t, "light", c.Theme)
	require.False(t, c.Mouse || c.AutoDownload)
	require.Equal(t, "/home/u/media", c.Downloads)
	require.Equal(t, []string{"d", "ctrl+d"}, c.File.Keys["queue.download"])

	c, err = Load(Request{Paths: p, Env: environment(map[string]string{EnvTheme: "dark", EnvDownloads: "here", "HOME": "/home/u"})})
	require.NoError(t, err)
	require.Equal(t, "dark", c.Theme)
	here, err := filepath.Abs("here")
	require.NoError(t, err)
	require.Equal(t, here, c.Downloads)

	write(t, p.Config, "downloads: media\n")
	_, err = Load(Request{Paths: p, Env: environment(nil)})
	require.ErrorContains(t, err, `downloads: "media"`)
	require.ErrorContains(t, err, "absolute")
}

func TestErrorsOfTheFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		errs []string
	}{
		"unknown key":     {"theme: dark\nthem: light\n", []string{"[2:1]", "them"}},
		"wrong type":      {"theme: dark\nmouse: [1]\n", []string{"[2:8]", "true or false"}},
		"twice":           {"theme: dark\ntheme: light\n", []string{"[2:1]", "theme"}},
		"no YAML":         {"theme: [dark\n", []string{"[1:8]"}},
		"name":            {"profiles: {'a b': {base_url: https://x.example}}\n", []string{`"a b"`, "letters"}},
		"reserved name":   {"profiles: {sandbox: {base_url: https://x.example}}\n", []string{"sandbox", "taken"}},
		"URL":             {"profiles: {work: {base_url: ftp://x.example}}\n", []string{"profiles.work.base_url", "ftp://x.example"}},
		"no URL":          {"profiles: {work: {}}\n", []string{"profiles.work.base_url"}},
		"a key in it":     {"profiles: {work: {base_url: https://x.example, key: sk-secret}}\n", []string{"key"}},
		"a key in an URL": {"profiles: {work: {base_url: https://u:sk-secret@x.example}}\n", []string{"leave user and password out"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := testPaths(t)
			write(t, p.Config, c.text)
			_, err := ReadFile(p.Config)
			require.Error(t, err)
			require.Contains(t, err.Error(), p.Config)
			for _, s := range c.errs {
				require.Contains(t, err.Error(), s)
			}
			require.NotContains(t, err.Error(), "sk-secret")
			_, err = SetProfile(p.Config, "other", "https://o.example")
			require.Error(t, err)
			b, err := os.ReadFile(p.Config)
			require.NoError(t, err)
			require.Equal(t, c.text, string(b), "a file that cannot be read is left alone")
		})
	}
}

func TestEmptyFile(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n\n", "# nothing yet\n", "---\n"} {
		p := testPaths(t)
		write(t, p.Config, text)
		f, err := ReadFile(p.Config)
		require.NoError(t, err, "%q", text)
		require.Equal(t, File{}, f, "%q", text)
	}
	big := testPaths(t)
	write(t, big.Config, "#"+string(slices.Repeat([]byte("x"), maxFile)))
	_, err := ReadFile(big.Config)
	require.ErrorContains(t, err, "at most")
}

func TestBaseURL(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://gateway.example":       "https://gateway.example",
		" https://gateway.example/ \n":  "https://gateway.example",
		"https://gateway.example/v/x//": "https://gateway.example/v/x",
		"http://localhost:8400":         "http://localhost:8400",
		"http://LOCALHOST":              "http://LOCALHOST",
		"http://127.0.0.1":              "http://127.0.0.1",
		"http://127.8.9.1:80/a":         "http://127.8.9.1:80/a",
		"http://[::1]:8400":             "http://[::1]:8400",
	} {
		got, err := CheckBaseURL(in)
		require.NoError(t, err, in)
		require.Equal(t, want, got)
	}
	for _, in := range []string{
		"", "gateway.example", "ftp://gateway.example", "https://", "https://:8400", "https://a b", "https://x.example?q=1",
		"https://x.example?", "https://x.example#f", "http://gateway.example", "http://127.evil.example", "http://127.1",
		"http://localhost.evil.example", "http://10.0.0.1", "https://u:p@x.example", "http://0.0.0.0:8400",
	} {
		_, err := CheckBaseURL(in)
		require.Error(t, err, in)
		require.NotContains(t, err.Error(), "u:p")
	}
}

func TestWritePrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(dir, "file")
	require.NoError(t, WritePrivate(path, []byte("one")))
	require.NoError(t, os.Chmod(path, 0o644)) // #nosec G302 -- to see that it is narrowed
	require.NoError(t, WritePrivate(path, []byte("two")))
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "two", string(b))
	for p, mode := range map[string]os.FileMode{path: 0o600, dir: 0o700} {
		info, err := os.Stat(p)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), p)
	}
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(path, link))
	require.NoError(t, WritePrivate(link, []byte("three")))
	b, err = os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "three", string(b))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink, "the link is one still")

	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	require.Error(t, WritePrivate(filepath.Join(dir, "folder"), []byte("x")), "a folder cannot be replaced")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 3, "no temporary file is left: %v", entries)
}

// TestFullDisk: a file that could not be written whole is not put in place.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	require.ErrorIs(t, fill(full, []byte("x")), syscall.ENOSPC)
	require.ErrorIs(t, full.Close(), os.ErrClosed)
}

// TestPaths is not parallel: it sets the environment.
func TestPaths(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, k := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_DOWNLOAD_DIR"} {
		t.Setenv(k, "")
	}
	t.Setenv("XDG_STATE_HOME", filepath.Join(home, "elsewhere"))
	p := XDGPaths()
	require.Equal(t, filepath.Join(home, ".config", "darkroom", "config.yaml"), p.Config)
	require.Equal(t, filepath.Join(home, ".local", "share", "darkroom", "history.db"), p.History)
	require.Equal(t, filepath.Join(home, "elsewhere", "darkroom", "drafts"), p.Drafts)
	require.Equal(t, filepath.Join(home, "Downloads", "darkroom"), p.Downloads)
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "theme: dark\n", "profiles: {work: {base_url: https://x.example}}\n", "keys: {a: [b]}\n", team, "profiles: {t: {base_url: https://x.example, create_paths: {tasks: api}}}", "a: &b [*b]\n", "- - :\n?", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := parse([]byte(s))
		if err != nil {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(got.Profiles)) {
			require.NoError(t, CheckName(name))
			u, err := CheckBaseURL(got.Profiles[name].BaseURL)
			require.NoError(t, err)
			require.Equal(t, u, got.Profiles[name].BaseURL)
			for format, path := range got.Profiles[name].CreatePaths {
				require.NoError(t, checkCreatePath(format, path))
			}
		}
		path := filepath.Join(t.TempDir(), "config.yaml")
		write(t, path, s)
		after, err := SetProfile(path, "added", "https://added.example")
		require.NoError(t, err)
		again, err := ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, after, again)
		require.Equal(t, "https://added.example", again.Profiles["added"].BaseURL)
	})
}

// TestBombsInTheSettings took seconds and gigabytes, or the process, before reading YAML was
// bounded.
func TestBombsInTheSettings(t *testing.T) {
	t.Parallel()
	laughs := "keys:\n  a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 10; i++ {
		laughs += fmt.Sprintf("  a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 8), i-1)
	}
	for name, text := range map[string]string{
		"aliases": laughs,
		"depth":   "player: " + strings.Repeat("[", 200_000),
		"dashes":  "player:\n  " + strings.Repeat("- ", 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := testPaths(t)
			write(t, p.Config, text)
			_, err := ReadFile(p.Config)
			require.ErrorContains(t, err, p.Config)
			_, err = SetProfile(p.Config, "work", "https://x.example")
			require.ErrorContains(t, err, p.Config)
		})
	}
}
