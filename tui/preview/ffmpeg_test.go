package preview_test

import (
	"context"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo"
	"darkroom/client/mediainfo/mediatest"
	"darkroom/tui/preview"
)

// produce has ffmpeg make a file.
func produce(t *testing.T, name string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	out, err := exec.Command("ffmpeg", append(append([]string{"-v", "error"}, args...), path)...).CombinedOutput() //nolint:gosec // a test
	require.NoError(t, err, "%s", out)
	return path
}

func tool(t *testing.T) *preview.FFmpeg {
	t.Helper()
	f := preview.FindFFmpeg()
	require.NotNil(t, f, "the tests need ffmpeg")
	return f
}

func TestAVideoWithoutAPosterShowsAPictureOfItself(t *testing.T) {
	path := produce(t, "-odd name.mp4", "-f", "lavfi", "-i", "color=red:s=1600x900:d=2:r=5", "-pix_fmt", "yuv420p")
	l := preview.New(preview.Options{Tool: tool(t)})
	msg := load(t, l.Load(preview.Request{Slot: "a", Path: path, Width: 32, Height: 9}))
	require.NoError(t, msg.Err)
	require.Len(t, msg.Lines, 9)
	assert.Contains(t, msg.Lines[4], "\x1b[48;2;25")
	assert.Equal(t, 2*time.Second, msg.Info.Duration)

	img, err := tool(t).Poster(context.Background(), path, msg.Info, preview.DefaultLimits())
	require.NoError(t, err)
	assert.Equal(t, image.Pt(1280, 720), img.Bounds().Size())
	_, err = tool(t).Poster(context.Background(), path, msg.Info, preview.Limits{Bytes: 1 << 20, Pixels: 1000})
	require.ErrorIs(t, err, preview.ErrTooLarge)
}

func TestAVideoThatCannotBeShownHasItsCard(t *testing.T) {
	l := preview.New(preview.Options{Tool: tool(t)})
	msg := load(t, l.Load(preview.Request{Slot: "a", Path: file(t, "v.mp4", mediatest.Video(t)), Width: 32, Height: 9}))
	require.NoError(t, msg.Err)
	assert.Nil(t, msg.Lines)
	assert.Equal(t, 480, msg.Info.Width)
}

func TestTheLoudnessOfWhatIsCompressed(t *testing.T) {
	loud := []string{"-f", "lavfi", "-i", "sine=d=2", "-af", "volume='if(lt(t,1),0.2,4)':eval=frame"}
	for _, name := range []string{"s.flac", "s.mp3", "s.m4a"} {
		path := produce(t, name, loud...)
		l := preview.New(preview.Options{Tool: tool(t)})
		msg := load(t, l.Load(preview.Request{Slot: "a", Path: path, Width: 32, Height: 9}))
		require.NoError(t, msg.Err)
		require.Len(t, msg.Info.Wave, 240, name)
		assert.Less(t, msg.Info.Wave[60]*4, msg.Info.Wave[200], name)
		assert.LessOrEqual(t, msg.Info.Wave[200], 1.0)
	}
}

func TestFFmpegIsAskedAboutMediaOnly(t *testing.T) {
	list := file(t, "list.m3u8", []byte("#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:1/x.ts\n"))
	for _, info := range []mediainfo.Info{{}, {Format: "PNG"}, {Format: "HLS"}} {
		_, err := tool(t).Wave(context.Background(), list, info)
		require.ErrorContains(t, err, "not asked")
	}
	_, err := tool(t).Wave(context.Background(), list, mediainfo.Info{Format: "MP4"})
	require.Error(t, err, "it is read as what it should be, not as what it is")
	_, err = tool(t).Wave(context.Background(), "relative.mp3", mediainfo.Info{Format: "MP3"})
	require.ErrorContains(t, err, "not asked")
}

// A program that never ends stands for ffmpeg on a file that keeps it busy.
func TestAToolThatHangsIsKilled(t *testing.T) {
	dir := t.TempDir()
	pid := filepath.Join(dir, "pid")
	script := "#!/bin/sh\necho $$ >" + pid + ".new; mv " + pid + ".new " + pid + "\nexec sleep 1000\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte(script), 0o700)) //nolint:gosec // a program
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	l := preview.New(preview.Options{Tool: tool(t)})
	cmd := l.Load(preview.Request{Slot: "a", Path: file(t, "v.mp4", mediatest.Video(t)), Width: 32, Height: 9})
	done := make(chan any)
	go func() { done <- cmd() }()
	require.Eventually(t, func() bool { _, err := os.Stat(pid); return err == nil }, 20*time.Second, 5*time.Millisecond)
	l.Close(20 * time.Second)
	select {
	case msg := <-done:
		assert.Nil(t, msg)
	case <-time.After(20 * time.Second):
		require.Fail(t, "it still waits")
	}
	n, err := os.ReadFile(pid)
	require.NoError(t, err)
	assert.NoDirExists(t, filepath.Join("/proc", string(n[:len(n)-1])))
}
