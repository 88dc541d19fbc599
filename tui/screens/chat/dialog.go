package chat

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/picker"
	"darkroom/tui/widgets/zone"
)

// dialog is what lies over the screen: a picker or a question.
type dialog struct {
	kind   dialogKind
	picker picker.Model
	ask    confirm.Model
	id     string   // what is asked about
	codes  []string // to be picked from
}

type dialogKind int

const (
	noDialog dialogKind = iota
	modelDialog
	listDialog
	codeDialog
	deleteDialog
)

// choice is the outcome of a key or a click in the dialog.
type choice struct {
	over  bool // the dialog is to be closed
	taken bool // something was picked, or the question was answered by yes
	item  picker.Item
}

// key gives the dialog a key. The items of the list of models depend on what is typed.
func (d *dialog) key(msg tea.KeyMsg, models func(query string) []picker.Item) choice {
	if d.kind == deleteDialog {
		return decided(d.ask.Update(msg))
	}
	before := d.picker.Query()
	ev := d.picker.Update(msg)
	if q := d.picker.Query(); d.kind == modelDialog && q != before {
		d.picker.SetItems(models(q))
		d.picker.SetQuery(q) // the best of the new items, not the one of before
	}
	return d.picked(ev)
}

func (d *dialog) click(c zone.Click) choice {
	if d.kind == deleteDialog {
		return decided(d.ask.Click(c))
	}
	return d.picked(d.picker.Click(c))
}

func (d *dialog) wheel(delta int) {
	if d.kind != deleteDialog {
		d.picker.Wheel(delta)
	}
}

func (d *dialog) view(st *themes.Styles, w, h int) string {
	if d.kind == deleteDialog {
		return d.ask.View(st, w, h)
	}
	return d.picker.View(st, w, h)
}

func decided(answer string) choice {
	return choice{over: answer != "", taken: answer == "delete"}
}

func (d *dialog) picked(ev picker.Event) choice {
	it, ok := d.picker.Current()
	return choice{over: ev != picker.None, taken: ok && ev == picker.Picked, item: it}
}
