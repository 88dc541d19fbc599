// Package models is the dialog in which a model is chosen, from the catalog and from the gateway's
// lists, with the capabilities of each.
package models

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

// Scope is that of the dialog's keys and actions.
const Scope = "pick"

// Title is its heading in the help.
const Title = "In the choice of a model"

// The actions that the list and the bottom line name.
const (
	actStar    = Scope + ".star"
	actRefresh = Scope + ".refresh"
)

// Commands is the table of what can be done in the dialog.
func Commands() []screen.Command[*Dialog] {
	return []screen.Command[*Dialog]{
		{ID: actStar, Title: "Star or unstar the model of the list", Keys: []string{"alt+s", "alt+*"}, Word: "star", Off: offStar, Do: (*Dialog).star},
		{ID: actRefresh, Title: "Ask the gateway's models again", Keys: []string{"ctrl+r", "f5"}, Word: "ask again", Off: offRefresh, Do: (*Dialog).refresh},
	}
}

// Picked is the answer, with which the dialog closes.
type Picked struct{ ID string } // "" for none

// Options are what the dialog works with.
type Options struct {
	Known *Known
	Keys  keys.Map
	Title string
	Kind  client.Modality
	// Free says that any name will do.
	Free bool
	// At is the model under the cursor at first.
	At string
}

// Dialog is the dialog.
type Dialog struct {
	screen.Base
	o        Options
	commands screen.Commands[*Dialog]
	list     picker.Model
}

// typed is the choice that takes the typed text as the name.
const typed = "\x00typed"

// New is the dialog.
func New(o Options) *Dialog {
	d := &Dialog{o: o, commands: screen.Bind(o.Keys, Commands()), list: picker.New(o.Title, "family, mode, name …", nil)}
	if o.Free {
		d.list.Placeholder = "name of a model …"
	}
	d.list.Aligned = true
	d.list.Keys = strings.TrimSpace(o.Keys.Keys(actStar) + " star · " + o.Keys.Keys(actRefresh) + " ask again")
	return d
}

// Init implements screen.Dialog: it fetches the gateway's lists if they have not answered yet.
func (d *Dialog) Init() tea.Cmd {
	var cmd tea.Cmd
	if k := d.o.Known; !k.have || k.err != nil {
		cmd = k.ask()
	}
	d.fill()
	d.list.Select(d.o.At)
	return cmd
}

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

// fill makes the items anew; the cursor stays on its model.
func (d *Dialog) fill() {
	k := d.o.Known
	d.list.Note = ""
	switch {
	case k.busy:
		d.list.Note = "asking the gateway for its models …"
	case k.err != nil && len(k.listed) > 0:
		d.list.Note = "the gateway's list did not come; this is what it said before: " + client.CleanLine(k.err.Error())
	case k.err != nil:
		d.list.Note = "the gateway's list did not come; this is the catalog: " + client.CleanLine(k.err.Error())
	}
	if d.o.Free {
		d.list.SetItems(d.freeItems())
	} else {
		d.list.SetItems(d.items())
	}
}

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		was := d.list.Query()
		d.follow(d.list.Update(choose.Plain(msg)))
		if d.o.Free && d.list.Query() != was {
			d.list.SetItems(d.freeItems())
		}
	case screen.ClickMsg:
		d.follow(d.list.Click(msg))
	case screen.WheelMsg:
		d.list.Wheel(msg.Delta)
	case screen.ActionMsg:
		return d.commands.Do(d, msg.ID)
	case listedMsg, markedMsg: // which Known has taken
		d.fill()
	}
	return nil
}

func offStar(d *Dialog) string {
	it, _ := d.list.Current()
	return d.o.Known.OffStar(it.ID)
}

func (d *Dialog) star() tea.Cmd {
	if it, ok := d.list.Current(); ok && it.ID != typed && it.ID != "" {
		return d.o.Known.Star(it.ID)
	}
	return nil
}

func offRefresh(d *Dialog) string {
	if d.o.Known.busy {
		return "the gateway is already being asked"
	}
	return ""
}

func (d *Dialog) refresh() tea.Cmd {
	cmd := d.o.Known.ask()
	d.fill()
	return cmd
}

// follow continues after a key or a click.
func (d *Dialog) follow(ev picker.Event) {
	id := ""
	switch it, ok := d.list.Current(); {
	case ev == picker.None:
		return
	case ev == picker.Cancelled || !ok:
	case it.ID == typed:
		id = strings.TrimSpace(d.list.Query())
	default:
		id = it.ID
	}
	d.Close()
	d.Answer(Picked{id})
}

// View implements screen.Dialog.
func (d *Dialog) View() string { return d.list.View(d.Styles, min(d.W, 110), min(d.H, 36)) }

// Actions implements screen.Dialog.
func (d *Dialog) Actions() []screen.Action { return d.commands.Actions(d) }

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding {
	out := append([]key.Binding{keys.Fixed("enter", "take")}, d.commands.Line(actStar, actRefresh)...)
	return append(out, keys.Fixed("esc", "back"))
}
