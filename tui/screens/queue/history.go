package queue

import (
	"reflect"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/jobs/order"
	"darkroom/tui/screens/queue/internal/joblist"
)

// history holds the jobs in memory, and how far it was read.
type history struct {
	joblist.List
	from    Jobs
	sort    jobs.Sort // as long as the filter names no other
	profile string    // whose jobs show as long as the filter names no other; "" for all

	query   jobs.Query // what is wanted
	shown   jobs.Query // what the list was read for
	gen     int        // answers of another generation are dropped
	loading bool
	loaded  bool      // the newest page has come once
	next    string    // cursor of the next page, "" at the end
	last    *jobs.Job // that of the pages read, as it was then
	err     error

	seq   uint64 // the news taken over
	since uint64 // the news when the page on its way was asked for

	marked  map[string]bool
	guest   string // id of a job that shows although it is not in what was read
	marking bool   // all are marked once the rest is read
	toEnd   int    // reading on to the end of the history, up to so many jobs; 0 when not

	saving jobs.Transfer // of all jobs in the list
	moving bool          // one of them has a progress
}

func newHistory(d Deps) history {
	h := history{List: joblist.New(nil), from: d.Jobs, profile: d.Profile, marked: map[string]bool{}}
	h.query = h.wanted(jobs.Query{})
	return h
}

// allProfiles stands in a filter for the jobs of every profile.
const allProfiles = "all"

// wanted is the query of a filter on this screen: unless it names a profile, it is about the
// console's own, and unless it names an order, in the one that was chosen.
func (h *history) wanted(q jobs.Query) jobs.Query {
	if q.Sort == (jobs.Sort{}) {
		q.Sort = h.sort
	}
	switch q.Profile {
	case "":
		q.Profile = h.profile
	case allProfiles:
		q.Profile = ""
	}
	return q
}

// unfiltered reports whether the list was read for an empty filter.
func (h *history) unfiltered() bool {
	return h.shown.Plain() && len(h.shown.States) == 0 && h.shown.Profile == h.profile
}

// belongs reports whether a job is one of those read: the filter selects it, and it is not older
// than the pages read. An older job comes with its page.
func (h *history) belongs(j *jobs.Job) bool {
	if h.shown.Judges() && h.Get(j.ID) == nil {
		return false // which jobs are slow or stuck is for the history to say
	}
	return h.loaded && (h.next == "" || h.reaches(j)) && (h.shown.Matches(j) || h.foundElse(j))
}

// reaches reports whether a job stands within the pages read.
func (h *history) reaches(j *jobs.Job) bool { return h.last == nil || h.Compare(j, h.last) <= 0 }

// foundElse reports whether the history found a listed job by something that the job itself does
// not hold, such as the id of a request or the text of an event: news of the job do not contradict
// that.
func (h *history) foundElse(j *jobs.Job) bool {
	q, was := h.shown, h.Get(j.ID)
	if was == nil || q.Text == "" && len(q.Codes) == 0 || q.Matches(was) {
		return false
	}
	q.Text, q.Codes = "", nil
	return q.Matches(j)
}

// take takes a job that changed, and reports whether that shows. Jobs enter and leave the list as
// the filter says; the current one and marked ones stay until the cursor or the mark goes.
func (h *history) take(j *jobs.Job, current string) bool {
	known, belongs := h.Get(j.ID) != nil, h.belongs(j)
	switch {
	case belongs:
		h.Put(j)
	case !known:
		return false
	case j.ID == current || h.marked[j.ID] || !h.loaded:
		h.Put(j)
	default:
		h.Remove(j.ID)
	}
	if j.ID == current && !belongs {
		h.guest = j.ID
	}
	return true
}

// reload requests the newest page of the current filter; what is there stays until the answer
// comes.
func (h *history) reload() tea.Cmd {
	h.gen++
	h.marking = false
	h.loading, h.err, h.since = true, nil, h.seq
	return load(h.from, h.query, h.gen)
}

// readOn requests the next page.
func (h *history) readOn() tea.Cmd {
	h.loading, h.since = true, h.seq
	q := h.shown
	q.Before = h.next
	return load(h.from, q, h.gen)
}

