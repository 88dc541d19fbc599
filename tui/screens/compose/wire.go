package compose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/jsonview"
	"darkroom/tui/widgets/picker"
	"darkroom/tui/widgets/zone"
)

// wirePart is the draft as one format carries it, or why that format can not.
type wirePart struct {
	format  string
	preview client.Preview
	err     error
}

// wireColumn is the least width of a format that stands beside another.
const wireColumn = 38

// reaching are the formats that the model is reached by: those that can create here,
// preferred first, then those that can not as this gateway is set up.
func (m *Model) reaching() []string {
	out := slices.Clone(m.ways)
	if x, ok := m.model(); ok {
		for _, f := range x.Formats {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// wireParts makes the request of a draft in every format. It is called in a command.
func wireParts(g Gateway, d client.Draft, formats []string) []wirePart {
	out := make([]wirePart, len(formats))
	for i, f := range formats {
		out[i].format = f
		out[i].preview, out[i].err = g.Preview(d, f)
	}
	return out
}

// wireLines lays the formats out side by side, in as many columns as there is room for.
func (m *Model) wireLines(w int) []string {
	parts := m.preview.got.wire
	if len(parts) == 0 {
		return widgets.WrapLines("no format reaches this model", max(10, w), 0)
	}
	if m.frame.ink.st != m.st {
		m.frame.ink = newPens(m.st)
	}
	n := max(1, min(len(parts), (w+3)/(wireColumn+3)))
	column := (w - 3*(n-1)) / n
	var out []string
	for at := 0; at < len(parts); at += n {
		blocks := make([][]string, 0, n)
		tallest := 0
		for i := at; i < min(at+n, len(parts)); i++ {
			b := m.wireBlock(i, column)
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
			out = append(out, strings.Join(cells, m.frame.ink.border.Text(" │ ")))
		}
	}
	return out
}

// wireBlock is one format: its name, the request, and what it does not carry.
func (m *Model) wireBlock(i, w int) []string {
	p := &m.preview.got.wire[i]
	ink := &m.frame.ink
	sign, name := "○ ", widgets.NewInk(m.st.Text)
	if p.format == m.effective().format {
		sign, name = "● ", widgets.NewInk(m.st.BoxTitleFocus)
	}
	head := name.Text(sign + client.CleanLine(p.format))
	if p.err != nil {
		out := []string{head}
		for _, l := range widgets.WrapLines("not here: "+client.CleanLine(p.err.Error()), w, 0) {
			out = append(out, ink.marks[form.Bad].Text(l))
		}
		return out
	}
	out := []string{widgets.Spread(head, m.wireButtons(i), w),
		widgets.Spread(ink.code.Text(widgets.Truncate(client.CleanLine(p.preview.Method+" "+p.preview.Path), max(1, w-8))), ink.faint.Text(size(p.preview.Bytes)), w)}
	say := func(mark form.Mark, text string) {
		for j, l := range widgets.WrapLines(client.CleanLine(text), max(4, w-2), 0) {
			lead := "  "
			if j == 0 {
				lead = ink.marks[mark].Text(signs[mark]) + " "
			}
			out = append(out, lead+ink.muted.Text(l))
		}
	}
	if len(p.preview.Dropped) == 0 {
		out = append(out, widgets.NewInk(m.st.Good).Text(signs[form.Fine])+" "+ink.muted.Text("carries everything"))
	}
	for _, d := range p.preview.Dropped {
		say(form.Warn, "not carried: "+d.Field+": "+d.Reason)
	}
	for _, note := range p.preview.Notes {
		say(form.Info, note)
	}
	return append(out, jsonview.RenderIn(m.st, p.preview.Body, client.Clean, w)...)
}

// wireButtons copy a format's request.
func (m *Model) wireButtons(i int) string {
	ink := widgets.NewInk(m.st.Accent)
	return m.frame.ink.faint.Text("copy ") + zone.Mark(zoneWire+strconv.Itoa(i)+copyJSON, ink.Text("JSON")) + " " +
		zone.Mark(zoneWire+strconv.Itoa(i)+copyCurl, ink.Text("curl"))
}

// What of a format is copied, at the end of an item's or a zone's name.
const (
	copyJSON = "/json"
	copyCurl = "/curl"
)

// pickCopy is what is picked for while one of the formats is to be copied.
const pickCopy = "#copy"

// openCopy asks which of the formats is to be copied, and as what.
func (m *Model) openCopy() {
	m.picking = pickCopy
	var list []picker.Item
	parts := m.preview.got.wire
	for i := range parts {
		p := &parts[i]
		off, detail := "", ""
		if p.err != nil {
			off = client.CleanLine(p.err.Error())
		} else if n := len(p.preview.Dropped); n > 0 {
			detail = fmt.Sprintf("does not carry %s", format.Plural(n, "value"))
		}
		name := client.CleanLine(p.format)
		list = append(list,
			picker.Item{ID: strconv.Itoa(i) + copyJSON, Title: name + " as JSON", Detail: detail, Off: off},
			picker.Item{ID: strconv.Itoa(i) + copyCurl, Title: name + " as curl", Detail: "the key is a variable", Off: off})
	}
	m.picker = picker.New("Copy which request?", "format …", list)
}

// copyWire copies what an item or a zone names.
func (m *Model) copyWire(id string) tea.Cmd {
	number, what, _ := strings.Cut(id, "/")
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(m.preview.got.wire) || m.preview.got.wire[i].err != nil {
		return nil
	}
	p := m.preview.got.wire[i]
	name := client.CleanLine(p.format)
	if "/"+what != copyCurl {
		return m.copyBody(m.wideDraft(), p.format, "the "+name+" request")
	}
	return m.copyCurl(m.wideDraft(), p.format, "the curl command of "+name)
}
