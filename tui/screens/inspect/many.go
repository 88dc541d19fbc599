package inspect

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/table"
)

// many are several ids that were pasted at once: a row each, which fills as its answer comes.
type many struct {
	rows    []row
	table   table.Model
	open    int // that have not answered yet
	gen     int
	cancel  context.CancelFunc
	results chan manyMsg
	totals  lookup.Totals
	found   map[int]lookup.Result // what came, by place
}

// row is what is known of one id; its text is made when its answer comes.
type row struct {
	subject inspect.Subject
	state   string // "" while it is asked
	model   string
	format  string
	meaning string
}

// manyMsg is the answer about one of many ids; done says that it was the last.
type manyMsg struct {
	gen, at int
	row     row
	result  lookup.Result
	done    bool
}

func newMany() many {
	return many{table: table.New(manyColumns()), cancel: func() {}}
}

func manyColumns() []table.Column {
	return []table.Column{
		{Title: "Id", Min: 14, Weight: 3, Max: 44},
		{Title: "State", Min: 11},
		{Title: "Model", Min: 8, Max: 18, Weight: 1, Drop: 2},
		{Title: "Route", Min: 8, Drop: 1},
		{Title: "What it means", Min: 10, Weight: 6},
	}
}

// begin looks up all of them.
func (l *many) begin(d lookup.Desk, c *catalog.Catalog, all []inspect.Subject) tea.Cmd {
	l.stop()
	l.gen++
	l.rows, l.open, l.totals, l.found = make([]row, len(all)), len(all), lookup.Totals{}, map[int]lookup.Result{}
	for i, s := range all {
		l.rows[i] = row{subject: s}
	}
	l.table.SetCursor(0)
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	results, gen := make(chan manyMsg, 64), l.gen
	l.results = results
	look := func() tea.Msg {
		defer close(results)
		d.Each(ctx, all, func(i int, r lookup.Result) {
			msg := manyMsg{gen: gen, at: i, result: r, row: newRow(all[i], &r, c)}
			select {
			case results <- msg:
			case <-ctx.Done():
			}
		})
		return nil
	}
	return tea.Batch(look, l.next())
}

func newRow(s inspect.Subject, r *lookup.Result, c *catalog.Catalog) row {
	return row{subject: s, state: r.State(), model: client.CleanLine(r.Said(inspect.KeyModel)), format: r.Format(), meaning: r.Meaning(c)}
}

// next waits for the next answer.
func (l *many) next() tea.Cmd {
	results, gen := l.results, l.gen
	return func() tea.Msg {
		if msg, ok := <-results; ok {
			return msg
		}
		return manyMsg{gen: gen, done: true}
	}
}

// take takes one answer.
func (l *many) take(msg manyMsg) tea.Cmd {
	switch {
	case msg.gen != l.gen:
		return nil
	case msg.done:
		l.open = 0
		return nil
	}
	l.rows[msg.at] = msg.row
	l.totals.Add(&msg.result)
	l.found[msg.at] = msg.result
	l.open--
	return l.next()
}

// stop gives up the ids without an answer yet.
func (l *many) stop() {
	l.cancel()
	l.gen++
	l.open = 0
	for i := range l.rows {
		if l.rows[i].state == "" {
			l.rows[i].state, l.rows[i].meaning = stopped, "it was not asked about any more"
		}
	}
}

// stopped is the state of a row that was given up.
const stopped = "stopped"

// current is the id under the cursor, "" for none.
func (l *many) current() string {
	if i := l.table.Cursor(); i >= 0 {
		return l.rows[i].subject.Value
	}
	return ""
}

// text is the list as lines with columns separated by tabs, for spreadsheets; ids are whole.
func (l *many) text() string {
	var b strings.Builder
	b.WriteString("id\tstate\tmodel\troute\tmeaning\n")
	for _, r := range l.rows {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\n", client.CleanLine(r.subject.Value), r.state, r.model, r.format, r.meaning)
	}
	return b.String()
}

// title says how far the look-up is, and how long the gateway holds it back.
func (l *many) title(held string) string {
	if l.open == 0 {
		return l.totals.Words()
	}
	var parts []string
	for _, s := range []string{held, fmt.Sprintf("asking about %d …", l.open), l.totals.Words()} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " · ")
}

// wholeLines are the lines below the table that show the row under the cursor in full.
const wholeLines = 4

func (l *many) layout(st *themes.Styles, w, h int) {
	l.table.SetSource(table.Func{N: len(l.rows), At: func(i int) table.Row { return l.rows[i].cells(st) }})
	if h >= 3*wholeLines {
		h -= wholeLines
	}
	l.table.SetSize(w, h)
}

// view is the table and, if there is room below it, what the row under the cursor says.
func (l *many) view(st *themes.Styles, w, h int, focus bool) string {
	out := l.table.View(st, focus)
	i := l.table.Cursor()
	if h < 3*wholeLines || i < 0 {
		return out
	}
	lines := []string{out, ""}
	r := l.rows[i]
	from := ""
	if r.subject.From != "" {
		from = "  " + r.subject.From
	}
	lines = append(lines, st.Code.Render(widgets.Truncate(client.CleanLine(r.subject.Value), max(1, w-widgets.Width(from))))+st.Muted.Render(from))
	for _, s := range widgets.WrapLines(r.meaning, w, wholeLines-2) {
		lines = append(lines, st.Text.Render(s))
	}
	return strings.Join(lines, "\n")
}

func (r row) cells(st *themes.Styles) table.Row {
	muted := widgets.NewInk(st.Muted)
	state, ink := "asking …", muted
	switch r.state {
	case "":
	case stopped:
		state = stopped
	case lookup.NotFound, lookup.NotKnown:
		state, ink = "✗ "+r.state, widgets.NewInk(st.Warn)
	default:
		sign, style := widgets.Sign(st, r.state)
		state, ink = sign+" "+r.state, widgets.NewInk(style)
	}
	return table.Row{Cells: []table.Cell{{Text: client.CleanLine(r.subject.Value)}, {Text: state, Ink: ink}, {Text: r.model}, {Text: r.format, Ink: muted}, {Text: r.meaning}}}
}
