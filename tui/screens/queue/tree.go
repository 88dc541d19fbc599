package queue

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/widgets"
)

// tree shows the jobs that the current one was made from, and those made from it.
type tree struct {
	id     string // the job that read and err are of
	read   chain.Tree
	err    error
	asking string // the job whose tree is on its way, "" for none
	stale  bool   // a job of the tree changed since, or another one is current
	at     int    // the link under the cursor
	reveal bool   // it is to be in sight
}

// treeMsg is the tree of a job.
type treeMsg struct {
	id   string
	tree chain.Tree
	err  error
}

// ask reads the tree of a job; one read is under way at a time.
func (t *tree) ask(r jobs.Reader, id string) tea.Cmd {
	if t.asking != "" || !t.stale && t.id == id {
		return nil
	}
	t.asking, t.stale = id, false
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), askLimit)
		defer stop()
		read, err := chain.Read(ctx, r, id)
		return treeMsg{id, read, err}
	}
}

// take takes a tree; false for the tree of a job that is no longer the current one.
func (t *tree) take(msg treeMsg, current string) bool {
	if msg.id == t.asking {
		t.asking = ""
	}
	if msg.id != current {
		t.stale = true
		return false
	}
	was := ""
	if t.id == msg.id && t.at < len(t.read.Links) {
		was = t.read.Links[t.at].Job.ID
	}
	t.id, t.read, t.err, t.at = msg.id, msg.tree, msg.err, 0
	for i, l := range t.read.Links {
		if l.Job.ID == was || was == "" && l.Self {
			t.at = i
			break
		}
	}
	t.reveal = true
	return true
}

// touch follows up a job that changed: the tree is read again if the job is in it, or was made from
// one that is.
func (t *tree) touch(j *jobs.Job) {
	in := func(id string) bool {
		return slices.ContainsFunc(t.read.Links, func(l chain.Link) bool { return l.Job.ID == id })
	}
	if in(j.ID) || slices.ContainsFunc(j.Draft.Parents, func(p client.Parent) bool { return in(p.Job) }) {
		t.stale = true
	}
}

// key handles a key; false for a key without a meaning here. Enter goes to a job, nil for none.
func (t *tree) key(name string) (to *chain.Link, ok bool) {
	if len(t.read.Links) == 0 {
		return nil, false
	}
	switch name {
	case "up", "k":
		t.at--
	case "down", "j":
		t.at++
	case "home", "g":
		t.at = 0
	case "end", "G":
		t.at = len(t.read.Links) - 1
	case "enter":
		if l := &t.read.Links[t.at]; !l.Self {
			to = l
		}
		return to, true
	default:
		return nil, false
	}
	t.at = max(0, min(t.at, len(t.read.Links)-1))
	t.reveal = true
	return nil, true
}

// line is the line of the link under the cursor, if it has to be in sight.
func (t *tree) line() (int, bool) {
	reveal := t.reveal
	t.reveal = false
	return t.at + 1, reveal // a line stands above the tree
}

// lines draw the tree of a job in w cells.
func (t *tree) lines(k *kit, j *jobs.Job, focus bool, w int) []string {
	switch {
	case t.id != j.ID:
		return []string{k.ink.Muted.Text("reading …")}
	case t.err != nil:
		return k.ink.Failure(t.err, w, 20)
	case t.read.Alone():
		return inks.Wrapped(k.ink.Muted, "Made from no other job, and nothing was made from it yet."+onward(k, j), w, 8)
	}
	head := ""
	if t.read.Cut {
		head = "… there are older ones above"
	}
	out := []string{k.ink.Muted.Text(widgets.Truncate(head, w))}
	for i, branch := range t.read.Branches() {
		line := link(k, &t.read.Links[i], branch, w)
		switch {
		case i == t.at && focus:
			line = widgets.NewInk(k.st.RowSelected).Over(line)
		case t.read.Links[i].Self:
			line = widgets.NewInk(k.st.Row).Over(line)
		}
		out = append(out, line)
	}
	return out
}

// onward says what a job's result can be used for, "" for nothing.
func onward(k *kit, j *jobs.Job) string {
	var all []string
	for _, u := range []struct {
		use      chain.Use
		key, say string
	}{
		{chain.Reference, actUse, "uses its result as a reference"}, {chain.I2V, actToVideo, "begins a video with it"},
		{chain.Extend, actExtend, "extends it"}, {chain.Edit, actEdit, "edits it"},
	} {
		if _, err := chain.Take(j, u.use); err == nil {
			all = append(all, k.keys.Keys(u.key)+" "+u.say)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return " " + strings.Join(all, ", ") + "."
}

// link is one job of the tree: what was asked for comes first, its model and its id stand at the right
// end where there is room.
func link(k *kit, l *chain.Link, branch string, w int) string {
	look := k.ink.Sign(l.Job.State)
	sign, text, ink := look.Ink.Text(look.Text), inks.OneLine(l.Job.Draft.Prompt, 200), k.ink.Text
	right := k.ink.Muted.Text(client.CleanLine(l.Job.Draft.Model)) + "  " + k.ink.Accent.Text(shortID(l.Job.ID))
	switch {
	case l.Missing:
		sign, text, ink = k.ink.Faint.Text("·"), "not in the history", k.ink.Muted
		right = k.ink.Accent.Text(shortID(l.Job.ID))
	case w < treeFacts:
		right = ""
	}
	line := k.ink.Faint.Text(branch) + sign
	if !l.Missing && l.Job.State != jobs.Completed {
		line += " " + look.Ink.Text(string(l.Job.State))
	}
	if l.As != "" {
		line += " " + k.ink.Muted.Text(usedAs(l.As)+":")
	}
	line += " " + ink.Text(cmp.Or(text, "no prompt"))
	for _, x := range []struct {
		on   bool
		text string
	}{{l.Self, "this one"}, {l.Also, "a parent, too"}, {l.Again, "see above"}, {l.More, "and more"}} {
		if x.on {
			line += " " + k.ink.Faint.Text("("+x.text+")")
		}
	}
	if right == "" {
		return widgets.Line(widgets.Truncate(line, w), w)
	}
	return widgets.Spread(widgets.Truncate(line, w-widgets.Width(right)-2), right, w)
}

// treeFacts is the width from which a line of the tree has room for the model and the id.
const treeFacts = 60

// usedAs says what a result was used for in the job that was made from it.
func usedAs(as string) string {
	switch chain.Use(as) {
	case chain.Reference:
		return "with it as a reference"
	case chain.I2V:
		return "begins with it"
	case chain.Extend:
		return "extended"
	case chain.Edit:
		return "edited"
	}
	return client.CleanLine(as)
}

// madeFrom names the jobs whose results a job started with.
func madeFrom(j *jobs.Job) string {
	var lines []string
	for _, p := range j.Draft.Descent() {
		line := client.CleanLine(shortID(p.Job))
		if p.As != "" {
			line += ", " + usedAs(p.As)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
