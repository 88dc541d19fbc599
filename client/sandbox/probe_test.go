package sandbox

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type probed struct {
	Streams []struct {
		Codec      string `json:"codec_name"`
		Width      int    `json:"width"`
		Height     int    `json:"height"`
		FrameRate  string `json:"avg_frame_rate"`
		SampleRate string `json:"sample_rate"`
		Frames     string `json:"nb_read_frames"`
	} `json:"streams"`
	Format struct {
		Duration string `json:"duration"`
	} `json:"format"`
}

// probe decodes a whole file with ffprobe, which must find nothing to complain about.
func probe(t *testing.T, name string, data []byte) probed {
	t.Helper()
	tool, err := exec.LookPath("ffprobe")
	require.NoError(t, err, "the tests need ffprobe, which make test installs with ffmpeg")
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	cmd := exec.CommandContext(t.Context(), tool, "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path)
	var p probed
	out, err := cmd.Output()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, &p))
	require.Len(t, p.Streams, 1)
	return p
}

func TestFFProbeReadsTheVideo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.video(`{"model":"famK-3.0","mode":"t2v","prompt":"a red kite","seconds":"3","size":"288x512","fps":"4"}`)
	p := probe(t, "v.mp4", b.do("GET", pathOf(t, m["video_url"]), "").Body.Bytes())
	s := p.Streams[0]
	assert.Equal(t, "h264", s.Codec)
	assert.Equal(t, 9*s.Height, 16*s.Width, "%dx%d", s.Width, s.Height)
	assert.Equal(t, "4/1", s.FrameRate)
	assert.Equal(t, "12", s.Frames)
	assert.Equal(t, "3.000000", p.Format.Duration)
}

func TestFFProbeReadsTheMusic(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.ok("POST", "/famN/submit/music", `{"model":"famN_music","prompt":"a waltz","sample_rate":44100,"duration":2.5}`)["data"].(string)
	b.clock.advance(time.Minute)
	m := b.ok("GET", "/famN/fetch/"+id, "")
	p := probe(t, "a.wav", b.do("GET", pathOf(t, at(m, "data.data.0.audio_url")), "").Body.Bytes())
	assert.Equal(t, "pcm_s16le", p.Streams[0].Codec)
	assert.Equal(t, "44100", p.Streams[0].SampleRate)
	assert.Equal(t, "2.500000", p.Format.Duration)
}
