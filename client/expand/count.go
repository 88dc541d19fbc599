package expand

import (
	"errors"
	"math/big"
	"slices"
)

// maxBits bounds the number of possibilities, in bits; a template with more is refused.
const maxBits = 1 << 12

// errUncountable is the error for a template that only mischief would write.
var errUncountable = errors.New("the template has more possibilities than can be counted (over 2^4096)")

// number counts every node.
func (x *Expansion) number(lib *Library) error {
	c := counter{x.vars, lib}
	_, err := c.counted(x.root)
	return err
}

// counter counts the possibilities of the nodes of an expansion.
type counter struct {
	vars []*value
	lib  *Library // holds the tables of its choices
}

// Count is how many prompts the template makes, at least one. Alternatives with the same text count
// separately.
func (x *Expansion) Count() *big.Int { return new(big.Int).Set(x.root.count) }

// counted is the number of possibilities of a node with the variables that it binds.
func (c counter) counted(n *node) (*big.Int, error) {
	if n.count != nil {
		return n.count, nil
	}
	own, err := c.countOwn(n)
	if err != nil {
		return nil, err
	}
	all := new(big.Int).Set(own)
	for _, v := range n.binds {
		some, err := c.counted(c.vars[v].node)
		if err != nil {
			return nil, err
		}
		if err := times(all, some); err != nil {
			return nil, err
		}
	}
	n.own, n.count = own, all
	return all, nil
}

func (c counter) countOwn(n *node) (*big.Int, error) {
	if n.kind == isSeq {
		return c.countSeq(n)
	}
	counts := make([]*big.Int, len(n.kids))
	for i, k := range n.kids {
		some, err := c.counted(k)
		if err != nil {
			return nil, err
		}
		counts[i] = some
	}
	switch n.kind {
	case isAlt:
		return n.countAlt(counts)
	case isPick:
		return c.countPicks(n, counts)
	default:
		return big.NewInt(1), nil
	}
}

// countSeq multiplies, and stops once the product is too large.
func (c counter) countSeq(n *node) (*big.Int, error) {
	all := big.NewInt(1)
	for _, k := range n.kids {
		some, err := c.counted(k)
		if err != nil {
			return nil, err
		}
		if err := times(all, some); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// countAlt adds up, and notes where each kid begins.
func (n *node) countAlt(counts []*big.Int) (*big.Int, error) {
	sum := new(big.Int)
	starts := make([]*big.Int, len(counts))
	each := true // has one
	for i, c := range counts {
		starts[i] = new(big.Int).Set(sum)
		sum.Add(sum, c)
		each = each && isOne(c)
	}
	if sum.BitLen() > maxBits {
		return nil, errUncountable
	}
	if !each {
		n.starts = starts
	}
	return sum, nil
}

// maxWays bounds the tables used to count choices of several alternatives, in machine words, for
// all prompts of a batch together: some 60 MB.
const maxWays = 1_000_000

// shape is what the table of a choice depends on: how many are taken, out of how many, and the
// alternatives; first is nil if each of them has one possibility.
type shape struct {
	first    **node
	of, most int
}

// countPicks counts the ways to take k of the kids from the j-th on, for all j and k.
// Choices of the same shape share their table.
func (c counter) countPicks(n *node, counts []*big.Int) (*big.Int, error) {
	s := shape{&n.kids[0], len(counts), n.max}
	if !slices.ContainsFunc(counts, func(c *big.Int) bool { return !isOne(c) }) {
		s.first = nil
	}
	var ok bool
	if n.ways, ok = c.lib.ways[s]; !ok {
		var err error
		if n.ways, err = c.waysTable(n, counts); err != nil {
			return nil, err
		}
		c.lib.ways[s] = n.ways
	}
	sum := new(big.Int)
	for k := n.min; k <= n.max; k++ {
		sum.Add(sum, n.ways[0][k])
	}
	if sum.BitLen() > maxBits {
		return nil, errUncountable
	}
	return sum, nil
}

func isOne(c *big.Int) bool { return c.IsInt64() && c.Int64() == 1 }

// waysTable holds at [j][k] the ways to take k of the kids from the j-th on.
func (c counter) waysTable(n *node, counts []*big.Int) ([][]*big.Int, error) {
	ways := make([][]*big.Int, len(counts)+1)
	for j := len(counts); j >= 0; j-- {
		ways[j] = make([]*big.Int, n.max+1)
		ways[j][0] = big.NewInt(1)
		for k := 1; k <= n.max; k++ {
			w := new(big.Int)
			if j < len(counts) {
				w.Set(ways[j+1][k-1])
				if err := times(w, counts[j]); err != nil {
					return nil, err
				}
				w.Add(w, ways[j+1][k])
			}
			ways[j][k] = w
			if c.lib.words += 1 + len(w.Bits()); c.lib.words > maxWays {
				return nil, n.src.errorf(n.at, "to take %d of %d here is more than can be counted: the choices of several ($$) of all prompts together have tables of %d words at most; take fewer at a time, or of fewer",
					n.max, len(n.kids), maxWays)
			}
		}
	}
	return ways, nil
}

// times multiplies in place.
func times(z, y *big.Int) error {
	if z.BitLen()+y.BitLen() > maxBits {
		return errUncountable
	}
	z.Mul(z, y)
	return nil
}
