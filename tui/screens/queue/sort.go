package queue

import (
	"cmp"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/jobs/filter"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

// columnZone begins the zones of the titles of columns, before what they sort by.
const columnZone = "sort:"

// sortAge is the usual order, as zones, items and filters name it.
const sortAge = "age"

// orderWords say what is sorted by, for people, in the order of [jobs.SortsBy].
func orderWords() map[jobs.SortBy]string {
	return map[jobs.SortBy]string{
		jobs.SortAge: "age", jobs.SortState: "state", jobs.SortModel: "model", jobs.SortKind: "kind",
		jobs.SortProfile: "profile", jobs.SortProgress: "progress", jobs.SortPrompt: "prompt", jobs.SortTook: "how long it took",
	}
}

// arrow is the sign of a direction behind the title of a column.
func arrow(down bool) string {
	if down {
		return "↓"
	}
	return "↑"
}

// sortNamed is what a zone or an item names.
func sortNamed(name string) jobs.SortBy {
	if name == sortAge {
		return jobs.SortAge
	}
	return jobs.SortBy(name)
}

// readSort reads an order as it was kept; the usual one for what is none.
func readSort(text string) jobs.Sort {
	if text == "" {
		return jobs.Sort{}
	}
	q, err := filter.Parse("sort:"+text, time.Time{})
	if err != nil {
		return jobs.Sort{}
	}
	return q.Sort
}

// sortBy sorts by something: the greatest first where that is what people look for, and from the
// other end where the list is sorted by it already.
func sortBy(m *Model, by jobs.SortBy) tea.Cmd {
	s := jobs.Sort{By: by, Down: by == jobs.SortTook || by == jobs.SortProgress}
	if now := m.list.jobs.query.Sort; now.By == by {
		s.Down = !now.Down
	}
	return setSort(m, s)
}

func turnSort(m *Model) tea.Cmd {
	s := m.list.jobs.query.Sort
	s.Down = !s.Down
	return setSort(m, s)
}

// setSort has the list read in an order, which takes the place of one that the filter names.
func setSort(m *Model, s jobs.Sort) tea.Cmd {
	m.list.filter.Remove(columnZone)
	h := &m.list.jobs
	h.sort, h.query.Sort = s, s
	h.guest = ""
	return m.reload()
}

// sorting is the subject of the choice of an order.
type sorting struct{}

func askSort(m *Model) tea.Cmd {
	var items []picker.Item
	now, words := m.list.jobs.query.Sort, orderWords()
	for _, by := range jobs.SortsBy() {
		it := picker.Item{ID: cmp.Or(string(by), sortAge), Title: words[by]}
		if by == now.By {
			it.Detail = arrow(now.Down) + " now; again reverses it"
		}
		items = append(items, it)
	}
	list := picker.New("Sort the jobs by", "a column …", items)
	list.Select(cmp.Or(string(now.By), sortAge))
	return m.stack.Open(choose.New(list, sorting{}))
}

// takeSort takes the answer.
func takeSort(m *Model, a choose.Picked) tea.Cmd {
	if !a.OK {
		return nil
	}
	return sortBy(m, sortNamed(a.ID))
}

// sortText says how the list is sorted, "" for the usual order.
func (l *listing) sortText() string {
	s := l.jobs.query.Sort
	if s == (jobs.Sort{}) {
		return ""
	}
	return "by " + orderWords()[s.By] + " " + arrow(s.Down)
}

// Terms of the filter that leave only faults: of the tasks, and of the downloads.
const (
	faultsTerm  = "is:fault"
	unsavedTerm = "is:unsaved"
)

// faultsOnly shows only the jobs that went wrong, then those with a file that could not be saved, then
// all again. The term stands in the filter, so that it is seen, kept in a view and taken away by
// typing, too.
func faultsOnly(m *Model) tea.Cmd {
	switch f := &m.list.filter; {
	case f.Has(faultsTerm):
		f.Remove(faultsTerm)
		f.Add(unsavedTerm)
	case f.Has(unsavedTerm):
		f.Remove(unsavedTerm)
	default:
		f.Add(faultsTerm)
	}
	cmd := m.setFilter()
	return tellWrong(m, cmd)
}

// starredTerm leaves only what a person has starred.
const starredTerm = "is:" + jobs.Star

// starredOnly shows only what is starred, then all again. As with faults the term stands in the filter.
func starredOnly(m *Model) tea.Cmd {
	f := &m.list.filter
	if f.Has(starredTerm) {
		f.Remove(starredTerm)
	} else {
		f.Add(starredTerm)
	}
	return tellWrong(m, m.setFilter())
}

// tellWrong says what is wrong with a filter to which a key has added a term.
func tellWrong(m *Model, cmd tea.Cmd) tea.Cmd {
	if wrong := m.list.filter.Wrong(); wrong != "" {
		return tea.Batch(cmd, screen.Toast(screen.Warn, wrong))
	}
	return cmd
}
