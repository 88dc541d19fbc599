// Package paging fills a list from the history, page by page, as far as it is looked at.
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

// History is the part of [jobs.Reader] that jobs are looked for by.
type History interface {
	List(ctx context.Context, q jobs.Query) (jobs.Page, error)
}

// Bounds of one look into the history.
const (
	perPage  = 100 // jobs that are read at a time
	maxPages = 40  // that one look reads before it shows what it has
	enough   = 40  // rows after which it ends
	maxWait  = 20 * time.Second
)

// Pager says what of the history a list looks for next. At most one look is on its way; when what
// is typed has changed meanwhile, the answer is left aside and asked for anew.
type Pager struct {
	List   *finder.Model
	Query  string // that the list is of
	Before string // where the next page begins

	stale bool // the query changed while a look was on its way
}

// Page is what one look has read.
type Page struct {
	Query string
	Next  string // where the one after it begins, "" at the end
	Err   error
}

// Begin prepares the next look; ok is false when there is none to begin: one is on its way, or
// all is read. anew says that the list begins anew, for another query.
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

// Came ends a look. It is false when that was for another query: the newest is to be looked for.
func (p *Pager) Came(got Page) bool {
	p.List.Busy = false
	if p.stale || got.Query != p.Query {
		return false
	}
	p.Before = got.Next
	p.List.Done = got.Next == "" || got.Err != nil
	return true
}

// Failed says why no more is read: below the rows that there are, or in their place.
func (p *Pager) Failed(err error) tea.Cmd {
	p.List.Note = "the history could not be read: " + client.CleanLine(err.Error())
	if p.List.Len() == 0 {
		return nil
	}
	return screen.Toast(screen.Warn, p.List.Note)
}

// Wanting reports whether a long way was gone without a row, so that the next look is to begin;
// at the end of the history it says that there is nothing: at all, or with the words.
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

// Read reads the history from a place on, newest first, until enough jobs were taken. The history
// looks for one word of the query; take looks for all of them.
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

// longest is the word that the history looks for; the others are looked for in what it finds.
func longest(words []string) string {
	best := ""
	for _, w := range words {
		if len(w) > len(best) {
			best = w
		}
	}
	return best
}

// HasAll reports whether a text has all of some lower-case words.
func HasAll(text string, words []string) bool {
	low := strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(low, w) {
			return false
		}
	}
	return true
}
