package latest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// Zones of the pane.
const (
	Zone    = "compose-latest"
	zoneAct = Zone + "/do/"
	zoneJob = Zone + "/job/"
)

// inks are the styles of what is drawn.
type inks struct {
	text, muted, faint, accent, good, warn, bad, key widgets.Ink
	states                                           map[jobs.State]sign
}

// sign is how a state looks.
type sign struct {
	text string
	ink  widgets.Ink
}

func newInks(st *themes.Styles) inks {
	k := inks{
		text: widgets.NewInk(st.Text), muted: widgets.NewInk(st.Muted), faint: widgets.NewInk(st.Faint), accent: widgets.NewInk(st.Accent),
		good: widgets.NewInk(st.Good), warn: widgets.NewInk(st.Warn), bad: widgets.NewInk(st.Bad), key: widgets.NewInk(st.HelpKey),
		states: map[jobs.State]sign{},
	}
	for _, s := range jobs.States() {
		text, style := widgets.Sign(st, s.Coarse())
		if s == jobs.Dropped {
			text, style = "–", st.Muted
		}
		k.states[s] = sign{text, widgets.NewInk(style)}
	}
	return k
}

// shape is how the room is shared.
type shape struct {
	picture int // lines of the result that is looked at
	thumb   int // lines of the small pictures, 0 for none
	strip   int // lines of the strip of results: the small pictures and a line of words
	cell    int // width of one of them
	cells   int // how many show
	first   int // the first that shows
}

// Lines of the caption below the picture, and the bounds of the room that small pictures take.
const (
	captionLines = 3
	thumbFrom    = 22 // height of the pane from which there are small pictures
	minCell      = 11
	maxCell      = 22
)

// shape shares the room that there is.
func (p *Pane) shape() shape {
	s := shape{cell: max(minCell, min(p.w/5, maxCell))}
	n := len(p.list())
	s.cells = max(1, (p.w+1)/(s.cell+1))
	if n > 1 && p.h >= captionLines+4 {
		s.strip = 1
		if p.h >= thumbFrom && p.o.Previews != nil {
			s.thumb = max(3, s.cell*9/32)
			s.strip += s.thumb
		}
	}
	s.picture = max(0, p.h-captionLines-s.strip)
	if at := p.index(); at >= s.cells {
		s.first = at - s.cells + 1
	}
	return s
}

// Title is what stands on the border of the pane.
func (p *Pane) Title() string { return "Latest" }

// Place says which of how many results is looked at, "" where there is but one.
func (p *Pane) Place() string {
	n := len(p.list())
	if n < 2 {
		return ""
	}
	return p.ink.faint.Text(fmt.Sprintf("%d of %d", p.index()+1, n))
}

// View draws the pane in the size that was set.
func (p *Pane) View() string {
	j := p.Job()
	if j == nil || p.w <= 0 || p.h <= 0 {
		return widgets.Fit("", p.w, p.h)
	}
	s := p.shape()
	lines := make([]string, 0, p.h)
	for l := range strings.SplitSeq(widgets.Fit(p.body(j, p.w, s.picture), p.w, s.picture), "\n") {
		if s.picture > 0 {
			lines = append(lines, zone.Mark(zoneAct+actZoom, l))
		}
	}
	lines = append(lines, p.caption(j)...)
	lines = append(lines, p.strip(s)...)
	if len(lines) > p.h {
		lines = lines[len(lines)-p.h:]
	}
	for i := range lines {
		lines[i] = zone.Mark(Zone, widgets.Line(lines[i], p.w))
	}
	return strings.Join(lines, "\n")
}

// body is the result itself, or how far it is, or what went wrong.
func (p *Pane) body(j *jobs.Job, w, h int) string {
	r, ok := result(j)
	switch {
	case h <= 0:
		return ""
	case ok && p.film.Of(r.Path) && len(p.film.Lines()) > 0:
		return framed(p.film.Lines(), w, h)
	case p.words.text[j.ID] != "":
		return strings.Join(wrapped(p.ink.text, p.words.text[j.ID], w, h), "\n")
	case j.Face().Path == "" || p.o.Previews == nil:
		return framed(p.card(j, min(w, 64)), w, h)
	case !p.face.Have:
		return p.ink.faint.Text("preview …")
	case p.face.Got.Lines != nil:
		return strings.Join(p.face.Got.Lines, "\n")
	case p.face.Got.Err != nil:
		return framed(wrapped(p.ink.bad, "✗ "+client.CleanLine(p.face.Got.Err.Error()), min(w, 64), h), w, h)
	default:
		return preview.Card(p.o.Styles, p.face.Got.Info, w, h)
	}
}

// framed puts lines into the middle of w x h cells.
func framed(lines []string, w, h int) string {
	wide := 0
	for _, l := range lines {
		wide = max(wide, widgets.Width(l))
	}
	left := strings.Repeat(" ", max(0, (w-wide)/2))
	out := make([]string, 0, h)
	for range max(0, (h-len(lines))/2) {
		out = append(out, "")
	}
	for _, l := range lines {
		out = append(out, left+l)
	}
	return strings.Join(out, "\n")
}

func wrapped(ink widgets.Ink, s string, w, h int) []string {
	lines := widgets.WrapLines(s, max(1, w), max(1, h))
	for i, l := range lines {
		lines[i] = ink.Text(l)
	}
	return lines
}

