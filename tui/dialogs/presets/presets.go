// Package presets has two dialogs: one to choose a preset, one to save the form as a preset.
package presets

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/text"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

// Shelf is where presets are kept. Its methods touch the disk.
type Shelf interface {
	// Presets are all presets by name; those that cannot be used, or were not read when ctx ended,
	// have Err.
	Presets(ctx context.Context) ([]expand.PresetFile, error)
	// Draft is a preset's draft for a modality, its references as they are sent.
	Draft(p expand.PresetFile, m client.Modality) (client.Draft, error)
	// Save writes a preset and returns its path. Where one of that name exists and replace is
	// false, the error wraps [expand.ErrPresetExists].
	Save(p expand.Preset, project, replace bool) (string, error)
	// Remove deletes a preset and returns its path.
	Remove(name string, project bool) (string, error)
	// Folder is where presets are.
	Folder(project bool) string
}

// Change is one difference that a preset makes.
type Change struct{ Label, Was, Is string }

// String is the change in one line.
func (c Change) String() string { return c.Label + ": " + cmp.Or(c.Was, "not set") + " → " + c.Is }

// Taken is an answer: the draft of a preset is to go over the form. The dialog closes.
type Taken struct {
	Preset expand.PresetFile
	Draft  client.Draft
}

// Keep is an answer: the form is to be kept as a preset, which [NewSave] asks about. The dialog
// stays.
type Keep struct {
	Name, About string
	Project     bool
}

// Options are what the dialog works with.
type Options struct {
	Shelf    Shelf
	Keys     keys.Map
	Modality client.Modality // of the form
	// Changes are the differences that a preset would make to the form.
	Changes func(p expand.PresetFile, d client.Draft) []Change
}

// Scope is that of the keys and actions of both dialogs.
const Scope = "presets"

// Title is its heading in the help.
const Title = "In the presets"

// The actions.
const (
	actTake   = Scope + ".take"
	actDelete = Scope + ".delete"
	actClose  = Scope + ".close"

	// Keeps is the action that keeps the form as a preset.
	Keeps = Scope + ".save"

	titleKeep  = "Save the form as a preset, under this name"
	titleClose = "Leave the presets"
)

// Commands is the table of what can be done in the dialog.
func Commands() []screen.Command[*Dialog] {
	at := func(none string) func(*Dialog) string {
		return func(d *Dialog) string {
			if _, ok := d.current(); !ok {
				return none
			}
			return ""
		}
	}
	return []screen.Command[*Dialog]{
		{ID: actTake, Title: "Begin with the preset", Keys: []string{"enter"}, Word: "take", Off: at("no preset is under the cursor"), Do: (*Dialog).take},
		{ID: Keeps, Title: titleKeep, Keys: []string{"ctrl+s"}, Word: "save the form", Do: (*Dialog).keep},
		{ID: actDelete, Title: "Delete the preset", Keys: []string{"ctrl+x"}, Word: "delete", Off: at("there is no preset to delete"), Do: (*Dialog).askDelete},
		{ID: actClose, Title: titleClose, Keys: []string{"esc"}, Word: "back", Do: func(d *Dialog) tea.Cmd { d.Close(); return nil }},
	}
}

// Dialog is the dialog over the presets.
type Dialog struct {
	screen.Base
	o        Options
	commands screen.Commands[*Dialog]
	list     picker.Model
	all      []expand.PresetFile
	busy     bool
	stop     context.CancelFunc // ends the reading
	taking   bool               // a preset's draft is being read
	note     string             // why there are none
}

// presetsMsg brings the presets that were read.
type presetsMsg struct {
	of  *Dialog
	all []expand.PresetFile
	err error
}

// draftMsg brings the draft of a preset that is taken.
type draftMsg struct {
	of     *Dialog
	preset expand.PresetFile
	draft  client.Draft
	err    error
}

// changedMsg says that the presets on disk have changed.
type changedMsg struct{}

// New is the dialog.
func New(o Options) *Dialog {
	d := &Dialog{o: o, commands: screen.Bind(o.Keys, Commands()), list: picker.New("Presets", "name, model, words …", nil), busy: true}
	d.list.Empty = "reading …"
	return d
}

// Init implements screen.Dialog.
func (d *Dialog) Init() tea.Cmd { return d.read() }

// Closed implements screen.Dialog: it gives up any reading under way.
func (d *Dialog) Closed() { d.stop() }

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

// Actions implements screen.Dialog.
func (d *Dialog) Actions() []screen.Action { return d.commands.Actions(d) }

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding {
	return d.commands.LineNow(d, actTake, Keeps, actDelete, actClose)
}

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return d.follow(d.list.Update(msg))
	case screen.ClickMsg:
		return d.follow(d.list.Click(msg))
	case screen.WheelMsg:
		d.list.Wheel(msg.Delta)
	case screen.ActionMsg:
		return d.commands.Do(d, msg.ID)
	case changedMsg:
		return d.read()
	case presetsMsg:
		if msg.of == d {
			d.show(msg)
		}
	case draftMsg:
		if msg.of == d {
			return d.took(msg)
		}
	case ask.Agreed:
		if x, ok := msg.About.(deletion); ok {
			return d.remove(x.preset)
		}
	}
	return nil
}

func (d *Dialog) follow(ev picker.Event) tea.Cmd {
	switch ev {
	case picker.Picked:
		return d.commands.Do(d, actTake)
	case picker.Cancelled:
		d.Close()
	}
	return nil
}

