package settings

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

// The subjects of dialogs, which come back with their answers.
type (
	typing    struct{ row Row }
	choosing  struct{ row Row }
	outvoted  struct{ row Row }
	resetting struct{ row Row }
	taking    struct{ by map[string][]string }
	naming    struct{}
	placing   struct{ to NewProfile }
	keying    struct{ to NewProfile }
	rekeying  struct{ profile string }
)

// change begins to change what is under the cursor.
func (m *Model) change() tea.Cmd {
	e := m.current()
	if e.action != nil {
		m.ask(false)
		return nil
	}
	if r := *e.row; r.Outranked != "" {
		return m.stack.Open(ask.Decide(r.Label, r.Outranked+" is set and overrides config.yaml. What you write there counts once it is unset.",
			"Leave it", "Write it anyway", outvoted{r}))
	}
	return m.changeRow(*e.row)
}

func (m *Model) changeRow(r Row) tea.Cmd {
	switch r.Kind {
	case Theme:
		return func() tea.Msg { return screen.ThemesMsg{} }
	case Switch:
		if r.Value == "true" {
			return m.set(&r, "false")
		}
		return m.set(&r, "true")
	case Choice:
		items := make([]picker.Item, len(r.Allowed))
		for i, v := range r.Allowed {
			items[i] = picker.Item{ID: v, Title: v}
			if v == r.Default {
				items[i].Detail = "the default"
			}
			if v == r.Value {
				items[i].Sign = "●"
			}
		}
		p := picker.New(r.Label, "which", items)
		p.Select(r.Value)
		d := choose.New(p, choosing{r})
		d.Lines = min(len(items)+4, 24)
		return m.stack.Open(d)
	}
	return m.stack.Open(ask.ForLine(ask.Options{
		Look:   ask.Look{Title: r.Label, Hint: cmp.Or(r.May, r.Help), Button: "Write"},
		Prompt: "❯ ", Placeholder: r.Default, Subject: r.Help, Text: r.Value, About: typing{r},
		Check: func(text string) string {
			if text == "" && !r.Required || r.Check == nil {
				return ""
			}
			return r.Check(text)
		},
	}))
}

// reset takes what is under the cursor back to its default.
func (m *Model) reset() tea.Cmd {
	e := m.current()
	if e.action != nil {
		return setKeys(m, map[string][]string{e.action.ID: nil})
	}
	if e.row.Outranked != "" {
		return m.stack.Open(ask.Decide(e.row.Label, e.row.Outranked+" is set and still overrides it. Take the line out of config.yaml?", "Leave it", "Take it out", resetting{*e.row}))
	}
	return m.unset(e.row.Key)
}

// answer handles the answer of a dialog.
func (m *Model) answer(a any) tea.Cmd {
	switch a := a.(type) {
	case ask.Typed:
		return m.typed(a)
	case choose.Picked:
		if about, ok := a.For.(choosing); ok && a.OK && a.ID != about.row.Value {
			return m.set(&about.row, a.ID)
		}
	case ask.Agreed:
		switch about := a.About.(type) {
		case outvoted:
			return m.changeRow(about.row)
		case resetting:
			return m.unset(about.row.Key)
		case taking:
			return setKeys(m, about.by)
		}
	}
	return nil
}

func (m *Model) typed(a ask.Typed) tea.Cmd {
	switch about := a.About.(type) {
	case typing:
		switch a.Text {
		case about.row.Value:
			return nil
		case "":
			if !about.row.Own {
				return nil
			}
			return m.unset(about.row.Key)
		}
		return m.set(&about.row, a.Text)
	case naming:
		return askAddress(m, NewProfile{Name: a.Text})
	case placing:
		about.to.Address = a.Text
		return askKey(m, about.to)
	case keying:
		about.to.Key = a.Text
		return add(m, about.to)
	case rekeying:
		return rekey(m, about.profile, a.Text)
	}
	return nil
}

// without is a list without one of its words.
func without(all []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(w string) bool { return w == word })
}
