package build

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/compare/suite"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
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
	return min(maxRows, len(m.prompts))
}

func (m *Model) draftHeight() int {
	if m.h < boxFrom {
		return 1
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
	m.side.SetLines(m.planLines(max(1, sw-2)))
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
		title = "Suite " + client.CleanLine(m.file.Name)
		right = client.CleanLine(m.path)
	}
	if m.busy {
		right = "working it out …"
	}
	right = widgets.Truncate(right, max(0, w-widgets.Width(title)-10))
	return widgets.Box(m.st, widgets.Truncate(title, max(1, w-8)), right, m.side.View(m.st), w, h, m.file != nil)
}

// draftView is what is being compared: kind, prompts, and what else the draft holds.
func (m *Model) draftView() string {
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
		return kind + m.promptLine(m.at, max(1, room)) + right
	}
	iw, _ := widgets.Inner(m.w, m.draftHeight())
	lines := []string{widgets.Spread(choice(max(8, iw-widgets.Width(button)-1)), button, iw)}
	from := max(0, min(m.at-maxRows+1, len(m.prompts)-maxRows))
	for i := from; i < from+m.promptRows(); i++ {
		lines = append(lines, m.promptLine(i, iw))
	}
	footer := ""
	if m.given {
		footer = "from Compose"
	}
	if s := m.settings(); s != "" {
		footer = strings.TrimPrefix(footer+": "+s, ": ")
	}
	title := "Draft"
	if n := len(m.prompts); n > 1 {
		title = fmt.Sprintf("Draft, prompt %d of %d", m.at+1, n)
	}
	return widgets.BoxFooter(m.st, title, "", widgets.Truncate(footer, max(1, iw-8)), strings.Join(lines, "\n"), m.w, m.draftHeight(), m.file == nil && m.focus != modelsPane)
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

// promptLine is a prompt in one line of w cells, with the cursor in sight where it is edited.
func (m *Model) promptLine(i, w int) string {
	st := m.st
	mark := func(s string) string { return zone.Mark(fmt.Sprintf("prompt:%d", i), widgets.Line(s, w)) }
	sign := widgets.NewInk(st.Accent).Text("❯ ")
	room := max(1, w-2)
	empty := widgets.NewInk(st.Placeholder).Text("a prompt, the same for every model")
	ink := widgets.NewInk(st.Value)
	editing := i == m.at && m.Capturing()
	text := client.CleanLine(strings.ReplaceAll(m.prompts[i], "\n", lineEnd))
	switch {
	case m.prompts[i] == "" && editing:
		return mark(sign + widgets.NewInk(st.Cursor).Text(" ") + empty)
	case m.prompts[i] == "":
		return mark(sign + empty)
	case !editing:
		return mark(sign + ink.Text(text))
	}
	left, under, right := m.prompt.Split()
	left, under, right = client.CleanLine(left), client.CleanLine(cmp.Or(under, " ")), client.CleanLine(right)
	if over := widgets.Width(left) + widgets.Width(under) + 1 - room; over > 0 {
		left = ansi.TruncateLeft(left, over+1, widgets.Ellipsis)
	}
	return mark(sign + ink.Text(left) + widgets.NewInk(st.Cursor).Text(under) + ink.Text(right))
}

// quantity says how many trials a run has, and of what: "2 prompts x 3 models ...".
func (m *Model) quantity() string {
	s := m.Suite()
	f := &m.cast
	text := fmt.Sprintf("%s: %s, %s", human.Plural(f.Trials, "trial"), human.Plural(f.Able, "cell"), times(s.Repeats))
	if f.Warmups > 0 {
		text += fmt.Sprintf(", and %s", human.Plural(f.Warmups, "warm-up"))
	}
	if f.Cells > f.Able {
		text += fmt.Sprintf("; %s cannot run", human.Plural(f.Cells-f.Able, "cell"))
	}
	return text + "."
}

func times(n int) string {
	if n == 1 {
		return "each once"
	}
	return fmt.Sprintf("each %d times", n)
}

// expected says how long the run takes.
func (m *Model) expected() string {
	f := &m.cast
	switch {
	case f.Able == 0:
		return ""
	case f.Unknown == f.Able:
		return "not known: there is no history of these models"
	case f.Unknown > 0:
		return fmt.Sprintf("%s and more: of %s nothing is known", about(f.Expected), human.Plural(f.Unknown, "cell"))
	default:
		return about(f.Expected)
	}
}

func about(d time.Duration) string { return "about " + human.Dur(d.Round(time.Second)) }

func (m *Model) axesText() string {
	var parts []string
	for _, a := range m.Suite().Axes {
		parts = append(parts, client.CleanLine(a.Field+" "+valuesText(a)))
	}
	return strings.Join(parts, " · ")
}

func valuesText(a suite.Axis) string {
	var parts []string
	for _, v := range a.Values {
		if !v.Skip {
			parts = append(parts, cmp.Or(v.String(), "unset"))
		}
	}
	return strings.Join(parts, ", ")
}

