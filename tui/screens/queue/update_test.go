package queue

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func TestTheNewestPageShows(t *testing.T) {
	b := open(t, 120, 34, many(5)...)
	assert.Equal(t, jobID(5), b.row())
	assert.Contains(t, b.View(), "take 5")
	assert.Contains(t, b.View(), "1 of 5")
	require.Len(t, b.f.lists, 1)
	assert.Equal(t, FirstPage(b.m.deps.Profile), b.f.lists[0])
}

func TestNewsKeepTheCursorOnItsJob(t *testing.T) {
	b := open(t, 120, 34, many(5)...)
	b.Key("down", "down")
	require.Equal(t, jobID(3), b.row())
	b.f.change(job(6, jobs.Queued))
	b.f.change(job(7, jobs.Queued))
	b.Send(screen.JobsMsg{})
	assert.Equal(t, jobID(3), b.row())
	assert.Equal(t, 4, b.m.list.table.Cursor())
	assert.Contains(t, b.View(), "5 of 7")

	done := job(3, jobs.Failed)
	b.f.change(done)
	b.Send(screen.JobsMsg{})
	assert.Equal(t, jobID(3), b.row())
	assert.Contains(t, b.View(), "content_policy")
}

func TestNewsDoNotScrollWhatIsBeingRead(t *testing.T) {
	b := open(t, 120, 34, many(150)...)
	for range 60 {
		b.Key("down")
	}
	b.Key("up", "up", "up")
	top := b.m.list.jobs.At(b.m.list.table.Top()).ID
	for n := 151; n < 160; n++ {
		b.f.change(job(n, jobs.Queued))
	}
	b.Send(screen.JobsMsg{})
	assert.Equal(t, top, b.m.list.jobs.At(b.m.list.table.Top()).ID)
}

func TestNothingNewDrawsNothing(t *testing.T) {
	b := open(t, 120, 34, many(5)...)
	_ = b.Frame()
	require.True(t, b.m.fresh)
	b.Send(screen.JobsMsg{})
	assert.True(t, b.m.fresh)
}

// A job that is made while the first page is read is neither in the page nor news for a
// list that is there: it must not be lost.
func TestNewsWhileThePageIsRead(t *testing.T) {
	f := newFake(many(3)...)
	m := New(deps(t, f))
	m.SetSize(120, 34)
	cmd := m.Init()
	page := cmd()
	f.change(job(4, jobs.Queued))
	_, _ = m.Update(screen.JobsMsg{})
	require.Equal(t, 0, m.list.jobs.Len())
	_, _ = m.Update(page)
	assert.Equal(t, 4, m.list.jobs.Len())
}

// A job that changes while its page is on its way is no news for the list yet, and the
// page holds it as it was.
func TestAPageThatIsOlderThanTheNews(t *testing.T) {
	b := open(t, 120, 34, many(300)...)
	_, cmd := b.m.Update(tea.KeyMsg{Type: tea.KeyEnd})
	pages := flat(cmd)
	require.Len(t, pages, 1)
	old := job(50, jobs.Running)
	b.f.all[old.ID] = old
	page := pages[0]()
	b.f.change(job(50, jobs.Failed))
	b.Send(screen.JobsMsg{})
	require.Nil(t, b.m.list.jobs.Get(old.ID))
	b.Send(page)
	require.NotNil(t, b.m.list.jobs.Get(old.ID))
	assert.Equal(t, jobs.Failed, b.m.list.jobs.Get(old.ID).State)
}

// TestWhatNobodyWaitsForIsReadQuietly: the rest of a page says nothing, but for who goes there, or asks
// for the list anew.
func TestWhatNobodyWaitsForIsReadQuietly(t *testing.T) {
	m := New(deps(t, newFake(many(300)...)))
	m.SetSize(120, 34)
	page := m.Init()()
	_, rest := m.Update(page)
	require.True(t, m.list.jobs.loading, "the rest of the page")
	require.NotNil(t, rest)
	assert.NotContains(t, m.View(), "reading …")
	for range firstSize {
		_, _ = m.Update(tea.KeyMsg{Type: tea.KeyDown})
	}
	assert.Contains(t, m.View(), "reading …")

	m = New(deps(t, newFake(many(3)...)))
	m.SetSize(120, 34)
	_, _ = m.Update(m.Init()())
	assert.NotContains(t, m.View(), "reading …")
	_, _ = m.Update(tea.KeyMsg{Type: tea.KeyF5})
	assert.Contains(t, m.View(), "reading …")
}

