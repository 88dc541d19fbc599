package compose

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

// history is the part of [jobs.Reader] that former jobs are looked for by.
type history interface {
	List(ctx context.Context, q jobs.Query) (jobs.Page, error)
	Get(ctx context.Context, id string) (jobs.Job, error)
}

// Bounds of one look into the history.
const (
	pastPage  = 100 // jobs that are read at a time
	pastPages = 40  // that one look reads before it shows what it has
	pastWant  = 40  // rows after which it ends
	pastWait  = 20 * time.Second
)

// paging fills a dialog from the history as far as it is looked at. At most one look is on its
// way; when what is typed has changed meanwhile, the answer is left aside and asked for anew.
type paging struct {
	dialog *finder.Model // nil when it is not open
	query  string        // that the list is of
	before string        // where the next page begins
	stale  bool          // the query changed while a look was on its way
}

// page is what one look has read.
type page struct {
	query string
	next  string // where the one after it begins, "" at the end
	err   error
}

// begin prepares the next look; ok is false when there is none to begin: one is on its way, or
// all is read. anew says that the list begins anew, for another query.
func (p *paging) begin() (anew, ok bool) {
	d := p.dialog
	if d == nil {
		return false, false
	}
	if d.Busy {
		p.stale = p.stale || p.query != d.Query()
		return false, false
	}
	if q := d.Query(); q != p.query {
		p.query, p.before, anew = q, "", true
		d.Reset()
	}
	if d.Done {
		return anew, false
	}
	d.Busy, p.stale = true, false
	return anew, true
}

// came ends a look. fits is false when it was for another query: the newest is to be looked for.
func (p *paging) came(got page) (fits bool) {
	p.dialog.Busy = false
	if p.stale || got.query != p.query {
		return false
	}
	p.before = got.next
	p.dialog.Done = got.next == "" || got.err != nil
	return true
}

// failed says why no more is read: below the rows that there are, or in their place.
func (p *paging) failed(err error) tea.Cmd {
	p.dialog.Note = "the history could not be read: " + client.CleanLine(err.Error())
	if p.dialog.Len() == 0 {
		return nil
	}
	return screen.Toast(screen.Warn, p.dialog.Note)
}

// wanting reports whether a long way was gone without a row, so that the next look is to begin;
// at the end of the history it says that there is nothing: at all, or with the words.
func (p *paging) wanting(nothing, without string) bool {
	d := p.dialog
	switch {
	case d.Len() > 0:
		return false
	case !d.Done:
		return true
	case p.query == "":
		d.Note = nothing
	default:
		d.Note = without
	}
	return false
}

// readPages reads the history from a place on, newest first, until enough jobs were taken. The
// history looks for one word of the query; take looks for all of them.
func readPages(h history, q jobs.Query, query, before string, take func(j *jobs.Job, words []string) bool) page {
	ctx, stop := context.WithTimeout(context.Background(), pastWait)
	defer stop()
	out := page{query: query, next: before}
	words := strings.Fields(strings.ToLower(query))
	q.Text, q.Limit = longest(strings.Fields(query)), pastPage
	taken := 0
	for range pastPages {
		q.Before = out.next
		got, err := h.List(ctx, q)
		if err != nil {
			out.err = err
			return out
		}
		for i := range got.Jobs {
			if take(&got.Jobs[i], words) {
				taken++
			}
		}
		if out.next = got.Next; out.next == "" || taken >= pastWant {
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

func hasAll(text string, words []string) bool {
	low := strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(low, w) {
			return false
		}
	}
	return true
}
