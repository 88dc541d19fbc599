package batch

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/client/text"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/picker"
)

// Submits is the action that submits the batch shown.
const Submits = Scope + ".submit"

// The dialog's other actions.
const (
	actMode  = Scope + ".mode"
	actDraw  = Scope + ".draw"
	actRead  = Scope + ".read"
	actClose = Scope + ".close"
)

// backWord is the word of the action that the bottom line ends with.
const backWord = "back"

// Commands is the table of the dialog's actions.
func Commands() []screen.Command[*Dialog] {
	return []screen.Command[*Dialog]{
		{ID: Submits, Title: "Submit the batch", Keys: []string{"ctrl+s"}, Word: "submit", Do: (*Dialog).submit},
		{ID: actMode, Title: "The prompt: text, or a template", Keys: []string{"alt+t"}, Word: "text or template", Off: offMode, Do: (*Dialog).nextMode},
		{ID: actDraw, Title: "Draw the batch again", Keys: []string{"ctrl+n"}, Word: "redraw", Do: (*Dialog).draw},
		{ID: actRead, Title: "Read the file of the batch again", Keys: []string{"ctrl+r"}, Word: "read again", Off: offRead, Do: (*Dialog).read},
		{ID: actClose, Title: "Leave the batch", Keys: []string{"esc"}, Word: backWord, Do: (*Dialog).leave},
	}
}

// Keys are the dialog's keys that cannot be rebound, for the help.
func Keys() []key.Binding {
	return []key.Binding{key.NewBinding(key.WithKeys("pgup"), key.WithHelp("pgup pgdn", "jobs of the batch")),
		key.NewBinding(key.WithKeys("alt+up"), key.WithHelp("alt+↑↓", "one job of the batch"))}
}

func offMode(d *Dialog) string {
	if !d.o.saysMode() {
		return "there is no template in the prompt"
	}
	return ""
}

func offRead(d *Dialog) string {
	if d.o.Kind != OfFile {
		return "no file is read"
	}
	return ""
}

func (d *Dialog) nextMode() tea.Cmd {
	modes := promptModes()
	i := slices.IndexFunc(modes, func(o form.Option) bool { return o.Value == d.form.Text(rowMode) })
	d.form.SetText(rowMode, modes[(i+1)%len(modes)].Value)
	cmd := d.changed(rowMode)
	d.rows()
	return cmd
}

func (d *Dialog) draw() tea.Cmd {
	d.form.SetText(rowMaster, strconv.FormatUint(d.o.Seed(), 10))
	return d.count()
}

func (d *Dialog) leave() tea.Cmd {
	d.Close()
	return d.refusals.Unsay()
}

// input handles the person's input.
func (d *Dialog) input(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.ActionMsg:
		return d.commands.Do(d, msg.ID)
	case screen.ClickMsg:
		if d.clickJob(msg) {
			return nil
		}
		return d.follow(d.form.Click(msg))
	case ask.Agreed:
		d.attach(msg)
	case choose.Picked:
		return d.picked(msg)
	case tea.KeyMsg:
		if msg.Paste {
			return d.paste(msg)
		}
		if cmd, ok := d.walkKey(msg); ok {
			return cmd
		}
		return d.follow(d.form.Update(msg))
	}
	return nil
}

func (d *Dialog) wheel(msg screen.WheelMsg) {
	if strings.HasPrefix(msg.Zone, zoneForm) {
		d.form.Wheel(3 * msg.Delta)
		return
	}
	d.list.Wheel(msg.Delta)
}

func (d *Dialog) paste(k tea.KeyMsg) tea.Cmd {
	d.walk(false)
	if d.o.Kind == OfFile && (!d.form.Capturing() || d.form.Focused() == rowFile) {
		return d.pastePath(k.Runes)
	}
	return d.follow(d.form.Update(form.InLine(k)))
}

// pastePath takes a path that was dragged or pasted; of several it takes the first, and says so.
func (d *Dialog) pastePath(runes []rune) tea.Cmd {
	var paths, left []string
	for line := range strings.Lines(string(runes)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if paths = append(paths, line); len(paths) > 1 {
			left = append(left, filepath.Base(line))
		}
	}
	if len(paths) == 0 {
		return nil
	}
	d.form.SetText(rowFile, paths[0])
	d.form.Focus(rowFile)
	if len(left) == 0 {
		return d.read()
	}
	return tea.Batch(d.read(), screen.Toast(screen.Warn,
		"a batch has one file: it is "+few([]string{filepath.Base(paths[0])})+" now, without "+few(left)))
}

