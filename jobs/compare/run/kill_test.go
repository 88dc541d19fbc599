package run

import (
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/compare"
)

var errKilled = errors.New("killed")

// killer ends everything at one step: what it writes then is half there, and nothing comes after it.
type killer struct {
	mu    sync.Mutex
	left  int
	dead  bool
	steps int
}

func (k *killer) step(string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.steps++
	if k.left--; k.dead || k.left == 0 {
		k.dead = true
		return errKilled
	}
	return nil
}

// dying is a journal's file that may be the last thing that is written.
type dying struct {
	k *killer
	f *os.File
}

func (d dying) Write(b []byte) (int, error) {
	d.k.mu.Lock()
	was := d.k.dead
	d.k.mu.Unlock()
	if err := d.k.step("write"); err != nil {
		if !was {
			_, _ = d.f.Write(b[:len(b)*2/3])
		}
		return 0, err
	}
	return d.f.Write(b)
}

func (d dying) Sync() error { return d.k.step("sync") }

// TestKilledBetweenAnyTwoSteps: whatever was the last thing that happened, a run that is resumed sends
// each slot once, but for those that failed.
func TestKilledBetweenAnyTwoSteps(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		if killedAt(t, at) < at {
			require.Greater(t, at, 40, "there are so many steps")
			return
		}
	}
}

// killedAt kills a run at a step, and again at the same step of each resumption but the last, and returns
// how many steps there were in the first life.
func killedAt(t *testing.T, at int) (steps int) {
	h := newHistory(func(cell string, n int) life {
		switch l := (life{queued: 100 * time.Millisecond, running: time.Second, saving: time.Second}); {
		case cell == "1.2" || cell == "2.2" && n == 1:
			l.end = jobs.Failed
			return l
		case cell == "3.1":
			return life{end: jobs.Ambiguous}
		default:
			return l
		}
	})
	bubble(t, h, nil, func(t *testing.T, first *Bench) {
		id := "01890000-0000-7000-8000-000000000001"
		plan := planOf(3, 2, 1)
		plan.ID = id
		for round := 0; ; round++ {
			k := &killer{left: at}
			if round >= 3 {
				k.left = 0 // it lives on
			}
			o := first.o
			o.wrap = func(f *os.File) file { return dying{k, f} }
			h.mu.Lock()
			h.step = k.step
			h.mu.Unlock()
			b := New(o)
			var err error
			if round == 0 {
				_, err = b.Start(t.Context(), plan)
			} else {
				err = b.Resume(t.Context(), id)
			}
			pass(30 * time.Second)
			b.Close()
			if round == 0 {
				steps = k.steps
			}
			if round >= 3 {
				require.NoError(t, err)
			}
			if round == 4 {
				break
			}
		}
		h.mu.Lock()
		h.step = nil
		h.mu.Unlock()
		r, err := first.Load(t.Context(), id)
		require.NoError(t, err)
		for cell, n := range h.counts() {
			switch cell {
			case "1.2", "2.2": // it fails, and is sent again each time somebody asks for it
			default:
				assert.Equal(t, 1, n, "killed at %d: %s", at, cell)
			}
		}
		assert.Equal(t, 2, h.counts()["2.2"], "killed at %d", at)
		assert.Equal(t, compare.Ended, r.Status, "killed at %d", at)
		tally := r.Tally()
		assert.Equal(t, []int{6, 4, 0}, []int{tally.Sent, tally.Done, tally.Open}, "killed at %d: %v", at, states(&r))
		for i := range r.Trials {
			assert.NotEmpty(t, r.Trials[i].JobID)
		}
		assert.Len(t, r.Trials, len(h.sent()), "each job has its trial, and each trial its job")
	})
	return steps
}