// replace starts the list anew, for the newest page of a query. It reports whether the cursor
// starts anew, too.
func (h *history) replace(q jobs.Query) bool {
	stay := []*jobs.Job{h.Get(h.guest)}
	if sameButSort(q, h.shown) {
		for id := range h.marked {
			stay = append(stay, h.Get(id))
		}
	} else if h.guest == "" {
		clear(h.marked)
	}
	h.List = joblist.New(compare(q.Sort))
	for _, j := range stay {
		if j != nil {
			h.Put(j)
		}
	}
	h.shown, h.loaded, h.last = q, true, nil
	return h.guest == ""
}

// compare is the order of a list, nil for the usual one.
func compare(s jobs.Sort) func(a, b *jobs.Job) int {
	if s == (jobs.Sort{}) {
		return nil
	}
	return func(a, b *jobs.Job) int { return order.Compare(s, a, b) }
}

// sameButSort reports whether two queries select the same jobs in different orders.
func sameButSort(a, b jobs.Query) bool {
	if a.Sort == b.Sort {
		return false
	}
	a.Sort = b.Sort
	return reflect.DeepEqual(a, b)
}

// add adds the jobs of a page.
func (h *history) add(page jobs.Page) {
	for i := range page.Jobs {
		h.Put(&page.Jobs[i])
		h.last = &page.Jobs[i]
	}
	h.next = page.Next
	if len(page.Jobs) == 0 {
		h.next = "" // a cursor that leads nowhere is not followed
	}
	if j := h.Get(h.guest); j != nil && h.belongs(j) {
		h.guest = ""
	}
}

// invite lists a job that was requested by its id.
func (h *history) invite(j *jobs.Job) {
	h.Put(j)
	if !h.belongs(j) {
		h.dismiss(j.ID)
		h.guest = j.ID
	}
}

// dismiss lets the guest go, since the cursor is on another job; next is the guest to come.
func (h *history) dismiss(next string) {
	j := h.Get(h.guest)
	if j != nil && j.ID != next && !h.marked[j.ID] && !h.belongs(j) {
		h.Remove(j.ID)
	}
	h.guest = ""
}

// nearEnd reports whether it is time to read the next page, with the cursor on the current job and
// that many rows in sight. A job older than all that was read stands below the rest: being on it
// does not call for the pages in between.
func (h *history) nearEnd(current string, cursor, visible int) bool {
	if !h.more() || h.loading {
		return false
	}
	if h.Len() < h.toEnd || h.marking {
		return true
	}
	j := h.Get(current)
	return (j == nil || h.reaches(j)) && cursor+2*max(1, visible) >= h.Len()
}

// more reports whether there is a next page to read.
func (h *history) more() bool { return h.next != "" && h.err == nil }

// sumUp adds up the file transfers of all jobs in the list, and checks whether any job has a
// progress.
func (h *history) sumUp() {
	h.saving, h.moving = jobs.Transfer{}, false
	for i := range h.Len() {
		j := h.At(i)
		if len(j.Files) > 0 {
			h.saving = h.saving.Plus(jobs.TransferOf(j.Files))
		}
		if !h.moving {
			_, h.moving = j.Done()
		}
	}
}

// mark marks a job, or removes the mark.
func (h *history) mark(id string) {
	if h.marked[id] {
		delete(h.marked, id)
	} else {
		h.marked[id] = true
	}
}

// picked are the marked jobs, or else the current one, in the order in which they were made.
func (h *history) picked(current string) []string {
	if len(h.marked) == 0 {
		if current == "" {
			return nil
		}
		return []string{current}
	}
	out := make([]string, 0, len(h.marked))
	for id := range h.marked {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// pair are two marked jobs that have results, in the order in which they were made.
func (h *history) pair() []string {
	if len(h.marked) != 2 {
		return nil
	}
	two := h.picked("")
	if len(h.Get(two[0]).Results()) == 0 || len(h.Get(two[1]).Results()) == 0 {
		return nil
	}
	return two
}