// read reads the presets, until the dialog closes or they are read anew.
func (d *Dialog) read() tea.Cmd {
	if d.stop != nil {
		d.stop()
	}
	ctx, stop := context.WithCancel(context.Background())
	d.stop = stop
	shelf := d.o.Shelf
	return func() tea.Msg {
		all, err := shelf.Presets(ctx)
		if ctx.Err() != nil {
			return nil // nobody waits for them
		}
		return presetsMsg{d, all, err}
	}
}

func (d *Dialog) show(msg presetsMsg) {
	d.busy, d.all, d.note = false, msg.all, ""
	switch {
	case msg.err != nil:
		d.note = client.CleanLine(msg.err.Error())
	case len(msg.all) == 0:
		d.note = "There are no presets yet. " + d.howToKeep("Type a name, then ", "the first one") +
			". Yours are in " + client.CleanLine(d.o.Shelf.Folder(false)) + ", a project's in " + client.CleanLine(d.o.Shelf.Folder(true)) + "."
	}
	d.list.Empty = d.empty()
	items := make([]picker.Item, 0, len(msg.all))
	for _, project := range []bool{true, false} {
		for i := range msg.all {
			if msg.all[i].Project == project {
				items = append(items, item(i, &msg.all[i]))
			}
		}
	}
	d.list.SetItems(items)
}

// item is a preset in the list. Its ID is its index: a name may have any letters.
func item(i int, x *expand.PresetFile) picker.Item {
	it := picker.Item{ID: strconv.Itoa(i), Title: client.CleanLine(x.Name), Group: "your own", Detail: client.CleanLine(detail(x))}
	if x.Project {
		it.Group = "of this project"
	}
	if x.Err != nil {
		it.Off = "cannot be used"
	}
	return it
}

// detail describes a preset in a few words.
func detail(x *expand.PresetFile) string {
	d := &x.Draft
	words := strings.Join(strings.Fields(strings.Join([]string{cmp.Or(string(d.Modality), "any kind"), d.Model, d.Mode}, " ")), " ")
	return text.Clip(words+"  "+cmp.Or(x.Description, d.Prompt), 200)
}

// empty is the text shown when there is no preset to list.
func (d *Dialog) empty() string {
	switch {
	case len(d.all) > 0:
		return "no preset has these letters; " + d.howToKeep("", "one of this name")
	case d.note != "":
		return "no preset yet"
	}
	return ""
}

// howToKeep says how to save the form as a preset.
func (d *Dialog) howToKeep(lead, what string) string {
	if k := d.commands.Key(Keeps); k != "" {
		return lead + k + " saves the form as " + what
	}
	return "the palette saves the form as " + what
}

// current is the preset under the cursor.
func (d *Dialog) current() (expand.PresetFile, bool) {
	it, ok := d.list.Current()
	if !ok {
		return expand.PresetFile{}, false
	}
	i, err := strconv.Atoi(it.ID)
	if err != nil || i < 0 || i >= len(d.all) {
		return expand.PresetFile{}, false
	}
	return d.all[i], true
}

// take reads the draft of the preset under the cursor.
func (d *Dialog) take() tea.Cmd {
	x, _ := d.current()
	if x.Err != nil {
		return screen.Toast(screen.Bad, "preset "+client.CleanLine(x.Name)+" cannot be used: "+client.CleanLine(x.Err.Error()))
	}
	if d.taking {
		return nil
	}
	d.taking = true
	shelf, kind := d.o.Shelf, cmp.Or(x.Draft.Modality, d.o.Modality)
	return func() tea.Msg {
		draft, err := shelf.Draft(x, kind)
		return draftMsg{d, x, draft, err}
	}
}

func (d *Dialog) took(msg draftMsg) tea.Cmd {
	d.taking = false
	if msg.err != nil {
		return screen.Toast(screen.Bad, "the form is as it was: "+client.CleanLine(msg.err.Error()))
	}
	d.Answer(Taken{msg.preset, msg.draft})
	d.Close()
	return nil
}

// keep asks to save the form as a preset, under the name under the cursor, else under the typed
// one.
func (d *Dialog) keep() tea.Cmd {
	out := Keep{Name: strings.Join(strings.Fields(d.list.Query()), "-")}
	if x, ok := d.current(); ok {
		out = Keep{Name: x.Name, About: x.Description, Project: x.Project}
	}
	d.Answer(out)
	return nil
}

// deletion is the subject of the question before a deletion.
type deletion struct{ preset expand.PresetFile }

// question is a question that "y" answers with yes.
func question(title, text, yes string, about any) *ask.Decision {
	return ask.Decide(title, text, "Keep it", yes, about).Within(72, 20)
}

// askDelete asks before the preset under the cursor is deleted.
func (d *Dialog) askDelete() tea.Cmd {
	x, _ := d.current()
	text := client.CleanLine(x.Path) + " is deleted."
	if x.Hides != "" {
		text += " Your own of the same name, which it hid, stays."
	}
	d.Open(question("Delete preset "+client.CleanLine(x.Name)+"?", text, "Delete", deletion{x}))
	return nil
}

// remove deletes a preset.
func (d *Dialog) remove(x expand.PresetFile) tea.Cmd {
	shelf := d.o.Shelf
	return func() tea.Msg {
		path, err := shelf.Remove(x.Name, x.Project)
		if err != nil {
			return screen.ToastMsg{Level: screen.Bad, Text: "the preset was not deleted: " + client.CleanLine(err.Error())}
		}
		return tea.BatchMsg{screen.Toast(screen.Info, "deleted "+client.CleanLine(path)), changed}
	}
}

func changed() tea.Msg { return changedMsg{} }
