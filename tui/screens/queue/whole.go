package queue

import (
	"context"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
)

// cutFor is the job of which an action needs the whole draft, and the list has its beginning
// only; nil where there is none.
func (m *Model) cutFor(action string) *jobs.Job {
	needs := []string{"queue.resubmit", "queue.resend", "queue.pause", "queue.chain-parent"}
	if !slices.Contains(needs, action) {
		return nil
	}
	j := m.job()
	if action == "queue.pause" {
		ids := m.able(action)
		if len(ids) != 1 {
			return nil
		}
		if j = m.jobs.get(ids[0]); j != nil && j.State != jobs.Planned { // only these may send files
			return nil
		}
	}
	if j == nil || !j.Draft.Cut {
		return nil
	}
	return j
}

// whole reads a job for an action.
func whole(r jobs.Reader, id, action string) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		j, err := r.Get(ctx, id)
		if err == nil && j.Draft.Cut {
			err = client.ErrCut
		}
		return wholeMsg{id: id, action: action, job: j, err: err}
	}
}

// wholeCame goes on with the action, unless somebody went on to another job meanwhile.
func (m *Model) wholeCame(msg wholeMsg) tea.Cmd {
	old := m.jobs.get(msg.id)
	switch {
	case errors.Is(msg.err, jobs.ErrNotFound) || msg.err == nil && old == nil:
		return screen.Toast(screen.Bad, "the job is not in the history any more")
	case msg.err != nil:
		return screen.Toast(screen.Bad, "the whole job could not be read: "+client.CleanLine(msg.err.Error()))
	}
	m.jobs.byID[msg.id] = withDraft(old, &msg.job)
	m.detail.dirty = true
	if j := m.job(); msg.action != "queue.pause" && (j == nil || j.ID != msg.id) {
		return nil
	}
	if msg.action == "queue.pause" && !slices.Equal(m.able(msg.action), []string{msg.id}) {
		return nil
	}
	return m.do(msg.action)
}

// withDraft is a copy of a job with the draft that another copy has whole.
func withDraft(j, from *jobs.Job) *jobs.Job {
	c := *j
	c.Draft, c.Foreign = from.Draft, from.Foreign
	return &c
}
