package queue

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs"
	"darkroom/tui/screen"
)

func TestSavingText(t *testing.T) {
	of := func(files ...jobs.File) string { return savingText(jobs.TransferOf(files)) }
	assert.Empty(t, of(jobs.File{State: jobs.FileSaved, Bytes: 5, Total: 5}))
	assert.Equal(t, "1 file to come, 750 B of 1.5 kB", of(jobs.File{State: jobs.FileSaved, Bytes: 500, Total: 500}, jobs.File{State: jobs.FileFetching, Bytes: 250, Total: 1000}))
	assert.Equal(t, "2 files to come, 250 B so far", of(jobs.File{State: jobs.FileFetching, Bytes: 250, Total: -1}, jobs.File{State: jobs.FileWanted, Total: -1}))
	assert.Equal(t, "1 file to come", of(jobs.File{State: jobs.FileWanted, Total: -1}))
}

// TestSavingShowsPerFileAndInAll: each file of the job, the job's sum, and that of the list.
func TestSavingShowsPerFileAndInAll(t *testing.T) {
	one, two := savingJob(5), job(1, jobs.Completed)
	two.Files = []jobs.File{{State: jobs.FileFetching, Bytes: 1_000_000, Total: 2_000_000}}
	b := open(t, 120, 34, one, two)
	v := b.View()
	assert.Contains(t, line(v, "Video"), "34 %, 3.1 MB of 9.0 MB")
	assert.Contains(t, line(v, "Cover"), "comes next")
	assert.Contains(t, line(v, "Saving"), "2 files to come, 3.1 MB of 9.1 MB")
	assert.Contains(t, v, "↓ 3 files to come, 4.1 MB of 11 MB · 1 of 2")
	assert.Contains(t, v, "[ stop saving ]")

	one.Files[0].State, one.Files[0].Bytes = jobs.FileSaved, one.Files[0].Total
	one.Files[1].Error = "HTTP 503"
	b.f.change(one)
	b.Send(screen.JobsMsg{})
	v = b.View()
	assert.NotContains(t, v, "comes next")
	assert.Contains(t, v, "tried again in a moment: HTTP 503")
	assert.Contains(t, v, "↓ 2 files to come, 10 MB of 11 MB")
	one.Files[1].Error = ""
	b.f.change(one)
	b.Send(screen.JobsMsg{})
	assert.Contains(t, line(b.View(), "Cover"), "not saved yet; d fetches it now", "an interrupted download")
	for i := range one.Files {
		one.Files[i].State = jobs.FileSaved
	}
	two.Files = nil
	b.f.change(one)
	b.f.change(two)
	b.Send(screen.JobsMsg{})
	assert.NotContains(t, b.View(), "to come")
}

// TestStoppingADownload: asked first, what it says is about the files and not the task.
func TestStoppingADownload(t *testing.T) {
	j := savingJob(5)
	b := open(t, 120, 34, j)
	b.Send(screen.ClickMsg{Zone: "btn:queue.drop"})
	assert.Contains(t, b.View(), "Stop the download?")
	assert.Contains(t, b.View(), "stays. d downloads")
	b.Key("y")
	assert.Equal(t, []string{"drop " + j.ID}, b.f.done)
	b.f.took()
	j.Files[0].State, j.Files[0].Error = jobs.FileFailed, "stopped"
	j.Files[1].State, j.Files[1].Error = jobs.FileFailed, "stopped"
	b.f.change(j)
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "✗ stopped")
	assert.Contains(t, b.View(), "2 not saved", "the list tells that something is missing")
	b.Key("d")
	assert.Equal(t, []string{"download " + j.ID}, b.f.done)
}

func TestDownloadAgain(t *testing.T) {
	done, failed := job(2, jobs.Completed), job(1, jobs.Failed)
	done.Files = []jobs.File{{State: jobs.FileSaved, Path: "/x/a.mp4", Bytes: 5, Total: 5}}
	b := open(t, 120, 34, done, failed)
	b.Key("alt+d")
	assert.Equal(t, []string{"download again " + done.ID}, b.f.done)
	b.f.took()
	b.Key("j", "alt+d")
	assert.Empty(t, b.f.done, "there is no result")
}
