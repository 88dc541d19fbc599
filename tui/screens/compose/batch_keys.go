package compose

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/picker"
)

// batchKey is a key while the dialog is open.
func (m *Model) batchKey(k tea.KeyMsg) tea.Cmd {
	d := m.batch.dialog
	if d.sending {
		return nil
	}
	if k.Paste {
		d.walk(false)
		if d.kind == ofFile && (!d.form.Capturing() || d.form.Focused() == rowFile) {
			return m.pasteFile(k.Runes)
		}
		k.Runes = []rune(strings.Join(strings.Fields(string(k.Runes)), " "))
		return m.batchEvent(d.form.Key(k))
	}
	name := k.String()
	if id, ok := m.deps.Keys.Lookup(scopeBatch, name); ok {
		return m.batchDo(strings.TrimPrefix(id, scopeBatch+"."))
	}
	if cmd, ok := m.walkKey(name); ok {
		return cmd
	}
	return m.batchEvent(d.form.Key(k))
}

// pasteFile takes a path that was dragged or pasted; of several the first, which is said.
func (m *Model) pasteFile(runes []rune) tea.Cmd {
	d := m.batch.dialog
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
		return m.readFile()
	}
	return tea.Batch(m.readFile(), screen.Toast(screen.Warn,
		"a batch is of one file: it is "+names([]string{filepath.Base(paths[0])})+" now, without "+names(left)))
}

// batchEvent goes on after a key or a click on the dialog's form.
func (m *Model) batchEvent(ev form.Event) tea.Cmd {
	d := m.batch.dialog
	var cmds []tea.Cmd
	switch ev.Kind {
	case form.Changed:
		cmds = append(cmds, m.batchChanged(ev.ID))
	case form.Opened:
		cmds = append(cmds, m.pickColumn(ev.ID))
	case form.Pressed:
		if ev.Value == buttonBack {
			return m.batchDo("close")
		}
		return m.batchDo("submit")
	}
	if ev.Left == rowFile && d.form.Text(rowFile) != m.batch.file.typed {
		cmds = append(cmds, m.readFile())
	}
	m.batchRows()
	return tea.Batch(cmds...)
}

// batchChanged takes over what a row of the dialog says now.
func (m *Model) batchChanged(id string) tea.Cmd {
	b, d := &m.batch, m.batch.dialog
	value := d.form.Text(id)
	d.failed = ""
	switch {
	case id == rowFile:
		return tea.Batch(m.unsay(), m.replan()) // of another path there is nothing yet: it is read when the row is left
	case id == rowMode:
		b.mode = promptMode(value)
		m.settleMode()
	case id == rowSeeds:
		b.seeds, b.seedsSet = seedMode(value), true
	case id == rowShape:
		b.file.lines = value == shapeLines
	case strings.HasPrefix(id, rowVar):
		b.vars = maps.Clone(b.vars)
		if b.vars == nil {
			b.vars = map[string]string{}
		}
		if b.vars[varOf(id)] = value; value == "" {
			delete(b.vars, varOf(id))
		}
		m.settleMode()
	case strings.HasPrefix(id, rowColumn):
		m.place(id, value)
	}
	return tea.Batch(m.unsay(), m.replan(), m.save.Arm(), m.lookAtTemplate())
}

// settleMode follows when it was said what the prompt is: that is part of the draft.
func (m *Model) settleMode() {
	m.save.Changed()
	m.refresh()
}

// place has a column hold something else.
func (m *Model) place(id, to string) {
	i, err := strconv.Atoi(strings.TrimPrefix(id, rowColumn))
	p := &m.batch.dialog.plan.peek
	if err != nil || i < 0 || i >= len(p.Columns) {
		return
	}
	f := &m.batch.file
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

// pickColumn lets what a column holds be found by a few letters.
func (m *Model) pickColumn(id string) tea.Cmd {
	if !strings.HasPrefix(id, rowColumn) {
		return nil
	}
	var all []picker.Item
	at := ""
	for i, o := range m.columnOptions(id) { // by their index: a variable may have any letters
		if o.Value == m.batch.dialog.form.Text(id) {
			at = strconv.Itoa(i)
		}
		title := o.Label
		if title == "" {
			title = o.Value
		}
		it := picker.Item{ID: strconv.Itoa(i), Title: title}
		if f, ok := m.deps.Catalog.Field(m.modality, o.Value); ok {
			it.Detail = f.Label
		}
		all = append(all, it)
	}
	list := picker.New("This column holds", "a field …", all)
	list.Select(at)
	return m.choose(list, forColumn{id})
}

// pickedColumn takes what was picked for a column.
func (m *Model) pickedColumn(id, value string) tea.Cmd {
	d := m.batch.dialog
	if d == nil {
		return nil
	}
	all := m.columnOptions(id)
	i, err := strconv.Atoi(value)
	if err != nil || i < 0 || i >= len(all) {
		return nil
	}
	d.form.SetText(id, all[i].Value)
	cmd := m.batchChanged(id)
	m.batchRows()
	return cmd
}

// batchDo does an action of the dialog by its name.
func (m *Model) batchDo(verb string) tea.Cmd {
	b, d := &m.batch, m.batch.dialog
	if d == nil || d.sending {
		return nil
	}
	switch verb {
	case "submit":
		return m.sendBatch()
	case "draw":
		b.master = m.drawn()
		d.form.SetText(rowMaster, strconv.FormatUint(b.master, 10))
		return m.replan()
	case "read":
		if d.kind != ofFile {
			return nil
		}
		return m.readFile()
	case "mode":
		modes := promptModes()
		i := slices.IndexFunc(modes, func(o form.Option) bool { return o.Value == d.form.Text(rowMode) })
		d.form.SetText(rowMode, modes[(i+1)%len(modes)].Value)
		cmd := m.batchChanged(rowMode)
		m.batchRows()
		return cmd
	case "close":
		b.dialog = nil
		m.refresh()
		return m.unsay()
	}
	return nil
}
