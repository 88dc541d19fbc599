package compare

import (
	"fmt"
	"testing"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
)

// five is a run of five models, a job in each state.
func five(t testing.TB, b *bench) {
	b.Send(screen.CompareDraft{Draft: aDraft()})
	b.choose("famA3", "famD-2-0-260128", "famK-3.0", "famE-video-3")
	b.Key("ctrl+s", "y")
	done := b.aJob(0, jobs.Completed, "completed")
	done.Files = []jobs.File{{Kind: client.AssetImage, State: jobs.FileSaved, Path: picture(t)}}
	started := b.aJob(1, jobs.Running, "in_progress")
	started.Progress = 42
	b.e.tell(b.aJob(0, jobs.Running, "in_progress"))
	b.Send(screen.JobsMsg{})
	failed := b.aJob(3, jobs.Failed, "FAILED")
	failed.Error = &client.TaskError{Code: "DataInspectionFailed", Message: "the prompt was refused by a model, and this says why at length"}
	b.e.tell(done, started, b.aJob(2, jobs.Queued, "queueing"), failed, b.aJob(4, jobs.Completed, "succeeded"))
	b.Send(screen.JobsMsg{})
}

func TestGoldens(t *testing.T) {
	cases := []struct {
		name string
		make func(t *testing.T, b *bench)
	}{
		{"empty", func(*testing.T, *bench) {}},
		{"draft", func(_ *testing.T, b *bench) {
			b.Send(screen.CompareDraft{Draft: aDraft()})
			b.choose("famK-3.0", "famA3")
		}},
		{"confirm", func(_ *testing.T, b *bench) {
			b.Send(screen.CompareDraft{Draft: aDraft()})
			b.choose("famK-3.0", "famA3")
			b.Key("n", "ctrl+s")
		}},
		{"loading", func(_ *testing.T, b *bench) {
			b.Send(screen.CompareDraft{Draft: aDraft()})
			b.choose("famK-3.0", "famA3")
			b.Key("ctrl+s")
		}},
		{"run", func(t *testing.T, b *bench) { five(t, b) }},
		{"hostile", func(_ *testing.T, b *bench) {
			evil := "\x1b[2J\u202eevil\u200b 塩の平原 👩\u200d🚀\r\n"
			d := aDraft()
			d.Prompt = "🪁 塩の平原 מישור " + evil
			b.Send(screen.CompareDraft{Draft: d})
			b.Key("ctrl+s")
			j := b.aJob(0, jobs.Unknown, evil)
			j.Error, j.Note = &client.TaskError{Code: evil, Message: evil}, evil
			b.e.tell(j)
			b.Send(screen.JobsMsg{})
			b.Key("/")
		}},
	}
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		for _, c := range cases {
			name := fmt.Sprintf("%s-%dx%d", c.name, s[0], s[1])
			t.Run(name, func(t *testing.T) {
				b := start(t, s[0], s[1])
				c.make(t, b)
				b.Golden(name)
			})
		}
	}
}
