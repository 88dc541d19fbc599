package compare

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/overlay"
	"darkroom/tui/widgets/table"
	"darkroom/tui/widgets/zone"
)

const (
	wideFrom = 100 // from this width on, models and results stand side by side
	boxFrom  = 18  // from this height on, the draft has a box
	fitLines = 5   // what is said about the model under the cursor
	boxWidth = 6   // cells at the beginning of a row in which a click chooses
)

func columns() []table.Column {
	return []table.Column{
		{Title: "", Min: 4},
		{Title: "Model", Min: 24, Max: 34, Weight: 1},
		{Title: "With this draft", Min: 14, Weight: 6, Drop: 1},
	}
}

func (m *Model) wide() bool { return m.w >= wideFrom }

// gridShows reports whether the results are on the screen.
func (m *Model) gridShows() bool { return len(m.cells) > 0 && (m.wide() || m.focus == gridPane) }

func (m *Model) draftHeight() int {
	if m.h < boxFrom {
		return 1
	}
	return 4
}

// body is the room below the draft and, on a narrow screen, the tabs.
func (m *Model) body() (w, h int) {
	h = m.h - m.draftHeight()
	if !m.wide() {
		h--
	}
	return m.w, max(0, h)
}

func (m *Model) modelsWidth() int {
	if !m.wide() {
		return m.w
	}
	return min(66, max(40, m.w*38/100))
}

func (m *Model) modelsParts() []widgets.Part {
	able, known := 0, 0
	for _, c := range m.candidates {
		if c.able() {
			able++
		}
		if !c.tried {
			known++
		}
	}
	right := fmt.Sprintf("%d in · %d of %d can", len(m.in()), able, known)
	if n := len(m.candidates) - known; n > 0 {
		right += fmt.Sprintf(" · %d not in the catalog", n)
	}
	if text := m.listsText(); text != "" {
		right += " · " + text
	}
	parts := []widgets.Part{{Title: "Models", Right: right}}
	if _, h := m.body(); h >= fitLines+8 {
		c, _ := m.candidate()
		parts = append(parts, widgets.Part{Title: c.name(), Height: fitLines})
	}
	return parts
}

// layout sizes the parts for the room there is.
func (m *Model) layout() {
	m.fresh = false
	_, h := m.body()
	iw, hs := widgets.InnerStack(m.modelsParts(), m.modelsWidth(), h)
	m.table.SetSize(iw, hs[0])
	m.reveal()
}

func (m *Model) row(i int) table.Row {
	c, st := m.candidates[i], m.st
	check, ink, note := "[ ]", widgets.Ink{}, widgets.NewInk(st.Muted)
	switch {
	case c.block != "":
		check, ink, note = " ✗", widgets.NewInk(st.Faint), widgets.NewInk(st.Faint)
	case m.chosen[c.model.ID]:
		check, ink = "[x]", widgets.NewInk(st.Strong)
	}
	switch { // a sign that stays when there is no room for the remark
	case c.block != "":
	case len(c.warns) > 0:
		check += "⚠"
		note = widgets.NewInk(st.Warn)
	case len(c.changes) > 0:
		check += "~"
		note = widgets.NewInk(st.Info)
	}
	remark := client.CleanLine(c.remark())
	return table.Row{Ink: ink, Cells: []table.Cell{{Text: check}, {Text: c.name()}, {Text: remark, Ink: note}}}
}

// View implements screen.Screen.
func (m *Model) View() string {
	if !m.fresh {
		m.frame, m.fresh = m.draw(), true
	}
	return m.frame
}

func (m *Model) draw() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	w, h := m.body()
	parts := []string{m.draftView()}
	switch {
	case h == 0:
	case m.wide():
		parts = append(parts, widgets.JoinColumns(0, m.modelsView(h), m.resultsView(w-m.modelsWidth(), h)))
	case m.focus == gridPane:
		parts = append(parts, m.tabs("results"), m.resultsView(w, h))
	default:
		parts = append(parts, m.tabs("models"), m.modelsView(h))
	}
	frame := widgets.Fit(strings.Join(parts, "\n"), m.w, m.h)
	if m.asking != nil {
		frame, _ = zone.Scan(frame)
		frame = overlay.Dialog(m.st, frame, m.asking.View(m.st, min(m.w-2, 60), m.h))
	}
	return frame
}

func (m *Model) tabs(active string) string {
	results := "Results"
	if n := len(m.cells); n > 0 {
		results += fmt.Sprintf(" %d", n)
	}
	line := widgets.Tabs(m.st, []widgets.Tab{{ID: "models", Label: "Models"}, {ID: "results", Label: results}}, active, m.w)
	if room := m.w - widgets.Width(line); m.draftHeight() == 1 && room >= 8 {
		return widgets.Spread(line, widgets.Truncate(m.runButton(), room-1), m.w)
	}
	return widgets.Line(line, m.w)
}

