package settings

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// act carries a change out, and says what came of it.
func act(good string, do func(context.Context) error) tea.Cmd {
	return func() tea.Msg {
		err := do(context.Background())
		return doneMsg{good: good, err: err}
	}
}

// done tells what came of a change, and shows what holds now.
func (m *Model) done(msg doneMsg) tea.Cmd {
	m.asking = ""
	delete(m.tested, msg.profile)
	cmds := []tea.Cmd{m.reload()}
	switch {
	case msg.err != nil:
		cmds = append(cmds, screen.Toast(screen.Bad, clean(msg.err.Error())))
	case msg.good != "":
		cmds = append(cmds, screen.Toast(screen.Good, clean(msg.good)))
	}
	return tea.Batch(cmds...)
}

func (m *Model) set(r *Row, value string) tea.Cmd {
	store, key, good := m.deps.Store, r.Key, ""
	switch {
	case r.Outranked != "":
		good = r.Label + " is written; " + r.Outranked + " holds in its place"
	case r.Restart:
		good = r.Label + " is saved, and takes effect at the next start"
	}
	return act(good, func(ctx context.Context) error { return store.Set(ctx, key, value) })
}

func (m *Model) unset(key string) tea.Cmd {
	store := m.deps.Store
	return act("", func(ctx context.Context) error { return store.Unset(ctx, key) })
}

func setKeys(m *Model, by map[string][]string) tea.Cmd {
	store := m.deps.Store
	return act("", func(ctx context.Context) error { return store.SetKeys(ctx, by) })
}

// sourceTag marks the text of the file on its way to the editor and back.
const sourceTag = "settings.source"

func (m *Model) openSource() tea.Cmd {
	store := m.deps.Store
	return func() tea.Msg {
		text, err := store.Source(context.Background())
		return sourceMsg{text, err}
	}
}

func (m *Model) editSource(msg sourceMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, clean(msg.err.Error()))
	}
	m.source = msg.text
	return func() tea.Msg { return screen.EditMsg{Text: msg.text, Suffix: ".yaml", Tag: sourceTag} }
}

// edited puts what was edited in the place of the file.
func (m *Model) edited(msg screen.EditedMsg) tea.Cmd {
	if msg.Tag != sourceTag {
		return nil
	}
	if msg.Err != nil {
		return screen.Toast(screen.Bad, clean(msg.Err.Error()))
	}
	if msg.Text == m.source {
		return screen.Toast(screen.Info, "nothing was changed")
	}
	store, was := m.deps.Store, m.source
	return act("config.yaml is changed", func(ctx context.Context) error { return store.Replace(ctx, was, msg.Text) })
}