// card is what shows of a job without a picture: how far it is, or what went wrong and which key does
// what about it.
func (p *Pane) card(j *jobs.Job, w int) []string {
	said, ink := p.says(j)
	look := p.ink.states[j.State]
	head := look.ink.Text(look.text) + " "
	lines := wrapped(ink, said, w-2, 5)
	lines[0] = head + lines[0]
	for i := range lines[1:] {
		lines[i+1] = "  " + lines[i+1]
	}
	if bar := p.ink.bar(j, w-2); bar != "" {
		lines = append(lines, "", "  "+bar)
	}
	if next := p.next(j); next != "" {
		lines = append(lines, "")
		for _, l := range wrapped(p.ink.muted, next, w-2, 3) {
			lines = append(lines, "  "+l)
		}
	}
	return lines
}

// bar is how far a job is, "" where that is not known.
func (k *inks) bar(j *jobs.Job, w int) string {
	share, ok := j.Done()
	if !ok || !j.State.Active() && !j.Saving() {
		return ""
	}
	n := min(max(w-7, 1), 40)
	full := int(share * float64(n))
	return k.accent.Text(strings.Repeat("━", full)+strings.Repeat("·", n-full)) + " " + k.text.Text(human.Percent(share))
}

// caption is what stands below the picture: the prompt, the facts, and what can be done.
func (p *Pane) caption(j *jobs.Job) []string {
	look := p.ink.states[j.State]
	right := ""
	if took, ok := j.Took(); ok {
		right = p.ink.muted.Text(human.Dur(took))
	}
	if r, ok := result(j); ok && p.film.Of(r.Path) {
		right = p.ink.muted.Text(p.film.Text())
	} else if s := p.outside.State(); s.Running && s.Target.Job == j.ID {
		right = p.ink.muted.Text(s.Program + " plays it")
	}
	if len(j.Warnings) > 0 {
		right = p.ink.warn.Text("⚠") + " " + right
	}
	if j.Starred() {
		right = p.ink.warn.Text("★") + " " + right
	}
	prompt := oneLine(j.Draft.Prompt, 2*p.w)
	if prompt == "" {
		prompt = p.ink.faint.Text("without a prompt")
	}
	room := max(0, p.w-widgets.Width(right)-1)
	head := widgets.Truncate(look.ink.Text(look.text)+" "+p.ink.text.Text(prompt), room)
	return []string{widgets.Spread(head, right, p.w), p.ink.muted.Text(widgets.Truncate("  "+facts(j, &p.face), p.w)), p.buttons()}
}

// oneLine is the beginning of a text as one clean line.
func oneLine(s string, n int) string { return client.CleanLine(text.Cap(s, 8*n)) }

// fitting are the actions that have a button, as many as fit.
func (p *Pane) fitting() []string {
	var out []string
	used := 0
	if !p.focused {
		used = widgets.Width(p.o.Keys.Keys(p.o.Focus)) + 1
	}
	for _, c := range Commands() {
		if c.Word == "" || p.commands.Off(p, c.ID) != "" {
			continue
		}
		wide := widgets.Width(c.Word)
		if p.focused {
			wide += widgets.Width(p.commands.Key(c.ID)) + 1
		}
		if used+wide > p.w {
			break
		}
		out = append(out, c.ID)
		used += wide + 2
	}
	return out
}

// buttons are what can be done now, with the keys while the pane has them.
func (p *Pane) buttons() string {
	var b strings.Builder
	if !p.focused {
		b.WriteString(p.ink.key.Text(p.o.Keys.Keys(p.o.Focus)) + " ")
	}
	fit := p.fitting()
	for _, c := range Commands() {
		i := slices.Index(fit, c.ID)
		if i < 0 {
			continue
		}
		label := p.ink.muted.Text(c.Word)
		if p.focused {
			label = p.ink.key.Text(p.commands.Key(c.ID)) + " " + label
		}
		if i > 0 {
			b.WriteString("  ")
		}
		b.WriteString(zone.Mark(zoneAct+c.ID, label))
	}
	return b.String()
}

// Status is the newest result in a line, for where the pane has no room; "" for none.
func (p *Pane) Status(w int) string {
	if !p.Any() {
		return ""
	}
	j := &p.list()[0]
	look := p.ink.states[j.State]
	out := look.text + " " + p.brief(j)
	if j.State == jobs.Running {
		if share, ok := j.Done(); ok && !strings.Contains(out, "%") {
			out += " " + human.Percent(share)
		}
	}
	key := p.o.Keys.Keys(p.o.Focus)
	if key != "" {
		key = " · " + key
	}
	if room := w - widgets.Width(out) - widgets.Width(key) - 2; room >= 12 {
		out += "  " + widgets.Truncate(oneLine(j.Draft.Prompt, room), room)
	}
	return out + key
}

// Click does what a press in the pane means; false for a zone of others.
func (p *Pane) Click(id string) (tea.Cmd, bool) {
	switch {
	case strings.HasPrefix(id, zoneAct):
		return p.Do(strings.TrimPrefix(id, zoneAct)), true
	case strings.HasPrefix(id, zoneJob):
		if n, err := strconv.Atoi(strings.TrimPrefix(id, zoneJob)); err == nil {
			p.Focus()
			p.show(n)
		}
		return nil, true
	case id == Zone:
		p.Focus()
		return nil, true
	}
	return nil, false
}

// Holds reports whether a zone is in the pane.
func Holds(id string) bool { return id == Zone || strings.HasPrefix(id, Zone+"/") }

// Wheel looks at older or newer results.
func (p *Pane) Wheel(delta int) { p.step(delta) }
