// Package views are the saved views of Queue as a row of tabs: filters with a name, with the number of
// jobs where that is cheap to know. Which one shows is told by the filter alone.
package views

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/filter"
	"darkroom/themes"
	"darkroom/tui/widgets"
)

// Store keeps a person's views. Its methods touch the disk, and are called in commands.
type Store interface {
	// All are the views that come with the program with a person's own; with an error those of the
	// program alone.
	All() ([]filter.View, error)
	// Save keeps a view in the place of an own one of the same name; at is its place among the own
	// ones from 1 on, 0 for where it is, or last.
	Save(v filter.View, at int) error
	Remove(name string) error
}

// Bounds of counting.
const (
	// Most is the highest number that is told; more is told as such.
	Most      = 99
	countTime = 30 * time.Second
	// Numbers that news have made stale are read again after a pause: share times as long as it took to
	// read them, within bounds. So numbers that are cheap follow the list, and others cost little.
	share      = 50
	leastPause = time.Second
	mostPause  = time.Minute
)

// Row is the row of tabs. The zero Row keeps no views.
type Row struct {
	Store  Store
	Reader jobs.Reader
	// Query turns the filter of a view into what the screen would ask for, false where it cannot.
	Query func(text string) (jobs.Query, bool)

	all      []filter.View
	counts   map[string]int // by name
	counting bool
	counted  time.Time
	pause    time.Duration
	stale    bool // there was news since
}

// Loaded are the views as they are kept now.
type Loaded struct {
	all []filter.View
	Err error
	// Kept is the name of the view that was just kept, "" where none was.
	Kept string
}

// Counted are the numbers of jobs of views.
type Counted struct {
	counts map[string]int
	took   time.Duration
}

// Load reads the views.
func (r *Row) Load() tea.Cmd { return r.after("", func() error { return nil }) }

// Save keeps a view, and reads all again.
func (r *Row) Save(v filter.View) tea.Cmd {
	return r.after(v.Name, func() error { return r.Store.Save(v, 0) })
}

// Rename gives an own view another name; it keeps its place.
func (r *Row) Rename(v filter.View, name string) tea.Cmd {
	at := 1
	for _, x := range r.all {
		if x.Name == v.Name {
			break
		}
		if x.Own {
			at++
		}
	}
	old := v.Name
	v.Name = name
	return r.after(name, func() error {
		if strings.EqualFold(old, name) {
			return r.Store.Save(v, at)
		}
		if err := r.Store.Save(v, at); err != nil {
			return err
		}
		return r.Store.Remove(old)
	})
}

// Remove removes an own view.
func (r *Row) Remove(name string) tea.Cmd {
	return r.after("", func() error { return r.Store.Remove(name) })
}

// after does something on the disk, and reads the views as they are then.
func (r *Row) after(kept string, do func() error) tea.Cmd {
	if r.Store == nil {
		return nil
	}
	return func() tea.Msg {
		err := do()
		all, readErr := r.Store.All()
		if err == nil {
			err = readErr
		}
		return Loaded{all: all, Err: err, Kept: kept}
	}
}

// Take takes the views.
func (r *Row) Take(m Loaded) {
	r.all = m.all
	r.stale, r.counted = true, time.Time{}
}

// News notes that jobs have changed.
func (r *Row) News() { r.stale = true }

// Again has the numbers be read again at once.
func (r *Row) Again() { r.stale, r.counted = true, time.Time{} }

// Count reads the numbers where they are stale, not too often and one time at a time.
func (r *Row) Count(now time.Time) tea.Cmd {
	if !r.due() || r.Wait(now) > 0 {
		return nil
	}
	r.counting, r.stale, r.counted = true, false, now
	asked := map[string]jobs.Query{}
	for _, v := range r.all {
		if q, ok := r.Query(v.Filter); ok && cheap(&q) {
			q.Sort, q.Limit = jobs.Sort{}, Most+1
			asked[v.Name] = q
		}
	}
	reader := r.Reader
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), countTime)
		defer cancel()
		c, begun := Counted{counts: map[string]int{}}, time.Now()
		for name, q := range asked {
			if page, err := reader.List(ctx, q); err == nil {
				c.counts[name] = len(page.Jobs)
			}
		}
		c.took = time.Since(begun)
		return c
	}
}

// due reports whether the numbers are to be read, now or later.
func (r *Row) due() bool { return len(r.all) > 0 && r.stale && !r.counting }

// Wait is how long it is until stale numbers may be read again, 0 for now or where none are stale.
func (r *Row) Wait(now time.Time) time.Duration {
	if !r.due() || r.counted.IsZero() {
		return 0
	}
	return max(0, r.pause-now.Sub(r.counted))
}

// cheap reports whether a query is answered by an index: it asks for states, or for what is in flight.
func cheap(q *jobs.Query) bool {
	return (len(q.States) > 0 || q.Judges()) && q.Text == "" && len(q.Codes) == 0
}

// TakeCounts takes the numbers.
func (r *Row) TakeCounts(c Counted) {
	r.counting, r.counts = false, c.counts
	r.pause = min(max(leastPause, share*c.took), mostPause)
}

// Len is how many tabs there are, with the one of all jobs; 0 where no views are kept.
func (r *Row) Len() int {
	if len(r.all) == 0 {
		return 0
	}
	return len(r.all) + 1
}

// Filter is the filter of a tab, "" for the first one, which is of all jobs.
func (r *Row) Filter(i int) string {
	if i <= 0 || i > len(r.all) {
		return ""
	}
	return r.all[i-1].Filter
}

// At is the tab of a filter, -1 for none.
func (r *Row) At(text string) int {
	if text = strings.TrimSpace(text); text == "" {
		return 0
	}
	if i := slices.IndexFunc(r.all, func(v filter.View) bool { return v.Filter == text }); i >= 0 {
		return i + 1
	}
	return -1
}

// Active is the view of a filter.
func (r *Row) Active(text string) (filter.View, bool) {
	if i := r.At(text); i > 0 {
		return r.all[i-1], true
	}
	return filter.View{}, false
}

// Named is the view of a name.
func (r *Row) Named(name string) (filter.View, bool) { return filter.FindView(r.all, name) }

// Step is the tab beside that of a filter; beside none it is the first or the last.
func (r *Row) Step(text string, by int) int {
	n, at := r.Len(), r.At(text)
	if at < 0 {
		at = 0
	}
	return (at + by + n) % max(1, n)
}

// zone begins what tabs are called within "tab:".
const zone = "view/"

// Hit is the tab that the value of a "tab:" zone stands for.
func Hit(value string) (int, bool) {
	rest, ok := strings.CutPrefix(value, zone)
	i, err := strconv.Atoi(rest)
	return i, ok && err == nil
}

// View draws the row in w cells, with the tab of the filter that shows.
func (r *Row) View(st *themes.Styles, text string, w int) string {
	tabs := []widgets.Tab{{ID: zone + "0", Label: "all"}}
	for i, v := range r.all {
		tabs = append(tabs, widgets.Tab{ID: fmt.Sprint(zone, i+1), Label: client.CleanLine(v.Name) + r.number(v.Name)})
	}
	return widgets.Line(widgets.Tabs(st, tabs, fmt.Sprint(zone, r.At(text)), w), w)
}

func (r *Row) number(name string) string {
	n, known := r.counts[name]
	switch {
	case !known || n == 0:
		return ""
	case n > Most:
		return fmt.Sprintf(" %d+", Most)
	}
	return fmt.Sprint(" ", n)
}
