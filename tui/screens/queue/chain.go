package queue

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

// chainState is what is known of the jobs that the current one came of, and of those that came
// of it.
type chainState struct {
	id     string // the job that tree and err are of
	tree   chain.Tree
	err    error
	asking string // the job whose tree is on its way, "" for none
	stale  bool   // a job of the tree changed since, or another one is current
	at     int    // the link under the cursor
	reveal bool   // it is to be in sight
}

// chainMsg is the tree of a job.
type chainMsg struct {
	id   string
	tree chain.Tree
	err  error
}

// childMsg is the newest job that was made from one, "" for none.
type childMsg struct {
	id  string
	err error
}

// chainUses are what can be made of a result, by the action that does it.
func chainUses() map[string]chain.Use {
	return map[string]chain.Use{"queue.use": chain.Reference, "queue.to-video": chain.I2V, "queue.extend": chain.Extend, "queue.edit": chain.Edit}
}

// chainDo does an action of chains by its id; false when it is none.
func (m *Model) chainDo(id string) (tea.Cmd, bool) {
	if use, ok := chainUses()[id]; ok {
		return screen.Open(screen.Compose, screen.ComposeResult{JobID: m.current, As: string(use)}), true
	}
	switch id {
	case "queue.chain":
		m.setFocus(detailPane)
		m.setSection(chainTree)
		return nil, true
	case "queue.chain-parent":
		return m.jump(m.job().Draft.Descent()[0].Job), true
	case "queue.chain-child":
		return child(m.deps.Jobs, m.current), true
	}
	return nil, false
}

// frameOff says why a job's result has no picture to begin a video with, "" when it has.
func (m *Model) frameOff(j *jobs.Job) string {
	from, err := chain.Take(j, chain.I2V)
	if err != nil || from.Video == "" || m.deps.Frames {
		return ""
	}
	return "install ffmpeg: the task gave no last frame, and only ffmpeg takes one out of the video"
}

// madeFrom names the jobs whose results a job began with.
func (m *Model) madeFrom(s *sheet, j *jobs.Job) {
	var lines []string
	for _, p := range j.Draft.Descent() {
		lines = append(lines, client.CleanLine(strings.TrimSpace(shortID(p.Job)+" "+p.As)))
	}
	s.add("Made from", strings.Join(lines, "\n"))
}

// jump goes to a job and keeps the pane that has the focus.
func (m *Model) jump(id string) tea.Cmd {
	focus := m.focus
	cmd := m.showJob(id)
	m.setFocus(focus)
	return cmd
}

// child looks for the newest job that was made from one.
func child(r jobs.Reader, id string) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), askLimit)
		defer stop()
		page, err := r.List(ctx, jobs.Query{Parent: id, Limit: 1})
		if err != nil || len(page.Jobs) == 0 {
			return childMsg{err: err}
		}
		return childMsg{id: page.Jobs[0].ID}
	}
}

func (m *Model) childCame(msg childMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return screen.Toast(screen.Bad, "the history could not be read: "+client.CleanLine(msg.err.Error()))
	case msg.id == "":
		return screen.Toast(screen.Info, "no job was made from this one yet")
	}
	return m.jump(msg.id)
}

// revealLink has the link under the cursor in sight among h lines.
func (m *Model) revealLink(h int) {
	c := &m.chain
	if !c.reveal || m.section != chainTree {
		return
	}
	c.reveal = false
	line := c.at + 1 // a line stands above the tree
	if top := m.scroll.Top(); line < top || line >= top+h {
		m.scroll.SetTop(max(0, line-h/2))
	}
}

// askChain asks for the tree of the current job where that shows; one question is on its way at
// a time.
func (m *Model) askChain() tea.Cmd {
	c := &m.chain
	if m.section != chainTree || c.asking != "" || !c.stale && c.id == m.current {
		return nil
	}
	c.asking, c.stale = m.current, false
	r, id := m.deps.Jobs, m.current
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), askLimit)
		defer stop()
		tree, err := chain.Read(ctx, r, id)
		return chainMsg{id, tree, err}
	}
}

func (m *Model) chainCame(msg chainMsg) {
	c := &m.chain
	if msg.id == c.asking {
		c.asking = ""
	}
	if msg.id != m.current {
		c.stale = true
		return
	}
	was := ""
	if c.id == msg.id && c.at < len(c.tree.Links) {
		was = c.tree.Links[c.at].Job.ID
	}
	c.id, c.tree, c.err, c.at = msg.id, msg.tree, msg.err, 0
	for i, l := range c.tree.Links {
		if l.Job.ID == was || was == "" && l.Self {
			c.at = i
			break
		}
	}
	m.detail.dirty, c.reveal = true, true
}

