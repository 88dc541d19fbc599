package results

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/run"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/runs"
	"darkroom/tui/remote"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compare/internal/facts"
	"darkroom/tui/screens/compare/internal/say"
)

// Scopes of the page's keys and actions: with the grid, and with a result on the whole screen.
const (
	Scope     = "run"
	ScopeZoom = "trial"
)

// Titles are the headings of the two in the help.
const (
	Title     = "In the grid of a run"
	TitleZoom = "With a result on the whole screen"
)

// Actions that keys, clicks and texts mean beside their own keys.
const (
	actZoom    = Scope + ".zoom"
	actMark    = Scope + ".mark"
	actFlip    = Scope + ".flip"
	actBeside  = Scope + ".beside"
	actFilter  = Scope + ".filter"
	actFailed  = Scope + ".failed"
	actDiffers = Scope + ".differs"
	actOrder   = Scope + ".order"
	actTall    = Scope + ".thumbnails"
	actPanel   = Scope + ".panel"
	actNarrow  = Scope + ".panel-away"
	actRuns    = Scope + ".list"
	actResume  = Scope + ".resume"
	actStop    = Scope + ".stop"
	actPlay    = Scope + ".play"
	actStar    = Scope + ".star"
	actReject  = Scope + ".reject"
	actRestore = Scope + ".restore"
	actLeave   = Scope + ".leave"

	actZoomBack   = ScopeZoom + ".back"
	actZoomNext   = ScopeZoom + ".next"
	actZoomPrev   = ScopeZoom + ".prev"
	actZoomFlip   = ScopeZoom + ".flip"
	actZoomBeside = ScopeZoom + ".beside"
	actZoomPlay   = ScopeZoom + ".play"
	actZoomStar   = ScopeZoom + ".star"
	actZoomReject = ScopeZoom + ".reject"
	actZoomUse    = ScopeZoom + ".use"
	actZoomQueue  = ScopeZoom + ".queue"
	actZoomOut    = ScopeZoom + ".compose"
)

// Commands is the table of what can be done with the grid.
func Commands() []screen.Command[*Model] {
	return append([]screen.Command[*Model]{
		{ID: actZoom, Title: "Look at the result", Keys: []string{"enter", "w"}, Word: "look", Off: ofTrial(nil), Do: screen.Act((*Model).look)},
		{ID: actPlay, Title: "Look at the video and play it", Keys: []string{"m"}, Word: "play", Off: ofTrial(offVideo), Do: lookAndPlay},
		{ID: actMark, Title: "Mark the result to compare with, or unmark it", Keys: []string{" "}, Word: "mark", Off: ofTrial(offLook), Do: screen.Act((*Model).mark)},
		{ID: actFlip, Title: "Flip between the marked result and this one", Keys: []string{"f"}, Word: "flip", Off: ofTrial(offPair), Do: screen.Act((*Model).flip)},
		{ID: actBeside, Title: "The marked result and this one side by side", Keys: []string{"b"}, Word: "side by side", Off: ofTrial(offPair), Do: screen.Act((*Model).beside)},
		{ID: actFilter, Title: "Filter by words of model, prompt, state, code", Keys: []string{"/"}, Word: "filter", Off: ofRun, Do: screen.Act(func(m *Model) { m.typing = true })},
		{ID: actFailed, Title: "Failed trials only, or all", Keys: []string{"F"}, Word: "failed", Off: ofRun, Do: screen.Act(func(m *Model) { m.grid.FailedOnly() })},
		{ID: actDiffers, Title: "Differences only, or all", Keys: []string{"D"}, Word: "differences", Off: ofRun, Do: screen.Act(func(m *Model) { m.grid.DiffersOnly() })},
		{ID: Scope + ".next-failed", Title: "Go to the next trial that failed", Keys: []string{"E"}, Off: ofRun, Do: nextFailed},
		{ID: actOrder, Title: "Order the models: as planned, by success, by median latency", Keys: []string{"O"}, Off: ofRun, Do: screen.Act(func(m *Model) { m.grid.Turn() })},
		{ID: actTall, Title: "Thumbnails, or lines", Keys: []string{"v"}, Word: "thumbnails", Off: ofRun, Do: screen.Act(func(m *Model) { m.grid.SetTall(!m.grid.Tall()) })},
		{ID: actPanel, Title: "What the run shows, or the trial under the cursor", Keys: []string{"tab"}, Word: "verdicts", Off: ofRun, Do: screen.Act((*Model).turnPanel)},
		{ID: actNarrow, Title: "The panel beside the grid, or not", Keys: []string{"p"}, Word: "panel", Off: ofRun, Do: screen.Act(func(m *Model) { m.panel.away = !m.panel.away })},
		{ID: Scope + ".panel-down", Title: "Scroll the panel down", Keys: []string{"J", "shift+down"}, Off: ofRun, Do: screen.Act(func(m *Model) { m.panel.body.Move(3) })},
		{ID: Scope + ".panel-up", Title: "Scroll the panel up", Keys: []string{"K", "shift+up"}, Off: ofRun, Do: screen.Act(func(m *Model) { m.panel.body.Move(-3) })},
		{ID: actRuns, Title: "List the runs", Keys: []string{"R"}, Word: "runs", Off: offBench, Do: (*Model).OpenRuns},
		{ID: actResume, Title: "Send what is missing and what failed", Keys: []string{"r"}, Off: offResume, Do: askResume},
		{ID: actStop, Title: "Stop the run: send no more", Keys: []string{"alt+x"}, Off: offStop, Do: stop},
		{ID: Scope + ".vote", Title: "Judge the results blind, in pairs", Keys: []string{"V"}, Off: offVote, Do: vote},
		{ID: Scope + ".export", Title: "Write a report", Keys: []string{"X"}, Off: offExport, Do: askExport},
		{ID: Scope + ".reload", Title: "Read the run again", Keys: []string{"f5"}, Off: offBench, Do: func(m *Model) tea.Cmd { return m.Show(m.id) }},
		{ID: actLeave, Title: "End the filter, or go back to the plan", Keys: []string{"esc"}, Word: "plan", Do: screen.Act((*Model).leave)},
	}, each(Scope)...)
}

