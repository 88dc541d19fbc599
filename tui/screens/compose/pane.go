package compose

import (
	"fmt"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/jsonview"
	"darkroom/tui/widgets/zone"
)

// side is the right pane as last drawn, with what it was drawn for.
type side struct {
	key   sideKey
	lines []string
	// checks are the lines under Checks, made for width.
	checks []string
	width  int
	heads  []string // what checks were made of
	starts []int    // the line at which each problem begins
	top    int      // the first line of checks that shows
	room   int      // how many lines there are for them
}

type sideKey struct {
	w, h, top int
	checks    int // the first line that shows of them
	head      string
	alone     bool
}

// showPreview puts the request into the pane that scrolls.
func (m *Model) showPreview() {
	m.frame.side.key = sideKey{}
	p, w := &m.preview, max(10, m.paneWidth()-2) // two for the scroll bar
	switch {
	case !p.have:
		p.pane.SetLines(nil)
	case p.tab == tabWire && len(p.got.wire) > 0:
		p.pane.SetLines(m.wireLines(w))
	case p.got.err != nil:
		msg := "no request yet: " + client.CleanLine(p.got.err.Error())
		p.pane.SetLines(widgets.WrapLines(msg, max(10, m.paneWidth()), 0))
	case p.tab == tabCurl:
		var lines []string
		for l := range strings.SplitSeq(p.got.shown, "\n") {
			lines = append(lines, widgets.Hang(l, w, widgets.NewInk(m.st.Faint))...)
		}
		p.pane.SetLines(lines)
	default:
		p.pane.SetLines(jsonview.RenderIn(m.st, p.got.preview.Body, client.Clean, w))
	}
}

func (m *Model) paneWidth() int {
	_, right := m.sizes()
	w, _ := widgets.Inner(right, m.h)
	return w
}

// sizePane hands the pane the room above the checks.
func (m *Model) sizePane(right int) {
	m.frame.side.width = 0
	if right == 0 {
		return
	}
	m.preview.pane.SetSize(m.paneWidth(), max(0, m.h-3-m.checksHeight()-1))
	if m.preview.have {
		m.showPreview() // lines are as wide as there is room for
	}
}

