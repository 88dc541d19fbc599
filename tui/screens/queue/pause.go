package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/tui/widgets"
)

// pause pauses the picked jobs, or lets them go on when they all are paused.
func (m *Model) pause() tea.Cmd {
	ids := m.able("queue.pause")
	if len(ids) == 1 && foreign(m.jobs.get(ids[0])) {
		m.askFiles(ids[0])
		return nil
	}
	on := slices.ContainsFunc(ids, func(id string) bool { return !m.jobs.get(id).Paused })
	what := "going on with"
	if on {
		what = "paused"
	}
	clear(m.marked)
	return each(what, ids, func(ctx context.Context, id string) error { return m.deps.Jobs.SetPaused(ctx, id, on) })
}

// foreign reports whether a job is not sent since it names local files of another installation.
func foreign(j *jobs.Job) bool { return j != nil && j.Foreign && j.State == jobs.Planned }

// pauseAll pauses all work of the profile, or lets it go on.
func (m *Model) pauseAll() tea.Cmd {
	return m.setPause("", !m.flow.Paused)
}

// setPause pauses a host, or with "" everything, or ends that.
func (m *Model) setPause(host string, on bool) tea.Cmd {
	d := m.deps.Jobs
	what := "going on"
	switch {
	case on && host == "":
		what = "paused: nothing is sent, asked or fetched, here and wherever this history is used"
	case on:
		what = "paused: nothing goes to " + host + ", here and wherever this history is used"
	case host != "":
		what = "going on with " + host
	}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		if err := d.SetPause(ctx, host, on); err != nil {
			return doneMsg{failed: err.Error()}
		}
		return doneMsg{what: what}
	}
}

// holds are the pauses that keep a job from going on. Those of other profiles are not known
// here.
func (m *Model) holds(j *jobs.Job) []jobs.Hold {
	f := m.flow
	if m.deps.Profile != "" && j.Profile != m.deps.Profile {
		f = jobs.Flow{}
	}
	return f.Holds(*j, m.deps.Host)
}

// askingWhat tells what asking again comes to: what is paused is asked for later.
func (m *Model) askingWhat() string {
	for _, id := range m.able("queue.repoll") {
		if len(m.holds(m.jobs.get(id))) > 0 {
			return "when the pause ends, asking again about"
		}
	}
	return "asking again about"
}

// holdFacts say which pauses hold a job, and how each ends.
func (m *Model) holdFacts(s *sheet, j *jobs.Job) {
	for _, h := range m.holds(j) {
		k, text := m.deps.Keys, ""
		switch h.Kind {
		case jobs.HoldFiles:
			s.paint("Held", "it names local files of another installation, which is the one to send it; "+k.Keys("queue.pause")+
				" shows which files, and asks whether to send those at the same paths here", widgets.NewInk(m.st.Warn))
			continue
		case jobs.HoldAll:
			text = "everything, by hand; " + k.Keys("queue.pause-all") + " lets it go on"
		case jobs.HoldHost:
			text = "the host " + oneLine(h.Host, 60) + "; " + k.Keys("queue.pause-host") + " lets it go on"
		default:
			text = "this job; " + k.Keys("queue.pause")
			if jobs.Unreached(*j) {
				text += " tries again to send it"
			} else {
				text += " lets it go on. What runs at the gateway runs on."
			}
		}
		s.paint("Paused", text, widgets.NewInk(m.st.Warn))
	}
}

// flows takes over
// askHost asks which host to pause, or to let go on. It offers one that is paused, of the
// job under the cursor before any other, and else the one where the next work on that job
// goes.
func (m *Model) askHost() tea.Cmd {
	d := &m.dialog
	d.question, d.targets, d.about = askHost, nil, "Nothing goes to it, for all who share the history."
	host := m.deps.Host
	if j := m.job(); j != nil {
		host = jobs.NextHost(*j, m.deps.Host)
	}
	if paused := strings.Fields(m.flow.Hosts); len(paused) > 0 {
		d.about = "Paused now: " + oneLine(strings.Join(paused, ", "), dialogWidth-20)
		if !slices.Contains(paused, host) {
			host = paused[0]
		}
	}
	return m.ask(host)
}

// askedHost says what the answer will do: it depends on the host that is typed.
func (m *Model) askedHost() asking {
	a := asking{"Pause a host", "host: ", "cdn.example.com", "The gateway's, or one that files come from, with its port.", "Pause"}
	if m.flow.PausedHost(m.typedHost()) {
		a.title, a.hint, a.button = "Let a host go on", "It is paused. What waits for it is done one after another.", "Go on"
	}
	return a
}

// typedHost is the host in the dialog, as pauses name it.
func (m *Model) typedHost() string { return strings.ToLower(strings.TrimSpace(m.dialog.id.Value())) }

func (m *Model) pauseHost() tea.Cmd {
	host := m.typedHost()
	if err := jobs.CheckHost(host); err != nil || host == "" {
		m.dialog.wrong = "a host name is needed, with its port where there is one"
		return nil
	}
	on := !m.flow.PausedHost(host)
	m.closeDialog()
	return m.setPause(host, on)
}

// flows takes over what holds the work up, and reports whether that changed.
func (m *Model) flows() bool {
	f := m.deps.Jobs.Counts().Flow
	if f == m.flow {
		return false
	}
	m.flow = f
	m.detail.dirty = true // it tells what holds the job
	m.fresh = false
	return true
}

// flowText says what holds the work up, "" for nothing.
func (m *Model) flowText() string {
	k := m.deps.Keys
	switch left := m.flow.Until.Sub(m.deps.Now()); {
	case m.flow.Paused && m.flow.Hosts != "":
		return "‖ all paused, and " + oneLine(m.flow.Hosts, 24) + ", " + k.Keys("queue.pause-all") + " " + k.Keys("queue.pause-host") + " go on"
	case m.flow.Paused:
		return "‖ all paused, " + k.Keys("queue.pause-all") + " goes on"
	case m.flow.Hosts != "":
		return "‖ paused: " + oneLine(m.flow.Hosts, 28) + ", " + k.Keys("queue.pause-host") + " goes on"
	case left > 0:
		return fmt.Sprintf("the gateway asked for a pause: %d s", (left+time.Second-1)/time.Second)
	case m.flow.Rate > 0:
		return fmt.Sprintf("slowed to %g requests a second", m.flow.Rate)
	default:
		return ""
	}
}
