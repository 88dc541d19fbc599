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
	return p
}

func TestFFProbeReadsTheVideo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.video(`{"model":"famK-3.0","mode":"t2v","prompt":"a red kite","seconds":"3","size":"288x512","fps":"4"}`)
	p := probe(t, "v.mp4", b.do("GET", pathOf(t, m["video_url"]), "").Body.Bytes())
	require.Len(t, p.Streams, 1, "nobody asked for sound")
	s := p.Streams[0]
	assert.Equal(t, "h264", s.Codec)
	assert.Equal(t, 9*s.Height, 16*s.Width, "%dx%d", s.Width, s.Height)
	assert.Equal(t, "4/1", s.FrameRate)
	assert.Equal(t, "12", s.Frames)
	assert.Equal(t, "3.000000", p.Format.Duration)
}

// Sound that is asked for is heard, for as long as the video lasts, but where a rule loses it.
func TestFFProbeHearsTheVideo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	made := func(prompt string) (claimed any, p probed) {
		m := b.video(`{"model":"famI-omni","mode":"t2v","prompt":"` + prompt + `","generate_audio":true,"seconds":4,"fps":2,"size":"256x144"}`)
		return at(m, "metadata.audio"), probe(t, "v.mp4", b.do("GET", pathOf(t, m["video_url"]), "").Body.Bytes())
	}
	claimed, p := made("a waltz at sea")
	assert.Equal(t, true, claimed)
	require.Len(t, p.Streams, 2)
	assert.Equal(t, []string{"h264", "flac", "32000"}, []string{p.Streams[0].Codec, p.Streams[1].Codec, p.Streams[1].SampleRate})
	assert.Equal(t, "32", p.Streams[1].Frames, "4 s of 4096 samples, the last frame is shorter")
	assert.Equal(t, "4.000000", p.Format.Duration)
	claimed, p = made("a waltz at sea [[sandbox:deliver audio=none]]")
	assert.Equal(t, false, claimed)
	assert.Len(t, p.Streams, 1)
	claimed, p = made("a waltz at sea [[sandbox:deliver audio=none claim=asked]]")
	assert.Equal(t, true, claimed)
	assert.Len(t, p.Streams, 1)
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
