package queue

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

var sizes = [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}}

func TestGoldens(t *testing.T) {
	for _, s := range sizes {
		w, h := s[0], s[1]
		at := func(name string) string { return fmt.Sprintf("%s-%dx%d", name, w, h) }
		t.Run(at(""), func(t *testing.T) {
			open(t, w, h).Golden(at("empty"))
			open(t, w, h, many(300)...).Golden(at("list"))

			f := newFake()
			m := New(deps(t, f))
			m.SetSize(w, h)
			_ = m.Init()
			tuitest.CheckFrame(t, m.View(), w, h)
			tuitest.Golden(t, at("loading"), m.View())

			f.listErr = errors.New("opening the history: database disk image is malformed")
			openWith(t, f, w, h).Golden(at("error"))

			f = newFake(story()...)
			f.tell()
			b := openWith(t, f, w, h)
			b.Golden(at("story"))
			for _, j := range []struct {
				n    int
				name string
			}{{6, "running"}, {4, "failed"}, {3, "ambiguous"}, {2, "scripts"}, {1, "hostile"}} {
				b.Send(screen.ShowJob{JobID: jobID(j.n)})
				b.Golden(at(j.name))
			}
			b.Send(screen.ShowJob{JobID: jobID(6)})
			b.Key("esc", "tab", "right")
			b.Golden(at("timeline"))
			b.Key("right", "right")
			b.Golden(at("answer"))
			b.Key("x")
			b.Golden(at("drop"))
			b.Key("esc")
			b.Send(screen.ShowJob{JobID: jobID(3)})
			b.Key("a")
			b.Golden(at("adopt"))
			b.Key("esc", "esc", "/")
			b.Paste("state:burnt")
			b.Golden(at("filter"))

			f = newFake(story()...)
			b = openWith(t, f, w, h)
			b.Send(screen.ShowJob{JobID: jobID(5)})
			b.Golden(at("saving"))
			f.flow = jobs.Flow{Paused: true, Hosts: "cdn.example"}
			b.Send(screen.JobsMsg{})
			b.Golden(at("paused"))
			b.Key("H")
			b.Golden(at("pause-host"))
		})
	}
}

// story are jobs in states of interest, with texts that are hard to draw.
func story() []jobs.Job {
	hostile := job(1, jobs.Failed)
	hostile.Draft.Prompt = "\x1b]0;pwned\x07\x1b[2J\x1b[31mred\x1b[0m \u202egnorw\u202c \u200bzero\u200b width\r\nnext\tline \x9b31m"
	hostile.Draft.Model, hostile.TaskID, hostile.RawStatus = "fam\x1b[1mA", "id\x1b[5m\n7", "FAI\x07LED\x1b["
	hostile.Title, hostile.Format, hostile.Draft.Mode = "ti\x1btle", "vid\neos", "t2v\x00"
	hostile.Draft.Values = client.Values{"ke\x1by": "va\x1b[7mlue", "image": "data:image/png;base64," + strings.Repeat("A", 100_000), "list": []any{"a\nb", "c"}}
	hostile.Error = &client.TaskError{Code: "\x1b[31mE", Message: "line one\nline two\x1b[2K\u202e", Param: "p\x1b"}
	hostile.Note = "note\x1b]8;;http://x\x07link"
	hostile.Files = []jobs.File{{Kind: "vi\x1bdeo", State: jobs.FileFailed, Error: "404\x1b[H"}, {Kind: client.AssetVideo, State: jobs.FileSaved, Path: "/pictures/a\x1b[2Jb"}}

	scripts := job(2, jobs.Queued)
	scripts.Draft.Prompt = "塩の平原の上を飛ぶ赤い凧、夜明け 🪁👩‍👩‍👧🇩🇪 עפיפון אדום מעל מישור מלח, طائرة ورقية حمراء, Zalgo e̸͙̋̕͝ ไทย"
	scripts.Draft.Model, scripts.RawStatus, scripts.Title = "famB-画像", "待機中", "赤い凧"

	lost := job(3, jobs.Ambiguous)
	failed := job(4, jobs.Failed)
	failed.RawStatus = "FAILURE"
	failed.Error = &client.TaskError{Code: "upstream_error", Message: strings.Repeat("The worker could not load the checkpoint shard from its store. ", 12), Param: "model"}

	saving := job(5, jobs.Completed)
	saving.Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileFetching, Bytes: 3_100_000, Total: 9_000_000}, {Index: 1, Kind: client.AssetCover, State: jobs.FileWanted, Total: 80_000}}
	running := job(6, jobs.Running)
	running.RawStatus = "IN_PROGRESS"
	return []jobs.Job{hostile, scripts, lost, failed, saving, running}
}

