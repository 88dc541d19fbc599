package jsonquery_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/jsonquery"
)

const body = `{"id":"v-1","status":"queued","n":12345678901234567890.10,"list":[{"k":1},{"k":2},{"k":3}],"a b":null}`

func run(t testing.TB, filter, body string) (string, error) {
	t.Helper()
	f, err := jsonquery.Compile(filter)
	if err != nil {
		return "", err
	}
	values, err := f.Run(t.Context(), []byte(body))
	out := make([]string, len(values))
	for i, v := range values {
		require.True(t, json.Valid(v), "%s", v)
		out[i] = string(v)
	}
	return strings.Join(out, " "), err
}

func TestFilter(t *testing.T) {
	for filter, want := range map[string]string{
		".":                     `{"a b":null,"id":"v-1","list":[{"k":1},{"k":2},{"k":3}],"n":12345678901234567890.10,"status":"queued"}`,
		".id":                   `"v-1"`,
		".n":                    `12345678901234567890.10`,
		".list[] | .k":          `1 2 3`,
		".list | map(.k) | add": `6`,
		`."a b"`:                `null`,
		".none":                 `null`,
		"empty":                 ``,
		"halt":                  ``,
		"env, $ENV":             `{} {}`,
	} {
		got, err := run(t, filter, body)
		require.NoError(t, err, filter)
		assert.Equal(t, want, got, filter)
	}
}

func TestWhatIsWrongWithAFilterIsOneLine(t *testing.T) {
	for filter, want := range map[string]string{
		".list[":                      "the filter ends early",
		".a b":                        "unexpected token",
		"nosuch":                      "function not defined",
		"input":                       "input",
		"inputs":                      "input",
		`import "a" as a; 1`:          "module",
		".id | .x":                    "expected an object",
		`error("a\nb\u001b[2J")`:      `error: a b`,
		strings.Repeat("1,", 5000):    "bytes",
		`"x" * 9000000`:               "more than 8 MiB",
		`[limit(3; range(9))], error`: "error",
	} {
		_, err := run(t, filter, body)
		require.Error(t, err, filter)
		assert.Contains(t, err.Error(), want, filter)
		assert.NotContains(t, err.Error(), "\n")
		assert.NotContains(t, err.Error(), "\x1b")
	}
	got, err := run(t, ".list[].k, error(\"late\")", body)
	require.Error(t, err)
	assert.Equal(t, "1 2 3", got, "what came before it")
	for _, no := range []string{"", "<html>", "{} {}", `{"a":`} {
		_, err := run(t, ".", no)
		assert.ErrorContains(t, err, "JSON", no)
	}
}

func TestAFilterIsEnded(t *testing.T) {
	f, err := jsonquery.Compile("def f: f; f")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = f.Run(ctx, []byte("1"))
	assert.ErrorIs(t, err, context.Canceled)
}

func TestAFilterTakesNoMoreMemoryThanThereIs(t *testing.T) {
	f, err := jsonquery.Compile(`[range(400) | "x" * 4000000] | length`)
	require.NoError(t, err)
	_, err = f.For(time.Minute).Run(t.Context(), []byte("1"))
	assert.ErrorContains(t, err, "MiB of memory")
}

func TestPathsAreThoseOfJQ(t *testing.T) {
	for want, path := range map[string]string{
		".a":            jsonquery.Member(".", "a"),
		".a._b9":        jsonquery.Member(".a", "_b9"),
		`.["a b"]`:      jsonquery.Member(".", "a b"),
		`.a["<9>\"\n"]`: jsonquery.Member(".a", "<9>\"\n"),
		`.[""]`:         jsonquery.Member(".", ""),
		".[0]":          jsonquery.Item(".", 0),
		`.a[3].b`:       jsonquery.Member(jsonquery.Item(".a", 3), "b"),
		`.["9"]`:        jsonquery.Member(".", "9"),
		`.["塩"]`:        jsonquery.Member(".", "塩"),
	} {
		assert.Equal(t, want, path)
		_, err := jsonquery.Compile(path)
		require.NoError(t, err, path)
	}
	for _, word := range []string{"if", "and", "reduce", "end", "__loc__", "import"} {
		_, err := jsonquery.Compile(jsonquery.Member(".", word))
		require.NoError(t, err, word)
	}
}

func diff(t testing.TB, a, b string) string {
	t.Helper()
	all, err := jsonquery.Diff([]byte(a), []byte(b))
	require.NoError(t, err)
	out := make([]string, len(all))
	for i, c := range all {
		out[i] = c.Sign() + " " + c.Path + " " + string(c.Was) + ">" + string(c.Is)
	}
	return strings.Join(out, "\n")
}

func TestDiff(t *testing.T) {
	for _, x := range []struct{ a, b, want string }{
		{body, body, ""},
		{`{"a":1,"b":[1]}`, `{"b":[1],"a":1}`, ""},
		{`{"s":"queued","p":1}`, `{"s":"done","url":"u"}`, "- .p 1>\n~ .s \"queued\">\"done\"\n+ .url >\"u\""},
		{`[1,2,3]`, `[0,1,2,3]`, "+ .[0] >0"},
		{`[1,2,3]`, `[1,3]`, "- .[1] 2>"},
		{`[1,{"a":2},3]`, `[1,{"a":9},3]`, "~ .[1].a 2>9"},
		{`{"a":null}`, `{}`, "- .a null>"},
		{`{"a":null}`, `{"a":false}`, "~ .a null>false"},
		{`{"a":{"b":1}}`, `{"a":[1]}`, `~ .a {"b":1}>[1]`},
		{`"x"`, `1`, `~ . "x">1`},
		{`{"n":1.0}`, `{"n":1}`, `~ .n 1.0>1`},
	} {
		assert.Equal(t, x.want, diff(t, x.a, x.b), "%s %s", x.a, x.b)
	}
	_, err := jsonquery.Diff([]byte("<html>"), []byte("{}"))
	assert.Error(t, err)
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{".a[0]", ".[] | select(.x)", "def f: 1; f", "\"\\(", "..|.a?", "$__loc__", "@json \"x\\(.)\"", "limit(3;repeat(1))"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, err := jsonquery.Compile(s)
		if err != nil && strings.ContainsAny(err.Error(), "\n\r\x1b") {
			t.Fatalf("%q", err)
		}
	})
}

func FuzzDiff(f *testing.F) {
	f.Add(`{"a":[1,2]}`, `{"a":[2]}`)
	f.Add(`[[],{}]`, `[{}]`)
	f.Fuzz(func(t *testing.T, a, b string) {
		all, err := jsonquery.Diff([]byte(a), []byte(b))
		if err != nil {
			return
		}
		back, err := jsonquery.Diff([]byte(b), []byte(a))
		if err != nil || len(back) != len(all) {
			t.Fatalf("%d one way, %d the other: %v", len(all), len(back), err)
		}
		for _, c := range all {
			if string(c.Was) == string(c.Is) {
				t.Fatalf("no change: %+v", c)
			}
			if _, err := jsonquery.Compile(c.Path); err != nil && len(c.Path) < 1000 {
				t.Fatalf("%q: %v", c.Path, err)
			}
		}
	})
}
