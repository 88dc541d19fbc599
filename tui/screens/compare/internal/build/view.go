package build

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/tui/screens/compare/internal/say"
	"darkroom/tui/widgets"
)

const (
	wideFrom   = 100 // from this width on, models and plan stand side by side
	boxFrom    = 18  // from this height on, the draft has a box
	fitLines   = 5   // the lines about the model under the cursor
	boxWidth   = 6   // cells at the beginning of a row in which a click chooses
	sideHeight = 9   // of the plan below the models
	maxRows    = 4   // of prompts in sight
)

func (m *Model) wide() bool { return m.w >= wideFrom }

// promptRows is how many prompts show.
func (m *Model) promptRows() int {
	if m.h < boxFrom {
		return 1
	}
	return min(maxRows, len(m.prompts.all))
}

func (m *Model) draftHeight() int {
	switch {
	case m.h < boxFrom:
		return 1
	case m.file != nil:
		return 3
	}
	return 3 + m.promptRows()
}

// rooms are the sizes of the boxes below the draft; zero for one that does not show.
func (m *Model) rooms() (modelsW, modelsH, sideW, sideH int) {
	h := max(0, m.h-m.draftHeight())
	switch {
	case m.file != nil:
		return 0, 0, m.w, h
	case m.wide():
		w := min(72, max(40, m.w*42/100))
		return w, h, m.w - w, h
	case h >= 2*sideHeight:
		return m.w, h - sideHeight, m.w, sideHeight
	default:
		return m.w, h, 0, 0
	}
}

func (m *Model) modelsParts(w, h int) []widgets.Part {
	able, known := 0, 0
	for i := range m.plan.Candidates {
		c := &m.plan.Candidates[i]
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
	if widgets.Width(right) > w-14 {
		right = fmt.Sprintf("%d in", len(m.plan.In()))
	}
	parts := []widgets.Part{{Title: "Models", Right: right}}
	if h >= fitLines+8 {
		c, _ := m.candidate()
		parts = append(parts, widgets.Part{Title: nameOf(c), Height: fitLines})
	}
	return parts
}

// layout sizes the parts for the room there is.
func (m *Model) layout() {
	mw, mh, sw, sh := m.rooms()
	iw, hs := widgets.InnerStack(m.modelsParts(mw, mh), mw, mh)
	m.table.SetSize(iw, hs[0])
	sw, sh = widgets.Inner(sw, sh)
	m.side.SetSize(sw, sh)
	m.side.SetLines(planLines(m, max(1, sw-2)))
}

// View draws the page in exactly its room.
func (m *Model) View() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	mw, mh, sw, sh := m.rooms()
	parts := []string{m.draftView()}
	switch {
	case mw > 0 && sw > 0 && m.wide():
		parts = append(parts, widgets.Beside(m.modelsView(mw, mh), m.sideView(sw, sh)))
	default:
		if mw > 0 && mh > 0 {
			parts = append(parts, m.modelsView(mw, mh))
		}
		if sw > 0 && sh > 0 {
			parts = append(parts, m.sideView(sw, sh))
		}
	}
	return widgets.Fit(strings.Join(parts, "\n"), m.w, m.h)
}

func (m *Model) modelsView(w, h int) string {
	parts := m.modelsParts(w, h)
	iw, _ := widgets.Inner(w, h)
	parts[0].Content = m.table.View(m.st, m.focus == modelsPane)
	if len(parts) > 1 {
		if c, ok := m.candidate(); ok {
			parts[1].Content = strings.Join(fitText(m.st, c, m.commands.Key(actOwn), iw), "\n")
		}
	}
	return widgets.Stack(m.st, parts, "", w, h, m.focus == modelsPane)
}

func (m *Model) sideView(w, h int) string {
	title, right := "Plan", ""
	if m.file != nil {
		title = client.CleanLine(m.file.Name)
	}
	if m.busy {
		right = "working it out …"
	}
	right = widgets.Truncate(right, max(0, w-widgets.Width(title)-10))
	return widgets.Box(m.st, widgets.Truncate(title, max(1, w-8)), right, m.side.View(m.st), w, h, m.file != nil)
}