// ZoomCommands is the table of what can be done with a result on the whole screen.
func ZoomCommands() []screen.Command[*Model] {
	return append([]screen.Command[*Model]{
		{ID: actZoomBack, Title: "Back to the grid", Keys: []string{"esc", "enter", "w"}, Word: "grid", Off: offZoom, Do: screen.Act(func(m *Model) { m.zoom.Close() })},
		{ID: actZoomNext, Title: "Next result", Keys: []string{"pgdown", "tab"}, Word: "next", Off: offZoom, Do: step(1)},
		{ID: actZoomPrev, Title: "Result before", Keys: []string{"pgup", "shift+tab"}, Off: offZoom, Do: step(-1)},
		{ID: actZoomFlip, Title: "Flip to the other result, at the same place", Keys: []string{"f", " "}, Word: "flip", Off: offOther, Do: screen.Act(func(m *Model) { m.zoom.Flip(); m.follow() })},
		{ID: actZoomBeside, Title: "Both side by side, or one", Keys: []string{"b"}, Word: "side by side", Off: offOther, Do: screen.Act(func(m *Model) { m.zoom.Beside() })},
		{ID: actZoomPlay, Title: "Play the video, two in step, or pause", Keys: []string{"m"}, Word: "play", Off: func(m *Model) string { return m.zoom.OffPlay() }, Do: func(m *Model) tea.Cmd { return m.zoom.Play() }},
		{ID: ScopeZoom + ".larger", Title: "Picture larger", Keys: []string{"+", "="}, Off: offCloser, Do: screen.Act(func(m *Model) { m.zoom.Closer(1) })},
		{ID: ScopeZoom + ".smaller", Title: "Picture smaller", Keys: []string{"-"}, Off: offCloser, Do: screen.Act(func(m *Model) { m.zoom.Closer(-1) })},
		{ID: ScopeZoom + ".actual", Title: "Picture 1:1, or as large as fits", Keys: []string{"z"}, Off: offCloser, Do: screen.Act(func(m *Model) { m.zoom.Actual() })},
		{ID: ScopeZoom + ".facts", Title: "Facts beside the result, or not", Keys: []string{"v"}, Off: offZoom, Do: screen.Act(func(m *Model) { m.panel.hidden = !m.panel.hidden })},
		{ID: ScopeZoom + ".facts-down", Title: "Scroll the facts down", Keys: []string{"J", "shift+down"}, Off: offZoom, Do: screen.Act(func(m *Model) { m.panel.body.Move(3) })},
		{ID: ScopeZoom + ".facts-up", Title: "Scroll the facts up", Keys: []string{"K", "shift+up"}, Off: offZoom, Do: screen.Act(func(m *Model) { m.panel.body.Move(-3) })},
	}, each(ScopeZoom)...)
}

