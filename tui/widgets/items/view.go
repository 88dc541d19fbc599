package items

import (
	"fmt"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/zone"
)

// Zones of the dialog beside those of an item's form.
const (
	zoneRow  = "items-row/"
	zoneHint = "items-do/"
)

// Hint is an action as the dialog's last line offers it, for keys and for the mouse.
type Hint struct{ Action, Keys, Label string }

// signs say by shape what colours say as well.
var signs = [form.Bad + 1]string{form.Fine: " ", form.Info: "i", form.Warn: "⚠", form.Bad: "✗"}

// View draws the dialog, exactly w x h cells with its border. Only visible rows are made. Hints
// are for the list; those of unavailable actions are left out.
func (m *Model) View(hints []Hint, w, h int) string {
	iw, ih := widgets.Inner(w, h)
	if iw < 8 || ih < 2 {
		return widgets.Fit("", w, h)
	}
	if m.choosing != nil {
		return m.choosing.View(m.st, w, h)
	}
	foot := m.hints(hints, iw, ih)
	say := m.say(iw, ih)
	room := max(1, ih-len(foot)-len(say))
	var body []string
	right := ""
	if m.edit != nil {
		m.edit.form.SetSize(iw, room)
		body = m.edit.form.Lines()
		for i := range body {
			body[i] = widgets.Line(body[i], iw)
		}
	} else {
		m.rows.SetRows(room)
		body = m.listLines(iw)
		right = m.count()
	}
	for len(body) < room {
		body = append(body, "")
	}
	body = append(append(body, say...), foot...)
	title := widgets.NewInk(m.st.DialogTitle).Text(m.title())
	return widgets.BoxFooter(m.st, title, right, "", strings.Join(body, "\n"), w, h, true)
}

func (m *Model) title() string {
	if m.edit == nil || !m.spec.List {
		return m.spec.Title
	}
	return fmt.Sprintf("%s: %s %d of %d", m.spec.Title, m.spec.noun(), m.edit.at+1, len(m.list))
}

func (m *Model) count() string {
	switch n := len(m.list); n {
	case 0:
		return ""
	case 1:
		return "1 " + m.spec.noun()
	default:
		return strconv.Itoa(m.Cursor()+1) + " of " + strconv.Itoa(n)
	}
}

// say is the remark about the item under the cursor, or about the last action, in a fixed number
// of lines.
func (m *Model) say(w, h int) []string {
	n := 2
	if h < 9 {
		n = 1
	}
	if h < 5 {
		return nil
	}
	text, mark := m.note, form.Info
	if text == "" {
		text, mark = m.explain()
	}
	ink := widgets.NewInk(m.st.Muted)
	switch mark {
	case form.Bad:
		ink = widgets.NewInk(m.st.Bad)
	case form.Warn:
		ink = widgets.NewInk(m.st.Warn)
	}
	out := make([]string, 0, n)
	for _, l := range widgets.WrapLines(client.CleanLine(text), w, n) {
		out = append(out, ink.Text(l))
	}
	for len(out) < n {
		out = append(out, "")
	}
	return out
}

func (m *Model) explain() (string, form.Mark) {
	if m.edit != nil {
		if text, mark := m.explainRow(m.edit.form.Focused()); text != "" {
			return text, mark
		}
	}
	if len(m.list) == 0 {
		return "no " + m.spec.noun() + " yet", form.Fine
	}
	found := m.spec.Judge(m.list[m.Cursor()], m.facts)
	if len(found) == 0 {
		return "", form.Fine
	}
	text := make([]string, 0, len(found))
	for _, f := range found {
		text = append(text, strings.TrimSpace(signs[f.Mark]+" "+f.Text))
	}
	return strings.Join(text, "  "), found[0].Mark
}

// explainRow is the problem with a part, else its purpose.
func (m *Model) explainRow(id string) (string, form.Mark) {
	i, err := strconv.Atoi(strings.TrimPrefix(id, "p"))
	if err != nil || i >= len(m.spec.Parts) {
		return "", form.Fine
	}
	item, ok := m.list[m.edit.at].(map[string]any)
	if !ok {
		return "", form.Fine
	}
	if r := m.row(i, item); r.Note != "" {
		return signs[r.Mark] + " " + r.Note, r.Mark
	}
	return m.spec.Parts[i].Help, form.Fine
}