func TestPaging(t *testing.T) {
	b := open(t, 120, 34, many(1000)...)
	b.Limit = 20 * time.Second
	require.Len(t, b.f.lists, 2, "one page is enough at first, and comes in two")
	assert.Equal(t, firstSize, b.f.lists[0].Limit)
	assert.Equal(t, jobID(1001-firstSize), b.f.lists[1].Before)
	assert.Contains(t, b.View(), "1 of 200+")
	b.m.list.table.SetCursor(198)
	b.Key("down")
	require.Len(t, b.f.lists, 3)
	assert.Equal(t, jobID(801), b.f.lists[2].Before)
	assert.Equal(t, jobID(801), b.row(), "the cursor stays where it was put")
	b.Key("G")
	assert.Equal(t, jobID(1), b.row(), "one key goes to the end of the history")
	assert.Len(t, b.f.lists, 4, "which reads the last page, and none of those before")
	assert.Equal(t, pageSize, b.m.list.jobs.Len())
	assert.Contains(t, b.View(), "the last")
	b.Key("up", "up")
	assert.Contains(t, b.View(), "2 before the last")
	tuitest.CheckFrame(t, b.Frame(), 120, 34)
	for i := range 200 {
		require.Equal(t, jobID(3+i), b.row())
		b.Key("k")
	}
	assert.Equal(t, 2*pageSize, b.m.list.jobs.Len(), "pages before it are read when they are needed")
	b.Key("g")
	assert.Equal(t, jobID(1000), b.row(), "and so is the first one")
	assert.Contains(t, b.View(), "1 of 200+")
}

// TestNoKeyIsLost: keys that come while rows are read count, up and down, in list and gallery.
func TestNoKeyIsLost(t *testing.T) {
	b := open(t, 120, 34, many(2500)...)
	b.Limit = 20 * time.Second
	b.Send(burst(strings.Repeat("j", 1000)))
	assert.Equal(t, jobID(1500), b.row(), "1,000 in one read")
	assert.Contains(t, b.View(), "1 001 of ")
	b.Send(burst(strings.Repeat("j", 999) + strings.Repeat("k", 99)))
	assert.Equal(t, jobID(600), b.row())
	b.Send(burst("G" + strings.Repeat("k", 700)))
	assert.Equal(t, jobID(701), b.row(), "what follows G counts from the end")
	b.Send(burst(strings.Repeat("k", 600) + "jj"))
	assert.Equal(t, jobID(1299), b.row())
	b.Send(burst("gjj"))
	assert.Equal(t, jobID(2498), b.row())
	b.Send(burst("G " + "gj"))
	assert.Equal(t, jobID(2499), b.row())
	assert.True(t, b.m.list.jobs.marked[jobID(1)], "a key waits for the job that it means")
	b.Send(burst("g" + strings.Repeat(" ", 300)))
	assert.Len(t, b.m.list.jobs.marked, 301, "a key that marks goes on, too")
	assert.Equal(t, jobID(2200), b.row())
	for range 120 {
		b.Key("pgdown")
	}
	assert.Equal(t, jobID(1), b.row())
	assert.Zero(t, b.m.list.jobs.owed, "at the end nothing is owed")

	b = open(t, 120, 34, many(2500)...)
	b.Limit = 20 * time.Second
	b.Settle(20*time.Second, "the first page", func() bool { return b.m.list.jobs.loaded })
	b.Key("v")
	require.True(t, b.m.gallery)
	cols, _ := b.m.list.grid.Shape()
	b.Send(burst(strings.Repeat("j", 300)))
	assert.Equal(t, jobID(2500-300*cols), b.row())
}

