package build

import (
	"darkroom/client"
	"darkroom/jobs/compare/pick"
	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/table"
)

func columns() []table.Column {
	return []table.Column{
		{Title: "", Min: 4},
		{Title: "Model", Min: 20, Max: 34, Weight: 1},
		{Title: "Remark", Min: 12, Weight: 5, Drop: 1},
	}
}

// nameOf is the list's name for a model; its sign is that of the choice in Compose.
func nameOf(c pick.Candidate) string {
	if c.Live {
		return "◇ " + client.CleanLine(c.Model.ID)
	}
	return client.CleanLine(c.Model.ID)
}

// rowOf is a candidate in the list of models.
func rowOf(st *themes.Styles, c pick.Candidate, chosen, own bool) table.Row {
	check, ink, note := "[ ]", widgets.Ink{}, widgets.NewInk(st.Muted)
	switch {
	case c.Block != "":
		check, ink, note = " ✗", widgets.NewInk(st.Faint), widgets.NewInk(st.Faint)
	case chosen:
		check, ink = "[x]", widgets.NewInk(st.Strong)
	}
	switch { // a sign that stays when there is no room for the remark
	case c.Block != "":
	case len(c.Warns) > 0:
		check += "⚠"
		note = widgets.NewInk(st.Warn)
	case len(c.Changes) > 0:
		check += "~"
		note = widgets.NewInk(st.Info)
	}
	remark := client.CleanLine(c.Remark())
	switch {
	case own:
		remark = "its own: " + remark
	case c.Block == "" && len(c.Changes) > 0:
		remark = "not as it is: " + remark
	}
	return table.Row{Ink: ink, Cells: []table.Cell{{Text: check}, {Text: nameOf(c)}, {Text: remark, Ink: note}}}
}

// fitText says how the draft fits a model.
func fitText(st *themes.Styles, c pick.Candidate, ownKey string, w int) []string {
	var out []string
	add := func(sign, s string, paint func(...string) string) {
		for i, l := range widgets.WrapLines(client.CleanLine(s), max(4, w-2), 3) {
			if i > 0 {
				sign = " "
			}
			out = append(out, paint(sign+" "+l))
		}
	}
	if c.Live {
		add("◇", "offered by the gateway, not in the catalog", st.Muted.Render)
	}
	if c.Block != "" {
		add("✗", c.Block, st.Bad.Render)
	}
	for _, s := range c.Changes {
		add("~", s, st.Info.Render)
	}
	if len(c.Changes) > 0 && c.Block == "" {
		add(" ", "only with settings of its own: "+ownKey, st.Info.Render)
	}
	for _, s := range c.Names {
		add("·", s, st.Muted.Render)
	}
	for _, s := range c.Warns {
		add("⚠", s, st.Warn.Render)
	}
	for _, s := range c.Infos {
		add("·", s, st.Muted.Render)
	}
	if c.NeedsPrompt {
		add("·", "needs a prompt", st.Muted.Render)
	}
	if len(out) == 0 {
		add("✓", "takes the draft as it is", st.Good.Render)
	}
	return out
}
