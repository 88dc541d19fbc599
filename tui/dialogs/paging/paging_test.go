package paging

import (
	"context"
	"errors"
	"fmt"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/finder"
)

// typed types a letter into a dialog.
func typed(d *finder.Model, r rune) { d.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}) }

func TestOneLookAtATime(t *testing.T) {
	p := Pager{List: finder.New("x", "")}
	begin := func(anew, ok bool) {
		t.Helper()
		a, b := p.Begin()
		assert.Equal(t, [2]bool{anew, ok}, [2]bool{a, b})
	}
	begin(false, true)
	begin(false, false)
	require.True(t, p.Came(Page{Next: "c1"}))
	p.List.Add(finder.Item{ID: "1", Text: "one"})
	begin(false, true)
	assert.Equal(t, "c1", p.Before, "where the last look ended")
	typed(p.List, 'a')
	begin(false, false)
	assert.False(t, p.Came(Page{Next: "c2"}), "another query was typed meanwhile")
	begin(true, true)
	assert.Equal(t, "a", p.Query)
	assert.Empty(t, p.Before, "the list begins anew")
	assert.False(t, p.Came(Page{Query: "", Next: "c3"}), "an answer for another query")
	begin(false, true)
	require.True(t, p.Came(Page{Query: "a"}))
	begin(false, false)
	assert.True(t, p.List.Done, "all is read")
}

func TestWhatALookSaysWithoutRows(t *testing.T) {
	p := Pager{List: finder.New("x", "")}
	p.Begin()
	p.Came(Page{Next: "more"})
	assert.True(t, p.Wanting("nothing", "not with these words"))
	assert.Empty(t, p.List.Note)
	p.Begin()
	p.Came(Page{})
	assert.False(t, p.Wanting("nothing", "not with these words"))
	assert.Equal(t, "nothing", p.List.Note)
	typed(p.List, 'a')
	p.Begin()
	p.Came(Page{Query: "a"})
	p.Wanting("nothing", "not with these words")
	assert.Equal(t, "not with these words", p.List.Note)

	assert.Nil(t, p.Failed(errors.New("no disk\x1b[2J")))
	assert.Equal(t, "the history could not be read: no disk␛[2J", p.List.Note)
	p.List.Add(finder.Item{ID: "1", Text: "one"})
	cmd := p.Failed(errors.New("no disk"))
	require.NotNil(t, cmd, "there are rows, between which a note would not show")
	msg, ok := cmd().(screen.ToastMsg)
	require.True(t, ok)
	assert.Equal(t, screen.Warn, msg.Level)
}

// paged is a history that is given out in pages of 100.
type paged struct {
	History
	all   int
	asked []jobs.Query
}

func (h *paged) List(_ context.Context, q jobs.Query) (jobs.Page, error) {
	h.asked = append(h.asked, q)
	from := 0
	_, _ = fmt.Sscan(q.Before, &from)
	out := jobs.Page{}
	for i := from; i < min(h.all, from+q.Limit); i++ {
		out.Jobs = append(out.Jobs, jobs.Job{ID: fmt.Sprint(i), Draft: client.Draft{Prompt: "x"}})
	}
	if from += q.Limit; from < h.all {
		out.Next = fmt.Sprint(from)
	}
	return out, nil
}

func TestALookIsBounded(t *testing.T) {
	h := &paged{all: 1_000_000}
	taken := 0
	got := Read(h, jobs.Query{}, "a longer word", "", func(_ *jobs.Job, words []string) bool {
		assert.Equal(t, []string{"a", "longer", "word"}, words)
		return false
	})
	assert.Len(t, h.asked, maxPages, "it ends, and goes on when it is asked again")
	assert.Equal(t, "longer", h.asked[0].Text)
	assert.Equal(t, fmt.Sprint(maxPages*perPage), got.Next)
	h.asked = nil
	got = Read(h, jobs.Query{}, "", got.Next, func(*jobs.Job, []string) bool { taken++; return true })
	assert.Equal(t, perPage, taken, "a page is taken whole")
	assert.Len(t, h.asked, 1)
	assert.Equal(t, fmt.Sprint((maxPages+1)*perPage), got.Next)
}
