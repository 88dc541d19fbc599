package config

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const team = `# ours
profiles:
  team: # theirs
    base_url: https://t.example
    create_paths:
      tasks: /api/v1/services/video   # asked for
      responses: /v1/responses
profile: team
`

// TestCreatePaths: GATEWAY Endpoints, rules 4 and 6: the creates of these formats are not
// shown, so a profile names them.
func TestCreatePaths(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"tasks", "status", "responses"}, Configurable())
	p := testPaths(t)
	write(t, p.Config, team)
	c, err := Load(Request{Paths: p, Env: environment(nil)})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"tasks": "/api/v1/services/video", "responses": "/v1/responses"}, c.Profile.CreatePaths)

	c, err = Load(Request{Paths: p, Profile: Sandbox, Env: environment(nil)})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"responses": "/v1/responses"}, c.Profile.CreatePaths, "the embedded gateway serves this one")
}

// TestCreatePathsStay: another address leaves the paths and the comments alone.
func TestCreatePathsStay(t *testing.T) {
	t.Parallel()
	for _, text := range []string{team, "profiles: {team: {base_url: https://t.example, create_paths: {tasks: /a}}}\nprofile: team\n"} {
		p := testPaths(t)
		write(t, p.Config, text)
		before, err := ReadFile(p.Config)
		require.NoError(t, err)
		_, err = SetProfile(p.Config, "team", "https://new.example")
		require.NoError(t, err)
		_, err = SetProfile(p.Config, "other", "https://o.example")
		require.NoError(t, err)
		f, err := ReadFile(p.Config)
		require.NoError(t, err)
		require.Equal(t, "https://new.example", f.Profiles["team"].BaseURL)
		require.Equal(t, before.Profiles["team"].CreatePaths, f.Profiles["team"].CreatePaths)
		b, err := os.ReadFile(p.Config)
		require.NoError(t, err)
		if text == team {
			require.Contains(t, string(b), "tasks: /api/v1/services/video   # asked for")
			require.NoFileExists(t, p.Config+".old")
		}
	}
}

func TestCreatePathsThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format, path string
		says         []string
	}{
		"documented format": {"videos", "/v1/videos", []string{`"videos"`, "documented", "tasks, status, responses"}},
		"unknown format":    {"taks", "/x", []string{`"taks"`, "tasks, status, responses"}},
		"relative":          {"tasks", "api/v1", []string{`"api/v1"`, "begin with /", "/v1/responses"}},
		"address":           {"tasks", "https://evil.example/x", []string{"begin with /"}},
		"nothing":           {"tasks", "", []string{"begin with /"}},
		"only a slash":      {"tasks", "/", []string{"and a name"}},
		"host":              {"tasks", "//evil.example/x", []string{"host"}},
		"query":             {"tasks", "/x?key=1", []string{"query"}},
		"fragment":          {"tasks", "/x#y", []string{"fragment"}},
		"blank":             {"tasks", "/a b", []string{"blanks"}},
		"control character": {"tasks", "/a\x1b[2J", []string{"control"}},
		"backslash":         {"tasks", `/\evil.example`, []string{`\`}},
		"climbing":          {"tasks", "/a/../../x", []string{".. do not"}},
		"escaped climbing":  {"tasks", "/a/%2e%2E/x", []string{".. do not"}},
		"escaped slash":     {"tasks", "/a/%2fx", []string{"slash"}},
		"escaped newline":   {"tasks", "/a%0d%0aX", []string{"control character"}},
		"half an escape":    {"tasks", "/a%2", []string{"hexadecimal"}},
		"letters":           {"tasks", "/é", []string{"ASCII"}},
		"long":              {"tasks", "/" + strings.Repeat("a", 1024), []string{"1024"}},
	} {
		err := checkCreatePath(c.format, c.path)
		require.Error(t, err, name)
		for _, s := range c.says {
			require.Contains(t, err.Error(), s, name)
		}
		require.NotContains(t, err.Error(), "\x1b")
	}
	require.NoError(t, checkCreatePath("status", "/famF/v1/videos/image2video"))
	require.NoError(t, checkCreatePath("responses", "/v1/a%20b:go"))

	p := testPaths(t)
	write(t, p.Config, strings.Replace(team, "/api/v1/services/video", "api", 1))
	_, err := ReadFile(p.Config)
	require.ErrorContains(t, err, "[6:14] profiles.team.create_paths.tasks: \"api\"")
	write(t, p.Config, strings.Replace(team, "tasks: /api/v1/services/video", "tasks: [1]", 1))
	_, err = ReadFile(p.Config)
	require.ErrorContains(t, err, "[6:14]")
}
