package latest

import (
	"strconv"
	"strings"

	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// strip is the row of all results, the newest first.
func (p *Pane) strip(s shape) []string {
	if s.strip == 0 {
		return nil
	}
	list, at := p.list(), p.index()
	out := make([]string, s.strip)
	for i := s.first; i < min(len(list), s.first+s.cells); i++ {
		cell := p.cell(&list[i], i == at, s)
		for y := range out {
			if i > s.first {
				out[y] += " "
			}
			out[y] += zone.Mark(zoneJob+strconv.Itoa(i), widgets.Line(cell[y], s.cell))
		}
	}
	return out
}

// cell is a result of the strip: its small picture, where there is room, and how it stands.
func (p *Pane) cell(j *jobs.Job, current bool, s shape) []string {
	out := make([]string, 0, s.strip)
	if s.thumb > 0 {
		out = append(out, strings.Split(widgets.Fit(p.thumb(j, s), s.cell, s.thumb), "\n")...)
	}
	look := p.ink.states[j.State]
	lead, ink := "  ", p.ink.muted
	if current {
		lead, ink = p.ink.accent.Text("▸")+" ", p.ink.text
	}
	line := lead + look.ink.Text(look.text) + " " + ink.Text(p.brief(j))
	if j.Starred() {
		line += " " + p.ink.warn.Text("★")
	}
	return append(out, line)
}

func (p *Pane) thumb(j *jobs.Job, s shape) string {
	t := p.thumbs[j.ID]
	switch {
	case t == nil || !t.Have:
		return ""
	case t.Got.Lines != nil:
		return strings.Join(t.Got.Lines, "\n")
	case t.Got.Err != nil:
		return p.ink.bad.Text("✗")
	default:
		return preview.Thumb(p.o.Styles, t.Got.Info, s.cell, s.thumb)
	}
}
