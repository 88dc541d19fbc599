package settings

import (
	"cmp"
	"fmt"
	"strings"

	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

const (
	wideFrom   = 100 // from this width on, the list and what is known of a line stand side by side
	detailFrom = 14  // from this height on, there is room for some of it below the list
	below      = 5   // lines of it there
	buttonRow  = 2
)

// inks are the styles of the screen, made once.
type inks struct {
	text, strong, muted, faint, accent, good, warn, bad, head, selected, keys widgets.Ink
}

func newInks(st *themes.Styles) inks {
	ink := widgets.NewInk
	return inks{
		text: ink(st.Text), strong: ink(st.Strong), muted: ink(st.Muted), faint: ink(st.Faint), accent: ink(st.Accent),
		good: ink(st.Good), warn: ink(st.Warn), bad: ink(st.Bad), head: ink(st.Head), selected: ink(st.RowSelected), keys: ink(st.HelpKey),
	}
}

func pageOptions() []widgets.Option {
	return []widgets.Option{{Value: "settings", Label: "Settings"}, {Value: "profiles", Label: "Profiles"}, {Value: "keys", Label: "Keys"}}
}

func (m *Model) wide() bool { return m.w >= wideFrom }

// listSize is the size of the box with the list.
func (m *Model) listSize() (w, h int) {
	switch {
	case m.wide():
		return m.w * 62 / 100, m.h
	case m.h >= detailFrom:
		return m.w, m.h - below - 2
	}
	return m.w, m.h
}

func (m *Model) detailSize() (w, h int) {
	lw, lh := m.listSize()
	if m.wide() {
		return m.w - lw, m.h
	}
	return m.w, m.h - lh
}

// layout sizes the parts for the room there is.
func (m *Model) layout() {
	w, h := m.listSize()
	_, ih := widgets.Inner(w, h)
	m.rows.SetRows(max(1, ih-len(m.top(w))))
	dw, dh := m.detailSize()
	if dw <= 0 || dh <= 0 {
		return
	}
	iw, ih := widgets.Inner(dw, dh)
	m.detail.SetLines(m.about(max(1, iw-1)))
	if m.wide() {
		ih -= buttonRow
	}
	m.detail.SetSize(iw, max(0, ih))
}

// View implements screen.Screen.
func (m *Model) View() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	box := m.listBox()
	if dw, dh := m.detailSize(); m.wide() {
		box = widgets.Beside(box, m.detailBox(dw, dh))
	} else if dh > 0 {
		box += "\n" + m.detailBox(dw, dh)
	}
	return m.stack.View(widgets.Fit(box, m.w, m.h))
}

// top are the lines above the list: the pages, the filter, and what is wrong with the file.
func (m *Model) top(w int) []string {
	iw, _ := widgets.Inner(w, 3)
	line := widgets.Line(widgets.Choice(m.st, "page", pageOptions(), int(m.page), true, iw), iw)
	if m.filtering || m.filter.Value() != "" {
		filter := m.ink.accent.Text("/ ") + m.ink.text.Text(clean(m.filter.Value()))
		if m.filtering {
			filter = m.ink.accent.Text("/ ") + m.filter.Field(m.paper, "label, name, value", true, max(1, iw-2))
		}
		line = widgets.Line(filter, iw)
	}
	out := []string{zone.Mark("filter", "") + line}
	for i, x := range m.sheet.Mistakes {
		if i == 2 || m.h < detailFrom && i == 1 {
			out = append(out, m.ink.bad.Text(widgets.Truncate(fmt.Sprintf("  and %d more", len(m.sheet.Mistakes)-i), iw)))
			break
		}
		out = append(out, m.ink.bad.Text(widgets.Truncate("✗ "+place(x)+clean(x.Text), iw)))
	}
	if len(m.sheet.Mistakes) > 0 && m.h >= detailFrom {
		out = append(out, m.ink.muted.Text(widgets.Truncate("  The previous settings stay until it is fixed ("+m.commands.Key(actEdit)+" edits it).", iw)))
	}
	return out
}

func place(x Mistake) string {
	if x.Line == 0 {
		return ""
	}
	return fmt.Sprintf("line %d, column %d: ", x.Line, x.Column)
}

