// Package facts lays out what is known of one trial: its place, state, latency, what was asked for,
// claimed and delivered, its checks and its files. It works on plain values.
package facts

import (
	"fmt"
	"path/filepath"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/compare"
	"darkroom/themes"
	"darkroom/tui/screens/compare/internal/say"
	"darkroom/tui/widgets"
)

// Trial is a trial with its place. Cell is nil for a place that has none, and Trial for a cell that was
// not sent.
type Trial struct {
	Cell    *compare.Cell
	Repeat  int
	Repeats int
	Formats bool // the run has several
	Names   say.Names
	Trial   *compare.Trial
	Starred bool
	// Rejected: it was rejected here, and can be brought back until the console ends.
	Rejected bool
}

// Where names the place.
func (x Trial) Where() string {
	if x.Cell == nil {
		return ""
	}
	return x.Names.Where(x.Cell, x.Repeat, x.Repeats, x.Formats)
}

// sheet collects the lines.
type sheet struct {
	st  *themes.Styles
	w   int
	out []string

	text, strong, muted, warn, bad widgets.Ink
}

// Lines lays a trial out in w cells.
func Lines(st *themes.Styles, x Trial, w int) []string {
	s := &sheet{st: st, w: w, text: widgets.NewInk(st.Text), strong: widgets.NewInk(st.Strong), muted: widgets.NewInk(st.Muted), warn: widgets.NewInk(st.Warn), bad: widgets.NewInk(st.Bad)}
	if x.Cell == nil {
		s.add(s.muted, "this model has no such cell", 2)
		return s.out
	}
	s.state(x)
	s.add(s.text, client.CleanLine(x.Cell.Prompt.Text), 3)
	for _, n := range x.Cell.Notes {
		s.add(s.warn, "⚠ "+client.CleanLine(n), 3)
	}
	t := x.Trial
	if t == nil {
		return s.out
	}
	s.latency(t)
	s.properties(x)
	s.checks(t)
	s.rest(x)
	return s.out
}

func (s *sheet) add(k widgets.Ink, text string, most int) {
	if text == "" {
		return
	}
	for _, l := range widgets.WrapLines(text, max(4, s.w), most) {
		s.out = append(s.out, k.Text(l))
	}
}

func (s *sheet) head(text string) {
	s.out = append(s.out, "", s.strong.Text(widgets.Truncate(text, s.w)))
}

func (s *sheet) state(x Trial) {
	star := ""
	if x.Starred {
		star = " ★"
	}
	if x.Rejected {
		star += " · rejected"
	}
	t := x.Trial
	switch {
	case x.Cell.Cannot != "":
		s.add(s.bad, "✗ cannot run: "+client.CleanLine(x.Cell.Cannot), 4)
		return
	case t == nil:
		s.add(s.muted, "not sent", 1)
		return
	}
	word := t.State.Coarse()
	if t.TimedOut {
		word = "failed"
	}
	sign, style := widgets.Sign(s.st, word)
	line := sign + " " + say.State(t) + star
	if t.Attempt > 1 {
		line += fmt.Sprintf(" · attempt %d; the first one counts", t.Attempt)
	}
	s.add(widgets.NewInk(style), line, 2)
	if why := strings.TrimSpace(client.CleanLine(t.Code) + " " + client.CleanLine(t.Message)); why != "" {
		s.add(s.bad, why, 4)
	}
	if t.TimedOut {
		s.add(s.warn, "the run stopped waiting; the task may still end", 2)
	}
}

func (s *sheet) latency(t *compare.Trial) {
	parts := say.Split(&t.Latency)
	if len(parts) == 0 {
		return
	}
	s.head("Latency")
	for _, p := range parts {
		s.row([]string{p.Name, p.Text, p.Source}, []int{9, 14, max(4, s.w-25)}, []widgets.Ink{s.muted, s.text, s.muted})
	}
}

// row puts texts into columns of fixed widths, with a blank between them.
func (s *sheet) row(texts []string, widths []int, inks []widgets.Ink) {
	var b strings.Builder
	for i, text := range texts {
		if i > 0 {
			b.WriteString(" ")
		}
		b.WriteString(inks[i].Text(widgets.Line(text, widths[i])))
	}
	s.out = append(s.out, widgets.Truncate(b.String(), s.w))
}

