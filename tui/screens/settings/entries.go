package settings

import (
	"slices"
	"strings"

	"darkroom/tui/keys"
)

// entry is a line of a list: a heading, a setting, a profile, or an action with its keys.
type entry struct {
	id      string
	heading string
	row     *Row
	profile *Profile // also of a row that is the profile's
	action  *keys.Action
}

// fill makes the lines of the page anew; the cursor stays on its line where it is still there.
func (m *Model) fill() {
	all := map[page]func() []entry{general: m.settingLines, profiles: m.profileLines, bindings: m.actionLines}[m.page]()
	if words := strings.Fields(strings.ToLower(m.filter.Value())); len(words) > 0 {
		all = slices.DeleteFunc(all, func(e entry) bool { return e.heading != "" || !e.has(words) })
	}
	m.entries = all
	m.rows.SetLen(len(all))
	at := slices.IndexFunc(all, func(e entry) bool { return e.id != "" && e.id == m.at[m.page] })
	if at < 0 {
		at = slices.IndexFunc(all, func(e entry) bool { return e.heading == "" })
	}
	m.rows.Select(max(at, 0))
	m.keepPlace()
}

// has reports whether all words occur in an entry.
func (e entry) has(words []string) bool {
	var parts []string
	switch {
	case e.action != nil:
		parts = append([]string{e.action.ID, e.action.Title}, e.action.Keys...)
		for _, k := range e.action.Keys {
			parts = append(parts, keys.Show(k))
		}
	case e.row != nil:
		parts = []string{e.row.Key, e.row.Label, e.row.Group, e.row.Value, e.row.Help}
	case e.profile != nil:
		parts = []string{e.profile.Name, e.profile.Host, e.profile.Banner}
	}
	text := strings.ToLower(strings.Join(parts, " "))
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

func (m *Model) settingLines() (out []entry) {
	group := ""
	for i := range m.sheet.Rows {
		r := &m.sheet.Rows[i]
		if r.Group != group {
			group = r.Group
			out = append(out, entry{heading: group})
		}
		out = append(out, entry{id: r.Key, row: r})
	}
	return out
}

func (m *Model) profileLines() (out []entry) {
	for i := range m.sheet.Profiles {
		p := &m.sheet.Profiles[i]
		out = append(out, entry{id: "profile:" + p.Name, profile: p})
		for j := range p.Rows {
			out = append(out, entry{id: p.Rows[j].Key, row: &p.Rows[j], profile: p})
		}
	}
	return out
}

// actionLines are all actions of the console by the place where their keys work.
func (m *Model) actionLines() (out []entry) {
	scope := ""
	for _, a := range m.deps.Keys.Actions("") {
		if a.Scope() != scope {
			scope = a.Scope()
			out = append(out, entry{heading: placeName(scope)})
		}
		out = append(out, entry{id: a.ID, action: &a})
	}
	return out
}

// placeName is a scope of keys as a heading.
func placeName(scope string) string {
	if scope == keys.App {
		return "Everywhere"
	}
	if scope == "" {
		return ""
	}
	return strings.ToUpper(scope[:1]) + strings.ReplaceAll(scope[1:], "-", " ")
}

// current is the line under the cursor; the zero entry where there is none.
func (m *Model) current() entry {
	if i := m.rows.Cursor(); i < len(m.entries) {
		return m.entries[i]
	}
	return entry{}
}

// move moves the cursor, past headings.
func (m *Model) move(by int) {
	step := 1
	if by < 0 {
		step = -1
	}
	was := m.rows.Cursor()
	m.rows.Move(by)
	for i := m.rows.Cursor(); i >= 0 && i < len(m.entries); i += step {
		if m.entries[i].heading == "" {
			m.rows.Select(i)
			m.keepPlace()
			return
		}
	}
	m.rows.Select(was)
	if was < len(m.entries) && m.entries[was].heading != "" {
		m.move(-step)
	}
}

// keepPlace remembers what has the cursor.
func (m *Model) keepPlace() {
	if id := m.current().id; id != m.at[m.page] {
		m.at[m.page] = id
		m.detail.SetTop(0)
	}
}

// turn shows the page that many further on.
func (m *Model) turn(by int) {
	m.page = (m.page + page(by) + pages) % pages
	m.filter.SetValue("")
	m.fill()
}
