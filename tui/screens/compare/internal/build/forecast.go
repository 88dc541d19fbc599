package build

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/compare/suite"
	"darkroom/tui/screens/compare/internal/say"
	"darkroom/tui/widgets"
)

// quantity says how many trials a run has, and of what: "2 prompts x 3 models ...".
func (p *planning) quantity(repeats int) string {
	f := &p.cast
	text := fmt.Sprintf("%s: %s, %s", human.Plural(f.Trials, "trial"), human.Plural(f.Able, "cell"), times(repeats))
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
func (p *planning) expected() string {
	f := &p.cast
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

func axesText(axes []suite.Axis) string {
	var parts []string
	for _, a := range axes {
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
func planLines(m *Model, w int) []string {
	p := pad{w: w, label: widgets.NewInk(m.st.Label), text: widgets.NewInk(m.st.Text)}
	muted, bad, warn := widgets.NewInk(m.st.Muted), widgets.NewInk(m.st.Bad), widgets.NewInk(m.st.Warn)
	s := m.Suite()
	if why := m.incomplete(); why != "" {
		p.add(muted, guide(m))
		return p.out
	}
	hint := func(id, text string) string { // how it is changed here
		key := m.key(id)
		if key == "" || m.file != nil && m.commands.Off(m, id) != "" {
			return ""
		}
		return "  " + key + " " + text
	}
	p.pair("Trials", m.countText(s.Repeats))
	p.pair("Expected", m.expected())
	p.pair("Prompts", fmt.Sprint(len(s.Prompts))+hint(actAdd, "adds one"))
	if m.file != nil {
		for i, x := range s.Prompts {
			p.pair("", client.CleanLine(s.PromptID(i)+": "+x.Text))
		}
	}
	p.pair("Models", modelsText(s.Models, m.file != nil))
	p.pair("Formats", strings.Join(s.Formats, ", ")+hint(actFormats, "changes"))
	if len(s.Axes) == 0 {
		p.pair("Vary", "nothing"+hint(actAxis, "lets a field vary"))
	}
	names := say.Names{Catalog: m.o.Catalog}
	for i, a := range s.Axes {
		label := "Vary"
		if i > 0 {
			label = ""
		}
		p.pair(label, names.Field(m.kind(), a.Field)+": "+client.CleanLine(valuesText(a)))
	}
	p.pair("Repeats", fmt.Sprint(s.Repeats)+hint(actMore, "more")+strings.Replace(hint(actFewer, "fewer"), "  ", ", ", 1))
	p.pair("Seeds", m.seedText(s.Seed))
	p.pair("Warm-ups", fmt.Sprintf("%d a cell", s.Warmups))
	p.pair("At once", fmt.Sprintf("%d, each up to %s; at most %s trials", s.Concurrency, human.Dur(s.Timeout), human.Count(s.Limit)))
	if n := len(s.Expect); n > 0 {
		p.pair("Expect", strings.Join(s.Expect, " · "))
	}
	if n := len(m.drafts); n > 1 && m.file == nil {
		p.pair("Drafts", fmt.Sprintf("%d came from Compose", n)+hint(actTogether, "compares all of them together"))
	}
	if text := leftOut(m); text != "" && m.file == nil {
		p.add(warn, "⚠ "+text)
	}
	if m.err != nil {
		p.add(bad, "✗ "+client.CleanLine(m.err.Error()))
	}
	for _, n := range m.cast.Notes {
		p.add(warn, "⚠ "+client.CleanLine(n))
	}
	m.cannotLines(&p, widgets.NewInk(m.st.Strong), bad, muted)
	return p.out
}

func (p *planning) countText(repeats int) string {
	if p.of != p.gen && len(p.run.Order) == 0 {
		return "…"
	}
	return p.quantity(repeats)
}

// cannotLines name what cannot run, and why.
func (p *planning) cannotLines(to *pad, strong, bad, muted widgets.Ink) {
	if len(p.cast.Cannot) == 0 {
		return
	}
	to.out = append(to.out, "", strong.Text("Cannot run"))
	for _, r := range p.cast.Cannot {
		to.add(bad, "✗ "+client.CleanLine(r.Text))
		var models []string
		for _, n := range r.Cells {
			if c := p.run.Cell(n); c != nil && !slices.Contains(models, c.Model) {
				models = append(models, c.Model)
			}
		}
		to.add(muted, "  "+client.CleanLine(fmt.Sprintf("%s of %s", human.Plural(len(r.Cells), "cell"), strings.Join(models, ", "))))
	}
}

// modelsText counts the models; with names it says which, as the suite has them.
func modelsText(all []suite.Model, names bool) string {
	if !names {
		return fmt.Sprint(len(all))
	}
	var parts []string
	for _, m := range all {
		text := strings.TrimSpace(m.Model + " " + m.ModelName)
		if m.Skip {
			text = "without " + text
		}
		parts = append(parts, client.CleanLine(text))
	}
	return strings.Join(parts, ", ")
}

// seedText says which seeds are sent, as far as the models take any.
func (p *planning) seedText(s string) string {
	text := client.CleanLine(s)
	switch s {
	case suite.SeedEach:
		text = "one for each repeat, the same for all models"
	case suite.SeedSame:
		text = "one for the whole run"
	case suite.SeedNone:
		return "none is sent"
	}
	switch c := p.cells; c.unseeded {
	case 0:
		return text
	case c.able:
		return "none: no chosen model takes one"
	default:
		return fmt.Sprintf("%s; %d of %s take none", text, c.unseeded, human.Plural(c.able, "cell"))
	}
}

// guide says what to do before there is a plan.
func guide(m *Model) string {
	k, billed := m.commands, " Every job is billed."
	if m.o.Free {
		billed = ""
	}
	models := "choose models"
	if m.Capturing() {
		models = "enter goes to the models: choose some"
	}
	return fmt.Sprintf("Write a prompt, or send drafts here from Compose; %s with %s (%s for all that can), then run with %s.\n\nEach model gets the same. A model that cannot take the draft as it is has a cell that says so; %s takes it with settings of its own.\n\n%s opens a suite, %s lists past runs.%s The jobs stay in Queue.",
		models, k.Key(actToggle), k.Key(actAll), k.Key(actRun), k.Key(actOwn), m.key(actOpen), m.key(actRuns), billed)
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
