package client_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func TestParseJSONSaysWhere(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "line 1, column 1: ",
		"{":                         "line 1, column 2: unexpected end",
		"{\n  \"a\": 1,\n}":         "line 3, column 1: invalid character '}'",
		"[1, 2":                     "line 1, column 6: unexpected end",
		"{\"塩\": x}":                "line 1, column 7: invalid character 'x'",
		"{} {}":                     "line 1, column 4: invalid character '{' after top-level value",
		"[]]":                       "line 1, column 3: invalid character ']'",
		"{\"a\": \"b\nc\"}":         "line 1, column 9: invalid character '\\n' in string",
		"{\"a\":\r\n \"b\",, 1}":    "line 2, column 6: invalid character ','",
		"{\n\"塩\": \"a\xff\"}":      "line 2, column 8: the text is not UTF-8",
		"tru":                       "line 1, column 4: unexpected end",
		"{\"a\": 01}":               "line 1, column 8: invalid character '1'",
		"[\n\n\n\n\"x\" \"y\"\n]\n": "line 5, column 5: invalid character '\"'",
	} {
		_, err := client.ParseJSON(text)
		require.Error(t, err, "%q", text)
		assert.Contains(t, err.Error(), want, "%q", text)
	}
	v, err := client.ParseJSON(" {\"n\": 9007199254740993, \"x\": [1e400, true, null, \"<&>\"]}\n")
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"n": json.Number("9007199254740993"), "x": []any{json.Number("1e400"), true, nil, "<&>"}}, v)
	v, err = client.ParseJSON("\"\ufffd\"")
	require.NoError(t, err, "a replacement character that was written is text")
	assert.Equal(t, "\ufffd", v)
}

func FuzzParseJSON(f *testing.F) {
	for _, s := range []string{"{}", "[1,", "\"\xff\"", "{\n\"a\"", "nul", " 1 2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, err := client.ParseJSON(s)
		if err != nil && (strings.Contains(err.Error(), "nested deeper") || strings.Contains(err.Error(), "too many values")) {
			return
		}
		if (err == nil) != (json.Valid([]byte(s)) && utf8.ValidString(s)) {
			t.Fatalf("%q: %v", s, err)
		}
	})
}

func TestDeepJSONIsRefused(t *testing.T) {
	deep := func(n int) string { return `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}" }
	_, err := client.ParseJSON(deep(99))
	require.NoError(t, err)
	_, err = client.ParseJSON(deep(100))
	require.EqualError(t, err, "line 1, column 105: the JSON is nested deeper than 100")
	_, err = client.ParseJSON("{\n" + deep(9000)[1:])
	require.EqualError(t, err, "line 2, column 104: the JSON is nested deeper than 100")
	_, err = client.ParseJSON(`"` + strings.Repeat(`[{\"`, 200) + `"`)
	require.NoError(t, err, "in a text they are text")
	_, err = client.ParseJSON(strings.Repeat("[", 99) + strings.Repeat("1,", 200_000) + "1" + strings.Repeat("]", 99))
	require.ErrorContains(t, err, "more than 32 MiB")
	_, err = client.ParseJSON("[" + strings.Repeat("1,", 200_000) + "1]")
	require.NoError(t, err)
}