// hints are the available actions, each a zone, in one line or two.
func (m *Model) hints(hints []Hint, w, h int) []string {
	most := 2
	if h < 9 {
		most = 1
	}
	keyInk, ink := widgets.NewInk(m.st.HelpKey), widgets.NewInk(m.st.HelpText)
	var out []string
	line, used := "", 0
	for _, x := range hints {
		if m.edit != nil && !inForm(x.Action) || m.Off(x.Action) != "" {
			continue
		}
		s := x.Label
		if x.Keys != "" {
			s = x.Keys + " " + s
		}
		n := widgets.Width(s)
		if used > 0 && used+2+n > w {
			if len(out) == most-1 {
				break
			}
			out = append(out, line)
			line, used = "", 0
		}
		if used > 0 {
			line, used = line+"  ", used+2
		}
		line += zone.Mark(zoneHint+x.Action, keyInk.Text(x.Keys)+ink.Text(strings.TrimPrefix(s, x.Keys)))
		used += n
	}
	return append(out, line)
}

// inForm reports whether an action is offered while an item is edited.
func inForm(action string) bool {
	return action == Close || action == Repair || action == Raw || action == Undo
}

// listLines are the visible rows, including the cursor's.
func (m *Model) listLines(w int) []string {
	from, to := m.rows.Window()
	sums := make([]Sum, 0, to-from)
	headW := 0
	for i := from; i < to; i++ {
		s := m.spec.Summary(m.list[i], m.facts)
		headW = max(headW, widgets.Width(s.Head))
		sums = append(sums, s)
	}
	p := newPens(m)
	return m.rows.Lines(m.st, w, func(i, w int) string { return m.line(p, i, sums[i-from], min(headW, w/3), w) })
}

// pens are the styles of one drawing.
type pens struct {
	row, selected, accent, faint, muted widgets.Ink
	marks                               [form.Bad + 1]widgets.Ink
}

func newPens(m *Model) pens {
	p := pens{row: widgets.NewInk(m.st.Row), selected: widgets.NewInk(m.st.RowSelected), accent: widgets.NewInk(m.st.Accent),
		faint: widgets.NewInk(m.st.Faint), muted: widgets.NewInk(m.st.Muted)}
	p.marks[form.Info] = widgets.NewInk(m.st.Info)
	p.marks[form.Warn] = widgets.NewInk(m.st.Warn)
	p.marks[form.Bad] = widgets.NewInk(m.st.Bad)
	return p
}

// line draws an item in exactly w cells. The tail has its room as long as the main text
// keeps half of the line.
func (m *Model) line(p pens, i int, s Sum, headW, w int) string {
	sign, base := "  ", p.row
	if i == m.Cursor() {
		sign, base = p.accent.Text("▸")+" ", p.selected
	}
	mark := worst(m.spec.Judge(m.list[i], m.facts)).Mark
	num := widgets.PadLeft(Ordinal(i), numW(len(m.list)))
	lead := sign + p.faint.Text(num) + p.marks[mark].Text(signs[mark]) + " "
	room := w - 2 - numW(len(m.list)) - 2
	if headW > 0 && room > headW+8 {
		lead += p.muted.Text(widgets.Line(s.Head, headW)) + "  "
		room -= headW + 2
	}
	text := s.Main
	if tail := s.Tail; tail != "" {
		if text == "" {
			text = tail
		} else {
			mainW := max(room-widgets.Width(tail)-2, room/2)
			mainW = min(mainW, widgets.Width(text))
			text = widgets.Line(text, mainW) + "  " + p.muted.Text(tail)
		}
	}
	return zone.Mark(zoneRow+strconv.Itoa(i), base.Over(widgets.Line(lead+widgets.Line(text, max(1, room)), w)))
}

// numW is the width of the column of numbers.
func numW(n int) int {
	if n <= 20 {
		return 1
	}
	return len(strconv.Itoa(n))
}