// layoutPane makes the lines of the checks, and gives the rest of the room to the
// request.
func (m *Model) layoutPane() {
	w := m.paneWidth()
	if w <= 0 {
		return
	}
	heads := m.checkHeads()
	s := &m.frame.side
	if s.width == w && equal(s.heads, heads) {
		return
	}
	if s.width != w && m.preview.have {
		m.showPreview() // lines are as wide as there is room for
	}
	s.width, s.heads, s.key = w, heads, sideKey{}
	s.top = 0
	s.checks = m.checkLines(w)
	m.preview.pane.SetSize(w, max(0, m.h-3-m.checksHeight()-1))
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// checkHeads are the texts that the list of checks is made of.
func (m *Model) checkHeads() []string {
	out := make([]string, 0, len(m.problems)+1)
	out = append(out, m.refusal.text)
	for i := range m.problems {
		p := &m.problems[i]
		out = append(out, string(p.Severity)+p.Message)
	}
	for i := range m.differ {
		out = append(out, m.differ[i].label+"\x00"+m.differ[i].was)
	}
	return append(out, m.originTitle(), m.runTells(), m.lateTells())
}

// checkLines lists what is wrong, worst first, each to be clicked; or that nothing is.
func (m *Model) checkLines(w int) []string {
	var out []string
	add := func(i int, mark form.Mark, text string, ids ...string) {
		ink := m.frame.ink.marks[mark]
		if mark == form.Fine {
			ink = widgets.NewInk(m.st.Good)
		}
		for j, l := range widgets.WrapLines(client.CleanLine(text), max(4, w-2), 4) {
			lead := "  "
			if j == 0 {
				lead = ink.Text(signs[mark]) + " "
			}
			l = lead + m.frame.ink.text.Text(l)
			if i >= 0 {
				l = zone.Mark(zoneCheck+strconv.Itoa(i), l)
			}
			for _, id := range ids {
				l = zone.Mark(id, l)
			}
			out = append(out, l)
		}
	}
	if m.refusal.text != "" {
		add(-1, form.Bad, m.refusal.text)
	}
	blocked := false
	starts := make([]int, len(m.problems))
	for i := range m.problems {
		p := &m.problems[i]
		starts[i] = len(out)
		blocked = blocked || p.Severity == catalog.Block
		add(i, grade(p.Severity), p.Message)
	}
	if !blocked && m.refusal.text == "" {
		ready := "nothing is missing"
		if len(m.problems) > 0 { // a warning may say that something is
			ready = "nothing blocks"
		}
		n := len(out)
		add(-1, form.Fine, ready)
		out = append(out[n:], out[:n]...)
		for i := range starts {
			starts[i] += len(out) - n
		}
	}
	m.frame.side.starts = starts
	for i := range m.differ {
		d := &m.differ[i]
		add(-1, form.Differs, d.label+" "+wasText(d.was, 160), zoneDiffer+strconv.Itoa(i))
	}
	if s := m.runTells(); s != "" {
		add(-1, form.Info, s)
	}
	if s := m.lateTells(); s != "" {
		add(-1, form.Info, s)
	}
	return out
}

// checksHeight is the room of the checks: what they need, up to a good third.
func (m *Model) checksHeight() int {
	return max(1, min(max(len(m.frame.side.checks), 3), (m.h-4)*2/5))
}

// sidePane is the box with the request and the checks.
func (m *Model) sidePane(w int) []string {
	head := m.requestHead(m.paneWidth())
	key := sideKey{w: w, h: m.h, top: m.preview.pane.Top(), checks: m.frame.side.top, head: head, alone: m.paneOnly()}
	s := &m.frame.side
	if s.key == key && s.lines != nil {
		return s.lines
	}
	n := m.checksHeight()
	checks := s.shownChecks(m.paneWidth(), n, m.frame.ink.faint,
		m.deps.Keys.Keys("compose.checks-down"), m.deps.Keys.Keys("compose.checks-up"))
	parts := []widgets.Part{
		{Title: "Request", Right: m.tabs(), Content: head + "\n" + m.preview.pane.View(m.st)},
		{Title: "Checks", Content: strings.Join(checks, "\n"), Height: n},
	}
	s.key = key
	s.lines = strings.Split(widgets.Stack(m.st, parts, "", w, m.h, m.paneOnly()), "\n")
	return s.lines
}

// requestHead is the line over the body: where it goes, in what format, how big.
func (m *Model) requestHead(w int) string {
	p := m.preview.got.preview
	if m.preview.have && m.preview.tab == tabWire {
		n := len(m.preview.got.wire)
		return widgets.Spread(m.frame.ink.code.Text(widgets.Truncate(client.CleanLine(m.draft.Model), w)),
			m.frame.ink.faint.Text("through "+format.Plural(n, "format")), w)
	}
	if !m.preview.have || m.preview.got.err != nil {
		return ""
	}
	where := m.frame.ink.code.Text(widgets.Truncate(client.CleanLine(p.Method+" "+p.Path), w))
	what := fmt.Sprintf("%s · %s", client.CleanLine(p.Label), size(p.Bytes))
	if m.frame.ink.st != nil && widgets.Width(where)+widgets.Width(what)+2 > w {
		what = size(p.Bytes)
	}
	return widgets.Spread(where, m.frame.ink.faint.Text(what), w)
}

func size(n int) string {
	switch {
	case n < 10_000:
		return strconv.Itoa(n) + " B"
	case n < 10_000_000:
		return strconv.Itoa(n/1000) + " kB"
	default:
		return strconv.Itoa(n/1_000_000) + " MB"
	}
}

// tabs are the ways to show the request.
func (m *Model) tabs() string {
	var out []string
	for i, name := range []string{"JSON", "curl", "wire"} {
		label, ink := " "+name+" ", m.frame.ink.faint
		if tab(i) == m.preview.tab {
			label, ink = "‹"+name+"›", widgets.NewInk(m.st.BoxTitleFocus)
		}
		out = append(out, zone.Mark(zoneTab+strconv.Itoa(i), ink.Text(label)))
	}
	return strings.Join(out, "")
}