func (m *Model) listBox() string {
	w, h := m.listSize()
	iw, _ := widgets.Inner(w, h)
	lines := m.top(w)
	switch {
	case !m.read && m.failed != nil:
		lines = append(lines, widgets.WrapLines(m.ink.bad.Text(clean(m.failed.Error())), iw, max(1, h-4))...)
	case !m.read:
		lines = append(lines, m.ink.muted.Text("reading …"))
	case len(m.entries) == 0:
		lines = append(lines, m.ink.muted.Text(widgets.Truncate("nothing matches; "+m.commands.Key(actBack)+" clears the filter", iw)))
	default:
		lines = append(lines, m.rows.Lines(m.st, iw, m.line)...)
	}
	footer := ""
	if n := len(m.sheet.Waiting); n > 0 {
		footer = "at the next start: " + widgets.Truncate(strings.Join(m.sheet.Waiting, ", "), max(8, iw/2))
	}
	return widgets.BoxFooter(m.st, "Settings", clean(short(m.sheet.File, iw/2)), footer, strings.Join(lines, "\n"), w, h, true)
}

// short is a path with its end, where it is too long.
func short(path string, w int) string {
	r := []rune(path)
	if len(r) <= w || w < 2 {
		return path
	}
	return widgets.Ellipsis + string(r[len(r)-w+1:])
}

// line draws a line of the list.
func (m *Model) line(i, w int) string {
	e := m.entries[i]
	if e.heading != "" {
		return m.ink.head.Text(widgets.Line(clean(e.heading), w))
	}
	on := i == m.rows.Cursor()
	sign := "  "
	if on {
		sign = m.ink.accent.Text("▸ ")
	}
	label, value, from := m.cells(e)
	labels := max(12, min(34, w*2/5))
	if e.action != nil {
		labels = max(12, min(60, w*3/5-8))
	}
	froms := 0
	if w >= 56 {
		froms = 20
	}
	text := sign + widgets.Line(label, labels-3) + " "
	room := w - labels - froms
	if froms > 0 {
		text += widgets.Line(widgets.Truncate(value, room-2), room) + m.ink.muted.Text(widgets.Line(widgets.Truncate(from, froms), froms))
	} else {
		text += widgets.Line(widgets.Truncate(value, room), room)
	}
	text = widgets.Line(text, w)
	if on {
		text = m.ink.selected.Over(text)
	}
	return zone.Mark(fmt.Sprintf("set:%d", i), text)
}

// cells are the label, the value, and where that comes from.
func (m *Model) cells(e entry) (label, value, from string) {
	k := &m.ink
	switch {
	case e.action != nil:
		var shown []string
		for _, x := range e.action.Keys {
			shown = append(shown, keys.Show(x))
		}
		if value = k.keys.Text(strings.Join(shown, "  ")); len(shown) == 0 {
			value = k.faint.Text("palette")
		}
		return e.action.Title, value, m.sheet.Keys[e.action.ID]
	case e.row != nil:
		label = e.row.Label
		if e.profile != nil {
			label = "  " + label
		}
		return label, m.value(e.row), e.row.From
	}
	p := e.profile
	value = clean(p.Host)
	if p.Color != "" || p.Banner != "" {
		value = m.mark(p) + " " + value
	}
	switch {
	case p.Shown && p.Default:
		from = "in use, default"
	case p.Shown:
		from = "in use"
	case p.Default:
		from = "default"
	}
	return k.strong.Text(clean(p.Name)), value, from
}

// mark is a profile as it is marked in the title.
func (m *Model) mark(p *Profile) string {
	text := clean(strings.TrimSpace(p.Banner + " " + p.Name))
	if m.st.Plain {
		return "[" + text + "]"
	}
	color := p.Color
	if color == "" {
		color = "accent"
	}
	return widgets.NewInk(m.st.Mark(color)).Text(" " + text + " ")
}

func (m *Model) value(r *Row) string {
	switch {
	case r.Value == "" && r.Default != "":
		return m.ink.muted.Text(clean(r.Default))
	case r.Value == "":
		return m.ink.faint.Text(clean(cmp.Or(r.Usual, "none")))
	case r.Said != "":
		return m.ink.text.Text(clean(r.Said))
	case r.Kind == Switch && r.Value == "true":
		return m.ink.good.Text("● ") + m.ink.text.Text("on")
	case r.Kind == Switch:
		return m.ink.faint.Text("○ ") + m.ink.text.Text("off")
	}
	return m.ink.text.Text(clean(r.Value))
}