// TestKeysThatWaitAreGivenUp by Escape, a click, another filter, another screen, or a history that
// cannot be read.
func TestKeysThatWaitAreGivenUp(t *testing.T) {
	for name, end := range map[string]func(*bench){
		"escape": func(b *bench) { b.m.Update(tea.KeyMsg{Type: tea.KeyEsc}) },
		"click":  func(b *bench) { b.m.Update(screen.ClickMsg{Zone: "row:3"}) },
		"hidden": func(b *bench) { b.m.Update(screen.HiddenMsg{}) },
		"job":    func(b *bench) { b.m.Update(screen.ShowJob{JobID: jobID(990)}) },
		"error":  func(b *bench) { b.f.listErr = errAway },
	} {
		for _, keys := range []string{"G  ", strings.Repeat("j", 300) + " "} {
			b := open(t, 120, 34, many(1000)...)
			b.Limit = 20 * time.Second
			_, cmd := b.m.Update(burst(keys))
			require.True(t, b.m.list.jobs.waits(), name)
			end(b)
			for _, c := range flat(cmd) {
				b.Send(c())
			}
			assert.False(t, b.m.list.jobs.waits(), name)
			assert.Empty(t, b.m.list.jobs.typed, name)
			assert.Empty(t, b.m.list.jobs.marked, name)
		}
	}
}

// TestTheEndOfAList of which only the last page is read: news, marks, filters, other orders.
func TestTheEndOfAList(t *testing.T) {
	b := open(t, 120, 34, many(1000)...)
	b.Limit = 20 * time.Second
	b.Key("j", " ", "G")
	require.Equal(t, jobID(1), b.row())
	assert.True(t, b.m.list.jobs.marked[jobID(999)], "marks stay, and so do their jobs")
	require.NotNil(t, b.m.list.jobs.Get(jobID(999)))
	b.f.change(job(1001, jobs.Queued))
	b.f.change(job(7, jobs.Failed))
	b.Send(screen.JobsMsg{})
	assert.Nil(t, b.m.list.jobs.Get(jobID(1001)), "a new one stands far above")
	assert.Equal(t, jobs.Failed, b.m.list.jobs.Get(jobID(7)).State)
	b.Key("g")
	assert.Equal(t, jobID(1001), b.row())
	assert.True(t, b.m.list.jobs.marked[jobID(999)])
	b.Key("G")
	b.Key("f5")
	assert.Equal(t, jobID(1), b.row())
	b.Key("esc")
	b.Key("/")
	b.Paste("sort:-model")
	b.Key("enter", "G")
	last := b.row()
	b.Key("*")
	assert.Len(t, b.m.list.jobs.marked, 1001, "all are marked from there, too")
	b.Key("G")
	assert.Equal(t, last, b.row())
}

func TestAPageThatFailsIsNotAskedForAgain(t *testing.T) {
	b := open(t, 120, 34, many(1000)...)
	b.f.listErr = errors.New("disk \x1b[31mon fire")
	b.Key("G")
	require.Len(t, b.f.lists, 3)
	assert.Contains(t, b.View(), "the history cannot be read: disk")
	tuitest.CheckFrame(t, b.Frame(), 120, 34)
	b.Key("up", "down", "G")
	assert.Len(t, b.f.lists, 3)
	assert.Equal(t, 200, b.m.list.jobs.Len(), "what was read stays")
	b.f.listErr = nil
	b.Key("f5")
	assert.NotContains(t, b.View(), "cannot be read")
}

