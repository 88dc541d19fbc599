package bundle

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
)

const wish = "A secret wish of the customer, \"quoted\",\nover two lines, 塩の平原"

// quoting is a case whose prompt stands everywhere that a gateway and a program may put it.
func quoting() Case {
	nested, _ := json.Marshal(map[string]any{"model": "famA3", "prompt": wish, "note": "for " + wish})
	twice, _ := json.Marshal(map[string]any{"detail": string(nested), wish: "as a name"})
	answer, _ := json.Marshal(map[string]any{"id": "t-1", "title": "A secret wish of the cust…", "log": string(twice),
		"preview": "data:image/png;base64," + strings.Repeat("QUJD", 200), "frame": strings.Repeat("QUJD", 200), "video_url": "https://x.example/result/17",
		"said": "see https://x.example/result/17 and https://x.example/a.png?sig=1"})
	c := Case{Result: lookup.Result{Subject: inspect.Subject{Kind: inspect.KindID, Value: "t-1"}}, Request: nested, Answer: answer,
		Events:    []jobs.Event{{At: made, Kind: jobs.EventState, Message: "refused: " + client.CleanLine(wish) + " is not allowed"}},
		Exchanges: []jobs.Exchange{{At: made, Path: "GET /search?q=A+secret+wish+of+the+customer%2C+%22quoted%22%2C%0Aover+two+lines%2C+%E5%A1%A9%E3%81%AE%E5%B9%B3%E5%8E%9F", Error: "A secret wish of the customer, was cut here"}}}
	c.Result.Findings.Job = &jobs.Job{ID: "j-1", TaskID: "t-1", Title: "A secret wish of the customer", State: jobs.Failed, RawStatus: "failed",
		Draft: client.Draft{Model: "famA3", Mode: "t2v", Prompt: wish}, Error: &client.TaskError{Code: "Bad", Message: "the prompt '" + wish + "' was refused"}}
	c.Result.Findings.Routes = []inspect.Route{{Format: "videos"}}
	c.Result.Findings.Answer(0, client.RouteResult{Task: &client.Task{ID: "t-1", Status: client.StatusFailed, RawStatus: "failed", Title: wish,
		Error: &client.TaskError{Message: wish}, Raw: answer, Assets: []client.Asset{{Kind: client.AssetVideo, URL: "https://x.example/result/17"}}}})
	return c
}

func bundled(t *testing.T, o Options, all ...Case) string {
	t.Helper()
	o.Made = made
	files, err := Files(all, o)
	require.NoError(t, err)
	var b strings.Builder
	for _, f := range files {
		b.WriteString(f.Name + "\n")
		b.Write(f.Data)
		if strings.HasSuffix(f.Name, ".json") {
			assert.True(t, json.Valid(f.Data), f.Name)
		}
	}
	return b.String()
}

// TestAKnownPromptIsLeftOutWhereverItStands: in titles that were cut, errors, JSON within texts within
// texts, names of members, addresses.
func TestAKnownPromptIsLeftOutWhereverItStands(t *testing.T) {
	with, without := bundled(t, Options{}, quoting()), bundled(t, Options{NoPrompts: true}, quoting())
	for _, s := range []string{"secret", "wish", "customer", "quoted", "塩の平原", "two lines"} {
		assert.True(t, strings.Contains(with, s), s)
		assert.False(t, strings.Contains(without, s), s)
	}
	for _, s := range []string{"famA3", "t2v", `"failed"`, "was refused", "is not allowed", "was cut here", "https://x.example/result/17", `"Bad"`} {
		assert.True(t, strings.Contains(without, s), s)
	}
}

func TestMediaAreLeftOut(t *testing.T) {
	with, without := bundled(t, Options{}, quoting()), bundled(t, Options{NoMedia: true}, quoting())
	for _, s := range []string{"QUJDQUJD", "x.example/result/17", "x.example/a.png", "sig=1", "base64"} {
		assert.True(t, strings.Contains(with, s), s)
		assert.False(t, strings.Contains(without, s), s)
	}
	assert.Contains(t, without, "secret wish")
	assert.Contains(t, without, "Left out: media.")
}

// TestASingleShortWordIsNoKnownPrompt: it is left out of its own place alone, and of no other.
func TestASingleShortWordIsNoKnownPrompt(t *testing.T) {
	c := quoting()
	c.Request = []byte(`{"prompt":"failed"}`)
	c.Result.Findings.Job.Draft.Prompt = "failed"
	assert.Contains(t, bundled(t, Options{NoPrompts: true}, c), `"raw_status": "failed"`)
}

func FuzzCut(f *testing.F) {
	f.Add(wish, "x "+wish+" y")
	f.Add("塩の平原の凧が空を飛ぶ塩の平原の凧が空を飛ぶ", "塩の平原の凧が空を飛ぶ塩の平原の凧が空を\xe9")
	f.Fuzz(func(t *testing.T, prompt, text string) {
		var k known
		k.prompt(prompt)
		k.sort()
		got := k.cut(text, Options{NoPrompts: true})
		for _, p := range k.prompts {
			if strings.Contains(got, p) && !strings.Contains(leftOut, p) && !strings.Contains(p, "left out") && !strings.ContainsAny(p, "()") {
				t.Fatalf("%q is still in %q", p, got)
			}
		}
	})
}
