// Package paging fills a list from the history, page by page, as the person scrolls.
package paging

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/finder"
)

// History is the part of [jobs.Reader] that searches for jobs.
type History interface {
	List(ctx context.Context, q jobs.Query) (jobs.Page, error)
}

// Bounds of one search of the history.
const (
	perPage  = 100 // jobs that are read at a time
	maxPages = 40  // that one look reads before it shows what it has
	enough   = 40  // rows after which it ends
	maxWait  = 20 * time.Second
)

// Pager says which part of the history a list searches next. At most one search is under way; when
// the query has changed meanwhile, its result is discarded and the new query searched.
type Pager struct {
	List   *finder.Model
	Query  string // the query of the list
	Before string // where the next page begins

	stale bool // the query changed during a search
}

// Page is the result of one search.
type Page struct {
	Query string
	Next  string // where the one after it begins, "" at the end
	Err   error
}

// Begin prepares the next search; ok is false when there is none to begin: one is under way, or
// all is read. anew says that the list starts over, for another query.
func (p *Pager) Begin() (anew, ok bool) {
	d := p.List
	if d.Busy {
		p.stale = p.stale || p.Query != d.Query()
		return false, false
	}
	if q := d.Query(); q != p.Query {
		p.Query, p.Before, anew = q, "", true
		d.Reset()
	}
	if d.Done {
		return anew, false
	}
	d.Busy, p.stale = true, false
	return anew, true
}

// Came ends a search. It is false when the search was for another query: search for the newest
// one.
func (p *Pager) Came(got Page) bool {
	p.List.Busy = false
	if p.stale || got.Query != p.Query {
		return false
	}
	p.Before = got.Next
	p.List.Done = got.Next == "" || got.Err != nil
	return true
}

// Failed says why reading stopped: below the rows, or in their place.
func (p *Pager) Failed(err error) tea.Cmd {
	p.List.Note = "the history could not be read: " + client.CleanLine(err.Error())
	if p.List.Len() == 0 {
		return nil
	}
	return screen.Toast(screen.Warn, p.List.Note)
}

// Wanting reports whether a long stretch held no match, so that the next search must begin; at the
// end of the history it says that there is nothing: at all, or with the words.
func (p *Pager) Wanting(nothing, without string) bool {
	d := p.List
	switch {
	case d.Len() > 0:
		return false
	case !d.Done:
		return true
	case p.Query == "":
		d.Note = nothing
	default:
		d.Note = without
	}
	return false
}

// Read reads the history from a position, newest first, until enough jobs were taken. The history
// searches for one word of the query; take must check all of them.
func Read(h History, q jobs.Query, query, before string, take func(j *jobs.Job, words []string) bool) Page {
	ctx, stop := context.WithTimeout(context.Background(), maxWait)
	defer stop()
	out := Page{Query: query, Next: before}
	words := strings.Fields(strings.ToLower(query))
	q.Text, q.Limit = longest(strings.Fields(query)), perPage
	taken := 0
	for range maxPages {
		q.Before = out.Next
		got, err := h.List(ctx, q)
		if err != nil {
			out.Err = err
			return out
		}
		for i := range got.Jobs {
			if take(&got.Jobs[i], words) {
				taken++
			}
		}
		if out.Next = got.Next; out.Next == "" || taken >= enough {
			break
		}
	}
	return out
}

// longest is the word that the history searches for; the others are searched for in its results.
func longest(words []string) string {
	best := ""
	for _, w := range words {
		if len(w) > len(best) {
			best = w
		}
	}
	return best
}

// HasAll reports whether a text contains all of the given lower-case words.
func HasAll(text string, words []string) bool {
	low := strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(low, w) {
			return false
		}
	}
	return true
}
