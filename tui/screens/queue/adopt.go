package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/widgets/confirm"
)

// adoptMsg is that a task was not adopted, since the gateway does not know it, or could not
// be asked.
type adoptMsg struct {
	id, taskID string
	err        error
}

func (m *Model) askAdopt() tea.Cmd {
	d := &m.dialog
	d.question, d.targets, d.about, d.wrong = askAdopt, []string{m.current}, m.about(m.current), ""
	return m.ask("")
}

// adopted ends the question for an id, unless what was typed cannot be one. The gateway is
// asked for the task before anything is changed.
func (m *Model) adopted() tea.Cmd {
	d := &m.dialog
	taskID := strings.TrimSpace(d.id.Value())
	if err := client.CheckTaskID(taskID); err != nil {
		d.wrong = client.CleanLine(err.Error())
		return nil
	}
	id := d.targets[0]
	m.closeDialog()
	return m.adoptKnown(id, taskID)
}

func (m *Model) adoptKnown(id, taskID string) tea.Cmd {
	d, j := m.deps.Jobs, jobs.Job{}
	if own := m.jobs.get(id); own != nil {
		j = *own
	}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		t, err := d.Adoptable(ctx, id, taskID)
		if err != nil {
			return adoptMsg{id, taskID, err}
		}
		if err := d.Adopt(ctx, id, taskID); err != nil {
			return doneMsg{failed: err.Error()}
		}
		return doneMsg{what: fmt.Sprintf("adopted %s; the gateway says that it is %s", client.CleanLine(taskID), jobs.TaskText(j, t))}
	}
}

// adopt gives a job an id without asking the gateway.
func adopt(d jobs.Doer, id, taskID string) tea.Cmd {
	return each(fmt.Sprintf("adopted %s for", client.CleanLine(taskID)), []string{id}, func(ctx context.Context, id string) error {
		return d.Adopt(ctx, id, taskID)
	})
}

// adoptCame asks whether an id is adopted that the gateway does not confirm.
func (m *Model) adoptCame(msg adoptMsg) tea.Cmd {
	if errors.Is(msg.err, jobs.ErrState) || m.Capturing() || m.hidden {
		return m.done(doneMsg{failed: "not adopted: " + msg.err.Error()})
	}
	d := &m.dialog
	d.question, d.targets, d.taskID = askInsist, []string{msg.id}, msg.taskID
	title := "The gateway can not tell. Adopt it?"
	if errors.Is(msg.err, jobs.ErrUnknownTask) {
		title = "The gateway does not know it. Adopt it?"
	}
	d.confirm = confirm.New(title, m.about(msg.id)+"\n"+client.CleanLine(msg.err.Error()), no,
		confirm.Button{ID: no, Label: "Leave it", Key: "n"}, confirm.Button{ID: yes, Label: "Adopt it all the same", Key: "y"})
	return nil
}
