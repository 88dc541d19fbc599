package inspect

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

const completedBody = `{"id":"vid_1","object":"video","status":"completed","model":"famI-omni","seconds":"6","video_url":"https://media.example.org/v/vid_1.mp4","cover_url":"https://media.example.org/v/vid_1.png","seed":9007199254740993,"created_at":1772366310}`

func completed() client.RouteResult {
	r := answer(client.StatusCompleted, "completed", completedBody)
	r.Task.Assets = []client.Asset{
		{Kind: client.AssetVideo, URL: "https://media.example.org/v/vid_1.mp4"},
		{Kind: client.AssetCover, URL: "https://media.example.org/v/vid_1.png"},
		{Kind: client.AssetVideo, Content: true},
	}
	return r
}

func failed() client.RouteResult {
	r := answer(client.StatusFailed, "FAILED", `{"output":{"task_status":"FAILED","code":"DataInspectionFailed","message":"the prompt was refused"}}`)
	r.Task.Error = &client.TaskError{Code: "DataInspectionFailed", Message: "the prompt was refused", Param: "prompt"}
	return r
}

func running() client.RouteResult {
	r := answer(client.StatusRunning, "in_progress", `{"id":"vid_1","status":"in_progress","progress":42}`)
	r.Task.Progress, r.Task.CreatedAt = 42, now.Add(-50*time.Minute)
	return r
}

func hostile() client.RouteResult {
	evil := "\x1b]0;owned\x07done\u202eevil\u200b\x9b2J\r\n<script>"
	r := answer(client.StatusUnknown, evil, `{"status":"`+"\x1b[2J"+`","e":"`+"\u202e"+`","k🪁":"塩の平原 👩‍🚀"}`)
	r.Task.Model, r.Task.Title = evil, "塩の平原 🪁 מישור"
	r.Task.Error = &client.TaskError{Code: evil, Message: "塩の平原 👩‍🚀 " + evil}
	r.Meta.RequestID = evil
	r.Task.Assets = []client.Asset{{Kind: client.AssetVideo, URL: "https://x/" + evil}}
	return r
}

// picture is a file with a gradient.
func picture(t testing.TB) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 64, 36))
	for y := range 36 {
		for x := range 64 {
			img.Set(x, y, color.RGBA{uint8(x * 4), uint8(y * 7), 90, 255})
		}
	}
	path := filepath.Join(t.TempDir(), "kite.png")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, png.Encode(f, img))
	require.NoError(t, f.Close())
	return path
}

func TestGoldens(t *testing.T) {
	cases := []struct {
		name string
		make func(t *testing.T, b *bench)
	}{
		{"empty", func(*testing.T, *bench) {}},
		{"loading", func(t *testing.T, b *bench) {
			b.gw.hold = make(chan struct{})
			t.Cleanup(func() { close(b.gw.hold) })
			b.Limit = 40 * time.Millisecond // the history answers within it
			b.ask("vid_1")
		}},
		{"notfound", func(_ *testing.T, b *bench) { b.ask("vid_404") }},
		{"failed", func(_ *testing.T, b *bench) {
			b.gw.answers["content"] = failed()
			b.ask("vid_1")
		}},
		{"running", func(_ *testing.T, b *bench) {
			b.gw.answers["videos"] = running()
			b.ask("vid_1")
		}},
		{"errors", func(_ *testing.T, b *bench) {
			b.gw.answers["videos"] = refusal(401, "invalid_api_key", "the key is not valid")
			b.gw.answers["content"] = client.RouteResult{Err: errors.New("dial tcp 127.0.0.1:1: connection refused")}
			b.gw.answers["responses"] = client.RouteResult{Meta: client.Meta{HTTPStatus: 200, Latency: time.Second},
				Err: errors.New("GET /v1/responses/vid_1: HTTP 200, but the answer was not understood: not JSON"), Raw: []byte("<html><body>Sign in</body></html>")}
			b.ask("vid_1")
		}},
		{"completed", func(t *testing.T, b *bench) {
			b.gw.answers["videos"] = completed()
			j := aJob()
			j.Files = []jobs.File{{Kind: client.AssetImage, State: jobs.FileSaved, Path: picture(t)}}
			b.h.jobs, b.h.answer = []jobs.Job{j}, []byte(`{"id":"vid_1","status":"completed"}`)
			b.ask("vid_1")
			b.m.q.found.Job.Files[0].Path = "/pictures/kite.png" // the same on every machine
			b.m.layout()
			b.m.fresh = false
		}},
		{"list", func(_ *testing.T, b *bench) {
			b.gw.answers["content"] = failed()
			b.gw.knows = map[string]string{"vid_1": "content", "塩の平原-1": "content", "cgt-20260301-a-very-long-id-that-goes-on-and-on": "content"}
			b.Paste("vid_1\nvid_404\ncgt-20260301-a-very-long-id-that-goes-on-and-on\nrequest id: 4f-1\nhttps://media.example.org/a.mp4\n塩の平原-1\n")
		}},
		{"held", func(t *testing.T, b *bench) {
			b.gw.hold, b.gw.until = make(chan struct{}), now.Add(23*time.Second)
			t.Cleanup(func() { close(b.gw.hold) })
			b.Limit = 40 * time.Millisecond
			b.m.deps.Host = "gateway.example"
			b.Paste("vid_1\nvid_404\n")
		}},
		{"hostile", func(_ *testing.T, b *bench) {
			b.gw.answers["videos"] = hostile()
			b.ask("vid_1")
		}},
	}
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		for _, c := range cases {
			name := fmt.Sprintf("%s-%dx%d", c.name, s[0], s[1])
			t.Run(name, func(t *testing.T) {
				b := start(t, s[0], s[1])
				c.make(t, b)
				b.Golden(name)
			})
		}
	}
}

func TestGoldenPanesOfASmallScreen(t *testing.T) {
	b := start(t, 80, 24)
	b.gw.answers["videos"] = completed()
	b.ask("vid_1")
	b.Key("tab", "tab")
	b.Golden("answer-80x24")
	b.Key("w")
	b.Golden("raw-80x24")
	b.Key("f")
	b.Golden("picker-80x24")
}
