package past_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/dialogs/past"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// history is one of jobs, newest first.
type history struct {
	all   []jobs.Job
	asked []jobs.Query
	err   error
}

func (h *history) List(_ context.Context, q jobs.Query) (jobs.Page, error) {
	h.asked = append(h.asked, q)
	if h.err != nil {
		return jobs.Page{}, h.err
	}
	var p jobs.Page
	for _, j := range h.all {
		if q.Before != "" && j.ID >= q.Before || !strings.Contains(strings.ToLower(j.Draft.Prompt), strings.ToLower(q.Text)) {
			continue
		}
		if len(p.Jobs) == q.Limit {
			p.Next = p.Jobs[len(p.Jobs)-1].ID
			break
		}
		p.Jobs = append(p.Jobs, j)
	}
	return p, nil
}

// sent are n jobs, newest first; every prompt was sent twice.
func sent(n int) *history {
	h := &history{}
	for i := n; i > 0; i-- {
		h.all = append(h.all, jobs.Job{ID: fmt.Sprintf("0198c0de-%08d", i), CreatedAt: time.Unix(1_700_000_000-int64(n-i)*3600, 0),
			Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Prompt: fmt.Sprintf("kite %d over 塩の平原 🪁\nand מישור המלח", i/2)}})
	}
	return h
}

// bound are the dialog's own keys.
var bound = keys.New(screen.Rows(past.Commands()))

func dialog(h *history) *past.Dialog {
	return past.New(past.Options{History: h, Keys: bound, Now: func() time.Time { return time.Unix(1_700_000_000, 0) }})
}

func open(t *testing.T, h *history, width, height int) *tuitest.Host {
	return tuitest.NewDialog(t, bound, dialog(h), width, height)
}

func TestAPromptIsFoundByItsWords(t *testing.T) {
	h := sent(30)
	b := open(t, h, 120, 40)
	assert.Contains(t, b.View(), "1 of 16", "each prompt once")
	b.Type("12 KITE")
	assert.Contains(t, b.View(), "1 of 1 ", "all words, in any order")
	assert.Equal(t, "KITE", h.asked[len(h.asked)-1].Text, "the longest is looked for")
	b.Key("enter")
	assert.Equal(t, []any{past.Taken{JobID: "0198c0de-00000025"}}, b.Answers, "the newest with this prompt")
	assert.Nil(t, b.Top())
}

func TestAWholeJobIsTaken(t *testing.T) {
	b := open(t, sent(30), 120, 34)
	b.Key("down", "alt+enter")
	assert.Equal(t, []any{past.Taken{JobID: "0198c0de-00000029", Whole: true}}, b.Answers)
}

func TestThePastComesInPages(t *testing.T) {
	h := sent(1500)
	b := open(t, h, 120, 34)
	assert.Len(t, h.asked, 1, "not all of it at once")
	for range 240 {
		b.Key("pgdown")
	}
	assert.Contains(t, b.View(), "751 of 751")
	assert.Len(t, h.asked, 15, "each page once")
}

func TestThePastWithoutAnything(t *testing.T) {
	h := sent(0)
	b := open(t, h, 80, 24)
	assert.Contains(t, b.View(), "nothing was sent yet")
	b.Key("enter", "alt+enter")
	require.NotNil(t, b.Top(), "there is nothing to take")
	b.Key("esc")
	assert.Nil(t, b.Top())
	h.err = errors.New("the disk is gone")
	b.Show(dialog(h))
	assert.Contains(t, b.View(), "the disk is gone")
	assert.Empty(t, b.Answers)
}

func TestASlowLookDoesNotShowForAnotherQuery(t *testing.T) {
	d := dialog(sent(30))
	d.SetStyles(tuitest.Styles(t))
	d.SetSize(120, 34)
	slow := d.Init()
	assert.Nil(t, d.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("7")}), "one look at a time")
	next := d.Update(slow())
	require.NotNil(t, next)
	assert.NotContains(t, tuitest.Plain(d.View()), "kite", "that was for another query")
	d.Update(next())
	assert.Contains(t, tuitest.Plain(d.View()), "kite 7 over")
	other := dialog(sent(2))
	d.Update(other.Init()())
	assert.NotContains(t, tuitest.Plain(d.View()), "kite 1 over", "nor what another dialog looked for")
}

func TestActionsAndClicks(t *testing.T) {
	b := open(t, sent(30), 120, 34)
	b.Click("find:3")
	b.Send(screen.WheelMsg{Delta: 2})
	b.Do("past.job")
	require.Len(t, b.Answers, 1)
	b.Show(dialog(sent(0)))
	assert.NotEmpty(t, b.Actions()[0].Off)
	assert.NotEmpty(t, b.ShortHelp())
	b.Do("past.close")
	assert.Nil(t, b.Top())
}
