package follow

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/standing"
)

func TestTransfers(t *testing.T) {
	t.Parallel()
	job := func(files ...jobs.File) jobs.Job {
		return jobs.Job{ID: "j", State: jobs.Completed, Draft: client.Draft{Modality: client.Video, Model: "famA3"}, Files: files}
	}
	fetching := jobs.File{State: jobs.FileFetching, Bytes: 2_000_000, Total: 8_000_000}
	text := func(rate float64, files ...jobs.File) string { return transferText(jobs.TransferOf(files), rate) }
	require.Equal(t, "2.0 MB of 8.0 MB, 1.0 MB/s, 6.0 s left", text(1e6, fetching))
	require.Equal(t, "2.0 MB", text(0, fetching, jobs.File{State: jobs.FileWanted, Total: -1, Error: "reset"}))

	l := newLive(&kit.IO{}, []string{"a", "b"}, free)
	l.byID["a"], l.byID["b"] = job(fetching), job(fetching)
	require.Contains(t, l.line(job(fetching)), "█████░░░░░░░░░░░░░░░ downloading  2.0 MB of 8.0 MB")
	require.Contains(t, l.sum(), "2 files to come, 4.0 MB of 16 MB")
	l.byID["b"] = job()
	require.Empty(t, l.sum())
	require.True(t, strings.HasSuffix(l.line(job(jobs.File{State: jobs.FileWanted, Bytes: 2_000_000, Total: 8_000_000, Error: "the disk is full"})),
		"2.0 MB of 8.0 MB, waiting: the disk is full"))
}

func TestSpeed(t *testing.T) {
	t.Parallel()
	var s speed
	now := time.Unix(1000, 0)
	require.Zero(t, s.see(now, 5_000_000), "what was there is no speed")
	require.Zero(t, s.see(now.Add(100*time.Millisecond), 5_100_000))
	require.InDelta(t, 1e6, s.see(now.Add(time.Second), 6_000_000), 1)
	require.InDelta(t, 1.3e6, s.see(now.Add(2*time.Second), 8_000_000), 1)
	require.Zero(t, s.see(now.Add(3*time.Second), 100), "it began again")
}

// TestForecastWhileWatching: the live line tells what is left.
func TestForecastWhileWatching(t *testing.T) {
	t.Parallel()
	j := jobs.Job{ID: "a", State: jobs.Running, Draft: client.Draft{Modality: client.Video, Model: "famA3"}}
	var f standing.Forecast
	l := newLive(&kit.IO{}, []string{"a"}, func(jobs.Job) stand { return stand{Forecast: f} })
	require.NotContains(t, l.line(j), "~")
	f.Left = 75 * time.Second
	require.Contains(t, l.line(j), ", ~1 m 20 s")
	f = standing.Forecast{Left: time.Second, Slow: true}
	require.Contains(t, l.line(j), ", slow")
}
