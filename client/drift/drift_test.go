package drift

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func lists(t testing.TB) *Lists {
	t.Helper()
	l, err := Embedded()
	require.NoError(t, err)
	return l
}

func TestOwn(t *testing.T) {
	l := lists(t)
	all := l.Own(l.Check("ent", Query, []byte(`{"scaled_from":"720p","credits":4,"cost":1}`)))
	require.Len(t, all, 3)
	for _, x := range all {
		assert.Equal(t, x.Path == "scaled_from", x.Own, x.Path)
		assert.Equal(t, x.Path == "cost", x.Alarm(), x.Path)
	}
	var c Counter
	c.Add(all, time.Now(), "a")
	c.Add(l.Check("ent", Query, []byte(`{"scaled_from":"720p"}`)), time.Now(), "b")
	assert.Len(t, c.Rows(false), 2, "the same field of another gateway is an alarm")
}

func TestCheck(t *testing.T) {
	for name, x := range map[string]struct {
		format string
		of     Of
		body   string
		want   []Finding
	}{
		"as documented":          {"videos", Query, `{"id":"v","status":"completed","video_url":"u"}`, nil},
		"a general term":         {"videos", Query, `{"id":"v","status":"in_progress"}`, nil},
		"seen elsewhere":         {"videos", Query, `{"id":"v","status":"pending","progress":3}`, []Finding{{What: Field, Path: "progress", Got: "integer", Elsewhere: true}, {What: Term, Path: "status", Got: "pending", Elsewhere: true}}},
		"progress as text":       {"videos", Query, `{"progress":"30%"}`, []Finding{{What: Type, Path: "progress", Got: "string", Unlisted: true}}},
		"nobody's field":         {"ent", Query, `{"id":"v","cost":{"usd":1}}`, []Finding{{What: Field, Path: "cost", Got: "object"}}},
		"nobody's term":          {"ent", Query, `{"state":"napping\u001b[2J"}`, []Finding{{What: Term, Path: "state", Got: "napping␛[2J"}}},
		"another type":           {"content", Query, `{"created_at":"2026-01-01","updated_at":1.5}`, []Finding{{What: Type, Path: "created_at", Got: "string", Elsewhere: true}, {What: Type, Path: "updated_at", Got: "number"}}},
		"in a list, once":        {"images", Create, `{"created":1,"data":[{"url":"a","x":1},{"url":"b","x":2}]}`, []Finding{{What: Field, Path: "data[].x", Got: "integer"}}},
		"null says nothing":      {"responses", Query, `{"error":null,"made_up":null}`, nil},
		"not documented, unsaid": {"responses", Query, `{"usage":{"a":1},"output":[{"type":"t","content":[1]}]}`, []Finding{{What: Field, Path: "output[].content", Got: "array", Elsewhere: true}}},
		"not documented at all":  {"music", Query, `{"code":"success","song":1}`, []Finding{{What: Field, Path: "code", Got: "string", Elsewhere: true}, {What: Field, Path: "song", Got: "integer"}}},
		"an error of any":        {"music", Error, `{"error":{"code":7,"message":"m"}}`, []Finding{{What: Type, Path: "error.code", Got: "integer", Elsewhere: true}}},
		"a flat error":           {"ent", Error, `{"code":"x","message":"m","data":null}`, []Finding{{What: Field, Path: "code", Got: "string", Elsewhere: true}, {What: Field, Path: "message", Got: "string", Elsewhere: true}}},
		"no JSON":                {"videos", Query, `<html>`, nil},
		"a list at the top":      {"videos", Query, `[1]`, []Finding{{What: Field, Path: "[]", Got: "integer"}}},
		"a format of nobody":     {"mail", Query, `{"x":1}`, nil},
	} {
		got := lists(t).Check(x.format, x.of, []byte(x.body))
		for i := range got {
			assert.Equal(t, x.of, got[i].Of, name)
			got[i].Format, got[i].Of, got[i].Want = "", "", nil
		}
		assert.Equal(t, x.want, got, name)
	}
}

func TestText(t *testing.T) {
	got := lists(t).Check("ent", Query, []byte(`{"err_code":5,"state":"odd","who":[]}`))
	require.Len(t, got, 3)
	assert.Equal(t, "err_code is a whole number here, not text", got[0].Text())
	assert.Equal(t, `state is "odd", a term that is not listed`, got[1].Text())
	assert.Equal(t, "who (a list) is not listed", got[2].Text())
}

func TestBounds(t *testing.T) {
	l := lists(t)
	members := map[string]int{}
	for i := range 5000 {
		members[strings.Repeat("x", 1000)+string(rune('a'+i%26))+strings.Repeat("y", i)] = i
	}
	body, err := json.Marshal(members)
	require.NoError(t, err)
	got := l.Check("videos", Query, body)
	assert.LessOrEqual(t, len(got), maxFindings)
	for _, f := range got {
		assert.LessOrEqual(t, len(f.Path), maxText+len("…"))
	}
	assert.Empty(t, l.Check("chat", Create, []byte(`{"usage":`+strings.Repeat("[", 9000)+strings.Repeat("]", 9000)+`}`))[1:])
}

// TestEveryAnswerHasASentence ties each list to the sentence of the document that it is taken from.
func TestEveryAnswerHasASentence(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "catalog", "testdata", "sentences.txt"))
	require.NoError(t, err)
	known := map[string]bool{}
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		id, _, _ := strings.Cut(s.Text(), "|")
		known[strings.TrimSpace(id)] = true
	}
	for answer, id := range lists(t).sentences {
		assert.True(t, known[id], "%s: no sentence %q", answer, id)
	}
}

func TestLoadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"answers:\n  - {format: a, of: query, named: {x: text}}":           `a query: x: "text" is not a type`,
		"answers:\n  - {format: a, of: query}\n  - {format: a, of: query}": "a query is there twice",
		"answers:\n  - {format: a, of: query, fields: {x: string}}":        "unknown field",
	} {
		_, err := load([]byte(text))
		assert.ErrorContains(t, err, want)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("videos", "query", []byte(`{"id":1,"status":"x"}`))
	f.Add("content", "query", []byte(`{"items":[{"content":{"a":[]}}]}`))
	f.Add("", "error", []byte(`{"error":"x"}`))
	l := lists(f)
	f.Fuzz(func(t *testing.T, format, of string, body []byte) {
		for _, x := range l.Check(format, Of(of), body) {
			if x.Text() == "" || len(x.Path) > maxText+len("…") || strings.ContainsAny(x.Path+x.Got, "\x1b\n\r") {
				t.Fatalf("%+v", x)
			}
		}
	})
}

func TestCounter(t *testing.T) {
	var c Counter
	l, at := lists(t), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c.Add(l.Check("videos", Query, []byte(`{"id":"a","cost":1,"progress":1}`)), at, "a")
	c.Add(l.Check("videos", Query, []byte(`{"id":"b","cost":2,"why":"x"}`)), at.Add(-time.Hour), "b")
	c.Add(nil, at, "c")
	assert.Equal(t, 3, c.Answers)
	rows := c.Rows(false)
	require.Len(t, rows, 2)
	assert.Equal(t, Row{Finding: Finding{Format: "videos", Of: Query, What: Field, Path: "cost", Got: "integer"}, Count: 2, First: at.Add(-time.Hour), Last: at, Example: "a"}, rows[0])
	assert.Equal(t, "why", rows[1].Path)
	assert.Len(t, c.Rows(true), 3)
	assert.NotNil(t, (&Counter{}).Rows(true))
}
