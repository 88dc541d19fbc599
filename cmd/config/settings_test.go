package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"darkroom/client/yamlfile"
)

// keysOfType are the keys of a struct that the loader decodes into, as the table writes them.
func keysOfType(t reflect.Type, prefix string) (keys []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, more, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case !f.IsExported():
		case strings.Contains(more, "inline"):
			keys = append(keys, keysOfType(f.Type, prefix)...)
		case f.Type.Kind() == reflect.Map && f.Type.Elem().Kind() == reflect.Struct:
			keys = append(keys, keysOfType(f.Type.Elem(), prefix+name+".*.")...)
		case f.Type.Kind() == reflect.Map:
			keys = append(keys, prefix+name+".*")
		default:
			keys = append(keys, prefix+name)
		}
	}
	return keys
}

func TestEveryKeyOfTheLoaderIsASetting(t *testing.T) {
	t.Parallel()
	var table []string
	for _, s := range Settings() {
		table = append(table, s.Key)
		require.True(t, strings.HasSuffix(s.Help, "."), s.Key)
	}
	require.ElementsMatch(t, keysOfType(reflect.TypeFor[File](), ""), table)
}

// schemaOf is the schema as an editor gets it.
func schemaOf(t *testing.T, actions []Action) map[string]any {
	t.Helper()
	b, err := json.Marshal(Schema(actions))
	require.NoError(t, err)
	var out map[string]any
	require.NoError(t, json.Unmarshal(b, &out))
	return out
}

func TestEveryKeyOfTheLoaderIsInTheSchema(t *testing.T) {
	t.Parallel()
	for _, key := range keysOfType(reflect.TypeFor[File](), "") {
		at := schemaOf(t, nil)
		for part := range strings.SplitSeq(key, ".") {
			next := at["additionalProperties"]
			if part != "*" {
				next = at["properties"].(map[string]any)[part]
			}
			require.IsType(t, map[string]any{}, next, "%s: %s", key, part)
			at = next.(map[string]any)
		}
		require.NotEmpty(t, at["description"], key)
	}
	s := schemaOf(t, []Action{{"queue.download", "Download"}})
	require.Equal(t, "https://json-schema.org/draft/2020-12/schema", s["$schema"])
	keys := s["properties"].(map[string]any)["keys"].(map[string]any)
	require.Equal(t, false, keys["additionalProperties"], "no other actions")
	require.Contains(t, keys["properties"], "queue.download")
}

// wrong says what is wrong with a value by a schema, as far as the keywords that ours has go.
func wrong(schema map[string]any, v any, at string) (out []string) {
	is := func(kind string) bool {
		switch x := v.(type) {
		case nil:
			return kind == "null"
		case bool:
			return kind == "boolean"
		case string:
			return kind == "string"
		case float64:
			return kind == "number" || kind == "integer" && x == float64(int(x))
		case []any:
			return kind == "array"
		default:
			return kind == "object"
		}
	}
	for key, rule := range schema {
		ok := true
		switch key {
		case "type":
			kinds, many := rule.([]any)
			if !many {
				kinds = []any{rule}
			}
			ok = slices.ContainsFunc(kinds, func(k any) bool { return is(k.(string)) })
		case "enum":
			ok = slices.Contains(rule.([]any), v)
		case "const":
			ok = v == rule
		case "minimum":
			n, is := v.(float64)
			ok = !is || n >= rule.(float64)
		case "maximum":
			n, is := v.(float64)
			ok = !is || n <= rule.(float64)
		case "pattern":
			ok = regexp.MustCompile(rule.(string)).MatchString(v.(string))
		case "not":
			ok = len(wrong(rule.(map[string]any), v, at)) > 0
		case "anyOf":
			ok = slices.ContainsFunc(rule.([]any), func(s any) bool { return len(wrong(s.(map[string]any), v, at)) == 0 })
		case "required":
			m, is := v.(map[string]any)
			for _, k := range rule.([]any) {
				_, has := m[k.(string)]
				ok = ok && (!is || has)
			}
		case "items":
			list, _ := v.([]any)
			for i, x := range list {
				out = append(out, wrong(rule.(map[string]any), x, fmt.Sprintf("%s[%d]", at, i))...)
			}
		case "propertyNames":
			m, _ := v.(map[string]any)
			for k := range m {
				out = append(out, wrong(rule.(map[string]any), k, at+"."+k)...)
			}
		case "properties", "additionalProperties":
			out = append(out, wrongMembers(schema, key, v, at)...)
		case "$schema", "title", "description", "default":
		default:
			out = append(out, "no such keyword: "+key)
		}
		if !ok {
			out = append(out, at+" fails "+key)
		}
	}
	return out
}

func wrongMembers(schema map[string]any, key string, v any, at string) (out []string) {
	props, _ := schema["properties"].(map[string]any)
	m, _ := v.(map[string]any)
	for k, x := range m {
		s, known := props[k].(map[string]any)
		switch {
		case known != (key == "properties"):
			continue
		case !known && schema["additionalProperties"] == false:
			out = append(out, at+"."+k+" is not known")
			continue
		case !known:
			s = schema["additionalProperties"].(map[string]any)
		}
		out = append(out, wrong(s, x, at+"."+k)...)
	}
	return out
}

