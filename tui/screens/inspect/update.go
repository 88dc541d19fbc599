package inspect

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/jsonview"
)

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	m.fresh = false
	cmd := m.handle(msg)
	m.layout()
	return m, tea.Batch(cmd, m.loadPicture())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	if cmd, ok := m.outside.Handle(msg); ok {
		return cmd
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.WheelMsg:
		m.wheel(msg)
	case screen.ActionMsg:
		return m.do(msg.ID)
	case screen.InspectID:
		m.input.SetValue(cleanID(msg.ID))
		return m.lookup()
	case screen.ShownMsg:
		return m.outside.Look()
	case screen.JobsMsg:
		m.news()
	case routeMsg:
		m.routeCame(msg)
	case historyMsg:
		return m.historyCame(msg)
	case preview.ReadyMsg:
		if msg.Key == m.wanted {
			m.got, m.havePict = msg, true
		}
	}
	return nil
}

// lookup asks everybody about the id in the input. What was being asked is given up.
func (m *Model) lookup() tea.Cmd {
	id := cleanID(m.input.Value())
	if id == "" {
		m.setFocus(inputPane)
		return screen.Toast(screen.Warn, "type or paste an id first")
	}
	m.input.SetValue(id)
	m.input.CursorEnd()
	m.recent.add(id)
	m.cancel()
	ctx, cancel := context.WithCancel(context.Background())
	m.cancel = cancel
	m.id, m.at = id, m.deps.Now()
	m.job, m.more, m.inWords, m.histErr, m.histDue = nil, 0, "", nil, true
	m.wanted, m.havePict = preview.Key{}, false
	m.facts.SetTop(0)
	cmds := m.askRoutes(ctx, id)
	m.setFocus(factsPane)
	return tea.Batch(append(cmds, remember(ctx, m.deps.Jobs, id, m.gen))...)
}

// askRoutes starts the matrix anew, and has each route asked on its own, so that a slow
// one holds up no other.
func (m *Model) askRoutes(ctx context.Context, id string) []tea.Cmd {
	m.gen++
	m.askedID, m.moved = id, false
	m.raw.SetTop(0)
	names := []string{m.format}
	if m.format == "" {
		names = m.deps.Gateway.Guess(id)
	}
	m.routes = nil
	var cmds []tea.Cmd
	for i, n := range names {
		r := route{format: n}
		if f, ok := m.formatOf(n); ok {
			r.label, r.path = f.Label(), m.deps.Gateway.QueryPath(n, id)
		}
		m.routes = append(m.routes, r)
		cmds = append(cmds, ask(ctx, m.deps.Gateway, id, n, m.gen, i))
	}
	return cmds
}

func (m *Model) formatOf(name string) (client.Format, bool) {
	for _, f := range m.deps.Gateway.Formats() {
		if f.Name() == name {
			return f, true
		}
	}
	return nil, false
}

// busy is how many of the routes have not answered yet.
func (m *Model) busy() int {
	n := 0
	for _, r := range m.routes {
		if !r.done {
			n++
		}
	}
	return n
}

// stop gives up what is asked; what has come stays.
func (m *Model) stop() {
	m.cancel()
	m.gen++
	m.histDue = false
	for i := range m.routes {
		if !m.routes[i].done {
			m.routes[i].done, m.routes[i].stopped = true, true
		}
	}
}

func (m *Model) routeCame(msg routeMsg) {
	if msg.gen != m.gen || msg.at >= len(m.routes) {
		return
	}
	r := &m.routes[msg.at]
	r.done, r.res, r.body, r.doc = true, msg.res, bodyOf(msg.res), msg.doc
	if msg.res.Label != "" {
		r.label = msg.res.Label
	}
	if msg.res.Path != "" {
		r.path = msg.res.Path
	}
}

// historyCame takes over what the history knows. An id of a job is none of the
// gateway's: then the routes are asked again, by the id of its task.
func (m *Model) historyCame(msg historyMsg) tea.Cmd {
	if msg.gen != m.gen {
		return nil
	}
	m.histDue, m.histErr = false, msg.err
	if msg.job == nil {
		return nil
	}
	m.job, m.more, m.inWords = msg.job, msg.more, msg.said
	_, m.seq = m.deps.Jobs.Changes(m.seq)
	var cmds []tea.Cmd
	if m.job.ID == m.id && m.job.TaskID != m.id {
		m.cancel()
		ctx, cancel := context.WithCancel(context.Background())
		m.cancel = cancel
		if m.job.TaskID != "" {
			cmds = m.askRoutes(ctx, m.job.TaskID)
		} else {
			m.gen++
			m.routes = nil
		}
	}
	if len(msg.answer) > 0 {
		m.routes = append(m.routes, m.kept(msg.answer, msg.doc))
	}
	return tea.Batch(cmds...)
}

// kept is the row of the history: the newest answer that was kept.
func (m *Model) kept(body []byte, doc jsonview.Doc) route {
	return route{format: "history", label: "kept on this machine", path: "no request", local: true, done: true, body: body, doc: doc}
}

// news keeps the job of the history as it is now.
func (m *Model) news() {
	if m.job == nil {
		return
	}
	changed, seq := m.deps.Jobs.Changes(m.seq)
	m.seq = seq
	for _, j := range changed {
		if j.ID == m.job.ID {
			if j.Draft.Cut { // the draft never changes, and this one is whole
				j.Draft, j.Foreign = m.job.Draft, m.job.Foreign
			}
			m.job = &j
		}
	}
}

// best is the route whose answer is shown as the task: that of the job's own format
// before others, a known state before an unknown one. -1 when none has a task.
func (m *Model) best() int {
	at, score := -1, 0
	for i, r := range m.routes {
		if r.res.Verdict() != client.VerdictTask {
			continue
		}
		n := 1
		if r.res.Task.Status != client.StatusUnknown {
			n += 2
		}
		if m.job != nil && (r.format == m.job.QueryFormat || m.job.QueryFormat == "" && r.format == m.job.Format) {
			n += 4
		}
		if n > score {
			at, score = i, n
		}
	}
	return at
}

// telling is the row that the cursor stands on as long as nobody moves it: the best
// answer, else what was kept, else the error that says the most.
func (m *Model) telling() int {
	if i := m.best(); i >= 0 {
		return i
	}
	at, score := 0, -1
	for i, r := range m.routes {
		n := 0
		switch v := r.res.Verdict(); {
		case r.local:
			n = 4
		case !r.done || r.stopped:
		case v == client.VerdictUnserved:
			n = 1
		case v == client.VerdictUnknown:
			n = 2
		default:
			n = 3
		}
		if n > score {
			at, score = i, n
		}
	}
	return at
}

// bodyOf is the body as it came, whatever became of it.
func bodyOf(r client.RouteResult) []byte {
	if r.Task != nil && len(r.Task.Raw) > 0 {
		return r.Task.Raw
	}
	if len(r.Raw) > 0 {
		return r.Raw
	}
	if api, ok := errors.AsType[*client.APIError](r.Err); ok {
		return api.Body
	}
	return nil
}
