package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/disk"
	"darkroom/client/expand"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/plan"
	"darkroom/jobs/compare/suite"
	"darkroom/tui/screen"
)

// planning is what the plan comes to, worked out in commands: one at a time, and again when something
// was changed meanwhile.
type planning struct {
	gen     int // grows with every change
	of      int // what run and forecast are of
	busy    bool
	sending bool
	run     compare.Run
	cast    plan.Forecast
	cells   cells
	err     error
}

// cells are how many cells of a run can run, and how many of these send no seed.
type cells struct{ able, unseeded int }

func cellsOf(r *compare.Run) (out cells) {
	for i := range r.Cells {
		c := &r.Cells[i]
		if c.Cannot != "" {
			continue
		}
		out.able++
		if _, fixed := c.Draft.Values.Text(expand.FieldSeed); c.Seeds == "" && !fixed {
			out.unseeded++
		}
	}
	return out
}

// changed says that the plan is another one.
func (m *Model) changed() { m.gen++ }

// fresh reports whether what is known is of the plan as it is.
func (p *planning) fresh() bool { return p.of == p.gen && !p.busy }

type plannedMsg struct {
	gen   int
	run   compare.Run
	cast  plan.Forecast
	cells cells
	err   error
}

// ask works out what the plan comes to, if that is not known.
func (m *Model) ask() tea.Cmd {
	if m.busy || m.of == m.gen || m.o.Plan == nil {
		return nil
	}
	if why := m.incomplete(); why != "" {
		m.of, m.run, m.cast, m.cells, m.err = m.gen, compare.Run{}, plan.Forecast{}, cells{}, nil
		return nil
	}
	m.busy = true
	s, path, gen, work := m.Suite(), m.path, m.gen, m.o.Plan
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), limit)
		defer stop()
		r, cast, err := work(ctx, s, path)
		return plannedMsg{gen, r, cast, cellsOf(&r), err}
	}
}

func (m *Model) planned(msg plannedMsg) {
	m.busy = false
	m.of, m.run, m.cast, m.cells, m.err = msg.gen, msg.run, msg.cast, msg.cells, msg.err
}

// incomplete says what is missing before there is anything to plan.
func (m *Model) incomplete() string {
	switch {
	case m.file != nil:
		return ""
	case len(m.plan.In()) == 0:
		return "choose at least one model that can take the draft"
	case m.prompts.blank():
		return "type a prompt first"
	}
	return ""
}

// offRun says why the plan cannot be run now.
func offRun(m *Model) string {
	switch {
	case m.o.ReadOnly != "":
		return m.o.ReadOnly
	case m.o.Start == nil || m.o.Plan == nil:
		return "nothing can be run here"
	case m.sending:
		return "a run is being journalled"
	}
	if why := m.incomplete(); why != "" {
		return why
	}
	switch {
	case !m.fresh():
		return "the plan is being worked out"
	case m.err != nil:
		return client.CleanLine(m.err.Error())
	case len(m.run.Order) == 0:
		return "none of the cells can run"
	}
	return ""
}

// startedMsg is the outcome of a run: its id, or why there is none.
type startedMsg struct {
	id  string
	err error
}

// start journals the planned run and has it sent.
func (m *Model) start() tea.Cmd {
	m.sending = true
	r, begin := m.run, m.o.Start
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), limit)
		defer stop()
		id, err := begin(ctx, r)
		return startedMsg{id, err}
	}
}

// started shows the run. Until then everything chosen and typed stays, as it does if it is refused.
func (m *Model) started(msg startedMsg) tea.Cmd {
	m.sending = false
	m.changed() // the next run has an order and seeds of its own
	if msg.err != nil {
		text := "nothing was sent: "
		if errors.Is(msg.err, jobs.ErrUnclear) {
			text = "perhaps submitted: "
		}
		return screen.Toast(screen.Bad, text+client.CleanLine(msg.err.Error()))
	}
	m.typed, m.drafts = false, nil
	return m.o.Begun(msg.id)
}

// openedMsg brings a suite's file.
type openedMsg struct {
	path  string
	suite suite.Suite
	text  string
	err   error
}

// openFile reads a suite.
func openFile(path string) tea.Cmd {
	return func() tea.Msg {
		f, err := os.Open(path) //nolint:gosec // a person named it
		if err != nil {
			return openedMsg{path: path, err: err}
		}
		defer func() { _ = f.Close() }()
		data, err := io.ReadAll(io.LimitReader(f, int64(suite.Limits().Bytes)+1))
		if err != nil {
			return openedMsg{path: path, err: err}
		}
		s, err := suite.Parse(filepath.Base(path), data)
		return openedMsg{path, s, string(data), err}
	}
}

func (m *Model) opened(msg openedMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, "the suite was not opened: "+client.CleanLine(msg.err.Error()))
	}
	m.takeFile(msg.suite, msg.path, msg.text)
	return screen.Toast(screen.Good, "opened "+client.CleanLine(msg.suite.Name))
}

// takeFile opens a suite; onDisk is what its file holds.
func (m *Model) takeFile(s suite.Suite, path, onDisk string) {
	m.file, m.path, m.onDisk, m.focus = &s, path, onDisk, modelsPane
	m.changed()
}

// savedMsg is the outcome of saving a suite.
type savedMsg struct {
	path string
	text string
	err  error
}

func (m *Model) saved(msg savedMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, "the suite was not saved: "+client.CleanLine(msg.err.Error()))
	}
	if m.file != nil && m.file.Text() == msg.text {
		m.path, m.onDisk = msg.path, msg.text
	}
	return screen.Toast(screen.Good, "the suite is in "+client.CleanLine(msg.path))
}

// saveFile writes a suite. Of the files that are there already only its own is written over, and that only
// while it holds what was read of it.
func saveFile(path string, what saving) tea.Cmd {
	return func() tea.Msg {
		if _, err := os.Lstat(path); err == nil {
			if path != what.path {
				return savedMsg{path: path, err: fmt.Errorf("%s is there already", path)}
			}
			if now, err := os.ReadFile(path); err != nil || string(now) != what.onDisk { //nolint:gosec // a person named it
				return savedMsg{path: path, err: fmt.Errorf("%s is another one than was opened", path)}
			}
		}
		return savedMsg{path, what.text, disk.Replace(path, func(f *os.File) error {
			_, err := io.WriteString(f, what.text)
			return err
		})}
	}
}

// editTag names the texts that the editor brings back.
const editTag = "compare.suite"

// edited takes a suite that was changed in the person's editor.
func (m *Model) edited(msg screen.EditedMsg) tea.Cmd {
	if msg.Err != nil {
		return screen.Toast(screen.Bad, client.CleanLine(msg.Err.Error()))
	}
	name := m.path
	if name == "" {
		name = "suite.yaml"
	}
	s, err := suite.Parse(filepath.Base(name), []byte(msg.Text))
	if err != nil {
		return screen.Toast(screen.Bad, "the suite stays as it was: "+client.CleanLine(err.Error()))
	}
	m.takeFile(s, m.path, m.onDisk)
	return nil
}

// hasYAML reports whether a path is that of a suite's file.
func hasYAML(path string) bool {
	low := strings.ToLower(path)
	return strings.HasSuffix(low, ".yaml") || strings.HasSuffix(low, ".yml")
}