// TestAHistoryThatAnswersAgain is read by itself where that failed while it was away.
func TestAHistoryThatAnswersAgain(t *testing.T) {
	b := open(t, 120, 34, many(1000)...)
	b.f.listErr, b.f.detailErr = errors.New("no server"), errors.New("no server either")
	b.f.flow = jobs.Flow{Away: start}
	b.Key("G", "tab", "right")
	b.Send(screen.JobsMsg{})
	require.Contains(t, b.View(), "the history cannot be read: no server")
	require.Contains(t, b.View(), "no server either")
	lists := len(b.f.lists)
	b.Send(screen.JobsMsg{})
	require.Len(t, b.f.lists, lists, "the engine looks, not each of its readers")
	b.f.listErr, b.f.detailErr, b.f.flow = nil, nil, jobs.Flow{}
	b.Send(screen.JobsMsg{})
	assert.NotContains(t, b.View(), "no server")
	assert.Len(t, b.f.lists, lists+1)
}

func TestAHistoryThatCannotBeRead(t *testing.T) {
	f := newFake(many(3)...)
	f.listErr = errors.New("database is locked")
	b := openWith(t, f, 80, 24)
	assert.Contains(t, b.View(), "the history cannot be read")
	assert.Contains(t, b.View(), "database is locked")
	f.listErr = nil
	b.Key("f5")
	assert.Contains(t, b.View(), "1 of 3")
}

func TestReloadKeepsTheJobUnderTheCursor(t *testing.T) {
	b := open(t, 120, 34, many(500)...)
	b.Key("G", "G")
	at := b.row()
	require.NotEqual(t, jobID(500), at)
	b.Key("f5")
	assert.Equal(t, at, b.row())
	assert.Equal(t, 201, b.m.list.jobs.Len(), "the newest page and the guest")
	n := len(b.f.lists)
	b.Key("up")
	assert.Equal(t, 200+200, b.m.list.jobs.Len()+0, "the guest goes, and the next page comes")
	assert.Len(t, b.f.lists, n+1)
}

func TestShowJobOfTheList(t *testing.T) {
	b := open(t, 120, 34, many(50)...)
	b.Send(screen.ShowJob{JobID: jobID(7)})
	assert.Equal(t, jobID(7), b.row())
	assert.Empty(t, b.f.gets)
}

func TestShowJobOutsideTheListDoesNotReadTheWholeHistory(t *testing.T) {
	b := open(t, 120, 34, many(2000)...)
	b.Send(screen.ShowJob{JobID: jobID(2)})
	assert.Equal(t, jobID(2), b.row())
	assert.Contains(t, b.View(), "take 2")
	assert.Len(t, b.f.gets, 1)
	assert.Len(t, b.f.lists, 2, "the first page, which comes in two")
	b.Send(screen.ShowJob{JobID: jobID(3)})
	assert.Equal(t, jobID(3), b.row())
	assert.Nil(t, b.m.list.jobs.Get(jobID(2)), "one guest at a time")
	b.Key("home")
	assert.Equal(t, jobID(2000), b.row())
	assert.Nil(t, b.m.list.jobs.Get(jobID(3)))
}

func TestShowJobBeforeTheFirstPage(t *testing.T) {
	f := newFake(many(900)...)
	m := New(deps(t, f))
	m.SetSize(120, 34)
	page := m.Init()
	_, cmd := m.Update(screen.ShowJob{JobID: jobID(5)})
	for _, c := range flat(cmd) {
		_, _ = m.Update(c())
	}
	_, _ = m.Update(page())
	assert.Equal(t, jobID(5), m.list.current)
}

func TestShowJobThatIsNot(t *testing.T) {
	b := open(t, 120, 34, many(3)...)
	b.Send(screen.ShowJob{JobID: "nothing"})
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.Bad, toast.Level)
	assert.Contains(t, toast.Text, "no such job")
	assert.Equal(t, jobID(3), b.row())
}

func TestShowJobOnANarrowScreenOpensIt(t *testing.T) {
	b := open(t, 80, 24, many(30)...)
	b.Send(screen.ShowJob{JobID: jobID(4)})
	assert.Contains(t, b.View(), "Facts")
	assert.Contains(t, b.View(), "take 4")
	b.Key("esc")
	assert.NotContains(t, b.View(), "Facts")
	assert.Equal(t, jobID(4), b.row())
}

