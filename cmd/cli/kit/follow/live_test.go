package follow

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/kittest"
	"darkroom/jobs"
)

func TestLiveLines(t *testing.T) {
	t.Parallel()
	y := kittest.NewTypist(t)
	s := &kit.IO{Out: y.TTY, Err: y.TTY, TtyErr: y.TTY}
	ids := make([]string, 60)
	for i := range ids {
		ids[i] = fmt.Sprintf("job-%02d", i)
	}
	l := newLive(s, ids, free)
	l.put(jobs.Job{ID: ids[59], State: jobs.Completed, Draft: client.Draft{Model: "done"}})
	l.put(jobs.Job{ID: ids[0], State: jobs.Running, Progress: 50, Draft: client.Draft{Model: evil}})
	_, height := s.Size()
	require.Len(t, l.lines(height-1), height-1)
	require.Contains(t, l.lines(height - 1)[height-2], "more")
	require.NotContains(t, strings.Join(l.lines(height-1), "\n"), "done", "those with work come first")
	l.draw()
	y.Shows("more")
	l.end()
	y.Shows("\x1b[J")
	require.NotContains(t, y.Screen(), "owned\x07")
}

// TestOnATerminalAPauseIsToldOnce above the lines, which have no room for the command.
func TestOnATerminalAPauseIsToldOnce(t *testing.T) {
	t.Parallel()
	y := kittest.NewTypist(t)
	s := &kit.IO{Out: y.TTY, Err: y.TTY, TtyErr: y.TTY}
	held := []HeldBy{{Hold: jobs.Hold{Kind: jobs.HoldAll}, Resume: "darkroom jobs resume --all"}}
	l := newLive(s, []string{"a"}, func(jobs.Job) stand { return stand{held: held} })
	l.put(jobs.Job{ID: "a", State: jobs.Planned, Draft: client.Draft{Modality: client.Video, Model: "famA3"}})
	for range 3 {
		l.sayAll()
		l.draw()
	}
	y.Shows("planned, paused")
	assert.Equal(t, 1, strings.Count(y.Screen(), "`darkroom jobs resume --all` lets it go on"))
	held = nil
	l.sayAll()
	l.draw()
	assert.NotContains(t, l.line(l.byID["a"]), "paused")
}

// TestFilesOfAJobHaveLines: per file and in all, as far as there is room.
func TestFilesOfAJobHaveLines(t *testing.T) {
	t.Parallel()
	j := jobs.Job{ID: "a", State: jobs.Completed, Draft: client.Draft{Modality: client.Video, Model: "famA3"}, Files: []jobs.File{
		{Kind: client.AssetVideo, State: jobs.FileFetching, Bytes: 2_000_000, Total: 8_000_000},
		{Kind: client.AssetCover, State: jobs.FileSaved, Bytes: 5, Total: 5},
		{Kind: client.AssetLastFrame, State: jobs.FileWanted, Total: -1},
		{Kind: client.AssetLastFrame, State: jobs.FileWanted, Total: -1, Error: "HTTP 503"},
	}}
	l := newLive(&kit.IO{}, []string{"a"}, free)
	l.put(j)
	lines := l.lines(20)
	require.Len(t, lines, 5)
	assert.Contains(t, lines[0], "downloading")
	assert.Contains(t, lines[1], "█████░░░░░░░░░░░░░░░ 2.0 MB of 8.0 MB")
	assert.Contains(t, lines[2], "████████████████████ saved, 5 B")
	assert.Contains(t, lines[3], "comes next")
	assert.Contains(t, lines[4], "waiting: HTTP 503")
	require.Len(t, l.lines(4), 1, "where there is no room the job's own line is what counts")
	j.Files = j.Files[:1]
	l.put(j)
	require.Len(t, l.lines(20), 1, "one file is the job's line")
}

// A file that was not saved comes with the command that tries again.
func TestFailedFileTellsWhatToDo(t *testing.T) {
	t.Parallel()
	j := jobs.Job{ID: "01a201c4-4b0d-75c2-ba5a-675930417a39", State: jobs.Completed,
		Files: []jobs.File{{Index: 1, State: jobs.FileFailed, Error: "HTTP 404"}}}
	err := Outcome(t.Context(), nil, []jobs.Job{j}, true)
	require.ErrorContains(t, err, "file 1 is not saved: HTTP 404; `darkroom jobs download 30417a39` tries again")
	require.Equal(t, kit.ExitFailed, kit.Code(err))
	require.NoError(t, Outcome(t.Context(), nil, []jobs.Job{j}, false), "nobody asked for files")
}

func TestOutcome(t *testing.T) {
	t.Parallel()
	of := func(all ...jobs.Job) int { return kit.Code(Outcome(t.Context(), nobody{}, all, true)) }
	require.Equal(t, kit.ExitOK, of(jobs.Job{State: jobs.Completed}, jobs.Job{State: jobs.Running}))
	require.Equal(t, kit.ExitFailed, of(jobs.Job{State: jobs.Completed}, jobs.Job{State: jobs.Lost}))
	require.Equal(t, kit.ExitAmbiguous, of(jobs.Job{State: jobs.Failed}, jobs.Job{State: jobs.Ambiguous}))
	require.Equal(t, kit.ExitAuth, of(jobs.Job{ID: "401", State: jobs.Refused}))
	require.Equal(t, kit.ExitFailed, of(jobs.Job{ID: "400", State: jobs.Refused}))
	require.Equal(t, kit.ExitFailed, of(jobs.Job{State: jobs.Completed, Files: []jobs.File{{State: jobs.FileFailed}}}))
	require.Equal(t, kit.ExitFailed, of(jobs.Job{State: jobs.Completed, Files: []jobs.File{{State: jobs.FileWanted, Error: "no such host"}}}))
}

// nobody answers for jobs that were refused with the status that is their id.
type nobody struct{ jobs.Reader }

func (nobody) Detail(_ context.Context, id string) (jobs.Detail, error) {
	status := map[string]int{"401": 401, "400": 400}[id]
	return jobs.Detail{Events: []jobs.Event{{Kind: jobs.EventRefused, HTTPStatus: status}}}, nil
}

// evil is text that would do something to a terminal.
const evil = "a\x1b]0;owned\x07b\u202ec\u200bd\u009b2Je"

// free is how a job stands that nothing holds up.
func free(jobs.Job) stand { return stand{} }
