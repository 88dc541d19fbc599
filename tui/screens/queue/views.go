package queue

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/filter"
	"darkroom/jobs/order"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/screen"
	"darkroom/tui/screens/queue/internal/views"
)

// Views keeps filters under names.
type Views = views.Store

// The subjects of dialogs about views.
type (
	keeping  struct{ filter string }
	renaming struct{ view filter.View }
	removing struct{ name string }
)

// tabsFrom is the number of lines from which the views are a row of tabs; below, the name of the one
// that shows stands in the title.
const tabsFrom = 16

// tabs reports whether the row of tabs shows.
func (l *listing) tabs() bool { return l.views.Len() > 0 && l.h >= tabsFrom }

// heading is the title of the list, with the view that shows where there are no tabs.
func (l *listing) heading() string {
	if v, ok := l.views.Active(l.filter.Text()); ok && !l.tabs() {
		return "Jobs · " + client.CleanLine(v.Name)
	}
	return "Jobs"
}

// queryOf is what the list would ask for with a filter.
func (l *listing) queryOf(text string) (jobs.Query, bool) {
	q, err := filter.Parse(text, l.now())
	return l.jobs.wanted(q), err == nil
}

// showView shows the jobs of a tab.
func showView(m *Model, i int) tea.Cmd {
	m.list.filter.End()
	m.list.filter.SetText(m.list.views.Filter(i))
	m.focus = tablePane
	m.list.jobs.guest = ""
	m.list.views.Again()
	if q, ok := m.list.filter.Query(); ok {
		m.list.jobs.query = m.list.jobs.wanted(q)
	}
	return m.reload()
}

func stepView(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return showView(m, m.list.views.Step(m.list.filter.Text(), by)) }
}

func offViews(m *Model) string {
	if m.list.views.Len() == 0 {
		return "no views are kept here"
	}
	return ""
}

// kept is the filter with the order, as a view keeps both.
func (l *listing) kept() string {
	text := strings.TrimSpace(l.filter.Text())
	if s := order.Text(l.jobs.query.Sort); s != "" {
		if q, err := filter.Parse(text, l.now()); err == nil && q.Sort == (jobs.Sort{}) {
			text = strings.TrimSpace(text + " " + columnZone + s)
		}
	}
	return text
}

func offKeep(m *Model) string {
	switch {
	case offViews(m) != "":
		return offViews(m)
	case m.list.filter.Wrong() != "":
		return "the filter says nothing: " + m.list.filter.Wrong()
	case m.list.kept() == "":
		return "there is no filter and no order to save; " + m.keys.Keys(actFilter) + " filters"
	}
	return ""
}

func askKeep(m *Model) tea.Cmd {
	text := m.list.kept()
	row := &m.list.views
	return m.stack.Open(ask.ForLine(ask.Options{
		Prompt: "name: ", Placeholder: "unanswered", Subject: client.CleanLine(text), About: keeping{text},
		LookOf: func(name string) ask.Look {
			look := ask.Look{Title: "Save as a view", Hint: "It becomes a tab above the list.", Button: "Keep"}
			if v, there := row.Named(strings.TrimSpace(name)); there && v.Own {
				look.Hint, look.Button = "It takes the place of your view of that name.", "Replace"
			} else if there {
				look.Hint = "It replaces the built-in view of that name."
			}
			return look
		},
		Check: func(name string) string { return checkView(name, text) },
	}))
}

func checkView(name, text string) string {
	if err := (filter.View{Name: strings.TrimSpace(name), Filter: text}).Check(); err != nil {
		return err.Error()
	}
	return ""
}

// offOwn says why the view that shows cannot be changed.
func offOwn(m *Model) string {
	v, ok := m.list.views.Active(m.list.filter.Text())
	switch {
	case offViews(m) != "":
		return offViews(m)
	case !ok:
		return "no view shows; " + m.keys.Keys(actNextView) + " goes to one"
	case !v.Own:
		return "the view " + client.CleanLine(v.Name) + " comes with the program; " + m.keys.Keys(actKeep) + " saves a filter as one of your own"
	}
	return ""
}

func askRename(m *Model) tea.Cmd {
	v, _ := m.list.views.Active(m.list.filter.Text())
	row := &m.list.views
	return m.stack.Open(ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "Rename the view", Hint: "Its filter and its place stay.", Button: "Rename"},
		Prompt: "name: ", Subject: client.CleanLine(v.Filter), Text: v.Name, About: renaming{v},
		Check: func(name string) string {
			name = strings.TrimSpace(name)
			if x, there := row.Named(name); there && x.Own && !strings.EqualFold(name, v.Name) {
				return "you have a view of that name already"
			}
			return checkView(name, v.Filter)
		},
	}))
}

func askRemoveView(m *Model) tea.Cmd {
	v, _ := m.list.views.Active(m.list.filter.Text())
	return m.stack.Open(ask.Decide("Remove the view "+client.CleanLine(v.Name)+"?", "The jobs stay. Its filter was "+client.CleanLine(v.Filter), "Keep it", "Remove", removing{v.Name}))
}

// takeViews takes the views as they are kept.
func takeViews(m *Model, msg views.Loaded) tea.Cmd {
	m.list.views.Take(msg)
	m.layout()
	if msg.Err != nil {
		return screen.Toast(screen.Warn, client.CleanLine(msg.Err.Error()))
	}
	if v, ok := m.list.views.Named(msg.Kept); ok && msg.Kept != "" {
		if m.list.filter.Text() != v.Filter {
			m.list.filter.SetText(v.Filter)
		}
		return screen.Toast(screen.Good, "saved the view "+client.CleanLine(v.Name))
	}
	return nil
}