// each are the actions on one trial, which both tables have.
func each(scope string) []screen.Command[*Model] {
	outside := func(verb, title, key string) screen.Command[*Model] {
		return screen.Command[*Model]{ID: scope + "." + verb, Title: title, Keys: []string{key},
			Off: ofTrial(func(m *Model, x facts.Trial) string { return m.outside.Off(verb, jobOf(x)) }),
			Do:  func(m *Model) tea.Cmd { return m.outside.Do(verb, jobOf(m.current())) }}
	}
	return []screen.Command[*Model]{
		{ID: scope + ".star", Title: "Star or unstar", Keys: []string{"s"}, Word: "star", Off: ofTrial(offJob), Do: func(m *Model) tea.Cmd { return toggleStar(m.o.Jobs, m.current().Trial.JobID) }},
		{ID: scope + ".reject", Title: "Reject", Keys: []string{"x"}, Word: "reject", Off: ofTrial(offReject), Do: askReject},
		{ID: scope + ".restore", Title: "Take back what was rejected", Keys: []string{"alt+z"}, Off: offRestore, Do: restore},
		{ID: scope + ".copy", Title: "Copy the path of the file", Keys: []string{"y"}, Off: ofTrial(offLook), Do: copyPath},
		{ID: scope + ".open", Title: "Open the file", Keys: []string{"o"}, Off: ofTrial(offLook), Do: openFile},
		outside(remote.Toggle, "Play in the player, or pause it", "P"),
		outside(remote.Stop, "End the player", "S"),
		{ID: scope + ".queue", Title: "Open in Queue", Keys: []string{"Q"}, Word: "in Queue", Off: ofTrial(offJob), Do: func(m *Model) tea.Cmd {
			return screen.Open(screen.Queue, screen.ShowJob{JobID: m.current().Trial.JobID})
		}},
		{ID: scope + ".inspect", Title: "Inspect", Keys: []string{"i"}, Off: ofTrial(offTask), Do: func(m *Model) tea.Cmd {
			return screen.Open(screen.Inspect, screen.InspectID{ID: m.current().Trial.TaskID})
		}},
		{ID: scope + ".use", Title: "Use the result as a reference", Keys: []string{"u"}, Word: "use", Off: ofTrial(offUse), Do: func(m *Model) tea.Cmd {
			return screen.Open(screen.Compose, screen.ComposeResult{JobID: m.current().Trial.JobID, As: string(chain.Reference)})
		}},
		{ID: scope + ".compose", Title: "Take the draft to Compose, with its seed", Keys: []string{"c"}, Word: "to compose", Off: ofCell, Do: compose},
	}
}

// ofRun says why nothing can be done with a run: none shows.
func ofRun(m *Model) string {
	if m.run == nil {
		return "no run shows"
	}
	return ""
}

func ofCell(m *Model) string {
	if m.current().Cell == nil {
		return "there is no cell under the cursor"
	}
	return ""
}

// ofTrial turns a rule about the trial under the cursor into one about the page; nil allows every cell.
func ofTrial(off func(*Model, facts.Trial) string) func(*Model) string {
	return func(m *Model) string {
		x := m.current()
		switch {
		case x.Cell == nil:
			return "there is no cell under the cursor"
		case off == nil:
			return ""
		case x.Trial == nil:
			return "this one was not sent"
		}
		return off(m, x)
	}
}

func offJob(_ *Model, x facts.Trial) string {
	if x.Trial.JobID == "" {
		return "it has no job yet"
	}
	return ""
}

func offUse(m *Model, x facts.Trial) string {
	if !x.Trial.OK() {
		return "only a completed job has a result"
	}
	return offJob(m, x)
}

func offTask(_ *Model, x facts.Trial) string {
	if x.Trial.TaskID == "" {
		return "the gateway gave it no id"
	}
	return ""
}

func offLook(_ *Model, x facts.Trial) string {
	if path, poster, _ := say.Showpiece(&x.Trial.Outcome); path == "" && poster == "" {
		return "it has no file on this machine"
	}
	return ""
}

func offPair(m *Model, x facts.Trial) string {
	switch m.marked {
	case place{}:
		return "mark the result to compare with first: " + m.commands.Key(actMark)
	case place{x.Cell.Number, x.Repeat}:
		return "this is the marked one; go to another"
	}
	return offLook(m, x)
}

func offZoom(m *Model) string {
	if !m.zoom.On() {
		return "no result shows on the whole screen"
	}
	return ""
}

func offOther(m *Model) string {
	switch {
	case !m.zoom.On():
		return offZoom(m)
	case m.zoom.Other() == "":
		return "look at another result first, or mark one in the grid"
	}
	return ""
}

func offCloser(m *Model) string {
	switch {
	case !m.zoom.On():
		return offZoom(m)
	case m.zoom.IsBeside() || m.zoom.Playing() || !m.zoom.Loaded():
		return "there is no picture to look at more closely"
	}
	return ""
}

func offBench(m *Model) string {
	if m.o.Bench == nil {
		return "no runs are kept here"
	}
	return ""
}

func offResume(m *Model) string {
	switch {
	case m.run == nil:
		return "no run shows"
	case m.o.ReadOnly != "":
		return m.o.ReadOnly
	case m.live:
		return "it is being sent"
	case m.run.Status == compare.Open:
		return "" // where nothing is missing, it is looked through and ended
	}
	if missing, again := run.Left(m.run); missing+again == 0 {
		return "nothing is missing, and nothing failed"
	}
	return ""
}

