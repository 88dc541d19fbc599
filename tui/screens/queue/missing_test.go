package queue

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// filmWithPictures is a completed job with a video, its cover and its last frame on the disk.
func filmWithPictures(t *testing.T) jobs.Job {
	t.Helper()
	dir := t.TempDir()
	j := job(1, jobs.Completed)
	for i, f := range []struct {
		kind client.AssetKind
		name string
	}{{client.AssetVideo, "kite.mp4"}, {client.AssetCover, "cover.png"}, {client.AssetLastFrame, "last.png"}} {
		path := filepath.Join(dir, f.name)
		if f.kind == client.AssetVideo {
			out, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x90:d=1:r=5", "-pix_fmt", "yuv420p", path).CombinedOutput()
			require.NoError(t, err, string(out))
		} else {
			require.NoError(t, writePNG(path))
		}
		j.Files = append(j.Files, jobs.File{Index: i, Kind: f.kind, State: jobs.FileSaved, Path: path, Bytes: 100})
	}
	return j
}

// TestAMissingCoverTakesNoPreviewAway, in the list, the gallery and on the whole screen.
func TestAMissingCoverTakesNoPreviewAway(t *testing.T) {
	j := filmWithPictures(t)
	require.NoError(t, os.Remove(j.Files[1].Path))
	see := func(pictured bool) {
		t.Helper()
		b := open(t, 120, 34, j)
		b.Settle(10*time.Second, "the preview", func() bool { return b.m.detail.picture.Have })
		assert.NotContains(t, b.View(), "no such file")
		assert.Contains(t, b.View(), "Video, 1.0 s")
		assert.Equal(t, pictured, b.m.detail.picture.Got.Lines != nil)
		b.Key("w")
		b.zoomed(t)
		assert.NotContains(t, b.View(), "no such file")
		assert.Equal(t, pictured, !strings.Contains(b.View(), "MP4 · "), "else the card shows")
		b.Key("w", "v")
		b.Settle(10*time.Second, "the cell", func() bool { return got(b.m) == 1 })
		assert.NotContains(t, b.View(), "no such file")
		assert.Equal(t, pictured, !strings.Contains(b.View(), "MP4 · "), "else the card shows")
	}
	see(true) // the last frame
	require.NoError(t, os.Remove(j.Files[2].Path))
	see(false) // the card, as there is no ffmpeg here
}
