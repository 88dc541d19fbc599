package script

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strconv"
	"sync"
	"time"
)

// Course decides what happens to each of a server's tasks where rules leave it to chance (rate,
// spread) or to what came before (drift). It is deterministic: the same requests of the same seed
// have the same course, whatever order different ones come in; how far a drift has come depends on
// the clock and the number of tasks alone. Make it with [NewCourse]; it is safe for concurrent use.
type Course struct {
	seed  int64
	began time.Time

	mu    sync.Mutex
	equal map[[32]byte]int // how many equal requests there were
	tasks map[string]int   // how many of the models of a pattern
}

// NewCourse returns the course of a server that begins now.
func NewCourse(seed int64, now time.Time) *Course {
	return &Course{seed: seed, began: now, equal: map[[32]byte]int{}, tasks: map[string]int{}}
}

// equalMax bounds what is counted; beyond it the counts begin again.
const equalMax = 100_000

// Decide returns the script of one task: without rules for some tasks alone, and with its drift and
// spread as factors. request is all that was asked for, and is called only when something depends
// on it: of equal requests each is counted, and draws anew.
func (c *Course) Decide(sc Script, model string, request func() []byte, now time.Time) Script {
	chance := c.chances(sc, request)
	rules := sc.Rules
	sc.Rules = nil
	for i, r := range rules {
		if !r.Matches(model) || r.Rate > 0 && chance(argRate+strconv.Itoa(i)) >= r.Rate {
			continue
		}
		sc = sc.With(r.Script)
	}
	p := &sc.Pace
	by := 1.0
	for _, r := range p.Drift {
		by *= r.factor(c.count(r), now.Sub(c.began))
	}
	if p.Spread == nil {
		if len(p.Drift) > 0 {
			p.QueueBy, p.RunBy = by, by
		}
		return sc
	}
	// Even on a scale of factors, so that the median stays where it is.
	vary := func(phase string) float64 { return by * math.Pow(1+*p.Spread, 2*chance(phase)-1) }
	p.QueueBy, p.RunBy = vary("queue"), vary("run")
	return sc
}

// count counts a task for a drift and returns how many came before it.
func (c *Course) count(r Drift) int {
	if r.Tasks == 0 {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.tasks[r.of]
	c.tasks[r.of]++
	return n
}

// chances returns the draws of one request: for every purpose a number from 0 up to 1.
func (c *Course) chances(sc Script, request func() []byte) func(string) float64 {
	if len(sc.Rules) == 0 && sc.Pace.Spread == nil {
		return func(string) float64 { return 0 }
	}
	h := sha256.New()
	_ = binary.Write(h, binary.BigEndian, c.seed)
	_, _ = h.Write(request())
	key := [32]byte(h.Sum(nil))
	c.mu.Lock()
	if len(c.equal) > equalMax {
		clear(c.equal)
	}
	n := c.equal[key]
	c.equal[key]++
	c.mu.Unlock()
	return func(purpose string) float64 {
		sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(key[:], uint64(n)), purpose...))
		return float64(binary.BigEndian.Uint64(sum[:])>>11) / (1 << 53)
	}
}