func decoded(t *testing.T, text []byte) (v any) {
	t.Helper()
	var raw any
	require.NoError(t, yaml.Unmarshal(text, &raw))
	b, err := json.Marshal(raw)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &v))
	return v
}

func TestTheSchemaTakesTheExampleAndTheLoaderToo(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../docs/config.example.yaml")
	require.NoError(t, err)
	require.Empty(t, Lint(b))
	require.Empty(t, wrong(schemaOf(t, nil), decoded(t, b), "$"))
	seen := map[string]bool{}
	all := Settings()
	visit(all, root(b), nil, func(s *Setting, _ []string, _ yamlfile.Entry) { seen[s.Key] = true })
	for _, s := range all {
		require.True(t, seen[s.Key], "the example has %s", s.Key)
	}
}

// TestWhatIsWrong: of each mistake the schema tells, and the loader says where it is and what is
// allowed.
func TestWhatIsWrong(t *testing.T) {
	t.Parallel()
	const p = "profiles:\n  work:\n    base_url: https://w.example\n"
	for text, says := range map[string]string{
		"them: dark\n":                             "[1:1] them: there is no such setting; near it: theme",
		"colossus: 1\n":                            "[1:1] colossus: there is no such setting; allowed are profile, theme, preview,",
		"preview: crayon\n":                        `[1:10] preview: "crayon" is none of auto, kitty,`,
		"theme: dark\nmouse: perhaps\n":            "[2:8] mouse: give true or false",
		"retention: 1.5\n":                         "[1:12] retention: 1.5: give a whole number of days",
		"parallel_downloads: 65\n":                 "[1:21] parallel_downloads: 65: give a number from 0 to 64, whole",
		"player: mpv\n":                            "[1:9] player: give a list, such as [mpv, --fs]",
		"keys: [a]\n":                              "keys: give keys and values",
		p + "    rate: 5000\n":                     "[4:11] profiles.work.rate: 5000: give requests a second, from 0.01 to 1000",
		p + "    bannr: X\n":                       "[4:5] profiles.work.bannr: there is no such setting; near it: banner",
		p + "  a b: {}\n":                          `[4:3] profiles: profile name "a b"`,
		"profiles:\n  work:\n    rate: 1\n":        "profiles.work.base_url",
		p + "    create_paths:\n      music: /x\n": `format "music"`,
		p + "    read_only: [sk-hidden]\n":         "[4:16] profiles.work.read_only: give true or false",
	} {
		all := Lint([]byte(text))
		require.NotEmpty(t, all, text)
		require.ErrorContains(t, all[0], says, text)
		require.NotContains(t, all[0].Error(), "sk-hidden")
		require.NotEmpty(t, wrong(schemaOf(t, nil), decoded(t, []byte(text)), "$"), "the schema, too: %s", text)
	}
	require.Len(t, Lint([]byte("them: dark\nmouse: perhaps\nprofiles: {w: {rate: 9999}}\n")), 4, "all of them are told")
}

func TestDefaultsAreThoseOfTheLoader(t *testing.T) {
	t.Parallel()
	p := testPaths(t)
	c, err := Load(Request{Paths: p, Env: environment(nil)})
	require.NoError(t, err)
	got := map[string]string{
		"profile": c.Profile.Name, "theme": c.Theme, "preview": string(c.Preview), "mouse": fmt.Sprint(c.Mouse), "notify": c.Notify,
		"auto_download": fmt.Sprint(c.AutoDownload), "sidecars": fmt.Sprint(!c.Saving.NoSidecar), "retention": fmt.Sprint(int(c.Retention)),
	}
	text := ""
	for _, s := range Settings() {
		if want, ok := got[s.Key]; ok {
			require.Equal(t, want, s.Default, s.Key)
		}
		if s.Default != "" {
			require.NoError(t, s.Check(s.value(s.Default)), s.Key)
		}
		if s.Default != "" && !strings.Contains(s.Key, "*") {
			text += s.Key + ": " + fmt.Sprintf("%q", s.Default) + "\n"
		}
	}
	require.NotEmpty(t, text)
}

