// Package votetest has runs to vote on in tests: with files whose names and metadata tell of their
// models.
package votetest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
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
	"darkroom/client/child"
	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// Secrets are words that tell of the models, formats and jobs of the runs, and of their latencies: no
// judge may see one before the reveal.
func Secrets() []string {
	return []string{"fam0", "fam1", "fam2", "fam3", "famI", "vendor-", "task-", "job-", "pictures-of", "41.4", "41417"}
}

// Model is the name of a model of the runs, from 0.
func Model(i int) string { return fmt.Sprintf("fam%d-omni", i) }

// ID is the id of the runs.
const ID = "0198c0de-0000-7000-8000-000000000001"

// Run is a run of so many models, prompts and repeats that have completed. file makes the file of a
// model; nil has them without bytes.
func Run(t testing.TB, models, prompts, repeats int, kind client.AssetKind, file func(path, model string)) *compare.Run {
	t.Helper()
	dir := t.TempDir()
	r := &compare.Run{ID: ID, Name: "kites", Seed: 7, Repeats: repeats, Status: compare.Ended}
	made := map[string]string{}
	for p := range prompts {
		for m := range models {
			cell := compare.Cell{Number: len(r.Cells) + 1, Model: Model(m), Format: "vendor-" + string(kind),
				Prompt: compare.Prompt{ID: fmt.Sprintf("p%d", p+1), Text: fmt.Sprintf("kite %d over the dunes", p+1)}}
			r.Cells = append(r.Cells, cell)
			path := made[cell.Model]
			if path == "" && file != nil {
				path = filepath.Join(dir, "pictures-of-"+cell.Model+map[client.AssetKind]string{client.AssetImage: ".png", client.AssetVideo: ".mp4", client.AssetAudio: ".wav"}[kind])
				file(path, cell.Model)
				made[cell.Model] = path
			} else if file == nil {
				path = filepath.Join(dir, "missing")
			}
			for n := range repeats {
				r.Trials = append(r.Trials, compare.Trial{Slot: compare.Slot{Cell: cell.Number, Repeat: n + 1}, Attempt: 1,
					JobID: fmt.Sprintf("job-%d-%d", cell.Number, n+1),
					Outcome: compare.Outcome{State: jobs.Completed, TaskID: "task-" + cell.Model,
						Latency: compare.Latency{Total: compare.Interval{Source: compare.Measured, Least: 41417 * time.Millisecond, Most: 41417 * time.Millisecond}},
						Files:   []compare.File{{Path: path, Kind: kind, Here: true}}}})
			}
		}
	}
	return r
}

// Pictures is a run of small pictures.
func Pictures(t testing.TB, models, prompts, repeats int) *compare.Run {
	return Run(t, models, prompts, repeats, client.AssetImage, func(path, model string) { Picture(t, path, model) })
}

// Picture writes a picture that names its model.
func Picture(t testing.TB, path, model string) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 48, 32+int(model[3]-'0')))
	for i := range img.Pix {
		img.Pix[i] = byte(i) * (model[3] - '0' + 1)
	}
	img.Set(0, 0, color.White)
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	text := "tEXtSoftware\x00" + model
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(text)-4))
	chunk = append(chunk, text...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE([]byte(text)))
	const head = 33 // signature and IHDR
	all := append(append(bytes.Clone(b.Bytes()[:head]), chunk...), b.Bytes()[head:]...)
	require.NoError(t, os.WriteFile(path, all, 0o600))
}

// Videos is a run of short videos with sound.
func Videos(t testing.TB, models, prompts, repeats int) *compare.Run {
	return Run(t, models, prompts, repeats, client.AssetVideo, func(path, model string) { Video(t, path, model) })
}

// Video has ffmpeg make a video that names its model, in the container and in the stream.
func Video(t testing.TB, path, model string) {
	t.Helper()
	FFmpeg(t, "-f", "lavfi", "-i", "testsrc=s=64x36:d=1:r=10", "-f", "lavfi", "-i", "sine=d=1", "-shortest",
		"-metadata", "title="+model, "-metadata", "comment="+model, "-metadata:s:v", "handler_name="+model, "-metadata:s:v", "title="+model, "-metadata", "creation_time=2026-01-02T03:04:05Z",
		"-c:v", "libx264", "-bsf:v", "h264_metadata=sei_user_data=086f3693b7b34f2c965321492feee5b8+"+model, "-pix_fmt", "yuv420p", path)
}

// Sounds is a run of short sounds.
func Sounds(t testing.TB, models, prompts, repeats int) *compare.Run {
	return Run(t, models, prompts, repeats, client.AssetAudio, func(path, model string) {
		FFmpeg(t, "-f", "lavfi", "-i", "sine=d=1", "-metadata", "title="+model, "-metadata", "artist="+model, path)
	})
}

// FFmpeg runs it.
func FFmpeg(t testing.TB, args ...string) {
	t.Helper()
	out, err := child.Command(t.Context(), nil, "ffmpeg", append([]string{"-v", "error", "-y"}, args...)...).CombinedOutput()
	require.NoError(t, err, "%s", strings.TrimSpace(string(out)))
}

// Begin begins the file of a judge with sides that are always the same, for what a test compares with a
// golden file.
func Begin(t testing.TB, file, judge string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	head := fmt.Sprintf(`{"kind":"judge","run":%q,"judge":%q,"order":1,"sides":1}`+"\n", ID, judge)
	require.NoError(t, os.WriteFile(file, []byte(head), 0o600))
}
