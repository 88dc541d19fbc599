package queue

import (
	"context"
	"reflect"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/jobs/order"
	"darkroom/tui/screens/queue/internal/folds"
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
	aside   bool      // what is loading is a page that the cursor has not come to
	loaded  bool      // the newest page has come once
	next    string    // cursor of the next page, "" at the end
	last    *jobs.Job // that of the pages read, as it was then
	prev    string    // cursor of the page before, "" where the list begins with the first job
	first   *jobs.Job // that of the pages read, as it was then; nil where the list begins with the first job
	err     error
	stop    context.CancelFunc // ends the read that is on its way
	course

	seq   uint64 // the news taken over
	since uint64 // the news when the page on its way was asked for

	marked  map[string]bool
	guest   string // id of a job that shows although it is not in what was read
	marking bool   // all are marked once the rest is read

	saving jobs.Transfer // of all jobs in the list
	folds  folds.Rows    // how the list is laid out
}

func newHistory(d Deps) history {
	h := history{List: joblist.New(nil), from: d.Jobs, profile: d.Profile, marked: map[string]bool{}}
	h.query = h.wanted(jobs.Query{})
	return h
}

// FirstPage is what the screen asks for first in a console of that profile.
func FirstPage(profile string) jobs.Query { return jobs.Query{Profile: profile, Limit: firstSize} }

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
	return h.loaded && h.within(j) && (h.shown.Matches(j) || h.foundElse(j))
}

// within reports whether a job stands within the pages read.
func (h *history) within(j *jobs.Job) bool {
	return (h.next == "" || h.last == nil || h.Compare(j, h.last) <= 0) && (h.first == nil || h.Compare(j, h.first) >= 0)
}

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
	case !j.Rejected.IsZero() && j.ID != h.guest:
		delete(h.marked, j.ID) // somebody has done with it: the cursor goes on
		h.Remove(j.ID)
		return true
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
	h.marking, h.err = false, nil
	h.halt()
	q := h.query
	if !h.loaded {
		q.Limit = firstSize
	}
	return h.read(q)
}

// halt drops the answer that is on its way.
func (h *history) halt() {
	if h.stop != nil {
		h.stop()
	}
	h.gen++
	h.loading, h.early = false, false
}

// read requests a page.
func (h *history) read(q jobs.Query) tea.Cmd {
	h.loading, h.aside, h.since = true, false, h.seq
	ctx, stop := context.WithTimeout(context.Background(), askLimit)
	h.stop = stop
	return load(ctx, h.from, q, h.gen)
}

// readOn requests the next page; a larger one where the cursor has far to go.
func (h *history) readOn() tea.Cmd {
	q := h.shown
	q.Before = h.next
	size := pageSize
	if h.Len() <= firstSize {
		size -= firstSize // the rest of the page
	}
	q.Limit = min(size+max(0, h.owed)+len(h.typed), maxPage)
	return h.read(q)
}

// readBack requests the page before those read.
func (h *history) readBack() tea.Cmd {
	q := h.shown
	q.Before, q.Sort.Back = h.prev, true
	q.Limit = min(pageSize+max(0, -h.owed)+len(h.typed), maxPage)
	return h.read(q)
}

// readEnd requests the last page. What lies between that and those read is read once it is looked at.
func (h *history) readEnd() tea.Cmd {
	h.halt()
	q := h.shown
	q.Sort.Back = true
	return h.read(q)
}

// narrow shows those of the jobs read that the query selects, until the history tells of all. It
// reports whether there are any: as long as there are none the list stays as it is.
func (h *history) narrow() bool {
	if !h.loaded || h.query.Judges() || h.query.Sort != h.shown.Sort {
		return false
	}
	var some []*jobs.Job
	for i := range min(h.Len(), maxNarrow) {
		if j := h.At(i); h.query.Matches(j) {
			some = append(some, j)
		}
	}
	if len(some) == 0 {
		return false
	}
	h.begin(h.query, some)
	clear(h.marked)
	h.early = true
	return true
}

// begin starts the list anew, with some jobs.
func (h *history) begin(q jobs.Query, some []*jobs.Job) {
	h.List = joblist.New(compare(q.Sort))
	for _, j := range some {
		h.Put(j)
	}
	h.shown, h.loaded = q, true
	h.next, h.last, h.prev, h.first = "", nil, "", nil
}

// kept are the marked jobs.
func (h *history) kept() []*jobs.Job {
	out := make([]*jobs.Job, 0, len(h.marked))
	for id := range h.marked {
		if j := h.Get(id); j != nil {
			out = append(out, j)
		}
	}
	return out
}

// replace starts the list anew, for the newest page of a query; the marks stay where it is a way
// within the list. It reports whether the cursor starts anew, too.
func (h *history) replace(q jobs.Query, way bool) bool {
	var stay []*jobs.Job
	if j := h.Get(h.guest); j != nil {
		stay = append(stay, j)
	}
	if way || sameButSort(q, h.shown) {
		stay = append(stay, h.kept()...)
	} else if h.guest == "" {
		clear(h.marked)
	}
	h.begin(q, stay)
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

// addBack adds the jobs of a page that was read from its end, or begins with it.
func (h *history) addBack(page jobs.Page, q jobs.Query) {
	if q.Before == "" {
		q.Sort.Back = false
		h.guest = ""
		h.begin(q, h.kept())
		if len(page.Jobs) > 0 {
			h.last = &page.Jobs[0]
		}
	}
	for i := range page.Jobs {
		h.Put(&page.Jobs[i])
		h.first = &page.Jobs[i]
	}
	if h.prev = page.Next; h.prev == "" || len(page.Jobs) == 0 {
		h.prev, h.first = "", nil
	}
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

// readAround requests the page that it is time for, with the cursor on the current job and that many
// rows in sight. A job older than all that was read stands below the rest, a newer one above: being on
// one does not call for the pages in between.
func (h *history) readAround(current string, cursor, visible int) tea.Cmd {
	switch {
	case h.way == toEnd && !h.going:
		h.going = true
		return h.readEnd()
	case h.way == toTop && !h.going:
		h.going = true
		return h.reload()
	case h.loading:
		return nil
	case h.more() && (h.owed > 0 || h.marking):
		return h.readOn()
	case h.before() && (h.owed < 0 || h.marking):
		return h.readBack()
	}
	j, near := h.Get(current), max(firstSize, 2*visible)
	var cmd tea.Cmd
	switch {
	case j != nil && !h.within(j):
	case h.more() && cursor+near >= h.Len():
		cmd = h.readOn()
	case h.before() && cursor-near <= 0:
		cmd = h.readBack()
	}
	h.aside = cmd != nil
	return cmd
}

// awaited reports whether a person waits for what is loading, and the list is there already.
func (h *history) awaited() bool { return h.loading && h.loaded && (!h.aside || h.waits()) }

// more reports whether there is a next page to read.
func (h *history) more() bool { return h.next != "" && h.err == nil }

// before reports whether there is a page to read before the first one.
func (h *history) before() bool { return h.prev != "" && h.err == nil }

// sumUp adds up the file transfers of all jobs in the list, and lays their rows out.
func (h *history) sumUp() {
	h.folds.Begin()
	defer h.folds.End()
	h.saving = jobs.Transfer{}
	for i := range h.Len() {
		j := h.At(i)
		h.folds.Add(j.Group)
		if len(j.Files) > 0 {
			h.saving = h.saving.Plus(jobs.TransferOf(j.Files))
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
