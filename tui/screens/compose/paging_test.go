package compose

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
func typed(d *finder.Model, r rune) { d.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}) }

func TestOneLookAtATime(t *testing.T) {
	p := paging{dialog: finder.New("x", "")}
	begin := func(anew, ok bool) {
		t.Helper()
		a, b := p.begin()
		assert.Equal(t, [2]bool{anew, ok}, [2]bool{a, b})
	}
	begin(false, true)
	begin(false, false)
	require.True(t, p.came(page{next: "c1"}))
	p.dialog.Add(finder.Item{ID: "1", Text: "one"})
	begin(false, true)
	assert.Equal(t, "c1", p.before, "where the last look ended")
	typed(p.dialog, 'a')
	begin(false, false)
	assert.False(t, p.came(page{next: "c2"}), "another query was typed meanwhile")
	begin(true, true)
	assert.Equal(t, "a", p.query)
	assert.Empty(t, p.before, "the list begins anew")
	assert.False(t, p.came(page{query: "", next: "c3"}), "an answer for another query")
	begin(false, true)
	require.True(t, p.came(page{query: "a"}))
	begin(false, false)
	assert.True(t, p.dialog.Done, "all is read")

	none := paging{}
	_, ok := none.begin()
	assert.False(t, ok, "it is not open")
}

func TestWhatALookSaysWithoutRows(t *testing.T) {
	p := paging{dialog: finder.New("x", "")}
	p.begin()
	p.came(page{next: "more"})
	assert.True(t, p.wanting("nothing", "not with these words"))
	assert.Empty(t, p.dialog.Note)
	p.begin()
	p.came(page{})
	assert.False(t, p.wanting("nothing", "not with these words"))
	assert.Equal(t, "nothing", p.dialog.Note)
	typed(p.dialog, 'a')
	p.begin()
	p.came(page{query: "a"})
	p.wanting("nothing", "not with these words")
	assert.Equal(t, "not with these words", p.dialog.Note)

	assert.Nil(t, p.failed(errors.New("no disk\x1b[2J")))
	assert.Equal(t, "the history could not be read: no disk␛[2J", p.dialog.Note)
	p.dialog.Add(finder.Item{ID: "1", Text: "one"})
	cmd := p.failed(errors.New("no disk"))
	require.NotNil(t, cmd, "there are rows, between which a note would not show")
	msg, ok := cmd().(screen.ToastMsg)
	require.True(t, ok)
	assert.Equal(t, screen.Warn, msg.Level)
}

// paged is a history that is given out in pages of 100.
type paged struct {
	history
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
	got := readPages(h, jobs.Query{}, "a longer word", "", func(_ *jobs.Job, words []string) bool {
		assert.Equal(t, []string{"a", "longer", "word"}, words)
		return false
	})
	assert.Len(t, h.asked, pastPages, "it ends, and goes on when it is asked again")
	assert.Equal(t, "longer", h.asked[0].Text)
	assert.Equal(t, fmt.Sprint(pastPages*pastPage), got.next)
	h.asked = nil
	got = readPages(h, jobs.Query{}, "", got.next, func(*jobs.Job, []string) bool { taken++; return true })
	assert.Equal(t, pastPage, taken, "a page is taken whole")
	assert.Len(t, h.asked, 1)
	assert.Equal(t, fmt.Sprint((pastPages+1)*pastPage), got.next)
}
