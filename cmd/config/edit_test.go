package config

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSetProfile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, name, url, after string }{
		"no file": {"", "work", "https://w.example", "profiles:\n  work:\n    base_url: https://w.example\nprofile: work\n"},
		"comments and order stay": {
			"# mine\ntheme: dark   # I like it\n\nkeys:\n  queue.download: [d]\n", "work", "https://w.example",
			"# mine\ntheme: dark   # I like it\n\nkeys:\n  queue.download: [d]\nprofiles:\n  work:\n    base_url: https://w.example\nprofile: work\n",
		},
		"one more": {
			"profile: work\nprofiles:\n    # the real one\n    work: {base_url: https://w.example}\ntheme: dark\n", "home", "http://localhost:1",
			"profile: work\nprofiles:\n    # the real one\n    work: {base_url: https://w.example}\n    home:\n      base_url: http://localhost:1\ntheme: dark\n",
		},
		"another address": {
			"profile: work\nprofiles:\n  work:\n    base_url: \"https://w.example\" # old\n  z: {base_url: https://w.example}\n", "work", "https://new.example/x",
			"profile: work\nprofiles:\n  work:\n    base_url: https://new.example/x # old\n  z: {base_url: https://w.example}\n",
		},
		"another address in braces": {
			"profiles: {work: {base_url: https://w.example}} # all\nprofile: work\n", "work", "https://n.example",
			"profiles: {work: {base_url: https://n.example}} # all\nprofile: work\n",
		},
		"nothing new": {
			"profile: work\nprofiles: {work: {base_url: https://w.example/}}", "work", "https://w.example",
			"profile: work\nprofiles: {work: {base_url: https://w.example/}}",
		},
		"only comments": {"# nothing yet\n", "work", "https://w.example", "# nothing yet\nprofiles:\n  work:\n    base_url: https://w.example\nprofile: work\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := testPaths(t)
			if c.before != "" {
				write(t, p.Config, c.before)
			}
			f, err := SetProfile(p.Config, c.name, c.url)
			require.NoError(t, err)
			b, err := os.ReadFile(p.Config)
			require.NoError(t, err)
			require.Equal(t, c.after, string(b))
			require.NoFileExists(t, p.Config+".old")
			again, err := ReadFile(p.Config)
			require.NoError(t, err)
			require.Equal(t, f, again)
			require.Equal(t, c.url, again.Profiles[c.name].BaseURL)
		})
	}
}

func TestSetProfileThatCanNotBeWrittenIn(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"{theme: dark}\n", "theme: dark\nprofiles: {work: {base_url: https://w.example}}\n", "theme: dark\nprofile:\n", "theme: dark\n...\n"} {
		p := testPaths(t)
		write(t, p.Config, text)
		f, err := SetProfile(p.Config, "home", "https://h.example")
		require.NoError(t, err, text)
		require.Equal(t, "dark", f.Theme)
		again, err := ReadFile(p.Config)
		require.NoError(t, err, text)
		require.Equal(t, f, again, text)
		require.Equal(t, "https://h.example", again.Profiles["home"].BaseURL)
		if b, err := os.ReadFile(p.Config + ".old"); err == nil {
			require.Equal(t, text, string(b), "what could not be kept lies beside it")
		}
	}
}

func TestSetProfileRefuses(t *testing.T) {
	t.Parallel()
	p := testPaths(t)
	_, err := SetProfile(p.Config, "sandbox", "https://w.example")
	require.ErrorContains(t, err, "taken")
	_, err = SetProfile(p.Config, "work", "http://w.example")
	require.ErrorContains(t, err, "plain http")
	require.NoFileExists(t, p.Config)
}
