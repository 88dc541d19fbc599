package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/dialogs/bulk"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
)

// desk does the work, and notes what was done.
type desk struct {
	done []string
	fail map[string]error
	at   func(id string)
}

func (k *desk) do(ctx context.Context, id string) error {
	if k.at != nil {
		k.at(id)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	k.done = append(k.done, id)
	return k.fail[id]
}

func items(n int, off ...int) (out []bulk.Item) {
	for i := range n {
		it := bulk.Item{ID: fmt.Sprint(i), Name: fmt.Sprintf("job %d", i)}
		for _, x := range off {
			if x == i {
				it.Off = "it has ended\x1b[2J"
			}
		}
		out = append(out, it)
	}
	return out
}

func work(k *desk, all []bulk.Item) bulk.Work {
	return bulk.Work{Verb: "Ask again about", Button: "Ask again", Did: "asked again about", Items: all, Do: k.do}
}

func open(t *testing.T, o bulk.Work) *tuitest.Host {
	t.Helper()
	return tuitest.NewDialog(t, keys.Map{}, bulk.New(o), 80, 24)
}

// TestTheCountIsAskedOnce, and who is left out is told with the reason.
func TestTheCountIsAskedOnce(t *testing.T) {
	k := &desk{}
	h := open(t, work(k, items(5, 1, 3)))
	assert.Contains(t, h.View(), "Ask again about 3 jobs?")
	assert.Contains(t, h.View(), "2 left out: it has ended")
	assert.Contains(t, h.View(), "job 3")
	assert.Empty(t, k.done)
	h.Key("y")
	assert.Equal(t, []string{"0", "2", "4"}, k.done)
	assert.Equal(t, []any{bulk.Done{Jobs: 3}}, h.Answers)
	assert.Contains(t, h.View(), "asked again about 3 jobs", "it stays open: not all was done")
	h.Key("esc")
	assert.Nil(t, h.Top())
}

func TestLeavingItDoesNothing(t *testing.T) {
	for _, names := range [][]string{{"esc"}, {"n"}, {"enter"}, {"tab", "tab", "enter"}} {
		k := &desk{}
		h := open(t, work(k, items(3)))
		h.Key(names...)
		assert.Nil(t, h.Top(), names)
		assert.Empty(t, k.done, names)
		assert.Empty(t, h.Answers)
	}
	k := &desk{}
	h := open(t, work(k, items(3)))
	h.Key("right", "enter")
	assert.Len(t, k.done, 3)
	h = open(t, work(k, items(3)))
	h.Click("btn:bulk-yes")
	assert.Len(t, k.done, 6)
	toast, ok := tuitest.Last[screen.ToastMsg](h.Driver)
	require.True(t, ok)
	assert.Equal(t, "asked again about 3 jobs", toast.Text)
	assert.Nil(t, h.Top(), "all went well: there is nothing to read")
}

// TestAFailureDoesNotStopTheOthers and is told.
func TestAFailureDoesNotStopTheOthers(t *testing.T) {
	k := &desk{fail: map[string]error{"1": errors.New("job 1: the disk is full\x1b[31m")}}
	o := work(k, items(4))
	o.Asked = true
	h := open(t, o)
	assert.Len(t, k.done, 4, "it was agreed to elsewhere")
	assert.Contains(t, h.View(), "1 failed")
	assert.Contains(t, h.View(), "the disk is full")
	assert.Contains(t, h.View(), "asked again about 3 jobs")
	assert.Equal(t, []any{bulk.Done{Jobs: 3}}, h.Answers)
	h.Click("btn:bulk-no")
	assert.Nil(t, h.Top())
}

// TestItIsStoppedBetweenTwoJobs: what is under way is given up, and the rest is left alone.
func TestItIsStoppedBetweenTwoJobs(t *testing.T) {
	k, ended := &desk{}, false
	o := work(k, items(100))
	o.End = func() (string, error) { ended = true; return "", nil }
	d := bulk.New(o)
	k.at = func(id string) {
		if id == "3" {
			d.Update(tuitest.KeyMsg(t, "esc"))
		}
	}
	h := tuitest.NewDialog(t, keys.Map{}, d, 80, 24)
	h.Key("y")
	assert.Equal(t, []string{"0", "1", "2"}, k.done)
	assert.False(t, ended)
	assert.Contains(t, h.View(), "stopped: asked again about 3 jobs; nothing was done to 97 jobs")
	assert.False(t, d.Keep())
}

func TestWhatEndsTheWorkIsTold(t *testing.T) {
	o := work(&desk{}, items(2))
	o.End = func() (string, error) { return "2 jobs, in jobs.csv", nil }
	h := open(t, o)
	h.Key("y")
	toast, _ := tuitest.Last[screen.ToastMsg](h.Driver)
	assert.Equal(t, "2 jobs, in jobs.csv", toast.Text)

	o.End = func() (string, error) { return "", errors.New("the disk is full") }
	h = open(t, o)
	h.Key("y")
	assert.Contains(t, h.View(), "the disk is full")
}

func TestAnySize(t *testing.T) {
	for w := 0; w < 100; w += 7 {
		for h := range 26 {
			d := bulk.New(work(&desk{}, items(40, 1, 2, 3, 4, 5, 6, 7, 8, 9, 30)))
			d.SetStyles(tuitest.Styles(t))
			d.SetSize(w, h)
			assert.LessOrEqual(t, widgets.Width(d.View()), w, "%dx%d", w, h)
		}
	}
}

func TestGoldens(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		k := &desk{fail: map[string]error{"4": errors.New("job 4: the history is full")}}
		h := tuitest.NewDialog(t, keys.Map{}, bulk.New(work(k, items(40, 1, 3))), s[0], s[1])
		h.Golden(fmt.Sprintf("ask-%dx%d", s[0], s[1]))
		h.Key("y")
		h.Golden(fmt.Sprintf("ended-%dx%d", s[0], s[1]))
	}
}
