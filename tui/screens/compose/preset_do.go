package compose

import (
	"cmp"
	"errors"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
)

// presetsDo does an action of the dialogs by its name.
func (m *Model) presetsDo(verb string) tea.Cmd {
	p := &m.presets
	if !p.open() || p.ask != nil {
		return nil
	}
	switch verb {
	case "take":
		if p.save == nil {
			return m.takePreset()
		}
	case "save":
		if p.save != nil {
			return m.savePreset(false)
		}
		return m.openSave()
	case "delete":
		if p.save == nil {
			return m.askDelete()
		}
	case "close":
		if p.save != nil {
			p.save = nil
			return nil
		}
		m.closePresets()
	}
	return nil
}

// askDelete asks before a preset is deleted.
func (m *Model) askDelete() tea.Cmd {
	p := &m.presets
	x, ok := p.current()
	if !ok {
		return screen.Toast(screen.Info, "there is no preset to delete")
	}
	text := client.CleanLine(x.Path) + " is deleted."
	if x.Hides != "" {
		text += " Your own of the same name, which it stood before, stays."
	}
	shelf := m.deps.Shelf
	m.askPresets("Delete preset "+client.CleanLine(x.Name)+"?", text, "Delete", func() tea.Cmd {
		return func() tea.Msg {
			path, err := shelf.Remove(x.Name, x.Project)
			return presetRemovedMsg{path, err}
		}
	})
	return nil
}

// askPresets asks a question that "y" says yes to.
func (m *Model) askPresets(title, text, yes string, answer func() tea.Cmd) {
	ask := confirm.New(title, text, "cancel", confirm.Button{ID: "cancel", Label: "Keep it"}, confirm.Button{ID: "yes", Label: yes, Key: "y"})
	m.presets.ask, m.presets.answer = &ask, answer
}

func (m *Model) presetRemoved(msg presetRemovedMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, "the preset was not deleted: "+client.CleanLine(msg.err.Error()))
	}
	said := screen.Toast(screen.Info, "deleted "+client.CleanLine(msg.path))
	if m.presets.list == nil {
		return said
	}
	return tea.Batch(said, m.readPresets())
}

// takePreset reads the draft of the preset under the cursor, for the form.
func (m *Model) takePreset() tea.Cmd {
	x, ok := m.presets.current()
	if !ok {
		return nil
	}
	if x.Err != nil {
		return screen.Toast(screen.Bad, "preset "+client.CleanLine(x.Name)+" can not be used: "+client.CleanLine(x.Err.Error()))
	}
	if m.presets.taking {
		return nil
	}
	m.presets.taking = true
	mod := cmp.Or(x.Draft.Modality, m.sheet.Modality)
	shelf, list := m.deps.Shelf, m.presets.list
	return func() tea.Msg {
		d, err := shelf.Draft(x, mod)
		return presetTakenMsg{list, x, d, err}
	}
}

// presetTaken puts a preset over the form, and says what is another now.
func (m *Model) presetTaken(msg presetTakenMsg) tea.Cmd {
	if !m.presets.taking || m.presets.list != msg.list {
		return nil // the dialog was left meanwhile
	}
	m.presets.taking = false
	if msg.err != nil {
		return screen.Toast(screen.Bad, "the form is as it was: "+client.CleanLine(msg.err.Error()))
	}
	changes := m.presetChanges(msg.preset, msg.draft)
	m.closePresets()
	to := m.withPreset(msg.preset, msg.draft)
	cmd := m.filled(to)
	said := "preset " + client.CleanLine(msg.preset.Name) + ": "
	if len(changes) == 0 {
		said += "the form has all of it already"
	} else {
		var labels []string
		for _, c := range changes {
			labels = append(labels, c.label)
		}
		said += client.Clip(strings.Join(labels, ", "), 120) + " changed"
		if k := m.deps.Keys.Keys("compose.bring-back"); k != "" && len(m.sheet.Formers) > 0 {
			said += "; " + k + " brings back what was there"
		}
	}
	if msg.preset.Project {
		said += "; it is the project's"
	}
	return tea.Batch(cmd, screen.Toast(screen.Good, said))
}

// presetsHelp are the keys of the dialogs.
func (m *Model) presetsHelp() []key.Binding {
	k := m.deps.Keys
	if m.presets.save != nil {
		return []key.Binding{k.Short("presets.save", "save"), k.Short("presets.close", "back")}
	}
	if _, ok := m.presets.current(); !ok {
		return []key.Binding{k.Short("presets.save", "save the form"), k.Short("presets.close", "back")}
	}
	return []key.Binding{k.Short("presets.take", "take"), k.Short("presets.save", "save the form"), k.Short("presets.delete", "delete"),
		k.Short("presets.close", "back")}
}

// presetsActions are what the palette offers while a dialog of the presets is open.
func (m *Model) presetsActions() []screen.Action {
	p := &m.presets
	if !p.open() {
		return nil
	}
	off := ""
	if _, ok := p.current(); !ok || p.save != nil {
		off = "no preset is under the cursor"
	}
	var out []screen.Action
	for _, verb := range presetVerbs() {
		a := screen.Action{ID: scopePresets + "." + verb, Title: m.deps.Keys.Title(scopePresets + "." + verb), Off: off}
		if verb == "save" || verb == "close" {
			a.Off = ""
		}
		out = append(out, a)
	}
	return out
}

func presetVerbs() []string { return []string{"take", "save", "delete", "close"} }

func (m *Model) stylePresets(st *themes.Styles) {
	if s := m.presets.save; s != nil {
		s.form.SetStyles(st)
	}
}

// existsAlready reports whether saving failed since there is a preset of the name.
func existsAlready(err error) bool { return errors.Is(err, ErrPresetExists) }