// flat runs nothing: it takes batches apart.
func flat(cmd tea.Cmd) []tea.Cmd {
	if cmd == nil {
		return nil
	}
	if batch, ok := cmd().(tea.BatchMsg); ok {
		var out []tea.Cmd
		for _, c := range batch {
			out = append(out, flat(c)...)
		}
		return out
	}
	return []tea.Cmd{cmd}
}

func TestDetailsAreAskedForOnlyWhereTheyShow(t *testing.T) {
	b := open(t, 120, 34, many(30)...)
	b.Key("down", "down", "down")
	assert.Empty(t, b.f.details, "the facts are in the list")
	b.Key("tab", "right") // the timeline
	assert.Equal(t, []string{jobID(27)}, b.f.details)
	b.Key("right", "right", "left")
	assert.Len(t, b.f.details, 1, "one answer for all sections")
	b.f.change(job(26, jobs.Failed))
	b.Send(screen.JobsMsg{})
	assert.Len(t, b.f.details, 1, "news of another job")
	b.f.change(job(27, jobs.Failed))
	b.Send(screen.JobsMsg{})
	assert.Len(t, b.f.details, 2)
	b.Send(screen.JobsMsg{}, screen.TickMsg{})
	assert.Len(t, b.f.details, 2)
}

func TestOneDetailIsOnItsWayAtATime(t *testing.T) {
	b := open(t, 120, 34, many(30)...)
	b.m.detail.section = timeline
	_, cmd := b.m.Update(screen.ShownMsg{})
	require.NotNil(t, cmd)
	require.Equal(t, jobID(30), b.m.detail.asking)
	for range 10 {
		_, c := b.m.Update(tea.KeyMsg{Type: tea.KeyDown})
		assert.Empty(t, flat(c))
		b.f.change(job(30, jobs.Running))
		_, c = b.m.Update(screen.JobsMsg{})
		assert.Empty(t, flat(c))
	}
	b.Send(detailMsg{id: jobID(30)})
	assert.Equal(t, []string{jobID(20)}, b.f.details, "the next question is about where the cursor is now")
	assert.Empty(t, b.m.detail.asking)
}

func TestADetailThatFails(t *testing.T) {
	b := open(t, 120, 34, many(3)...)
	b.f.detailErr = errors.New("payload table is corrupt")
	b.Key("tab", "right")
	assert.Contains(t, b.View(), "payload table is corrupt")
	assert.Len(t, b.f.details, 1)
	b.f.detailErr = nil
	b.Key("f5")
	assert.NotContains(t, b.View(), "corrupt")
}

func TestHiddenItMergesAndAsksForNothing(t *testing.T) {
	b := open(t, 120, 34, many(1000)...)
	b.m.detail.section = timeline
	b.Send(screen.HiddenMsg{})
	b.f.took()
	n := b.m.list.jobs.Len()
	b.f.change(job(1001, jobs.Queued))
	b.f.change(job(1000, jobs.Failed))
	b.Send(screen.JobsMsg{})
	assert.Equal(t, n+1, b.m.list.jobs.Len())
	assert.Empty(t, b.f.details)
	assert.Empty(t, b.f.lists)
	assert.Zero(t, b.m.NextTick())
	b.Send(screen.ShownMsg{})
	assert.Equal(t, []string{jobID(1001)}, b.f.details)
	assert.Contains(t, b.View(), "of 201+")
}

func TestTheNewestWaitsUnderTheCursor(t *testing.T) {
	b := open(t, 120, 34, many(5)...)
	b.Send(screen.HiddenMsg{})
	b.f.change(job(6, jobs.Planned))
	b.Send(screen.JobsMsg{})
	b.f.change(job(7, jobs.Planned)) // of which the screen has not heard
	b.Send(screen.ShownMsg{})
	assert.Equal(t, jobID(7), b.row())
	assert.Contains(t, b.View(), "1 of 7")
	b.f.change(job(8, jobs.Planned))
	b.Send(screen.JobsMsg{})
	assert.Equal(t, jobID(7), b.row(), "what is being looked at stays")
	b.Send(screen.HiddenMsg{})
	b.f.change(job(9, jobs.Planned))
	b.Send(screen.JobsMsg{}, screen.ShownMsg{})
	assert.Equal(t, jobID(7), b.row(), "and so does what was chosen below the first row")
}