// chainTouched follows a job that changed: the tree is read again where the job is in it, or was
// made from one that is.
func (m *Model) chainTouched(j *jobs.Job) {
	in := func(id string) bool {
		return slices.ContainsFunc(m.chain.tree.Links, func(l chain.Link) bool { return l.Job.ID == id })
	}
	if m.section == chainTree && (in(j.ID) || slices.ContainsFunc(j.Draft.Parents, func(p client.Parent) bool { return in(p.Job) })) {
		m.chain.stale = true
	}
}

// chainKey is a key while the tree has the focus; false for one that means nothing to it.
func (m *Model) chainKey(name string) (tea.Cmd, bool) {
	c := &m.chain
	if m.section != chainTree || c.id != m.current || len(c.tree.Links) == 0 {
		return nil, false
	}
	switch name {
	case "up", "k":
		c.at--
	case "down", "j":
		c.at++
	case "home", "g":
		c.at = 0
	case "end", "G":
		c.at = len(c.tree.Links) - 1
	case "enter":
		l := &c.tree.Links[c.at]
		switch {
		case l.Self:
			return nil, true
		case l.Missing:
			return screen.Toast(screen.Info, "this job is not in the history"), true
		}
		return m.jump(l.Job.ID), true
	default:
		return nil, false
	}
	c.at = max(0, min(c.at, len(c.tree.Links)-1))
	m.detail.dirty = true
	c.reveal = true
	return nil, true
}

// chainLines draw the tree.
func (m *Model) chainLines(w int) []string {
	c := &m.chain
	switch {
	case c.id != m.current:
		return []string{m.ink.muted.Text("reading …")}
	case c.err != nil:
		lines := widgets.WrapLines("✗ "+client.Clean(c.err.Error()), w, 20)
		for i := range lines {
			lines[i] = m.ink.bad.Text(lines[i])
		}
		return lines
	case c.tree.Alone():
		k := m.deps.Keys
		lines := widgets.WrapLines("This job was made from no other, and none from it. "+k.Keys("queue.use")+" takes its result as a reference, "+
			k.Keys("queue.to-video")+" makes it the first image of a video, "+k.Keys("queue.extend")+" extends it, "+k.Keys("queue.edit")+" edits it.", w, 8)
		for i := range lines {
			lines[i] = m.ink.muted.Text(lines[i])
		}
		return lines
	}
	head := ""
	if c.tree.Cut {
		head = "… there are older ones above"
	}
	out := []string{m.ink.muted.Text(widgets.Truncate(head, w))}
	for i, branch := range c.tree.Branches() {
		out = append(out, m.chainLine(i, branch, w))
	}
	return out
}

// chainLine is one job of the tree in w cells.
func (m *Model) chainLine(i int, branch string, w int) string {
	l := &m.chain.tree.Links[i]
	look := m.ink.sign(l.Job.State)
	text := m.ink.text
	sign := look.ink.Text(look.text)
	var parts []string
	switch {
	case l.Missing:
		sign, text = m.ink.faint.Text("·"), m.ink.muted
		parts = append(parts, "not in the history")
	default:
		parts = append(parts, string(l.Job.State), client.CleanLine(l.Job.Draft.Model))
	}
	line := m.ink.faint.Text(branch) + sign + " " + m.ink.accent.Text(shortID(l.Job.ID))
	if l.As != "" {
		line += " " + m.ink.muted.Text(client.CleanLine(l.As))
	}
	line += " " + text.Text(strings.Join(parts, " "))
	for _, x := range []struct {
		on   bool
		text string
	}{{l.Self, "this one"}, {l.Also, "a parent, too"}, {l.Again, "see above"}, {l.More, "and more"}} {
		if x.on {
			line += " " + m.ink.faint.Text("("+x.text+")")
		}
	}
	if prompt := oneLine(l.Job.Draft.Prompt, 200); prompt != "" {
		line += "  " + m.ink.muted.Text(prompt)
	}
	line = widgets.Line(widgets.Truncate(line, w), w)
	switch {
	case i == m.chain.at && m.focus == detailPane:
		return widgets.NewInk(m.st.RowSelected).Over(line)
	case l.Self:
		return widgets.NewInk(m.st.Row).Over(line)
	}
	return line
}
