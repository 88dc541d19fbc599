package request

import (
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/tui/screens/compose/internal/pens"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/jsonview"
	"darkroom/tui/widgets/zone"
)

// part is the draft as one format carries it, or the reason why that format cannot.
type part struct {
	format  string
	preview client.Preview
	err     error
}

// leastColumn is the least width of a format beside another.
const leastColumn = 38

// parts makes the request of a draft in every format. Call it in a command.
func parts(g Gateway, d client.Draft, formats []string) []part {
	out := make([]part, len(formats))
	for i, f := range formats {
		out[i].format = f
		out[i].preview, out[i].err = g.Preview(d, f)
	}
	return out
}

// wireLines lays the formats out side by side, in as many columns as fit.
func (p *Pane) wireLines(w int) []string {
	all := p.got.wire
	n := max(1, min(len(all), (w+3)/(leastColumn+3)))
	column := (w - 3*(n-1)) / n
	var out []string
	for at := 0; at < len(all); at += n {
		blocks := make([][]string, 0, n)
		tallest := 0
		for i := at; i < min(at+n, len(all)); i++ {
			b := p.wireBlock(i, column)
			blocks = append(blocks, b)
			tallest = max(tallest, len(b))
		}
		if at > 0 {
			out = append(out, "")
		}
		for y := range tallest {
			cells := make([]string, len(blocks))
			for i, b := range blocks {
				if y < len(b) {
					cells[i] = b[y]
				}
				if n > 1 {
					cells[i] = widgets.Fit(cells[i], column, 1)
				}
			}
			out = append(out, strings.Join(cells, p.pens.Border.Text(" │ ")))
		}
	}
	return out
}

// wireBlock is one format: its name, the request, and what it does not carry.
func (p *Pane) wireBlock(i, w int) []string {
	x := &p.got.wire[i]
	sign, name := "○ ", p.pens.Text
	if x.format == p.asked.Format {
		sign, name = "● ", p.pens.Title
	}
	head := name.Text(sign + client.CleanLine(x.format))
	if x.err != nil {
		out := []string{head}
		for _, l := range widgets.WrapLines("not here: "+client.CleanLine(x.err.Error()), w, 0) {
			out = append(out, p.pens.Marks[form.Bad].Text(l))
		}
		return out
	}
	where := widgets.Truncate(client.CleanLine(x.preview.Method+" "+x.preview.Path), max(1, w-8))
	out := []string{widgets.Spread(head, p.wireButtons(i), w),
		widgets.Spread(p.pens.Code.Text(where), p.pens.Faint.Text(size(x.preview.Bytes)), w)}
	say := func(mark form.Mark, text string) {
		for j, l := range widgets.WrapLines(client.CleanLine(text), max(4, w-2), 0) {
			lead := "  "
			if j == 0 {
				lead = p.pens.Marks[mark].Text(pens.Signs[mark]) + " "
			}
			out = append(out, lead+p.pens.Muted.Text(l))
		}
	}
	if len(x.preview.Dropped) == 0 {
		say(form.Fine, "carries everything")
	}
	for _, d := range x.preview.Dropped {
		say(form.Warn, "not carried: "+d.Field+": "+d.Reason)
	}
	for _, note := range x.preview.Notes {
		say(form.Info, note)
	}
	return append(out, jsonview.RenderIn(p.st, x.preview.Body, client.Clean, w)...)
}

// wireButtons are the buttons that copy a format's request.
func (p *Pane) wireButtons(i int) string {
	id := zoneWire + strconv.Itoa(i)
	return p.pens.Faint.Text("copy ") + zone.Mark(id+copyJSON, p.pens.Accent.Text("JSON")) + " " +
		zone.Mark(id+copyCurl, p.pens.Accent.Text("curl"))
}
