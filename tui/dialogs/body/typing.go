package body

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/widgets/form"
)

// maxTyped bounds what is typed, in characters.
const maxTyped = 2000

// typing begins typing what is searched for, or a filter.
func (d *Dialog) typing(m mode, text string) {
	d.mode, d.pastAt = m, -1
	d.input = form.NewEditor(false)
	d.input.Limit = maxTyped
	d.input.SetValue(text)
}

// typed handles a key while something is typed.
func (d *Dialog) typed(msg tea.KeyMsg) tea.Cmd {
	switch name := msg.String(); {
	case msg.Paste:
	case name == "esc":
		d.mode = reading
		return nil
	case name == "enter":
		return d.run()
	case d.mode == filtering && (name == "up" || name == "down"):
		d.older(map[string]int{"up": 1, "down": -1}[name])
		return nil
	}
	d.input.Update(form.InLine(msg), max(8, d.inputRoom()))
	return nil
}

// older puts a filter of before into the input, a newer one for a negative step.
func (d *Dialog) older(by int) {
	at := d.pastAt + by
	if at >= len(d.past) || at < -1 {
		return
	}
	d.pastAt = at
	text := ""
	if at >= 0 {
		text = d.past[at]
	}
	d.input.SetValue(text)
}

// run does what was typed.
func (d *Dialog) run() tea.Cmd {
	text, was := strings.TrimSpace(d.input.Value()), d.mode
	d.mode = reading
	if was == finding {
		n := d.tree.Search(text)
		if n == 0 && text != "" {
			d.note, d.bad = fmt.Sprintf("%q was not found", text), false
		} else {
			d.tellFound(d.tree.Hits())
		}
		return nil
	}
	if text == "" || text == "." || d.current() == nil {
		d.layer, d.bad = whole, false
		return d.draw()
	}
	if d.o.Filters == nil {
		d.past = slices.Insert(slices.DeleteFunc(d.past, func(s string) bool { return s == text }), 0, text)
	}
	gen := d.begin()
	ctx, stop := context.WithCancel(context.Background())
	d.stop, d.note, d.bad, d.busy = stop, "filtering …", false, true
	return drawFilter(ctx, d, gen, *d.current(), text, d.o.Filters)
}

// tellFound says at which of the places found the cursor is.
func (d *Dialog) tellFound(n, of int) {
	if of == 0 {
		d.note = ""
		return
	}
	d.note, d.bad = fmt.Sprintf("%d of %d", n, of), false
}
