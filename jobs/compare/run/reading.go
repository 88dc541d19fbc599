package run

import (
	"cmp"
	"context"
	"slices"
	"time"

	"darkroom/jobs/compare"
)

// maxLeft is how many jobs that were left under way [Bench.Load] asks the history about.
const maxLeft = 100

// Load reads a run: one that is live as it is now, others as they were left, and trials that were under way
// then as the history has them now. Its texts are clean, its drafts and its suite are not.
func (b *Bench) Load(ctx context.Context, id string) (compare.Run, error) {
	if r := b.live(id); r != nil {
		return r.snapshot(), nil
	}
	l, err := load(b.o.Dir, id)
	if err != nil {
		return compare.Run{}, err
	}
	left := 0
	for i := range l.run.Trials {
		t := &l.run.Trials[i]
		if !t.Ended() && t.JobID != "" && left < maxLeft {
			left++
			if d, err := b.o.Jobs.Detail(ctx, t.JobID); err == nil && d.Job.Run == id && d.Job.Cell == t.Slot.String() {
				t.Outcome = OutcomeOf(&d.Job, false)
			}
			continue
		}
		if len(t.Files) == 0 {
			continue
		}
		j, err := b.o.Jobs.Judge(ctx, asJob(t, l.more[i].saved))
		if err != nil {
			break // it is shown all the same, and nothing of it is opened
		}
		for k := range t.Files {
			t.Files[k].Here = j.Files[k].Here()
		}
	}
	return l.run, ctx.Err()
}

// News is what changed in a run.
type News struct {
	Run     string
	Name    string
	Status  compare.Status
	EndedAt time.Time
	Live    bool
	// Trouble says why nothing is sent just now, "" for nothing.
	Trouble string
	// Held: nothing goes on before a person resumes what is paused. Trouble says what that is.
	Held bool
	// Trials are those that changed, each as it is now.
	Trials []compare.Trial
	// Checks and CellChecks are those of the run, once it has ended.
	Checks     []compare.Check
	CellChecks map[int][]compare.Check
}

// News returns what changed after seq in the runs that this process is at work on, or was, and the
// newest seq. From 0 on it is all that is known of them, so that nothing is missed by who loads a run and
// then asks. It never blocks and touches no disk.
func (b *Bench) News(seq uint64) ([]News, uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []News
	for _, r := range b.runs {
		if n, ok := r.news(seq); ok {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(x, y News) int { return cmp.Compare(x.Run, y.Run) })
	return out, b.seq
}

// change makes one that is news.
func (b *Bench) change(f func(seq uint64)) {
	b.mu.Lock()
	b.seq++
	f(b.seq)
	b.mu.Unlock()
	b.o.News()
}

// headOf is the head of a run that is live.
func (b *Bench) headOf(id string) (Head, bool) {
	r := b.live(id)
	if r == nil {
		return Head{}, false
	}
	run := r.snapshot()
	h := headOf(&run)
	h.Tally, h.Live = run.Tally(), true
	return h, true
}
