package compare

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/overlay"
	"darkroom/tui/widgets/zone"
)

const (
	wideFrom = 100 // from this width on, models and results stand side by side
	boxFrom  = 18  // from this height on, the draft has a box
	fitLines = 5   // the lines about the model under the cursor
	boxWidth = 6   // cells at the beginning of a row in which a click chooses
)

func (m *Model) wide() bool { return m.w >= wideFrom }

// gridShows reports whether the results are on the screen.
func (m *Model) gridShows() bool { return len(m.run.Trials) > 0 && (m.wide() || m.focus == gridPane) }

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
	for _, c := range m.plan.Candidates {
		if c.Able() {
			able++
		}
		if !c.Tried {
			known++
		}
	}
	right := fmt.Sprintf("%d in · %d of %d can", len(m.plan.In()), able, known)
	if n := len(m.plan.Candidates) - known; n > 0 {
		right += fmt.Sprintf(" · %d not in the catalog", n)
	}
	if text := m.live.text(); text != "" {
		right += " · " + text
	}
	parts := []widgets.Part{{Title: "Models", Right: right}}
	if _, h := m.body(); h >= fitLines+8 {
		c, _ := m.candidate()
		parts = append(parts, widgets.Part{Title: nameOf(c), Height: fitLines})
	}
	return parts
}

// layout sizes the parts for the room there is.
func (m *Model) layout() {
	m.fresh = false
	_, h := m.body()
	iw, hs := widgets.InnerStack(m.modelsParts(), m.modelsWidth(), h)
	m.table.SetSize(iw, hs[0])
	w, gh := m.gridRoom()
	m.grid.resize(len(m.run.Trials), w, gh)
}

// gridRoom is the room for the cells of the results, below the line of the summary.
func (m *Model) gridRoom() (w, h int) {
	w, h = m.body()
	if m.wide() {
		w -= m.modelsWidth()
	}
	return w, max(0, h-1)
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

func (m *Model) resultsView(w, h int) string {
	if len(m.run.Trials) == 0 {
		return widgets.Box(m.st, "Results", "", strings.Join(m.guide(w-4), "\n"), w, h, false)
	}
	return m.gridView(w, h, m.focus == gridPane)
}

// guide says what to do before there are results.
func (m *Model) guide(w int) []string {
	k := m.commands
	text := fmt.Sprintf("Write a prompt, or send a draft here from Compose (%s). Choose models with %s (%s for all that can), then run with %s.",
		k.Key(screen.ToCompare), k.Key(actToggle), k.Key(actAll), k.Key(actRun))
	var out []string
	if m.sending {
		return []string{"", m.st.Muted.Render("sending …")}
	}
	for _, p := range []string{text, "", "Each model gets the same draft. What a model does not take is noted beside the model and on its result.", "", "Every job is billed. They stay in Queue."} {
		for _, l := range widgets.WrapLines(p, max(4, w), 0) {
			out = append(out, m.st.Muted.Render(l))
		}
	}
	return out
}

func (m *Model) tabs(active string) string {
	results := "Results"
	if n := len(m.run.Trials); n > 0 {
		results += fmt.Sprintf(" %d", n)
	}
	line := widgets.Tabs(m.st, []widgets.Tab{{ID: "models", Label: "Models"}, {ID: "results", Label: results}}, active, m.w)
	if room := m.w - widgets.Width(line); m.draftHeight() == 1 && room >= 8 {
		return widgets.Spread(line, widgets.Truncate(m.runButton(), room-1), m.w)
	}
	return widgets.Line(line, m.w)
}

// draftView is what is being compared: kind, prompt, and what else the draft holds.
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
	n := len(m.plan.In()) * m.plan.Repeats
	label := "Run " + human.Plural(n, "job") + " " + m.commands.Key(actRun)
	if m.plan.Repeats > 1 {
		label = fmt.Sprintf("Run ×%d: %s %s", m.plan.Repeats, human.Plural(n, "job"), m.commands.Key(actRun))
	}
	return widgets.Button(m.st, actRun, label, false, offRun(m) != "")
}

// settings are the mode and the values of the draft in one line.
func (m *Model) settings() string {
	var out []string
	if m.plan.Base.Mode != "" {
		out = append(out, client.CleanLine(m.plan.Base.Mode))
	}
	if m.plan.Format != "" {
		out = append(out, "format "+client.CleanLine(m.plan.Format))
	}
	for _, name := range m.plan.Base.Values.Names() {
		text, ok := m.plan.Base.Values.Text(name)
		if !ok {
			text = human.Plural(len(m.plan.Base.Values.List(name)), "item")
		}
		out = append(out, client.CleanLine(name+" "+widgets.Truncate(text, 40)))
	}
	return strings.Join(out, " · ")
}

// promptLine is the prompt in one line of w cells, with the cursor in sight.
func (m *Model) promptLine(w int) string {
	st := m.st
	sign := widgets.NewInk(st.Accent).Text("❯ ")
	room := max(1, w-2)
	empty := widgets.NewInk(st.Placeholder).Text("a prompt, the same for every model")
	ink := widgets.NewInk(st.Value)
	switch {
	case m.prompt.Len() == 0 && m.focus == promptPane:
		return zone.Mark("prompt", widgets.Line(sign+widgets.NewInk(st.Cursor).Text(" ")+empty, w))
	case m.prompt.Len() == 0:
		return zone.Mark("prompt", widgets.Line(sign+empty, w))
	case m.focus != promptPane:
		return zone.Mark("prompt", widgets.Line(sign+ink.Text(client.CleanLine(m.prompt.Value())), w))
	}
	left, under, right := m.prompt.Split()
	left, under, right = client.CleanLine(left), client.CleanLine(cmp.Or(under, " ")), client.CleanLine(right)
	if over := widgets.Width(left) + widgets.Width(under) + 1 - room; over > 0 {
		left = ansi.TruncateLeft(left, over+1, widgets.Ellipsis)
	}
	return zone.Mark("prompt", widgets.Line(sign+ink.Text(left)+widgets.NewInk(st.Cursor).Text(under)+ink.Text(right), w))
}

func (m *Model) modelsView(h int) string {
	parts := m.modelsParts()
	w := m.modelsWidth()
	iw, _ := widgets.Inner(w, h)
	parts[0].Content = m.table.View(m.st, m.focus == modelsPane)
	if len(parts) > 1 {
		if c, ok := m.candidate(); ok {
			parts[1].Content = strings.Join(fitText(m.st, c, iw), "\n")
		}
	}
	return widgets.Stack(m.st, parts, "", w, h, m.focus == modelsPane)
}