func (f *fake) tell() {
	at := start.Add(-10 * time.Minute)
	f.event[jobID(6)] = jobs.Detail{
		Events: []jobs.Event{
			{At: at, Kind: jobs.EventPlanned, To: jobs.Planned},
			{At: at.Add(3 * time.Millisecond), Kind: jobs.EventSubmitting, From: jobs.Planned, To: jobs.Submitting},
			{At: at.Add(410 * time.Millisecond), Kind: jobs.EventAccepted, From: jobs.Submitting, To: jobs.Queued, RawStatus: "queued", HTTPStatus: 200, RequestID: "req_0123456789abcdef"},
			{At: at.Add(5 * time.Second), Kind: jobs.EventPollError, HTTPStatus: 503, Message: "upstream is busy\x1b[2J, try again"},
			{At: at.Add(9 * time.Second), Kind: jobs.EventState, From: jobs.Queued, To: jobs.Running, RawStatus: "IN_PROGRESS", HTTPStatus: 200},
			{At: at.Add(26 * time.Hour), Kind: jobs.EventPerson, From: jobs.Running, To: jobs.Running, Message: "asked for a look now"},
		},
		Request: []byte(`{"model":"famA-video","prompt":"a red kite","seconds":6}`),
		Answer:  []byte(`{"id":"task-6","status":"IN_PROGRESS","progress":42,"nested":{"list":[1,2,{"a":"b\u001b[31m"}],"url":"https://cdn.example/` + strings.Repeat("x", 90) + `"}}`),
	}
}

// TestGoldenPreview shows a picture, drawn from a file that is made here.
func TestGoldenPreview(t *testing.T) {
	for _, s := range sizes {
		w, h := s[0], s[1]
		var frame string
		t.Run("draw", func(t *testing.T) {
			t.Chdir(t.TempDir()) // the path is on the screen
			require.NoError(t, writePNG("kite.png"))
			j := job(1, jobs.Completed)
			j.Draft.Modality, j.Draft.Model = client.Image, "famE-image"
			j.Assets = []client.Asset{{Kind: client.AssetImage, URL: "https://cdn.example/kite.png"}}
			j.Files = []jobs.File{{Kind: client.AssetImage, State: jobs.FileSaved, Path: "kite.png", Bytes: 1234, Total: 1234, MediaType: "image/png"}}
			b := open(t, w, h, j)
			b.Key("enter")
			if h >= pictFrom {
				b.Settle(10*time.Second, "the picture", func() bool { return b.m.detail.picture.Have })
			}
			frame = b.Frame()
			tuitest.CheckFrame(t, frame, w, h)
			if h < pictFrom {
				return
			}
			with := b.View()
			b.Key("p")
			require.NotEqual(t, with, b.View(), "p takes the picture away")
			b.Key("p")
			b.Settle(10*time.Second, "the picture", func() bool { return b.m.detail.picture.Have })
			require.Equal(t, with, b.View())

			require.NoError(t, os.WriteFile("kite.png", []byte("\x89PNG\r\n\x1a\nbroken"), 0o600))
			b.Resize(w+8, h)
			b.Send(screen.ShownMsg{})
			b.Settle(10*time.Second, "an answer", func() bool { return b.m.detail.picture.Have })
			require.Contains(t, b.View(), "✗")
			tuitest.CheckFrame(t, b.Frame(), w+8, h)
		})
		tuitest.Golden(t, fmt.Sprintf("preview-%dx%d", w, h), frame)
	}
}

func writePNG(path string) error {
	img := image.NewRGBA(image.Rect(0, 0, 160, 90))
	for y := range 90 {
		for x := range 160 {
			c := color.RGBA{30, 60, uint8(120 + y), 255}
			if d := (x-80)*(x-80) + (y-40)*(y-40); d < 700 {
				c = color.RGBA{250, 230, 120, 255}
			}
			img.Set(x, y, c)
		}
	}
	f, err := os.Create(filepath.Clean(path))
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, img), f.Close())
}