func TestTicksAreForAgesInSight(t *testing.T) {
	now := start
	f := newFake()
	d := deps(t, f)
	d.Now = func() time.Time { return now }
	m := New(d)
	m.SetSize(80, 24)
	assert.Zero(t, m.NextTick(), "no job, no age")
	young, old := job(2, jobs.Running), job(1, jobs.Completed)
	young.CreatedAt, old.CreatedAt = start.Add(-90*time.Second), start.Add(-5*time.Hour)
	_, _ = m.Update(pageMsg{page: jobs.Page{Jobs: []jobs.Job{young, old}}})
	assert.Equal(t, 30*time.Second, m.NextTick())
	m.SetSize(40, 12)
	assert.Zero(t, m.NextTick(), "the column found no room")
	m.SetSize(80, 24)
	_, _ = m.Update(tea.KeyMsg{Type: tea.KeyEnter})
	assert.Zero(t, m.NextTick(), "the detail is in front")
	m.SetSize(120, 34)
	now = start.Add(10 * time.Second)
	assert.Equal(t, 20*time.Second, m.NextTick())
	assert.Contains(t, tuitest.Plain(m.View()), "1 m")
	now = start.Add(31 * time.Second)
	_, _ = m.Update(screen.TickMsg{Now: now})
	assert.Contains(t, tuitest.Plain(m.View()), "2 m")
}

// What is on the screen for a while without a reason to be woken up.
func TestNothingIsLeftWaiting(t *testing.T) {
	b := open(t, 120, 34, many(30)...)
	b.Limit = 20 * time.Millisecond
	b.Key("down", "tab", "right", "esc", "/", "a", "enter")
	b.Settle(5*time.Second, "the filter's timer", func() bool { return b.Waiting() == 0 })
	for _, msg := range []tea.Msg{screen.ShownMsg{}, screen.TickMsg{}, screen.JobsMsg{}} {
		_, cmd := b.m.Update(msg)
		assert.Empty(t, flat(cmd))
	}
	assert.Empty(t, flat(openFilter(b.m)), "a cursor that blinks would wake the machine up")
	b.m.list.filter.End()
	assert.Empty(t, flat(askTags(b.m)))
}

func TestNarrowScreens(t *testing.T) {
	b := open(t, 40, 12, many(30)...)
	assert.Contains(t, b.View(), "▸")
	b.Key("down", "enter")
	assert.Contains(t, b.View(), "Facts")
	assert.Equal(t, jobID(29), b.row())
	b.Key("down", "pgdown")
	assert.Equal(t, jobID(29), b.row(), "the keys move the text")
	b.Key("right", "esc")
	assert.Contains(t, b.View(), "▸")
	b.Resize(120, 34)
	assert.True(t, strings.Contains(b.View(), "Timeline") && strings.Contains(b.View(), "▸"))
	tuitest.CheckFrame(t, b.Frame(), 120, 34)
}

func TestMouse(t *testing.T) {
	b := open(t, 120, 34, many(60)...)
	b.Click("row:4")
	assert.Equal(t, jobID(56), b.row())
	b.Click("tab:Timeline")
	assert.Equal(t, timeline, b.m.detail.section)
	assert.Equal(t, detailPane, b.m.focus)
	b.Click("tab:Facts")
	b.Click("btn:queue.resubmit")
	o, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.Compose, o.Screen)
	assert.Equal(t, "videos", o.Payload.(screen.ComposeDraft).Format, "it is made as it was")
	b.Wheel("row:4", 3)
	assert.Equal(t, 9, b.m.list.table.Top())
	b.Click("filter")
	assert.True(t, b.Capturing())
	b.Click("row:19")
	assert.False(t, b.Capturing())
	b.Resize(80, 24)
	b.DoubleClick("row:19")
	assert.Contains(t, b.View(), "Facts")
}

func (b *bench) Capturing() bool { return b.m.Capturing() }
