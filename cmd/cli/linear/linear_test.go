package linear

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

func TestChoosing(t *testing.T) {
	names := []string{"famA3", "famC-1.0", "famC-1.0-i2v", "image to video", "extend"}
	for _, c := range []struct {
		typed string
		want  int
		why   string
	}{
		{"1", 0, ""}, {"#2", 1, ""}, {"0", 0, "is not one of the 5 choices"}, {"6", 0, "is not one of the 5 choices"},
		{"FAMA", 0, ""}, {"famc-1.0", 1, ""}, {"famC", 0, "may be famC-1.0, famC-1.0-i2v"},
		{"to vid", 3, ""}, {"tend", 4, ""}, {"opus", 0, "5 choices"},
	} {
		got, why := choose(names, c.typed)
		if c.why != "" {
			assert.Contains(t, why, c.why, c.typed)
			continue
		}
		assert.Equal(t, c.want, got, c.typed)
		assert.Empty(t, why, c.typed)
	}
}

func TestNumbersOfTheList(t *testing.T) {
	l := listing{all: []string{"id-a", "id-b"}}
	got, err := l.ids([]string{"2", "#1", "3f9a1c22", "video_12"})
	require.NoError(t, err)
	assert.Equal(t, []string{"id-b", "id-a", "3f9a1c22", "video_12"}, got)
	_, err = l.ids([]string{"3"})
	assert.ErrorContains(t, err, "no number 3")
}

// TestLinesAreReadNoFurther than is asked, since a command may ask for the next one itself.
func TestLinesAreReadNoFurther(t *testing.T) {
	l := newLines(strings.NewReader("one\r\n" + strings.Repeat("x", maxLine+1) + "\ntwo\nyes\nlast"))
	next := func() (string, error) { return l.next(t.Context(), nil, nil) }
	got, err := next()
	require.NoError(t, err)
	assert.Equal(t, "one", got)
	_, err = next()
	require.ErrorIs(t, err, errLong)
	got, err = next()
	require.NoError(t, err)
	assert.Equal(t, "two", got, "what is too long takes nothing else with it")
	b := make([]byte, 100)
	n, err := l.Read(b)
	require.NoError(t, err)
	assert.Equal(t, "yes\n", string(b[:n]))
	got, err = next()
	require.NoError(t, err)
	assert.Equal(t, "last", got)
	_, err = next()
	assert.ErrorIs(t, err, io.EOF)
}

// TestALineThatWasAskedForIsNotLost when what waited for it gives up.
func TestALineThatWasAskedForIsNotLost(t *testing.T) {
	r, w := io.Pipe()
	l := newLines(r)
	wake, ended := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer close(ended)
		_, err := l.next(ctx, wake, cancel) // what is told ends it
		assert.ErrorIs(t, err, context.Canceled)
	}()
	wake <- struct{}{}
	<-ended
	go func() { _, _ = w.Write([]byte("kept\n")) }()
	got, err := l.next(t.Context(), nil, nil)
	require.NoError(t, err)
	assert.Equal(t, "kept", got)
}

// TestNewsTellsWhatChanged, each thing once.
func TestNewsTellsWhatChanged(t *testing.T) {
	j := jobs.Job{ID: "0195a000-0000-7000-8000-00003f9a1c22", State: jobs.Queued, Progress: -1, Draft: client.Draft{Model: "famA3", Prompt: "a kite"}}
	was := told{}
	step := func(change func(*jobs.Job)) []string {
		change(&j)
		is := toldOf(&j)
		out := happened(&j, was, is)
		was = is
		return out
	}
	assert.Equal(t, []string{"3f9a1c22: queued, a kite."}, step(func(*jobs.Job) {}))
	assert.Equal(t, []string{"3f9a1c22: running, a kite."}, step(func(j *jobs.Job) { j.State = jobs.Running }))
	assert.Empty(t, step(func(j *jobs.Job) { j.Progress = 20 }))
	assert.Equal(t, []string{"3f9a1c22: running, 30 %, a kite."}, step(func(j *jobs.Job) { j.Progress = 30 }))
	assert.Empty(t, step(func(j *jobs.Job) { j.Progress = 40 }))
	assert.Equal(t, []string{"3f9a1c22: completed, a kite."}, step(func(j *jobs.Job) {
		j.State, j.Files = jobs.Completed, []jobs.File{{State: jobs.FileWanted}, {State: jobs.FileSaved, Path: "/x/b.png"}}
	})[:1])
	assert.Equal(t, []string{"3f9a1c22: saved as /x/a.mp4."}, step(func(j *jobs.Job) { j.Files[0] = jobs.File{State: jobs.FileSaved, Path: "/x/a.mp4"} }))
	assert.Empty(t, step(func(*jobs.Job) {}))
	failed := jobs.Job{ID: j.ID, State: jobs.Failed, Error: &client.TaskError{Code: "rate_limit", Message: "too many\x1b]0;x\a"}, CreatedAt: time.Now().Add(-time.Hour)}
	assert.NotContains(t, progress(&failed), "\x1b")
	assert.Contains(t, progress(&failed), "failed, rate_limit too many")
}

func FuzzLines(f *testing.F) {
	f.Add("a\nb\r\n\x00")
	f.Fuzz(func(t *testing.T, text string) {
		l := newLines(strings.NewReader(text))
		for range len(text) + 1 {
			got, err := l.next(t.Context(), nil, nil)
			if err != nil {
				assert.ErrorIs(t, err, io.EOF)
				return
			}
			assert.NotContains(t, got, "\n")
		}
		t.Fatal("it has no end")
	})
}