func offStop(m *Model) string {
	switch {
	case m.run == nil:
		return "no run shows"
	case m.run.Status != compare.Open:
		return "it is over"
	}
	return ""
}

func offExport(m *Model) string {
	switch {
	case m.run == nil:
		return "no run shows"
	case m.o.Export == nil:
		return "no report can be made here"
	}
	return ""
}

func offVote(m *Model) string {
	switch {
	case m.run == nil:
		return "no run shows"
	case m.o.Vote == nil:
		return "nothing is judged here"
	}
	return ""
}

// vote judges the run as it is now.
func vote(m *Model) tea.Cmd { return m.o.Open(m.o.Vote(*m.run)) }

// OpenRuns lists the runs.
func (m *Model) OpenRuns() tea.Cmd {
	if off := offBench(m); off != "" {
		return screen.Toast(screen.Warn, off)
	}
	return m.o.Open(runs.New(runs.Options{Bench: m.o.Bench, Keys: m.o.Keys, ReadOnly: m.o.ReadOnly, Free: m.o.Free, Now: m.o.Now, At: m.id}))
}

func nextFailed(m *Model) tea.Cmd {
	if !m.grid.FirstFailed() {
		return screen.Toast(screen.Info, "none of those that show has failed")
	}
	return nil
}

// The subjects of dialogs.
type (
	resuming  struct{ id string }
	exporting struct{ run compare.Run }
)

func askResume(m *Model) tea.Cmd {
	missing, again := run.Left(m.run)
	if missing+again == 0 {
		return resume(m, m.id)
	}
	billed := ", which are billed"
	if m.o.Free {
		billed = ""
	}
	text := fmt.Sprintf("It sends %s and %d that failed%s. The first attempt at each still counts. One whose create is unclear is never sent by itself.",
		human.Plural(missing, "missing trial"), again, billed)
	return m.o.Open(ask.Decide("Resume the run?", text, "Not now", "Resume", resuming{m.id}))
}

// resume goes on with a run, and shows it anew.
func resume(m *Model, id string) tea.Cmd {
	b := m.o.Bench
	return tea.Sequence(act("resumed", func(ctx context.Context) error { return b.Resume(ctx, id) }), load(b, id))
}

func stop(m *Model) tea.Cmd {
	id, b := m.id, m.o.Bench
	return tea.Sequence(act("stopped: what is in flight goes on, and nothing more is sent", func(ctx context.Context) error { return b.Stop(ctx, id) }), load(b, id))
}

// decided takes the answers of questions.
func (m *Model) decided(a any) (tea.Cmd, bool) {
	switch a := a.(type) {
	case ask.Agreed:
		switch on := a.About.(type) {
		case resuming:
			return resume(m, on.id), true
		case rejecting:
			m.rejects.agreed = true
			return setRejected(m.o.Jobs, on.job, true), true
		}
		return nil, false
	case ask.Typed:
		on, ok := a.About.(exporting)
		if !ok {
			return nil, false
		}
		return m.export(on.run, strings.TrimSpace(a.Text)), true
	}
	return nil, false
}

func copyPath(m *Model) tea.Cmd {
	path, poster, _ := say.Showpiece(&m.current().Trial.Outcome)
	if path == "" {
		path = poster
	}
	return func() tea.Msg { return screen.Copied(path, "the path", "open its folder instead") }
}

func openFile(m *Model) tea.Cmd {
	path, poster, _ := say.Showpiece(&m.current().Trial.Outcome)
	if path == "" {
		path = poster
	}
	return func() tea.Msg { return screen.OpenFileMsg{Path: path} }
}

// compose takes what a cell sends to Compose, with the seed that its trial was sent with.
func compose(m *Model) tea.Cmd {
	x := m.current()
	d := screen.ComposeDraft{Draft: x.Cell.Draft.Clone(), Format: x.Cell.Format}
	if x.Trial != nil {
		d.Job = x.Trial.JobID
		if x.Trial.Seed != "" {
			if d.Draft.Values == nil {
				d.Draft.Values = client.Values{}
			}
			d.Draft.Values["seed"] = x.Trial.Seed
		}
	}
	return screen.Open(screen.Compose, d)
}

// jobOf is a trial as the player knows one, nil for one that has no job.
func jobOf(x facts.Trial) *jobs.Job {
	if x.Trial == nil {
		return nil
	}
	j := &jobs.Job{ID: x.Trial.JobID, State: x.Trial.State}
	for _, f := range x.Trial.Files {
		if f.Here {
			j.Files = append(j.Files, jobs.File{Kind: f.Kind, State: jobs.FileSaved, Path: f.Path, Bytes: f.Bytes})
		}
	}
	return j
}
