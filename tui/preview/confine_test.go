package preview

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo"
)

// small is an MP4 of one huge picture that says of itself that it is 640 x 360: what it says and
// what is in it are two things.
func small(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.mp4")
	out, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=red:s=12288x6144:r=1", "-frames:v", "1", //nolint:gosec // a test
		"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", path).CombinedOutput()
	require.NoError(t, err, "%s", out)
	data, err := os.ReadFile(path) //nolint:gosec // of the test's folder
	require.NoError(t, err)
	at := bytes.Index(data, []byte("avc1\x00\x00")) // the description of its samples
	require.Positive(t, at)
	binary.BigEndian.PutUint16(data[at+28:], 640)
	binary.BigEndian.PutUint16(data[at+30:], 360)
	require.NoError(t, os.WriteFile(path, data, 0o600)) //nolint:gosec // of the test's folder
	return path
}

// TestAVideoThatIsLargerThanItSaysTakesLittleMemory: without the bound of pixels it takes 230 MB, and more
// with each picture that the decoder keeps.
func TestAVideoThatIsLargerThanItSaysTakesLittleMemory(t *testing.T) {
	path := small(t)
	info, err := mediainfo.Read(t.Context(), path)
	require.NoError(t, err)
	assert.Equal(t, [2]int{640, 360}, [2]int{info.Width, info.Height})

	f := FindFFmpeg()
	_, err = f.Poster(t.Context(), path, info, DefaultLimits())
	require.Error(t, err)
	_, err = NewFrames(f, t.TempDir()).LastFrame(t.Context(), path)
	require.Error(t, err)
	l := New(Options{Tool: f})
	msg, ok := l.Load(Request{Slot: "a", Path: path, Width: 32, Height: 9})().(ReadyMsg)
	require.True(t, ok)
	require.NoError(t, msg.Err, "it has its card")
	assert.Nil(t, msg.Lines)

	cmd, err := f.command(t.Context(), path, info, nil, []string{"-map", "0:v:0", "-frames:v", "1", "-f", "rawvideo", "pipe:1"})
	require.NoError(t, err)
	require.Error(t, cmd.Run())
	use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	require.True(t, ok)
	assert.Less(t, use.Maxrss, int64(130<<10), "kB")
}

// script is a stand-in for ffmpeg.
func script(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ffmpeg")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+lines+"\n"), 0o700)) //nolint:gosec // a program
	return path
}

func TestFFmpegRunsWithinBounds(t *testing.T) {
	t.Setenv("DARKROOM_API_KEY", "sk-not-for-others")
	f := &FFmpeg{script(t, `echo core $(ulimit -c) memory $(ulimit -v) cpu $(ulimit -t) file $(ulimit -f) key $DARKROOM_API_KEY; echo "$@"`)}
	out, err := f.run(t.Context(), time.Minute, 1<<20, "/x y.mp4", mediainfo.Info{Format: "MP4"}, []string{"-ss", "1"}, "-f", "s16le")
	require.NoError(t, err)
	limits, args, _ := strings.Cut(string(out), "\n")
	assert.Equal(t, "core 0 memory 1048576 cpu 60 file 131072 key", limits)
	assert.Equal(t, "-nostdin -y -v error -filter_threads 1 -max_alloc 268435456 -max_pixels 40000000 -protocol_whitelist file "+
		"-threads 1 -f mov -ss 1 -i file:/x y.mp4 -f s16le -threads 1 pipe:1\n", args)
}

// TestWhatGoesBeyondItsBoundsEnds, with bounds that are reached soon.
func TestWhatGoesBeyondItsBoundsEnds(t *testing.T) {
	low := bounds{memory: 128 << 20, cpu: time.Second, file: 1 << 20}
	for name, c := range map[string]struct{ script, says string }{
		"time":   {"while :; do :; done", "signal: "},
		"memory": {"exec dd if=/dev/zero of=/dev/null bs=200M count=1", "exit status "},
		"file":   {"exec dd if=/dev/zero of=" + filepath.Join(t.TempDir(), "f") + " bs=64k count=1000", "signal: file size limit exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithTimeout(context.Background(), time.Minute)
			defer stop()
			require.ErrorContains(t, confined(ctx, low, script(t, c.script)).Run(), c.says)
			require.NoError(t, ctx.Err(), "its bounds ended it")
		})
	}
}

// TestWhatTheToolHasStartedEndsWithIt: the whole group is killed, not the first of it alone.
func TestWhatTheToolHasStartedEndsWithIt(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	f := &FFmpeg{script(t, "sleep 1000 >/dev/null & echo $! >"+pids+".new; mv "+pids+".new "+pids+"; wait")}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := f.run(ctx, time.Hour, 1, "/x.mp4", mediainfo.Info{Format: "MP4"}, nil, "-f", "s16le")
		done <- err
	}()
	require.Eventually(t, func() bool { _, err := os.Stat(pids); return err == nil }, 20*time.Second, 5*time.Millisecond)
	stop()
	require.Error(t, <-done)
	child, err := os.ReadFile(pids) //nolint:gosec // of the test's folder
	require.NoError(t, err)
	stat := filepath.Join("/proc", strings.TrimSpace(string(child)), "stat")
	require.Eventually(t, func() bool { // gone, or dead and not yet taken away
		b, err := os.ReadFile(stat) //nolint:gosec // of the system
		return err != nil || bytes.Contains(b, []byte(") Z "))
	}, 20*time.Second, 5*time.Millisecond)
}
