package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
)

var made = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// cases are a failed task of the history, and an id that nobody knows.
func cases() []Case {
	c := Case{
		Result:    lookup.Result{Subject: inspect.Subject{Kind: inspect.KindID, Value: "vid/1"}, Asked: "vid/1"},
		Events:    []jobs.Event{{At: made, Kind: jobs.EventState, To: jobs.Failed, HTTPStatus: 200, Message: "it | broke [here](https://evil.example)"}},
		Exchanges: []jobs.Exchange{{At: made, Kind: "poll", Path: "GET /v1/videos/vid%2F1", HTTPStatus: 200, RequestID: "r-1"}},
		Request:   []byte(`{"model":"famA3","prompt":"a red kite","input":{"prompt":"a kite","media":[{"url":"https://x.example/a.png?sig=SECRETSIG"}]},"messages":[{"role":"user","content":"a secret wish"}]}`),
		Answer:    []byte(`{"id":"vid/1","status":"failed"}`),
	}
	f := &c.Result.Findings
	f.Job = &jobs.Job{ID: "j-1", TaskID: "vid/1", State: jobs.Failed, Draft: client.Draft{Model: "famA3", Prompt: "a red kite"}, Files: []jobs.File{{Path: "/home/ann/kite.mp4", State: jobs.FileSaved}}}
	f.Routes = []inspect.Route{{Format: "videos"}, {Format: "content"}, {Format: "ent", Done: true, Skipped: "another route knows it"}}
	f.Answer(0, client.RouteResult{Path: "GET /v1/videos/vid%2F1", Meta: client.Meta{HTTPStatus: 200, Latency: 41 * time.Millisecond, RequestID: "r-1"},
		Task: &client.Task{ID: "vid/1", Status: client.StatusFailed, RawStatus: "failed", Progress: -1, CreatedAt: made.Add(-time.Hour), Error: &client.TaskError{Code: "Boom", Message: "<b>no</b>"},
			Raw: []byte(`{"id":"vid/1","status":"failed","revised_prompt":"a red kite, high","video_url":"https://x.example/a.mp4?sig=SECRETSIG","file":"file:///home/ann/a.png"}`)}})
	f.Answer(1, client.RouteResult{Meta: client.Meta{HTTPStatus: 404}, Err: &client.APIError{HTTPStatus: 404, Code: "not_found", Message: "no", Body: []byte(`{"error":{"code":"not_found"}}`)}})
	none := Case{Result: lookup.Result{Subject: inspect.Subject{Kind: inspect.KindRequest, Value: "r-9"}, Err: lookup.ErrRequest}}
	return []Case{c, none}
}

func zipped(t *testing.T, all []Case, o Options) ([]byte, []File) {
	t.Helper()
	files, err := Files(all, o)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, Write(&b, files, o.Made))
	return b.Bytes(), files
}