func optionsText(s *suite.Suite) string {
	return fmt.Sprintf("repeats %d, seed %s, warmups %d, concurrency %d, limit %d", s.Repeats, s.Seed, s.Warmups, s.Concurrency, s.Limit)
}

// planLines say what the plan comes to, in w cells.
func (m *Model) planLines(w int) []string {
	p := pad{w: w, label: widgets.NewInk(m.st.Label), text: widgets.NewInk(m.st.Text)}
	muted, bad, warn := widgets.NewInk(m.st.Muted), widgets.NewInk(m.st.Bad), widgets.NewInk(m.st.Warn)
	s := m.Suite()
	k := m.commands
	if why := m.incomplete(); why != "" {
		p.add(muted, m.guide())
		return p.out
	}
	p.pair("Trials", m.countText())
	p.pair("Expected", m.expected())
	p.pair("Prompts", fmt.Sprintf("%d  %s adds one", len(s.Prompts), k.Key(actAdd)))
	p.pair("Models", fmt.Sprintf("%d", len(s.Models)))
	p.pair("Formats", strings.Join(s.Formats, ", ")+"  "+k.Key(actFormats)+" changes")
	if len(s.Axes) == 0 {
		p.pair("Vary", "nothing; "+k.Key(actAxis)+" lets a field vary")
	}
	for i, a := range s.Axes {
		label := "Vary"
		if i > 0 {
			label = ""
		}
		p.pair(label, client.CleanLine(a.Field+": "+valuesText(a)))
	}
	p.pair("Repeats", fmt.Sprintf("%d  %s more, %s fewer", s.Repeats, k.Key(actMore), k.Key(actFewer)))
	p.pair("Seeds", seedText(s.Seed))
	p.pair("Warm-ups", fmt.Sprintf("%d a cell", s.Warmups))
	p.pair("At once", fmt.Sprintf("%d, each up to %s; at most %s trials", s.Concurrency, human.Dur(s.Timeout), human.Count(s.Limit)))
	if n := len(s.Expect); n > 0 {
		p.pair("Expect", strings.Join(s.Expect, " · "))
	}
	if text := m.leftOut(); text != "" && m.file == nil {
		p.add(warn, "⚠ "+text)
	}
	if m.err != nil {
		p.add(bad, "✗ "+client.CleanLine(m.err.Error()))
	}
	for _, n := range m.cast.Notes {
		p.add(warn, "⚠ "+client.CleanLine(n))
	}
	m.cannotLines(&p, bad, muted)
	return p.out
}

func (m *Model) countText() string {
	if m.of != m.gen && len(m.run.Order) == 0 {
		return "…"
	}
	return m.quantity()
}

// cannotLines name what cannot run, and why.
func (m *Model) cannotLines(p *pad, bad, muted widgets.Ink) {
	if len(m.cast.Cannot) == 0 {
		return
	}
	p.out = append(p.out, "", widgets.NewInk(m.st.Strong).Text("Cannot run"))
	for _, r := range m.cast.Cannot {
		p.add(bad, "✗ "+client.CleanLine(r.Text))
		var models []string
		for _, n := range r.Cells {
			if c := m.run.Cell(n); c != nil && !slices.Contains(models, c.Model) {
				models = append(models, c.Model)
			}
		}
		p.add(muted, "  "+client.CleanLine(fmt.Sprintf("%s of %s", human.Plural(len(r.Cells), "cell"), strings.Join(models, ", "))))
	}
}

func seedText(s string) string {
	switch s {
	case suite.SeedEach:
		return "one for each repeat, the same for all models"
	case suite.SeedSame:
		return "one for the whole run"
	case suite.SeedNone:
		return "none is sent"
	default:
		return client.CleanLine(s)
	}
}

// guide says what to do before there is a plan.
func (m *Model) guide() string {
	k := m.commands
	return fmt.Sprintf("Write a prompt, or send a draft here from Compose. Choose models with %s (%s for all that can), then run with %s.\n\nEach model gets the same. A model that cannot take the draft as it is has a cell that says so; %s takes it with settings of its own.\n\n%s opens a suite, %s lists past runs. Every job is billed. They stay in Queue.",
		k.Key(actToggle), k.Key(actAll), k.Key(actRun), k.Key(actOwn), k.Key(actOpen), k.Key(actRuns))
}

// pad lays out pairs and paragraphs in w cells.
type pad struct {
	w           int
	out         []string
	label, text widgets.Ink
}

const labelWidth = 9

func (p *pad) pair(label, value string) {
	if value == "" {
		return
	}
	for i, l := range widgets.WrapLines(value, max(4, p.w-labelWidth-1), 4) {
		if i > 0 {
			label = ""
		}
		p.out = append(p.out, p.label.Text(widgets.Line(label, labelWidth))+" "+p.text.Text(l))
	}
}

func (p *pad) add(k widgets.Ink, text string) {
	for _, l := range widgets.WrapLines(text, max(4, p.w), 0) {
		p.out = append(p.out, k.Text(l))
	}
}