// few lists the first of some names.
func few(list []string) string {
	const most = 3
	n := len(list) - most
	out := text.Clip(client.CleanLine(strings.Join(list[:min(len(list), most)], ", ")), 160)
	if n > 0 {
		out += " and " + strconv.Itoa(n) + " more"
	}
	return out
}

// follow continues after a key or a click on the rows.
func (d *Dialog) follow(ev form.Event) tea.Cmd {
	var cmds []tea.Cmd
	switch ev.Kind {
	case form.Changed:
		cmds = append(cmds, d.changed(ev.ID))
	case form.Opened:
		d.pickColumn(ev.ID)
	case form.Pressed:
		if ev.Value == buttonBack {
			return d.leave()
		}
		return d.submit()
	}
	if ev.Left == rowFile && d.form.Text(rowFile) != d.o.Memory.file.typed {
		cmds = append(cmds, d.read())
	}
	d.rows()
	return tea.Batch(cmds...)
}

// changed takes over the new value of a row.
func (d *Dialog) changed(id string) tea.Cmd {
	mem, value := d.o.Memory, d.form.Text(id)
	d.failed = ""
	switch {
	case id == rowFile: // of another path there is nothing yet: it is read when the row is left
	case id == rowMode:
		d.say(rules.PromptMode(value), d.o.Form.Vars)
	case id == rowSeeds:
		mem.seeds, mem.seedsSet = seedMode(value), true
	case id == rowShape:
		mem.file.lines = value == shapeLines
	case strings.HasPrefix(id, rowVar):
		vars := maps.Clone(d.o.Form.Vars)
		if vars == nil {
			vars = map[string]string{}
		}
		if vars[varOf(id)] = value; value == "" {
			delete(vars, varOf(id))
		}
		d.say(d.o.Form.Mode, vars)
	case strings.HasPrefix(id, rowColumn):
		d.place(id, value)
	}
	return tea.Batch(d.refusals.Unsay(), d.count())
}

// say sends the form the prompt mode and the variables.
func (d *Dialog) say(mode rules.PromptMode, vars map[string]string) {
	d.o.Form.Mode, d.o.Form.Vars = mode, vars
	d.Answer(Said{mode, vars})
}

// place assigns other content to a column.
func (d *Dialog) place(id, to string) {
	i, err := strconv.Atoi(strings.TrimPrefix(id, rowColumn))
	p := &d.plan.Peek
	if err != nil || i < 0 || i >= len(p.Columns) {
		return
	}
	f := &d.o.Memory.file
	if f.columns = maps.Clone(f.columns); f.columns == nil {
		f.columns = map[string]string{}
	}
	name := p.Columns[i].Name
	if to == unplaced {
		delete(f.columns, name)
		return
	}
	f.columns[name] = to
}

// column is the subject of a choice: the row of a column.
type column string

// pickColumn opens the choice of a column's content, found by a few letters.
func (d *Dialog) pickColumn(id string) {
	if !strings.HasPrefix(id, rowColumn) {
		return
	}
	var all []picker.Item
	at := ""
	for i, o := range d.columnOptions(id) { // by their index: a variable may have any letters
		if o.Value == d.form.Text(id) {
			at = strconv.Itoa(i)
		}
		it := picker.Item{ID: strconv.Itoa(i), Title: cmp.Or(o.Label, o.Value)}
		if f, ok := d.o.Catalog.Field(d.o.Form.Draft.Modality, o.Value); ok {
			it.Detail = f.Label
		}
		all = append(all, it)
	}
	list := picker.New("This column holds", "a field …", all)
	list.Select(at)
	d.Open(choose.New(list, column(id)))
}

// picked takes over the content picked for a column.
func (d *Dialog) picked(p choose.Picked) tea.Cmd {
	id, ok := p.For.(column)
	if !ok || !p.OK {
		return nil
	}
	all := d.columnOptions(string(id))
	i, err := strconv.Atoi(p.ID)
	if err != nil || i < 0 || i >= len(all) {
		return nil
	}
	d.form.SetText(string(id), all[i].Value)
	cmd := d.changed(string(id))
	d.rows()
	return cmd
}
