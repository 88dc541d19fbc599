package expand

import (
	"encoding/binary"
	"iter"
	"math/big"
	"math/rand/v2"
)

// Streams of a seed: drawing prompts does not shift the numbers drawn for seeds.
const (
	streamPicks = 0x9E3779B97F4A7C15
	streamSeeds = 0xD1B54A32D192ED03
)

// dice draws numbers from PCG (math/rand/v2), whose sequence for a seed is fixed. The
// reduction to a range is our own, so that it cannot change with a library.
type dice struct{ src *rand.PCG }

func newDice(seed, stream uint64) dice { return dice{rand.NewPCG(seed, stream)} }

// below draws one of 0 … limit-1 with equal probability. It takes as many 64-bit numbers as limit-1
// has, most significant first, cuts off the bits above its length, and repeats until the result is
// below limit.
func (d dice) below(limit *big.Int) *big.Int {
	bits := new(big.Int).Sub(limit, big.NewInt(1)).BitLen()
	words := (bits + 63) / 64
	b := make([]byte, 8*words)
	for {
		for i := range words {
			binary.BigEndian.PutUint64(b[8*i:], d.src.Uint64())
		}
		n := new(big.Int).SetBytes(b)
		n.Rsh(n, uint(64*words-bits))
		if n.Cmp(limit) < 0 {
			return n
		}
	}
}

// deck deals 0 … limit-1 in random order, none twice before all were dealt; then it is shuffled
// again. It remembers the cards dealt, not the whole deck.
type deck struct {
	dice  dice
	limit *big.Int
	left  *big.Int
	moved map[string]*big.Int // by place, what lies there instead of its own number
}

func newDeck(d dice, limit *big.Int) *deck {
	return &deck{dice: d, limit: limit, left: new(big.Int), moved: map[string]*big.Int{}}
}

// deal does one step of a Fisher-Yates shuffle from the back.
func (d *deck) deal() *big.Int {
	if d.left.Sign() == 0 {
		d.left.Set(d.limit)
		clear(d.moved)
	}
	i := d.dice.below(d.left)
	d.left.Sub(d.left, big.NewInt(1))
	got := d.at(i)
	d.moved[string(i.Bytes())] = d.at(d.left)
	delete(d.moved, string(d.left.Bytes()))
	return new(big.Int).Set(got)
}

func (d *deck) at(i *big.Int) *big.Int {
	if n, ok := d.moved[string(i.Bytes())]; ok {
		return n
	}
	return new(big.Int).Set(i)
}

// draw returns n prompts drawn with a seed, each equally likely, none twice before all had their
// turn. The same template, values, files and seed give the same prompts in the same order; a
// smaller n gives the beginning of the same sequence. Each row has a sequence of its own.
func (x *Expansion) draw(n int, seed, row uint64) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		d := newDeck(newDice(seed, streamPicks+row), x.root.count)
		for range n {
			s, err := x.At(d.deal())
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}
