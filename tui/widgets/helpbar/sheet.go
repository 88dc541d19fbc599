package helpbar

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/scroll"
)

// Sheet is the full help: groups of keys with one column for all keys, filtered by what is typed.
// Make it with [NewSheet]. It belongs to one model: not safe for concurrent use.
type Sheet struct {
	groups []Group
	in     *form.Editor
	rows   scroll.Model
	drawn  string // the query and the width that the rows were made for
	found  int
	all    int
}

// maxQuery bounds what can be typed, in characters.
const maxQuery = 100

// keyRoom is how wide the column of keys gets at most, in cells.
const keyRoom = 24

// NewSheet makes the help of some groups. Disabled bindings and those without a text are left out.
func NewSheet(groups []Group) Sheet {
	s := Sheet{in: form.NewEditor(false)}
	s.in.Limit = maxQuery
	for _, g := range groups {
		var shown []key.Binding
		for _, b := range g.Bindings {
			if b.Enabled() && b.Help().Desc != "" {
				shown = append(shown, b)
			}
		}
		if len(shown) > 0 {
			s.groups = append(s.groups, Group{Title: g.Title, Bindings: shown})
			s.all += len(shown)
		}
	}
	return s
}

// Update takes a key, and reports whether the sheet is done with: esc clears what was typed first.
func (s *Sheet) Update(msg tea.KeyMsg) (done bool) {
	switch msg.String() {
	case "esc":
		if s.in.Value() == "" {
			return true
		}
		s.in.SetValue("")
		return false
	case "enter", "ctrl+c":
		return true
	case "up", "down", "pgup", "pgdown":
		s.rows.Update(msg)
		return false
	}
	if _, changed := s.in.Update(msg, 0); changed {
		s.rows.SetTop(0)
	}
	return false
}

// Wheel scrolls by notches of the mouse wheel.
func (s *Sheet) Wheel(delta int) { s.rows.Wheel(delta) }

// View draws the box, exactly w cells wide and at most h lines high.
func (s *Sheet) View(st *themes.Styles, w, h int) string {
	iw, ih := widgets.Inner(w, h)
	if iw < 3 || ih < 2 {
		return widgets.Fit("", w, h)
	}
	s.fill(st, iw)
	most := s.all + s.heads() // as without a query, so that the box stays as it is
	s.rows.SetSize(iw, min(ih-1, most))
	input := widgets.NewInk(st.Accent).Text("❯ ") + s.in.Field(form.NewPaper(st), "type to search", true, iw-2)
	body := input + "\n" + s.rows.View(st)
	return widgets.Box(st, widgets.NewInk(st.DialogTitle).Text("Help"), "esc closes", body, w, min(h, most+3), true)
}

// fill makes the lines that the query leaves.
func (s *Sheet) fill(st *themes.Styles, w int) {
	query := strings.ToLower(strings.TrimSpace(s.in.Value()))
	if drawn := query + "\n" + strings.Repeat(" ", w) + st.Name; drawn == s.drawn {
		return
	} else {
		s.drawn = drawn
	}
	keys, text, head := widgets.NewInk(st.HelpKey), widgets.NewInk(st.Text), widgets.NewInk(st.Head)
	wide := s.keyColumn(w)
	var lines []string
	s.found = 0
	for _, g := range s.groups {
		first := true
		for _, b := range g.Bindings {
			h := b.Help()
			if !matches(query, h.Key+" "+h.Desc+" "+g.Title) {
				continue
			}
			if first {
				if len(lines) > 0 {
					lines = append(lines, "")
				}
				if first = false; g.Title != "" {
					lines = append(lines, strings.Repeat(" ", wide+2)+head.Text(g.Title))
				}
			}
			s.found++
			lines = append(lines, widgets.PadLeft(keys.Text(widgets.Truncate(h.Key, wide)), wide)+"  "+text.Text(h.Desc))
		}
	}
	if s.found == 0 {
		lines = []string{widgets.NewInk(st.Muted).Text("no key for this; the palette has what has none")}
	}
	for i, l := range lines {
		lines[i] = widgets.Truncate(l, w)
	}
	s.rows.SetLines(lines)
}

// heads is how many lines the titles take, with the blank ones between groups.
func (s *Sheet) heads() int {
	n := max(0, len(s.groups)-1)
	for _, g := range s.groups {
		if g.Title != "" {
			n++
		}
	}
	return n
}

// keyColumn is as wide as the widest key, within a third of the room.
func (s *Sheet) keyColumn(w int) int {
	wide := 0
	for _, g := range s.groups {
		for _, b := range g.Bindings {
			wide = max(wide, widgets.Width(b.Help().Key))
		}
	}
	return min(wide, keyRoom, w/3)
}

// matches reports whether a text has every word of a query.
func matches(query, text string) bool {
	text = strings.ToLower(text)
	for _, word := range strings.Fields(query) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