// draftView is what is being compared: kind, prompts, and what else the draft holds.
func (m *Model) draftView() string {
	if m.file != nil {
		return m.fileView()
	}
	opts := make([]widgets.Option, len(m.kinds))
	for i, k := range m.kinds {
		opts[i] = widgets.Option{Value: string(k)}
	}
	choice := func(w int) string {
		return widgets.Choice(m.st, "kind", opts, m.kindIndex(), m.focus == kindPane && m.file == nil, w)
	}
	button := m.runButton()
	if m.draftHeight() == 1 {
		kind := choice(12)
		right := ""
		if m.w >= 60 || m.focus != promptPane {
			right = " " + widgets.Truncate(button, max(1, m.w/2))
		}
		room := m.w - widgets.Width(kind) - widgets.Width(right)
		return kind + m.prompts.line(m.st, m.prompts.at, max(1, room), m.Capturing()) + right
	}
	iw, _ := widgets.Inner(m.w, m.draftHeight())
	lines := []string{widgets.Spread(choice(max(8, iw-widgets.Width(button)-1)), button, iw)}
	from := m.prompts.window(m.promptRows())
	for i := from; i < from+m.promptRows(); i++ {
		lines = append(lines, m.prompts.line(m.st, i, iw, m.Capturing()))
	}
	footer := ""
	if m.given {
		footer = "from Compose"
	}
	if s := m.settings(); s != "" {
		footer = strings.TrimPrefix(footer+": "+s, ": ")
	}
	title := "Draft"
	if n := len(m.prompts.all); n > 1 {
		title = fmt.Sprintf("Draft, prompt %d of %d", m.prompts.at+1, n)
	}
	return widgets.BoxFooter(m.st, title, "", widgets.Truncate(footer, max(1, iw-8)), strings.Join(lines, "\n"), m.w, m.draftHeight(), m.file == nil && m.focus != modelsPane)
}

// fileView stands in place of the draft while a suite is open.
func (m *Model) fileView() string {
	button := m.runButton()
	name := client.CleanLine(m.path)
	switch {
	case name == "":
		name = "not saved yet"
	case m.file.Text() != m.onDisk:
		name += " · changed, " + m.commands.Key(actSave) + " saves it"
	}
	if m.draftHeight() == 1 {
		return widgets.Line(widgets.Spread(name, button, m.w), m.w)
	}
	iw, _ := widgets.Inner(m.w, m.draftHeight())
	return widgets.Box(m.st, "Suite", "", widgets.Spread(widgets.Truncate(name, max(1, iw-widgets.Width(button)-1)), button, iw), m.w, m.draftHeight(), false)
}

func (m *Model) runButton() string {
	label := "Run " + m.commands.Key(actRun)
	if n := len(m.run.Order); n > 0 && m.fresh() {
		label = "Run " + human.Plural(n, "job") + " " + m.commands.Key(actRun)
	}
	return widgets.Button(m.st, actRun, label, false, offRun(m) != "")
}

// settings are the mode and the values of the draft in one line.
func (m *Model) settings() string {
	var out []string
	names := say.Names{Catalog: m.o.Catalog}
	if m.plan.Base.Mode != "" {
		out = append(out, names.Mode(m.plan.Base.Modality, m.plan.Base.Model, m.plan.Base.Mode))
	}
	if m.plan.Format != "" {
		out = append(out, "format "+client.CleanLine(m.plan.Format))
	}
	for _, name := range m.plan.Base.Values.Names() {
		text, ok := m.plan.Base.Values.Text(name)
		if !ok {
			text = human.Plural(len(m.plan.Base.Values.List(name)), "item")
		}
		out = append(out, names.Field(m.plan.Base.Modality, name)+" "+client.CleanLine(widgets.Truncate(text, 40)))
	}
	return strings.Join(out, " · ")
}
