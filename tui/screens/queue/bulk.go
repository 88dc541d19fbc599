package queue

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
	"darkroom/jobs"
	pack "darkroom/jobs/export"
	"darkroom/tui/dialogs/bulk"
	"darkroom/tui/dialogs/export"
	"darkroom/tui/screen"
)

// few is how many jobs an action is done to at once; for more a dialog asks, tells how far it is, and
// can stop it.
const few = 10

// deed is something to be done to several jobs.
type deed struct {
	act  jobs.Action // "" for what every job allows
	ids  []string    // nil for those that are picked
	did  string      // "asking again about"
	verb string      // "Ask again about"
	// button is the verb on a button.
	button string
	asked  bool // the person has agreed to it for so many jobs
	do     func(context.Context, string) error
}

// bulk does something to jobs, and removes the marks: to a few at once, to more in a dialog. Those
// that do not allow it are told with the reason.
func (m *Model) bulk(d deed) tea.Cmd {
	if d.ids == nil {
		d.ids = m.list.picked()
	}
	items := make([]bulk.Item, len(d.ids))
	var able, left []string
	for i, id := range d.ids {
		j := m.list.jobs.Get(id)
		items[i] = bulk.Item{ID: id, Name: strings.TrimPrefix(about(id, j), "Job ")}
		if d.act != "" {
			items[i].Off = offOne(d.act, j)
		}
		if items[i].Off == "" {
			able = append(able, id)
		} else {
			left = append(left, shortID(id)+": "+items[i].Off)
		}
	}
	if len(able) > few || len(able) > 1 && !d.asked && m.list.onHead() {
		return m.stack.Open(bulk.New(bulk.Work{Verb: d.verb, Button: d.button, Did: d.did, Items: items, Asked: d.asked, Do: d.do}))
	}
	clear(m.list.jobs.marked)
	cmd := each(d.did, able, d.do)
	if n := len(left) - maxFailures; n > 0 {
		left = append(left[:maxFailures], fmt.Sprintf("and %d more", n))
	}
	if len(left) > 0 && len(able) > 0 {
		cmd = tea.Sequence(screen.Toast(screen.Info, "left out: "+strings.Join(left, "; ")), cmd)
	}
	return cmd
}

// subject names jobs: one as people know it, several by their number.
func (l *listing) subject(ids []string) string {
	if len(ids) == 1 {
		return about(ids[0], l.jobs.Get(ids[0]))
	}
	return human.Plural(len(ids), "job")
}

// markAll marks all jobs that the filter selects, once the rest of them is read; where all are
// marked, it removes the marks.
func markAll(m *Model) {
	h := &m.list.jobs
	if h.marking {
		h.marking = false
		return
	}
	if (h.more() || h.before()) && h.Len() < maxMarked {
		h.marking = true
		return
	}
	h.markAll()
}

// markAll marks all jobs of the list, or removes the marks where all have one.
func (h *history) markAll() {
	h.marking = false
	if len(h.marked) == h.Len() {
		clear(h.marked)
		return
	}
	for i := range h.Len() {
		h.marked[h.ID(i)] = true
	}
}

// marks counts the marks that a text names, and how far the marking of all is.
func (h *history) marks() string {
	switch n := len(h.marked); {
	case h.marking:
		return "reading on to mark all, " + human.Count(h.Len()) + " so far"
	case n > 0:
		return human.Count(n) + " marked"
	}
	return ""
}

// exporting is the subject of the dialog that asks how jobs are exported.
type exporting struct{ ids []string }

func askExport(m *Model) tea.Cmd {
	ids := m.list.picked()
	return m.stack.Open(export.New(len(ids), m.now(), exporting{ids}))
}

// export writes jobs as the person chose.
func (m *Model) export(c export.Chosen) tea.Cmd {
	ids := c.About.(exporting).ids
	p, err := pack.New(m.deps.Jobs, c.Options)
	if err != nil {
		return screen.Toast(screen.Bad, err.Error())
	}
	items := make([]bulk.Item, len(ids))
	for i, id := range ids {
		items[i] = bulk.Item{ID: id}
	}
	return m.stack.Open(bulk.New(bulk.Work{Verb: "Export", Did: "exported", Items: items, Asked: true, Do: p.Add, End: func() (string, error) {
		if err := p.File(c.Path, c.Replace); err != nil {
			return "", fmt.Errorf("%s was not written: %w", c.Path, err)
		}
		return human.Plural(p.Len(), "job") + ", in " + c.Path, nil
	}}))
}
