package queue

import (
	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// filterHelp stands in the line for a filter as long as nothing is typed.
const filterHelp = `words  "a text"  state:failed  kind:image  is:starred  model:NAME  profile:all`

// filterBar is the line of the filter.
type filterBar struct {
	input  textinput.Model
	typing bool
	wrong  string // what is wrong with the filter, "" for nothing
}

func newFilterBar() filterBar {
	in := textinput.New()
	in.Prompt, in.Placeholder, in.CharLimit = "/ ", filterHelp, 500
	_ = in.Cursor.SetMode(cursor.CursorStatic) // a cursor that blinks would wake the machine up for nothing
	in.KeyMap.Paste.SetEnabled(false)          // terminals paste; it would read the clipboard by programs of its own
	return filterBar{input: in}
}

func (f *filterBar) setStyles(k *kit) {
	in, st := &f.input, k.st
	in.PromptStyle, in.TextStyle, in.PlaceholderStyle, in.Cursor.Style = st.Accent, st.Value, st.Placeholder, st.Cursor
}

func (f *filterBar) setWidth(w int) { f.input.Width = max(1, w-widgets.Width(f.input.Prompt)-1) }

// text is the filter as it was typed.
func (f *filterBar) text() string { return f.input.Value() }

func (f *filterBar) begin() tea.Cmd {
	f.typing = true
	return f.input.Focus()
}

func (f *filterBar) end() {
	f.typing = false
	f.input.Blur()
}

// key takes a key while the filter is typed, and reports whether the text has changed.
func (f *filterBar) key(msg tea.KeyMsg) (cmd tea.Cmd, changed bool) {
	before := f.text()
	switch msg.String() {
	case "enter", "down", "tab":
		f.end()
		return nil, false
	case "esc":
		f.end()
		f.input.SetValue("")
		return nil, before != ""
	}
	if msg.Type == tea.KeyRunes { // typed and pasted text is made safe to draw
		msg.Runes = []rune(client.CleanLine(string(msg.Runes)))
	}
	f.input, cmd = f.input.Update(msg)
	return cmd, f.text() != before
}

// parse reads the filter; false where it says nothing.
func (f *filterBar) parse() (jobs.Query, bool) {
	q, err := parseFilter(f.text())
	f.wrong = ""
	if err != nil {
		f.wrong = client.CleanLine(err.Error())
	}
	return q, err == nil
}

// view is the line, w cells.
func (f *filterBar) view(k *kit, w int) string {
	line := ""
	switch {
	case f.typing:
		line = f.input.View()
	case f.text() != "":
		hint := k.ink.faint.Text(k.keys.Keys(actBack) + " clears")
		line = widgets.Spread(k.ink.accent.Text("/ ")+k.ink.text.Text(widgets.Truncate(client.CleanLine(f.text()), w-14)), hint, w)
	default:
		line = k.ink.faint.Text(k.keys.Keys(actFilter) + " filter")
	}
	return zone.Mark("filter", widgets.Line(line, w))
}
