package inspect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/disk"
	"darkroom/client/drift"
	"darkroom/client/human"
	"darkroom/jobs/bundle"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/dialogs/export"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/jsonview"
)

const (
	actSave = "inspect.save-bundle"
	actOpen = "inspect.open-bundle"
)

// maxBundle bounds the file of a bundle, in bytes; see [bundle.Read] for what is in it.
const maxBundle = 512 << 20

// handover is what is written for somebody else, and what came from them.
type handover struct {
	stop context.CancelFunc // ends the writing, nil for none

	// shown is a bundle that is shown in the place of what was looked up: nobody is asked, and nothing of
	// it is merged. nil for none.
	shown  *bundle.Bundle
	name   string // of its file
	before struct {
		q       question
		many    many
		listing bool
	}
}

type (
	// bundleMsg is a bundle that was read.
	bundleMsg struct {
		path string
		b    *bundle.Bundle
		err  error
	}
	// caseMsg is one id of a bundle, ready to be shown.
	caseMsg struct {
		of   *bundle.Bundle
		at   int
		docs []jsonview.Doc
		odd  [][]drift.Finding
	}
	// savedMsg is what came of writing one.
	savedMsg struct {
		path  string
		files int
		err   error
	}
	saving struct{ results []lookup.Result } // the subject of the dialog
)

// closed turns off what would ask somebody, or change something, while a bundle is shown.
func closed(table []screen.Command[*Model]) []screen.Command[*Model] {
	fits := []string{actLookup, actStop, actCopy, "inspect.copy-id", "inspect.list", actEditID, actRaw, "inspect.times", actNextPane, "inspect.prev-pane", actOpen}
	for i, c := range table {
		if slices.Contains(fits, c.ID) {
			continue
		}
		table[i].Off = func(m *Model) string {
			switch {
			case m.hand.shown != nil:
				return "this is a bundle: no gateway is asked, and nothing is changed; esc leaves it"
			case c.Off != nil:
				return c.Off(m)
			}
			return ""
		}
	}
	return table
}

func offSave(m *Model) string {
	switch {
	case m.hand.stop != nil:
		return "a bundle is being written; esc stops it"
	case m.listing && len(m.many.found) == 0, !m.listing && m.q.id == "":
		return "nothing was looked up yet"
	case m.listing && m.many.open > 0, !m.listing && m.q.open():
		return "wait for the answers, or stop asking first"
	}
	return ""
}

// results are what was found of all ids that show.
func results(m *Model) []lookup.Result {
	if !m.listing {
		return []lookup.Result{{Subject: m.q.subject, Asked: m.q.asked, Findings: m.q.found}}
	}
	var out []lookup.Result
	for i := range m.many.rows {
		if r, ok := m.many.found[i]; ok {
			out = append(out, r)
		}
	}
	return out
}

// saveBundle asks where to, and what is left out; what goes in is listed.
func saveBundle(m *Model) tea.Cmd {
	all, history := results(m), m.deps.Jobs
	list := func(o bundle.Options) ([]string, error) {
		ctx, stop := context.WithTimeout(context.Background(), historyLimit)
		defer stop()
		files, err := files(ctx, history, all, o)
		if err != nil {
			return nil, err
		}
		lines := make([]string, len(files))
		for i, f := range files {
			lines[i] = fmt.Sprintf("%7s  %s", human.Bytes(int64(len(f.Data))), f.Name)
		}
		return lines, nil
	}
	return m.stack.Open(export.ForBundle("Save a bundle of "+human.Plural(len(all), "id"), list, m.deps.Now(), saving{all}))
}

func files(ctx context.Context, h bundle.History, all []lookup.Result, o bundle.Options) ([]bundle.File, error) {
	cases, err := bundle.Cases(ctx, h, all)
	if err != nil {
		return nil, err
	}
	return bundle.Files(cases, o)
}

// writeBundle writes it, until esc.
func writeBundle(m *Model, c export.Chosen, all []lookup.Result) tea.Cmd {
	ctx, stop := context.WithCancel(context.Background())
	m.hand.stop = stop
	history := m.deps.Jobs
	write := func() tea.Msg {
		defer stop()
		fs, err := files(ctx, history, all, c.Options.Options)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = disk.Replace(c.Path, func(f *os.File) error { return bundle.Write(f, fs, c.Made) })
		}
		return savedMsg{path: c.Path, files: len(fs), err: err}
	}
	return tea.Batch(screen.Toast(screen.Info, "writing a bundle of "+human.Plural(len(all), "id")+" …"), write)
}

func saved(m *Model, msg savedMsg) tea.Cmd {
	m.hand.stop = nil
	switch {
	case errors.Is(msg.err, context.Canceled):
		return screen.Toast(screen.Warn, "stopped; no bundle was written")
	case msg.err != nil:
		return screen.Toast(screen.Bad, "no bundle was written: "+client.CleanLine(msg.err.Error()))
	}
	return screen.Toast(screen.Good, fmt.Sprintf("%s, %s", client.CleanLine(msg.path), human.Plural(msg.files, "file")))
}