func TestWhatWasSeenIsReadBack(t *testing.T) {
	data, files := zipped(t, cases(), Options{Program: "v1", Made: made})
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	assert.Equal(t, []string{"README.md", "bundle.json", "001-vid-1/case.json", "001-vid-1/answer-videos.json", "001-vid-1/answer-content.json",
		"001-vid-1/request.json", "001-vid-1/newest-answer.json", "002-r-9/case.json"}, names, "what goes in can be listed before it is written")
	b, err := Read(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	assert.Equal(t, "v1", b.Program)
	require.Len(t, b.Cases, 2)
	want, got := cases()[0], b.Cases[0]
	assert.Equal(t, want.Events, got.Events)
	assert.Equal(t, want.Exchanges, got.Exchanges)
	assert.Equal(t, want.Request, got.Request)
	assert.Equal(t, want.Result.Findings.Facts(), got.Result.Findings.Facts())
	assert.Equal(t, want.Result.Findings.Job.Files, got.Result.Findings.Job.Files)
	for i := range want.Result.Findings.Routes {
		assert.Equal(t, want.Result.Findings.Routes[i].Result.Verdict(), got.Result.Findings.Routes[i].Result.Verdict(), i)
		assert.Equal(t, string(want.Result.Findings.Routes[i].Body), string(got.Result.Findings.Routes[i].Body), "bodies are as they came")
	}
	assert.Equal(t, lookup.NotKnown, b.Cases[1].Result.State(), "a problem is its words alone")
	assert.EqualError(t, b.Cases[1].Result.Err, lookup.ErrRequest.Error())
}

func TestSummary(t *testing.T) {
	_, files := zipped(t, cases(), Options{Made: made, NoPaths: true})
	text := string(files[0].Data)
	for _, want := range []string{"# 2 tasks, as seen 2026-03-01 12:00:00Z", "Left out: local paths.", "| vid/1 | failed | famA3 | videos | Boom \\<b\\>no\\</b\\> |",
		"- created: 2026-03-01 11:00:00Z (videos)", "| ent | 0 | 0 ms | not asked\\: another route knows it |", `it \| broke \[here\]\(https\://evil.example\)`} {
		assert.Contains(t, text, want)
	}
}

func TestWhatIsLeftOut(t *testing.T) {
	all := func(o Options) string {
		_, files := zipped(t, cases(), o)
		var b strings.Builder
		for _, f := range files {
			b.Write(f.Data)
			if strings.HasSuffix(f.Name, ".json") {
				assert.True(t, json.Valid(f.Data), f.Name)
			}
		}
		return b.String()
	}
	for _, x := range []struct {
		o    Options
		gone []string
	}{
		{Options{NoPrompts: true}, []string{"red kite", "a kite", "secret wish"}},
		{Options{NoPaths: true}, []string{"/home/ann"}},
		{Options{NoQueries: true}, []string{"SECRETSIG"}},
	} {
		with, without := all(Options{}), all(x.o)
		for _, s := range x.gone {
			assert.Contains(t, with, s)
			assert.NotContains(t, without, s)
		}
		assert.Contains(t, without, "famA3")
		assert.Contains(t, without, "https://x.example/a.mp4")
		assert.Contains(t, without, `"role"`)
	}
}

func TestAStrangersBundle(t *testing.T) {
	pack := func(files ...File) []byte {
		var b bytes.Buffer
		require.NoError(t, Write(&b, files, made))
		return b.Bytes()
	}
	head := func(cases string) File {
		return File{"bundle.json", []byte(`{"version":1,"made":"2026-03-01T12:00:00Z","cases":[` + cases + `]}`)}
	}
	for want, data := range map[string][]byte{
		"it is not a bundle":          []byte("PK no"),
		"bundle.json is missing":      pack(File{"a", nil}),
		"it is of version 7":          pack(File{"bundle.json", []byte(`{"version":7}`)}),
		"x/case.json is missing":      pack(head(`"x"`)),
		"../../etc/passwd is missing": pack(head(`"x"`), File{"x/case.json", []byte(`{"request":"../../../etc/passwd"}`)}),
		"it is too large":             pack(head(`"x"`), File{"x/case.json", []byte(`{"request":"r"}`)}, File{"x/r", make([]byte, maxOne+1)}),
	} {
		_, err := Read(bytes.NewReader(data), int64(len(data)))
		assert.ErrorContains(t, err, want)
	}
}

func FuzzRead(f *testing.F) {
	files, err := Files(cases(), Options{Made: made})
	require.NoError(f, err)
	var b bytes.Buffer
	require.NoError(f, Write(&b, files, made))
	f.Add(b.Bytes(), []byte(`{"routes":[{"format":"x","task":{"status":"failed"}}]}`))
	f.Fuzz(func(t *testing.T, data, record []byte) {
		if x, err := Read(bytes.NewReader(data), int64(len(data))); err == nil {
			for i := range x.Cases {
				_ = x.Cases[i].Result.State()
			}
		}
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		for name, text := range map[string][]byte{"bundle.json": []byte(`{"version":1,"cases":["c"]}`), "c/case.json": record} {
			w, err := z.Create(name)
			require.NoError(t, errors.Join(err))
			_, _ = w.Write(text)
		}
		require.NoError(t, z.Close())
		if x, err := Read(bytes.NewReader(out.Bytes()), int64(out.Len())); err == nil {
			_ = x.Cases[0].Result.Findings.Facts()
		}
	})
}