func TestSet(t *testing.T) {
	t.Parallel()
	p := testPaths(t)
	write(t, p.Config, "# mine\ntheme: dark # why\n"+team)
	for _, c := range [][2]string{
		{"theme", "light"}, {"mouse", "false"}, {"retention", "30"}, {"player", "mpv '--a b'"}, {"keys.queue.download", "[d, ctrl+d]"},
		{"profiles.team.rate", "0.5"}, {"profiles.team.banner", "PROD: here"}, {"max_download", "2 GiB"}, {"profiles.team.create_paths.tasks", "/b"},
	} {
		line, err := Set(p.Config, c[0], c[1], nil)
		require.NoError(t, err, c[0])
		require.NotZero(t, line, c[0])
	}
	b, err := os.ReadFile(p.Config)
	require.NoError(t, err)
	require.Equal(t, `# mine
theme: light # why
# ours
profiles:
  team: # theirs
    base_url: https://t.example
    create_paths:
      tasks: /b   # asked for
      responses: /v1/responses
    rate: 0.5
    banner: "PROD: here"
profile: team
mouse: false
retention: 30
player: [mpv, "--a b"]
keys:
  queue.download: [d, ctrl+d]
max_download: "2 GiB"
`, string(b))
	for key, c := range map[string][2]string{
		"preview":                      {"crayon", "is none of auto"},
		"mouse":                        {"maybe", "true or false"},
		"retention":                    {"1.5", "whole number of days"},
		"profiles.team":                {"x", "has settings below it: base_url"},
		"profiles.team.base_url":       {"http://t.example", "plain http"},
		"profiles.new.rate":            {"1", "profiles.new.base_url"},
		"profiles.a b.rate":            {"1", "letters"},
		"profiles.team.dialect":        {"a/b", "letters"},
		"themes":                       {"dark", "near it: theme"},
		"nothing.like.it":              {"x", "there is no setting"},
		"profiles.team.create_paths.x": {"/x", "there is no format"},
	} {
		_, err := Set(p.Config, key, c[0], nil)
		require.ErrorContains(t, err, c[1], key)
		now, err := os.ReadFile(p.Config)
		require.NoError(t, err)
		require.Equal(t, string(b), string(now), "nothing was changed")
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	p := testPaths(t)
	const text = "mouse: false\nplayer: [mpv, --fs]\nprofile: team\nprofiles:\n  team:\n    base_url: https://t.example\n    history: postgres://u:hidden@db.example/jobs\n  other:\n    base_url: https://o.example\n    read_only: false\n"
	write(t, p.Config, text)
	r := Request{Paths: p, Env: environment(map[string]string{EnvTheme: "dark", EnvHistory: "postgres://u:hidden@db2.example/jobs", EnvReadOnly: "1"})}
	c, err := Load(r)
	require.NoError(t, err)
	got := map[string]Value{}
	for _, v := range r.Values(&c, []byte(text)) {
		require.NotContains(t, got, v.Key)
		require.NotContains(t, v.Value, "hidden")
		got[v.Key] = v
	}
	for key, want := range map[string][3]string{
		"theme":                   {"dark", FromEnv, EnvTheme},
		"mouse":                   {"false", FromFile, "line 1"},
		"player":                  {"[mpv, --fs]", FromFile, "line 2"},
		"notify":                  {"auto", FromDefault, ""},
		"profiles.team.base_url":  {"https://t.example", FromFile, "line 6"},
		"profiles.team.read_only": {"1", FromEnv, EnvReadOnly},
		"profiles.team.history":   {"postgres://u:xxxxx@db2.example/jobs", FromEnv, EnvHistory},
		"profiles.other.base_url": {"https://o.example", FromFile, "line 9"},
	} {
		v := got[key]
		require.Equal(t, want, [3]string{v.Value, v.From, v.Place}, key)
	}
	require.Equal(t, FromFile, got["profiles.other.read_only"].From, "the environment's history, dialect and gateway are the profile's in use")
}

func TestReplace(t *testing.T) {
	t.Parallel()
	p := testPaths(t)
	require.Empty(t, Replace(p.Config, nil, []byte("theme: dark\n")))
	require.NotEmpty(t, Replace(p.Config, []byte("theme: dark\n"), []byte("them: dark\n")))
	all := Replace(p.Config, []byte("theme: old\n"), []byte("theme: light\n"))
	require.Len(t, all, 1)
	require.ErrorIs(t, all[0], ErrMoved)
	b, err := os.ReadFile(p.Config)
	require.NoError(t, err)
	require.Equal(t, "theme: dark\n", string(b))
}

func TestUnset(t *testing.T) {
	t.Parallel()
	p := testPaths(t)
	stood, err := Unset(p.Config, "theme", nil)
	require.NoError(t, err)
	require.False(t, stood, "there is no file")
	write(t, p.Config, "# mine\ntheme: dark # why\nprofile: work\nprofiles:\n  work:\n    base_url: https://w.example\n    rate: 2\n")
	for _, key := range []string{"theme", "profiles.work.rate"} {
		stood, err = Unset(p.Config, key, nil)
		require.NoError(t, err)
		require.True(t, stood)
	}
	b, err := os.ReadFile(p.Config)
	require.NoError(t, err)
	require.Equal(t, "# mine\nprofile: work\nprofiles:\n  work:\n    base_url: https://w.example\n", string(b))
	_, err = Unset(p.Config, "profiles.work.base_url", nil)
	require.ErrorContains(t, err, "a profile needs it")
	_, err = Unset(p.Config, "them", nil)
	require.ErrorContains(t, err, "near it: theme")
	_, err = Unset(p.Config, "profile", func(File) error { return errors.New("not that one") })
	require.ErrorContains(t, err, "nothing was written: not that one")
	again, err := os.ReadFile(p.Config)
	require.NoError(t, err)
	require.Equal(t, string(b), string(again))
}
