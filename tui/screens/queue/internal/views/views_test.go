package views_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/filter"
	"darkroom/tui/screens/queue/internal/views"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
)

type store struct {
	own   []filter.View
	saved []int
	err   error
}

func (s *store) All() ([]filter.View, error) { return append(filter.BuiltIn()[:2], s.own...), nil }
func (s *store) Save(v filter.View, at int) error {
	v.Own = true
	s.own, s.saved = append(s.own, v), append(s.saved, at)
	return s.err
}
func (s *store) Remove(name string) error {
	var left []filter.View
	for _, v := range s.own {
		if v.Name != name {
			left = append(left, v)
		}
	}
	s.own = left
	return s.err
}

// reader counts.
type reader struct {
	jobs.Reader
	asked []jobs.Query
	n     int
	took  time.Duration // all reads together
}

func (r *reader) List(_ context.Context, q jobs.Query) (jobs.Page, error) {
	time.Sleep(r.took) //nolint:forbidigo // of a bubble's clock
	r.took = 0
	r.asked = append(r.asked, q)
	return jobs.Page{Jobs: make([]jobs.Job, min(r.n, q.Limit))}, nil
}

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func row(t *testing.T, s *store, r *reader) *views.Row {
	t.Helper()
	x := &views.Row{Store: s, Reader: r, Query: func(text string) (jobs.Query, bool) {
		q, err := filter.Parse(text, now)
		return q, err == nil
	}}
	x.Take(x.Load()().(views.Loaded))
	return x
}

func TestTheFilterTellsTheTab(t *testing.T) {
	r := row(t, &store{own: []filter.View{{Name: "mine", Filter: "tag:x", Own: true}}}, &reader{})
	assert.Equal(t, 4, r.Len())
	assert.Equal(t, 0, r.At(""))
	assert.Equal(t, 3, r.At(" tag:x "))
	assert.Equal(t, -1, r.At("tag:y"))
	assert.Equal(t, "tag:x", r.Filter(3))
	assert.Empty(t, r.Filter(0))
	assert.Empty(t, r.Filter(9))
	assert.Equal(t, 0, r.Step("tag:x", 1))
	assert.Equal(t, 3, r.Step("", -1))
	assert.Equal(t, 1, r.Step("tag:y", 1), "beside none: the first view")
	assert.Equal(t, 3, r.Step("tag:y", -1))
	i, ok := views.Hit("view/2")
	assert.True(t, ok)
	assert.Equal(t, 2, i)
	_, ok = views.Hit("Facts")
	assert.False(t, ok)
	for w := range 60 {
		assert.LessOrEqual(t, widgets.Width(r.View(tuitest.Styles(t), "tag:x", w)), w)
	}
}

// TestOnlyWhatIsCheapIsCounted, one time at a time, and not again without news.
func TestOnlyWhatIsCheapIsCounted(t *testing.T) {
	from := &reader{n: 500}
	r := row(t, &store{own: []filter.View{{Name: "dear", Filter: "state:failed kite"}, {Name: "all", Filter: "-tag:x"}}}, from)
	cmd := r.Count(now)
	require.NotNil(t, cmd)
	assert.Nil(t, r.Count(now), "one time at a time")
	r.TakeCounts(cmd().(views.Counted))
	require.Len(t, from.asked, 2, "failed today, and slow")
	assert.Equal(t, views.Most+1, from.asked[0].Limit)
	assert.Contains(t, r.View(tuitest.Styles(t), "", 80), "failed today 99+")
	assert.Nil(t, r.Count(now.Add(time.Hour)), "there was no news")
	assert.Zero(t, r.Wait(now), "so nothing is waited for")
	r.News()
	assert.Equal(t, time.Second, r.Wait(now))
	assert.Nil(t, r.Count(now.Add(time.Second-1)), "it was just now")
	assert.Zero(t, r.Wait(now.Add(time.Minute)))
	assert.NotNil(t, r.Count(now.Add(time.Second)))
	assert.Zero(t, r.Wait(now), "they are on their way")
}

// TestWhatIsDearIsCountedRarely: a fiftieth of the time at most goes to it. The clock is the bubble's.
func TestWhatIsDearIsCountedRarely(t *testing.T) {
	for took, pause := range map[time.Duration]time.Duration{0: time.Second, 100 * time.Millisecond: 5 * time.Second, time.Hour: time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			r := row(t, &store{own: []filter.View{{Name: "bad", Filter: "state:failed"}}}, &reader{took: took})
			r.TakeCounts(r.Count(now)().(views.Counted))
			r.News()
			assert.Equal(t, pause, r.Wait(now), took)
		})
	}
}

func TestRenamingKeepsThePlace(t *testing.T) {
	s := &store{own: []filter.View{{Name: "a", Filter: "tag:a", Own: true}, {Name: "b", Filter: "tag:b", Own: true}}}
	r := row(t, s, &reader{})
	m := r.Rename(s.own[1], "c")().(views.Loaded)
	assert.NoError(t, m.Err)
	assert.Equal(t, "c", m.Kept)
	assert.Equal(t, []int{2}, s.saved)
	r.Take(m)
	_, there := r.Named("b")
	assert.False(t, there)
	_, there = r.Named("C")
	assert.True(t, there)
	s.err = errors.New("the disk is full")
	assert.Error(t, r.Save(filter.View{Name: "d", Filter: "tag:d"})().(views.Loaded).Err)
	assert.Error(t, r.Remove("c")().(views.Loaded).Err)
	assert.Nil(t, (&views.Row{}).Load())
	assert.Nil(t, (&views.Row{}).Count(now))
}