// draftView is what is compared: kind, prompt, and what else the draft holds.
func (m *Model) draftView() string {
	st := m.st
	opts := make([]widgets.Option, len(m.kinds))
	for i, k := range m.kinds {
		opts[i] = widgets.Option{Value: string(k)}
	}
	choice := func(w int) string {
		return widgets.Choice(st, "kind", opts, m.kindIndex(), m.focus == kindPane, w)
	}
	if m.draftHeight() == 1 {
		kind := choice(12)
		return kind + m.promptLine(max(1, m.w-widgets.Width(kind)))
	}
	iw, _ := widgets.Inner(m.w, 4)
	button := m.runButton()
	head := widgets.Spread(choice(max(8, iw-widgets.Width(button)-1)), button, iw)
	footer := ""
	if m.given {
		footer = "from Compose"
	}
	if s := m.settings(); s != "" {
		footer = strings.TrimPrefix(footer+": "+s, ": ")
	}
	return widgets.BoxFooter(st, "Draft", "", widgets.Truncate(footer, max(1, iw-8)), head+"\n"+m.promptLine(iw), m.w, 4, m.focus == kindPane || m.focus == promptPane)
}

func (m *Model) runButton() string {
	n := len(m.in()) * m.repeats
	label := "Run " + count(n, "job") + " " + m.deps.Keys.Keys("compare.run")
	if m.repeats > 1 {
		label = fmt.Sprintf("Run ×%d: %s %s", m.repeats, count(n, "job"), m.deps.Keys.Keys("compare.run"))
	}
	return widgets.Button(m.st, "compare.run", label, false, m.off("compare.run") != "")
}

// settings are the mode and the values of the draft in one line.
func (m *Model) settings() string {
	var out []string
	if m.base.Mode != "" {
		out = append(out, client.CleanLine(m.base.Mode))
	}
	if m.format != "" {
		out = append(out, "format "+client.CleanLine(m.format))
	}
	for _, name := range m.base.Values.Names() {
		text, ok := m.base.Values.Text(name)
		if !ok {
			text = count(len(m.base.Values.List(name)), "item")
		}
		out = append(out, client.CleanLine(name+" "+widgets.Truncate(text, 40)))
	}
	return strings.Join(out, " · ")
}

// promptLine is the prompt in one line of w cells, with the cursor in sight.
func (m *Model) promptLine(w int) string {
	st := m.st
	sign := widgets.NewInk(st.Accent).Text("❯ ")
	value, pos := []rune(m.prompt.Value()), m.prompt.Position()
	room := max(1, w-2)
	empty := widgets.NewInk(st.Placeholder).Text("a prompt, the same for every model")
	switch {
	case len(value) == 0 && m.focus == promptPane:
		return zone.Mark("prompt", widgets.Line(sign+widgets.NewInk(st.Cursor).Text(" ")+empty, w))
	case len(value) == 0:
		return zone.Mark("prompt", widgets.Line(sign+empty, w))
	case m.focus != promptPane:
		text := widgets.NewInk(st.Value).Text(client.CleanLine(string(value)))
		return zone.Mark("prompt", widgets.Line(sign+text, w))
	}
	left, under, right := client.CleanLine(string(value[:pos])), " ", ""
	if pos < len(value) {
		under, right = client.CleanLine(string(value[pos])), client.CleanLine(string(value[pos+1:]))
	}
	if over := widgets.Width(left) + widgets.Width(under) + 1 - room; over > 0 {
		left = ansi.TruncateLeft(left, over+1, widgets.Ellipsis)
	}
	ink := widgets.NewInk(st.Value)
	return zone.Mark("prompt", widgets.Line(sign+ink.Text(left)+widgets.NewInk(st.Cursor).Text(under)+ink.Text(right), w))
}

func (m *Model) modelsView(h int) string {
	parts := m.modelsParts()
	w := m.modelsWidth()
	iw, _ := widgets.Inner(w, h)
	parts[0].Content = m.table.View(m.st, m.focus == modelsPane)
	if len(parts) > 1 {
		parts[1].Content = strings.Join(m.fitText(iw), "\n")
	}
	return widgets.Stack(m.st, parts, "", w, h, m.focus == modelsPane)
}

// fitText says how the draft fits the model under the cursor.
func (m *Model) fitText(w int) []string {
	st := m.st
	c, ok := m.candidate()
	if !ok {
		return nil
	}
	var out []string
	add := func(sign, s string, paint func(...string) string) {
		for i, l := range widgets.WrapLines(client.CleanLine(s), max(4, w-2), 3) {
			if i > 0 {
				sign = " "
			}
			out = append(out, paint(sign+" "+l))
		}
	}
	if c.live {
		add("◇", "offered by the gateway, not in the catalog", st.Muted.Render)
	}
	if c.block != "" {
		add("✗", c.block, st.Bad.Render)
	}
	for _, s := range c.changes {
		add("~", s, st.Info.Render)
	}
	for _, s := range c.warns {
		add("⚠", s, st.Warn.Render)
	}
	for _, s := range c.infos {
		add("·", s, st.Muted.Render)
	}
	if c.needsPrompt {
		add("·", "needs a prompt", st.Muted.Render)
	}
	if len(out) == 0 {
		add("✓", "takes the draft as it is", st.Good.Render)
	}
	return out
}
