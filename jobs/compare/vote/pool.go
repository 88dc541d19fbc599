package vote

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"

	"darkroom/client"
	"darkroom/jobs/compare"
)

// item is one result that can be judged.
type item struct {
	job    string
	group  string
	prompt compare.Prompt
	file   compare.File
	// to is the end of the results of the same prompt and kind, next the first of them in a later group.
	next, to int
}

// pool is every pair of a run: two results of one prompt and one kind, of different groups. They are
// counted, and found by their number, without being listed: ten thousand cells make millions of pairs.
type pool struct {
	items  []item   // by prompt, kind, group and slot
	before []uint64 // how many pairs come before those whose first side is an item
	n      uint64
	jobs   map[string]int // where the result of a job stands
}

// newPool takes the newest attempt of each slot that completed with something to judge.
func newPool(run *compare.Run) *pool {
	p := &pool{jobs: map[string]int{}}
	formats := run.Formats()
	for _, t := range run.Latest() {
		c := run.Cell(t.Slot.Cell)
		f, ok := judged(t)
		if c == nil || t.Slot.Warmup || !t.OK() || !ok || t.JobID == "" {
			continue
		}
		p.items = append(p.items, item{job: t.JobID, group: c.Group(formats), prompt: c.Prompt, file: f})
	}
	slices.SortStableFunc(p.items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.prompt.ID, b.prompt.ID), cmp.Compare(a.prompt.Text, b.prompt.Text),
			cmp.Compare(a.file.Kind, b.file.Kind), cmp.Compare(a.group, b.group))
	})
	p.before = make([]uint64, len(p.items))
	for from := 0; from < len(p.items); {
		to := from + 1
		for to < len(p.items) && p.items[to].prompt == p.items[from].prompt && p.items[to].file.Kind == p.items[from].file.Kind {
			to++
		}
		next := to
		for i := to - 1; i >= from; i-- {
			if i+1 < to && p.items[i].group != p.items[i+1].group {
				next = i + 1
			}
			p.items[i].next, p.items[i].to = next, to
		}
		from = to
	}
	for i, it := range p.items {
		p.before[i], p.jobs[it.job] = p.n, i
		p.n += uint64(it.to - it.next)
	}
	return p
}

// judged is the file of a trial that people judge: its video, else its picture, else its sound. Only what
// this installation saved is opened.
func judged(t *compare.Trial) (compare.File, bool) {
	for _, kind := range []client.AssetKind{client.AssetVideo, client.AssetImage, client.AssetAudio} {
		for _, f := range t.Files {
			if f.Kind == kind && f.Here && f.Path != "" {
				return f, true
			}
		}
	}
	return compare.File{}, false
}

// pair returns a pair by its number, which is below n.
func (p *pool) pair(k uint64) (a, b *item) {
	i := sort.Search(len(p.items), func(i int) bool { return p.before[i] > k }) - 1
	return &p.items[i], &p.items[p.items[i].next+int(k-p.before[i])]
}

// pairKey names a pair of jobs, whichever stands first.
func pairKey(a, b string) string { return min(a, b) + " " + max(a, b) }

// order draws the numbers below n, each once, so that every order is equally likely. It holds only
// what was drawn.
type order struct {
	rng      *rand.Rand
	n, drawn uint64
	moved    map[uint64]uint64
}

func newOrder(seed, n uint64) *order {
	return &order{rng: rand.New(rand.NewPCG(seed, 0)), n: n, moved: map[uint64]uint64{}} // #nosec G404 -- to be drawn again
}

// next draws one; false when all were drawn.
func (o *order) next() (uint64, bool) {
	if o.drawn == o.n {
		return 0, false
	}
	at := func(i uint64) uint64 {
		if v, ok := o.moved[i]; ok {
			return v
		}
		return i
	}
	i := o.drawn
	j := i + o.rng.Uint64N(o.n-i)
	v := at(j)
	o.moved[j] = at(i)
	delete(o.moved, i)
	o.drawn++
	return v, true
}

// orderSeed is the seed of the order of a run's pairs: one for all its judges, so that they meet the
// same pairs, and how far they agree can be told.
func orderSeed(run *compare.Run) uint64 { return hashed(run.Seed, run.ID) }

// turned says whether the sides of a pair change places for a judge.
func turned(seed uint64, key string) bool { return hashed(seed, key)&1 == 1 }

func hashed(seed uint64, text string) uint64 {
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, seed), text...))
	return binary.BigEndian.Uint64(sum[:])
}

// groups are those that have a result, sorted.
func (p *pool) groups() []string {
	var out []string
	for _, it := range p.items {
		out = append(out, it.group)
	}
	slices.SortFunc(out, strings.Compare)
	return slices.Compact(out)
}

// of is the result of a job, nil for none.
func (p *pool) of(job string) *item {
	if i, ok := p.jobs[job]; ok {
		return &p.items[i]
	}
	return nil
}
