package score

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs/compare"
)

func program(t *testing.T, script string) Scorer {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "score.sh"), []byte("#!/bin/sh\n"+script), 0o700))
	return Scorer{Name: "sharpness", Command: []string{"/bin/sh", "score.sh"}, Dir: dir}
}

func cell() *compare.Cell {
	return &compare.Cell{Model: "famA3", Prompt: compare.Prompt{Text: "a red kite"}, Draft: client.Draft{Modality: client.Video, Model: "famA3"}}
}

func saved() *compare.Trial {
	return &compare.Trial{Outcome: compare.Outcome{Files: []compare.File{{Path: "/y/other.png", MediaType: "image/png"}, {Path: "/x/kite.mp4", MediaType: "video/mp4", Here: true}}}}
}

func TestTheProgramIsGivenTheFileAndNotTheModel(t *testing.T) {
	t.Setenv("DARKROOM_API_KEY", "sk-secret")
	s := program(t, `cat > in.json; env > env.txt; echo '{"score": 0.83, "text": "sharp\u001b[31m"}'`)
	got := s.Score(t.Context(), cell(), saved())
	assert.Equal(t, compare.Check{Name: "sharpness", Verdict: compare.Pass, Score: 0.83, Scored: true, Text: "sharp␛[31m"}, got)
	in, err := os.ReadFile(filepath.Join(s.Dir, "in.json"))
	require.NoError(t, err)
	assert.JSONEq(t, `{"file":"/x/kite.mp4","files":["/x/kite.mp4"],"kind":"video","media_type":"video/mp4","prompt":"a red kite"}`, string(in), "files of others are not opened")
	env, err := os.ReadFile(filepath.Join(s.Dir, "env.txt"))
	require.NoError(t, err)
	assert.NotContains(t, string(env), "sk-secret")
}

func TestWhatGoesWrongIsUnknownAndSaid(t *testing.T) {
	for script, says := range map[string]string{
		`echo no >&2; exit 3`:     "exit status 3: no",
		`echo oops`:               "no JSON object",
		`echo '{"text": "fine"}'`: `no number "score"`,
		`echo '{"score": 1} {}'`:  "more follows",
		`yes | head -c 200000`:    "no JSON object",
		`printf '{"score": 1, "text": "'; yes | tr -d '\n' | head -c 200000; echo '"}'`: "no JSON object",
		`echo '{"score": "high"}'`:                  "no JSON object",
		`exec nothing-of-this-name-is-there 2>&1`:   "exit status",
		`cat >/dev/null; kill -9 $$; echo not here`: "killed",
	} {
		got := program(t, script).Score(t.Context(), cell(), saved())
		assert.Equal(t, compare.Unknown, got.Verdict, script)
		assert.False(t, got.Scored)
		assert.Contains(t, got.Text, says, script)
		assert.LessOrEqual(t, len(got.Text), maxText)
	}
	assert.Equal(t, "there is no file to score", program(t, "").Score(t.Context(), cell(), &compare.Trial{}).Text)
}

// TestWhatTheProgramStartedEndsWithIt: who stops the run stops all of it.
func TestWhatTheProgramStartedEndsWithIt(t *testing.T) {
	s := program(t, "(echo x; exec sleep 600) > pipe &\nwait\n")
	path := filepath.Join(s.Dir, "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	pipe, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	defer func() { _ = pipe.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan compare.Check, 1)
	go func() { ended <- s.Score(ctx, cell(), saved()) }()
	require.NoError(t, pipe.SetReadDeadline(time.Now().Add(20*time.Second)))
	one := make([]byte, 2)
	require.Eventually(t, func() bool { n, _ := pipe.Read(one); return n > 0 }, 20*time.Second, 5*time.Millisecond)
	cancel()
	rest, err := io.ReadAll(pipe)
	require.NoError(t, err, "nobody has it open for writing any more")
	assert.Empty(t, rest)
	assert.Equal(t, compare.Unknown, (<-ended).Verdict)
}

func TestTheProgramMayRefuse(t *testing.T) {
	got := program(t, `echo '{"score": 0.2, "pass": false}'`).Score(t.Context(), cell(), saved())
	assert.Equal(t, compare.Fail, got.Verdict)
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"score":1}`, `{"score":1e999}`, `{}`, `[]`, ``} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := read(b)
		assert.True(t, err != nil || a.Score != nil)
	})
}