// detailBox is what is known of the line under the cursor.
func (m *Model) detailBox(w, h int) string {
	iw, _ := widgets.Inner(w, h)
	title := ""
	switch e := m.current(); {
	case m.capture != nil:
		title = "New key"
	case e.row != nil:
		title = e.row.Label
	case e.action != nil:
		title = e.action.Title
	case e.profile != nil:
		title = clean(e.profile.Name)
	}
	body := m.detail.View(m.st)
	if m.wide() {
		line := ""
		for _, b := range m.commands.Buttons(m) {
			next := widgets.Button(m.st, b.ID, b.Word, false, false) + " "
			if widgets.Width(line)+widgets.Width(next) > iw {
				break
			}
			line += next
		}
		body += strings.Repeat("\n", buttonRow) + widgets.Line(line, iw)
	}
	return widgets.Box(m.st, widgets.Truncate(title, max(4, w-8)), "", body, w, h, false)
}

// about are the lines about what is under the cursor, w cells wide.
func (m *Model) about(w int) []string {
	e, k := m.current(), &m.ink
	var out []string
	say := func(ink widgets.Ink, text string) {
		for _, l := range widgets.WrapLines(clean(text), w, 0) {
			out = append(out, ink.Text(l))
		}
	}
	if m.capture != nil {
		say(k.warn, m.capture.press())
		return out
	}
	fact := func(name, value string) {
		if value == "" {
			return
		}
		const names = 10
		for i, l := range widgets.WrapLines(clean(value), max(8, w-names), 0) {
			head := strings.Repeat(" ", names)
			if i == 0 {
				head = k.muted.Text(widgets.Line(name, names))
			}
			out = append(out, head+k.text.Text(l))
		}
	}
	gap := func() {
		if m.wide() && len(out) > 0 {
			out = append(out, "")
		}
	}
	switch {
	case e.row != nil:
		aboutRow(m, e.row, say, fact, gap)
	case e.action != nil:
		aboutAction(m, e, say, fact, gap)
	case e.profile != nil:
		aboutProfile(m, e.profile, say, fact, gap)
	}
	return out
}

func aboutRow(m *Model, r *Row, say func(widgets.Ink, string), fact func(string, string), gap func()) {
	k := &m.ink
	say(k.text, r.Help)
	if r.Outranked != "" {
		say(k.warn, r.Outranked+" overrides the file.")
	}
	gap()
	may := r.May
	if len(r.Allowed) > 0 {
		may = strings.Join(r.Allowed, ", ")
	}
	fact("Allowed", may)
	if m.wide() {
		fact("Now", r.Value)
		fact("From", r.From)
		if r.Default != r.Value && r.Value != "" {
			fact("Default", r.Default)
		}
		fact("In file", r.Key)
	}
	if r.Restart {
		gap()
		say(k.muted, "A change takes effect at the next start.")
	}
}

func aboutAction(m *Model, e entry, say func(widgets.Ink, string), fact func(string, string), gap func()) {
	say(m.ink.text, m.commands.Key(actChange)+" then the new key; "+m.commands.Key(actMore)+" adds one.")
	gap()
	fact("Works in", placeName(e.action.Scope()))
	from := m.sheet.Keys[e.action.ID]
	if from == "" {
		from = "built in"
	}
	fact("From", from)
	fact("In file", "keys."+e.action.ID)
}

func aboutProfile(m *Model, p *Profile, say func(widgets.Ink, string), fact func(string, string), gap func()) {
	k := &m.ink
	if m.asking != "" {
		say(k.accent, m.asking)
	} else if t, ok := m.tested[p.Name]; ok && t.err != nil {
		say(k.bad, "✗ "+t.err.Error())
	} else if ok {
		say(k.good, "✓ "+t.said)
	}
	switch {
	case p.Embedded:
		say(k.text, "The gateway inside this program: it makes its media on this machine, costs nothing and sends nothing.")
	case p.NoKey:
		say(k.warn, "No key yet: "+p.Key)
	}
	gap()
	fact("Gateway", p.Host)
	if !p.NoKey {
		fact("Key", p.Key)
	}
	if p.Default {
		fact("Default", "the console starts with it")
	}
	if p.Shown {
		fact("In use", "in this console")
	}
}
