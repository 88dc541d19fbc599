package queue

import (
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/filter"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/zone"
)

// parseFilter reads a filter, see [filter.Parse].
func parseFilter(text string, now time.Time) (jobs.Query, error) {
	q, err := filter.Parse(text, now)
	if err == nil && q.Sort != (jobs.Sort{}) {
		err = errors.New("sort: the list keeps the order in which jobs were made")
	}
	return q, err
}

// matches reports whether a query selects a job, as the history would decide it.
func matches(q *jobs.Query, j *jobs.Job) bool { return q.Matches(j) }

// filterHelp stands in the line of the filter as long as nothing is typed.
const filterHelp = `words  "a text"  state:failed  age<1h  code:429  is:slow  -tag:x  model:NAME  profile:all`

// filterBar is the line of the filter.
type filterBar struct {
	input  *form.Editor
	paper  form.Paper
	typing bool
	wrong  string // what is wrong with the filter, "" for nothing
	now    func() time.Time
}

func newFilterBar(now func() time.Time) filterBar {
	in := form.NewEditor(false)
	in.Limit = filter.MaxText
	return filterBar{input: in, now: now}
}

func (f *filterBar) setStyles(k *kit) { f.paper = form.NewPaper(k.st) }

// text is the filter as it was typed.
func (f *filterBar) text() string { return f.input.Value() }

func (f *filterBar) begin() { f.typing = true }

func (f *filterBar) end() { f.typing = false }

// key takes a key while the filter is typed, and reports whether the text has changed.
func (f *filterBar) key(msg tea.KeyMsg) (changed bool) {
	before := f.text()
	switch msg.String() {
	case "enter", "down", "tab":
		f.end()
		return false
	case "esc":
		f.end()
		f.input.SetValue("")
		return before != ""
	}
	if msg.Type == tea.KeyRunes { // typed and pasted text is made safe to draw
		msg.Runes = []rune(client.CleanLine(string(msg.Runes)))
	}
	_, changed = f.input.Update(msg, 0)
	return changed
}

// parse reads the filter; false where it says nothing.
func (f *filterBar) parse() (jobs.Query, bool) {
	q, err := parseFilter(f.text(), f.now())
	f.wrong = ""
	if err != nil {
		f.wrong = client.CleanLine(err.Error())
	}
	return q, err == nil
}

// view is the line in w cells.
func (f *filterBar) view(k *kit, w int) string {
	line := ""
	switch {
	case f.typing:
		line = k.ink.Accent.Text("/ ") + f.input.Field(f.paper, filterHelp, true, w-2)
	case f.text() != "":
		hint := k.ink.Faint.Text(k.keys.Keys(actBack) + " clears")
		line = widgets.Spread(k.ink.Accent.Text("/ ")+k.ink.Text.Text(widgets.Truncate(client.CleanLine(f.text()), w-14)), hint, w)
	default:
		line = k.ink.Faint.Text(k.keys.Keys(actFilter) + " filter")
	}
	return zone.Mark("filter", widgets.Line(line, w))
}
