package cli

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// chained makes a history of a picture and a video of two models.
func (w *world) chained() (picture, video string) {
	ids := w.history(2, func(i int, j *jobs.Job) {
		kind := client.AssetImage
		if i == 1 {
			kind = client.AssetVideo
			j.Draft.Model, j.Draft.ModelName, j.Draft.Mode = "famF-video", "famF-v3", "t2v"
			j.Draft.Values = client.Values{"duration": "5", "images": []any{"https://old.invalid/x.png"}}
		} else {
			j.Draft.Modality, j.Draft.Model, j.Format = client.Image, "famL", "images"
		}
		j.TaskID, j.CreatedAt = "task-"+string(kind), time.Now()
		j.Assets = []client.Asset{{Kind: kind, URL: "https://media.invalid/" + string(kind)}}
	})
	return ids[0], ids[1]
}

func TestGoOnWithAJob(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	picture, video := w.chained()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	require.JSONEq(t, `{"model":"`+c.Default(client.Video).Model+`","prompt":"prompt 0","mode":"i2v","image_url":"https://media.invalid/image"}`,
		w.jsonOf("video", "--from-job", picture, "--as", "i2v"), "another kind begins with the model that is used without saying")
	require.JSONEq(t, `{"model":"famF-video","model_name":"famF-v3","prompt":"longer","seconds":"5","mode":"extend","video_id":"task-video"}`,
		w.jsonOf("video", "--from-job", video[len(video)-8:], "--as", "extend", "longer"))
	require.JSONEq(t, `{"model":"famL","prompt":"at night","image":"https://media.invalid/image"}`,
		w.jsonOf("image", "--from-job", picture, "--as", "edit", "at night"))
	require.JSONEq(t, `{"model":"famI-omni","prompt":"x","mode":"r2v","reference_images":["https://media.invalid/image"]}`,
		w.jsonOf("video", "--model", "famI-omni", "--mode", "r2v", "--from-job", picture, "x"))
	w.fails(kit.ExitUsage, []string{"famF-video in mode t2v takes no image", "--model, one of "}, "create", "video", "--from-job", picture, "--as", "i2v", "--model", "famF-video", "--mode", "t2v", "--dry-run")
	w.fails(kit.ExitUsage, []string{"famA3 takes no result", "one of famF-video"}, "create", "video", "--from-job", video, "--as", "extend", "--model", "famA3", "--dry-run")
	w.fails(kit.ExitUsage, []string{"is not a use of a result", "reference, i2v, extend, edit"}, "create", "video", "--from-job", video, "--as", "remix", "--dry-run")
	w.fails(kit.ExitUsage, []string{"--as", "--from-job", "missing"}, "create", "video", "--as", "i2v", "x", "--dry-run")
	w.fails(kit.ExitUsage, []string{"download it first"}, "create", "video", "--from-job", video, "--as", "i2v", "--dry-run")
	w.fails(kit.ExitUsage, []string{"goes on with one job"}, "create", "video", "--from-job", video, "--from-job", picture, "--as", "edit", "--dry-run")
	w.fails(kit.ExitUsage, []string{"no model that makes images"}, "create", "image", "--from-job", video, "--as", "extend", "--dry-run")
	w.fails(kit.ExitUsage, []string{"both say what to begin with"}, "create", "video", "--from-job", video, "--as", "extend", "--body", w.file("b.json", `{"prompt":"x"}`), "--dry-run")
	w.fails(kit.ExitNotFound, []string{"no job has the id"}, "create", "video", "--from-job", "nothing", "--dry-run")
}

// What a create was made from is in the history, whichever way it is looked at, and comes along
// when the history moves.
func TestChain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	picture, _ := w.chained()
	r := w.ok("create", "video", "--from-job", picture, "--as", "i2v", "--wait", "-o", "json")
	var made struct {
		ID    string
		Draft client.Draft
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &made), r.out)
	require.Equal(t, []client.Parent{{Job: picture, As: "i2v", Ref: "https://media.invalid/image"}}, made.Draft.Parents)

	out := w.ok("jobs", "chain", picture).out
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 3)
	assert.Contains(t, lines[1], jobs.ShortID(picture)+" *")
	assert.Contains(t, lines[2], "└ "+jobs.ShortID(made.ID))
	assert.Contains(t, lines[2], "i2v")
	var links []struct {
		Job   string
		Self  bool
		Depth int
	}
	require.NoError(t, json.Unmarshal([]byte(w.ok("jobs", "chain", made.ID, "-o", "json").out), &links))
	require.Len(t, links, 2)
	assert.Equal(t, picture, links[0].Job)
	assert.True(t, links[1].Self)
	assert.Equal(t, 1, links[1].Depth)
	assert.NotContains(t, w.ok("jobs", "show", made.ID).out, `"parents"`, "it is no part of the request")

	file := filepath.Join(w.dir, "out.ndjson")
	w.ok("history", "export", file)
	other := newWorld(t)
	other.ok("history", "import", file)
	assert.Contains(t, other.ok("jobs", "chain", picture).out, jobs.ShortID(made.ID))
	assert.Contains(t, w.ok("jobs", "chain", w.history(1, nil)[0]).err, "made from no other")
}

// The last frame is taken out of the saved video where the task has none.
func TestTheLastFrameOfASavedVideo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := filepath.Join(w.dir, "v.mp4")
	msg, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=blue:s=64x48:d=1:r=5", "-pix_fmt", "yuv420p", file).CombinedOutput()
	require.NoError(t, err, "%s", msg)
	id := w.history(1, func(_ int, j *jobs.Job) {
		j.Draft.Model, j.Draft.Mode = "famA3", "t2v"
		j.Assets = []client.Asset{{Kind: client.AssetVideo, URL: "https://media.invalid/v.mp4"}}
		j.Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileSaved, Path: file, Proof: jobs.ProofBefore}}
	})[0]
	r := w.ok("create", "video", "--from-job", id, "--as", "i2v", "--dry-run", "-o", "json")
	assert.Contains(t, r.out, "data:image/png;base64,")
	assert.Contains(t, r.err, filepath.Join(w.dir, "frames", "last-frame-"))
}
