package form

import (
	"strings"

	"darkroom/client"
	"darkroom/tui/widgets"
)

// asPath is the path that a text stands for, where the field shows paths and the text is
// not being edited.
func (p *panel) asPath(d *Field, focus bool, text string) (string, bool) {
	if !p.pathsShow(d, focus) {
		return "", false
	}
	return client.FilePath(text)
}

func (p *panel) pathsShow(d *Field, focus bool) bool { return d.Paths && (!focus || !p.capture) }

// path draws a path in w cells. Its end, with the name of the file, is always visible.
func (p *panel) path(path string, w int) string {
	var cells []string
	for _, c := range clusters(path) {
		if g, _ := glyph(c); g != "" {
			cells = append(cells, g)
		}
	}
	at, n := len(cells), 0
	for at > 0 {
		_, k := glyph(cells[at-1])
		if n+k > w {
			break
		}
		n += k
		at--
	}
	lead := ""
	if at > 0 {
		lead = widgets.Ellipsis
		for ; at < len(cells) && n+1 > w; at++ { // room for the sign
			_, k := glyph(cells[at])
			n -= k
		}
	}
	return widgets.Line(p.ink.value.Text(lead+strings.Join(cells[at:], "")), w)
}

// item is the text of the list's item that a visual line belongs to, and whether it is its first
// line.
func (e *Editor) item(s span) (text string, first bool) {
	from, to := s.start, s.start
	for from > 0 && e.cells[from-1] != "\n" {
		from--
	}
	for to < len(e.cells) && e.cells[to] != "\n" {
		to++
	}
	return strings.Join(e.cells[from:to], ""), from == s.start
}