func (s *sheet) properties(x Trial) {
	t := x.Trial
	if len(t.Facts) == 0 {
		return
	}
	s.head("Asked, claimed, delivered")
	widths := []int{0, 5, 7, 9, 1}
	for i := range t.Facts {
		p := &t.Facts[i]
		for k, text := range []string{x.Names.Property(x.Cell.Draft.Modality, p), say.Fact(p.Asked), say.Fact(p.Claimed), say.Fact(p.Delivered)} {
			widths[k] = min(max(widths[k], widgets.Width(text)), 18)
		}
	}
	for over := widths[0] + widths[1] + widths[2] + widths[3] + 5 - s.w; over > 0; over-- { // the widest give way
		widest := 0
		for k := range widths {
			if widths[k] > widths[widest] {
				widest = k
			}
		}
		widths[widest]--
	}
	plain := []widgets.Ink{s.muted, s.muted, s.muted, s.muted, s.muted}
	s.row([]string{"", "Asked", "Claimed", "Delivered", ""}, widths, plain)
	for i := range t.Facts {
		p := &t.Facts[i]
		claimed, delivered, sign := s.text, s.text, s.muted
		if p.ClaimVerdict == compare.Fail {
			claimed = s.warn
		}
		if p.Verdict == compare.Fail {
			delivered, sign = s.bad, s.bad
		}
		s.row([]string{x.Names.Property(x.Cell.Draft.Modality, p), say.Fact(p.Asked), say.Fact(p.Claimed), say.Fact(p.Delivered), say.Verdict(p.Verdict)},
			widths, []widgets.Ink{s.muted, s.text, claimed, delivered, sign})
	}
}

func (s *sheet) checks(t *compare.Trial) {
	if len(t.Checks) == 0 {
		return
	}
	s.head("Checks")
	for _, c := range t.Checks {
		ink := s.text
		if c.Verdict == compare.Fail {
			ink = s.bad
		}
		text := say.Verdict(c.Verdict) + " " + client.CleanLine(c.Name)
		if c.Text != "" {
			text += ": " + client.CleanLine(c.Text)
		}
		s.add(ink, text, 3)
	}
}

func (s *sheet) rest(x Trial) {
	t := x.Trial
	s.out = append(s.out, "")
	pair := func(name, value string) {
		if value == "" {
			return
		}
		for i, l := range widgets.WrapLines(client.CleanLine(value), max(4, s.w-labelWidth-1), 3) {
			if i > 0 {
				name = ""
			}
			s.row([]string{name, l}, []int{labelWidth, max(4, s.w-labelWidth-1)}, []widgets.Ink{s.muted, s.text})
		}
	}
	pair("Seed", t.Seed)
	pair("Mode", x.Names.Mode(x.Cell.Draft.Modality, x.Cell.Model, x.Cell.Mode))
	for i := range t.Files {
		s.file(&t.Files[i])
	}
	pair("Task", t.TaskID)
	pair("Format", x.Cell.Format)
	if t.Polls > 0 {
		pair("Polls", human.Count(t.Polls))
	}
	for _, w := range t.Warnings {
		s.add(s.warn, "⚠ "+client.CleanLine(w), 3)
	}
}

// labelWidth is the width of the labels of what stands below the tables.
const labelWidth = 10

// file is a file of the trial: its name alone, on one line, since the end of it tells.
func (s *sheet) file(f *compare.File) {
	tail := "  " + human.Bytes(f.Bytes)
	name := client.CleanLine(f.MediaType)
	if f.Path != "" {
		name = client.CleanLine(filepath.Base(f.Path))
	}
	room := max(4, s.w-labelWidth-1-widgets.Width(tail))
	s.row([]string{kindOf(f.Kind), widgets.Middle(name, room) + tail}, []int{labelWidth, max(4, s.w-labelWidth-1)}, []widgets.Ink{s.muted, s.text})
}

func kindOf(k client.AssetKind) string {
	switch k {
	case client.AssetVideo:
		return "Video"
	case client.AssetImage:
		return "Image"
	case client.AssetAudio:
		return "Audio"
	case client.AssetCover:
		return "Cover"
	case client.AssetLastFrame:
		return "Last frame"
	default:
		return "File"
	}
}