// openBundle asks for the file.
func openBundle(m *Model) tea.Cmd {
	return m.stack.Open(refs.NewFiles(refs.FileOptions{Keys: m.deps.Keys, Title: "Open a bundle", Ending: "zip"}))
}

// readBundle reads what somebody else made.
func readBundle(path string) tea.Cmd {
	return func() tea.Msg {
		msg := bundleMsg{path: path}
		st, err := os.Stat(path)
		switch {
		case err != nil:
			msg.err = err
		case !st.Mode().IsRegular():
			msg.err = fmt.Errorf("%s is not a file", path)
		case st.Size() > maxBundle:
			msg.err = fmt.Errorf("%s has %s; at most %s are read", path, human.Bytes(st.Size()), human.Bytes(maxBundle))
		default:
			msg.b, msg.err = readZip(path, st.Size())
		}
		return msg
	}
}

func readZip(path string, size int64) (*bundle.Bundle, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return bundle.Read(f, size)
}

// show shows a bundle in the place of what was looked up.
func show(m *Model, msg bundleMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, client.CleanLine(msg.err.Error()))
	}
	if len(msg.b.Cases) == 0 {
		return screen.Toast(screen.Warn, "the bundle holds nothing")
	}
	leaveBundle(m)
	m.q.stop()
	m.many.stop()
	m.sights.Stop()
	m.hand.before.q, m.hand.before.many, m.hand.before.listing = m.q, m.many, m.listing
	m.hand.shown, m.hand.name = msg.b, client.CleanLine(filepath.Base(msg.path))
	m.many = newMany()
	m.many.gen = m.hand.before.many.gen + 1
	m.many.rows = make([]row, len(msg.b.Cases))
	for i := range msg.b.Cases {
		r := &msg.b.Cases[i].Result
		m.many.rows[i] = newRow(r.Subject, r, m.deps.Catalog)
		m.many.totals.Add(r)
	}
	m.many.table.SetCursor(0)
	if len(msg.b.Cases) == 1 {
		return showCase(m, 0)
	}
	m.backToList()
	return nil
}

// showCase shows one id of the bundle.
func showCase(m *Model, at int) tea.Cmd {
	b := m.hand.shown
	return func() tea.Msg {
		msg := caseMsg{of: b, at: at}
		for i := range b.Cases[at].Result.Findings.Routes {
			r := &b.Cases[at].Result.Findings.Routes[i]
			msg.docs, msg.odd = append(msg.docs, body.Doc(r.Body)), append(msg.odd, inspect.Odd(r.Result))
		}
		return msg
	}
}

func takeCase(m *Model, msg caseMsg) {
	if msg.of != m.hand.shown {
		return
	}
	c := &msg.of.Cases[msg.at]
	gen := m.q.gen + 1
	m.q = question{subject: c.Result.Subject, id: client.CleanLine(c.Result.Subject.Value), asked: client.CleanLine(c.Result.Asked), at: msg.of.Made, gen: gen, cancel: func() {},
		found: c.Result.Findings, docs: msg.docs, odd: msg.odd, embedded: m.deps.Embedded, bundled: c, events: c.Events, exchanges: c.Exchanges, last: -1, results: map[string]inspect.ResultCheck{}, asking: map[string]bool{}}
	m.listing = false
	m.picture = pictureBox{}
	m.facts.SetTop(0)
	m.fromTheTop()
	m.setFocus(factsPane)
}

// leaveBundle shows again what was there before it.
func leaveBundle(m *Model) {
	if m.hand.shown == nil {
		return
	}
	gen := max(m.q.gen, m.hand.before.q.gen) + 1
	m.q, m.many, m.listing = m.hand.before.q, m.hand.before.many, m.hand.before.listing
	m.q.gen = gen
	m.hand.shown, m.hand.name = nil, ""
	m.hand.before.q, m.hand.before.many = question{}, many{}
	m.fromTheTop()
	m.setFocus(factsPane)
	if m.q.id == "" && !m.listing {
		m.setFocus(inputPane)
	}
}

// frameTitle is what stands over the input: that of a bundle says so.
func frameTitle(m *Model) string {
	if m.hand.shown == nil {
		return "Id"
	}
	return "⊟ Bundle " + m.hand.name + " · as seen " + m.deps.Times.At(m.deps.Now()).Stamp(m.hand.shown.Made) + " · no gateway is asked"
}

// bundled is what a bundle says of itself.
func (f *sheet) bundled() {
	c := f.q.bundled
	if c == nil {
		return
	}
	f.add("Left out", client.CleanLine(strings.Join(f.without, ", ")), f.st.Warn.Render)
	if c.Result.Err != nil {
		f.add("Then", client.CleanLine(c.Result.Err.Error()), f.st.Muted.Render)
	}
}
