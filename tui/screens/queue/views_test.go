package queue

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/filter"
	"darkroom/tui/screen"
)

// viewShelf keeps views in memory, as cmd/library does in a file.
type viewShelf struct {
	own []filter.View
	err error
}

// program are views as they come with the program: what they ask for is not this screen's concern.
func program() []filter.View {
	return []filter.View{
		{Name: "failed today", Filter: "state:failed,refused,lost since:today"}, {Name: "slow", Filter: "is:slow"}, {Name: "stuck", Filter: "is:stuck"},
		{Name: "ambiguous", Filter: "state:ambiguous"}, {Name: "in flight", Filter: "state:queued,running"}, {Name: "too many requests", Filter: "code:429"},
	}
}

func (s *viewShelf) All() ([]filter.View, error) {
	all := program()
	for _, v := range s.own {
		v.Own = true
		all = append(all, v)
	}
	return all, s.err
}

func (s *viewShelf) Save(v filter.View, at int) error {
	if s.err != nil {
		return s.err
	}
	i := slices.IndexFunc(s.own, func(x filter.View) bool { return strings.EqualFold(x.Name, v.Name) })
	if i >= 0 {
		s.own = slices.Delete(s.own, i, i+1)
	} else {
		i = len(s.own)
	}
	if at > 0 {
		i = min(at-1, len(s.own))
	}
	s.own = slices.Insert(s.own, i, v)
	return nil
}

func (s *viewShelf) Remove(name string) error {
	s.own = slices.DeleteFunc(s.own, func(v filter.View) bool { return v.Name == name })
	return s.err
}

func openViews(t *testing.T, s *viewShelf, w, h int, js ...jobs.Job) *bench {
	t.Helper()
	f := newFake(js...)
	d := deps(t, f)
	d.Views = s
	return openDeps(t, d, f, w, h)
}

// TestTheProgramsViewsAreTabs, with numbers of what an index counts, by key and by mouse.
func TestTheProgramsViewsAreTabs(t *testing.T) {
	b := openViews(t, &viewShelf{}, 120, 34, append(many(40), job(41, jobs.Ambiguous))...)
	for _, name := range []string{"failed today", "slow", "stuck", "ambiguous 1"} {
		assert.Contains(t, b.View(), name)
	}
	b.Key(")")
	assert.Equal(t, "state:failed,refused,lost since:today", b.m.list.filter.Text())
	assert.Equal(t, 10, b.m.list.jobs.Len(), "at once")
	b.Click("tab:view/4")
	assert.Equal(t, "state:ambiguous", b.m.list.filter.Text())
	assert.Equal(t, jobID(41), b.row())
	b.Key("(", "(", "(", "(")
	assert.Empty(t, b.m.list.filter.Text())
	assert.Equal(t, 41, b.m.list.jobs.Len())
	b.Key("(")
	assert.Equal(t, "code:429", b.m.list.filter.Text(), "the last one comes before the first")
}

// TestNumbersFollowTheNews, not more often than every few seconds.
func TestNumbersFollowTheNews(t *testing.T) {
	f := newFake(many(8)...)
	d := deps(t, f)
	now := start
	d.Now, d.Views = func() time.Time { return now }, &viewShelf{}
	b := openDeps(t, d, f, 120, 34)
	assert.NotContains(t, b.View(), "ambiguous 1")
	f.change(job(9, jobs.Ambiguous))
	b.Send(screen.JobsMsg{})
	assert.NotContains(t, b.View(), "ambiguous 1", "they were read just now")
	now = now.Add(16 * time.Second)
	b.Key("down")
	assert.Contains(t, b.View(), "ambiguous 1")
	b.f.took()
	b.Key("down", "up")
	assert.Empty(t, f.lists, "without news nothing is read")
	b.Key("f5")
	assert.NotEmpty(t, f.lists)
}

// TestAFilterIsKeptAsAView with the order, renamed and removed.
func TestAFilterIsKeptAsAView(t *testing.T) {
	s := &viewShelf{}
	b := openViews(t, s, 120, 34, many(40)...)
	b.Send(screen.ActionMsg{ID: "queue.keep-view"})
	assert.Contains(t, b.toast(t).Text, "no filter and no order to save")
	b.Key("/")
	b.Paste("kind:video -tag:answered")
	b.Key("enter")
	b.Click("sort:state")
	b.Key("K")
	assert.Contains(t, b.View(), "kind:video -tag:answered sort:state")
	b.Type("open")
	b.Key("enter")
	require.Len(t, s.own, 1)
	assert.Equal(t, filter.View{Name: "open", Filter: "kind:video -tag:answered sort:state"}, s.own[0])
	assert.Contains(t, b.View(), "open", "it is a tab")
	assert.Equal(t, "saved the view open", b.toast(t).Text)

	b.Key("K")
	b.Type("open")
	assert.Contains(t, b.View(), "It takes the place of your view of that name.")
	b.Key("esc", "K")
	b.Type("ambiguous")
	assert.Contains(t, b.View(), "It replaces the built-in view of that name.")
	b.Key("esc", "K", "enter")
	assert.NotNil(t, b.m.stack.Top(), "a view has a name")
	b.Key("esc", "N", "ctrl+u")
	b.Type("unanswered")
	b.Key("enter")
	require.Len(t, s.own, 1)
	assert.Equal(t, "unanswered", s.own[0].Name)
	b.Key("D")
	assert.Contains(t, b.View(), "Remove the view unanswered?")
	b.Key("y")
	assert.Empty(t, s.own)
	assert.NotContains(t, b.View(), "unanswered")

	b.Key("esc", ")")
	b.Send(screen.ActionMsg{ID: "queue.rename-view"})
	assert.Contains(t, b.toast(t).Text, "comes with the program")
}

func TestViewsThatCannotBeReadOrKeptAreTold(t *testing.T) {
	s := &viewShelf{err: errors.New("the views cannot be read\x1b[31m")}
	b := openViews(t, s, 120, 34, many(4)...)
	toast := b.toast(t)
	assert.Contains(t, toast.Text, "the views cannot be read")
	assert.NotContains(t, toast.Text, "\x1b")
	assert.Contains(t, b.View(), "failed today", "those of the program")
	b = open(t, 120, 34, many(4)...)
	assert.NotContains(t, b.View(), "failed today", "none are kept here")
	b.Send(screen.ActionMsg{ID: "queue.next-view"})
	assert.Contains(t, b.toast(t).Text, "no views")
}

func TestGoldenViews(t *testing.T) {
	for _, s := range sizes {
		b := openViews(t, &viewShelf{own: []filter.View{{Name: "unanswered 返事", Filter: "-tag:answered"}}}, s[0], s[1], append(many(60), job(61, jobs.Ambiguous))...)
		b.Key(")")
		b.Golden(fmt.Sprintf("views-%dx%d", s[0], s[1]))
		b.Key("(", "(", "K")
		b.Golden(fmt.Sprintf("views-keep-%dx%d", s[0], s[1]))
	}
}
