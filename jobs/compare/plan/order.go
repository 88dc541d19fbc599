package plan

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/suite"
)

// Streams of a run's seed: what is drawn from one does not shift the others.
const (
	streamOrder   = 0x6F72646572
	streamSeeds   = 0x7365656473
	streamWarmups = 0x7761726D75
	streamSame    = 0x73616D65
)

// order is fair: a block is one repeat of every cell that can run, shuffled, so that what drifts
// with time hits all cells alike. Warm-ups go first, in blocks of their own.
func order(run *compare.Run) []compare.Slot {
	var able []int
	for i := range run.Cells {
		if run.Cells[i].Cannot == "" {
			able = append(able, run.Cells[i].Number)
		}
	}
	src := rand.NewPCG(run.Seed, streamOrder)
	out := make([]compare.Slot, 0, len(able)*(run.Warmups+run.Repeats))
	block := func(repeat int, warmup bool) {
		first := len(out)
		for _, c := range able {
			out = append(out, compare.Slot{Cell: c, Repeat: repeat, Warmup: warmup})
		}
		b := out[first:]
		for i := len(b) - 1; i > 0; i-- {
			j := below(src, uint64(i+1))
			b[i], b[j] = b[j], b[i]
		}
	}
	for r := range run.Warmups {
		block(r+1, true)
	}
	for r := range run.Repeats {
		block(r+1, false)
	}
	return out
}

// below draws one of 0 … n-1 with equal probability. It is our own, so that the order of a seed cannot
// change with a library.
func below(src *rand.PCG, n uint64) uint64 {
	most := ^uint64(0) - ^uint64(0)%n // a multiple of n
	for {
		if x := src.Uint64(); x < most {
			return x % n
		}
	}
}

// SeedOf is the seed that the trial of a slot is sent, "" for none that is drawn. It depends on the
// run's seed and on the repeat alone, so that all cells of a repeat have the same; repeats and
// warm-ups have different ones.
func SeedOf(run *compare.Run, s compare.Slot) string {
	c := run.Cell(s.Cell)
	if c == nil {
		return ""
	}
	switch {
	case c.Seeds == suite.SeedSame && s.Warmup, c.Seeds == suite.SeedEach && s.Warmup:
		return drawn(run.Seed, streamWarmups, s.Repeat)
	case c.Seeds == suite.SeedSame:
		return drawn(run.Seed, streamSame, 1)
	case c.Seeds == suite.SeedEach:
		return drawn(run.Seed, streamSeeds, s.Repeat)
	}
	return ""
}

// drawn is the n-th number of a stream without repetition, from 1; it fits into a signed 32-bit
// integer, since the range of allowed seeds is not shown.
func drawn(seed, stream uint64, n int) string {
	src := rand.NewPCG(seed, stream)
	seen := map[uint64]bool{}
	for {
		x := 1 + below(src, 1<<31-1)
		if !seen[x] {
			if n--; n < 1 {
				return strconv.FormatUint(x, 10)
			}
		}
		seen[x] = true
	}
}

// DraftOf is what the trial of a slot sends, with the seed of its repeat in it, and the text of that
// seed, "" for none.
func DraftOf(run *compare.Run, s compare.Slot) (d client.Draft, seed string) {
	c := run.Cell(s.Cell)
	if c == nil {
		return d, ""
	}
	d = c.Draft.Clone()
	if seed = SeedOf(run, s); seed != "" {
		if d.Values == nil {
			d.Values = client.Values{}
		}
		d.Values[expand.FieldSeed] = json.Number(seed)
		return d, seed
	}
	seed, _ = d.Values.Text(expand.FieldSeed)
	return d, seed
}
