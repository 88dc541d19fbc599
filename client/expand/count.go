package expand

import (
	"errors"
	"math/big"
)

// maxBits bounds the number of possibilities: what has more is refused.
const maxBits = 1 << 12

// errUncountable is what Bind says of templates that only mischief makes.
var errUncountable = errors.New("the template has more possibilities than can be counted (over 2^4096)")

// number counts every node.
func (x *Expansion) number() error {
	_, err := x.counted(x.root)
	return err
}

// Count is how many prompts the template makes, at least one. Alternatives that read the
// same count each.
func (x *Expansion) Count() *big.Int { return new(big.Int).Set(x.root.count) }

// counted is the number of possibilities of a node with the variables that it binds.
func (x *Expansion) counted(n *node) (*big.Int, error) {
	if n.count != nil {
		return n.count, nil
	}
	own, err := x.countOwn(n)
	if err != nil {
		return nil, err
	}
	all := new(big.Int).Set(own)
	for _, v := range n.binds {
		c, err := x.counted(x.vars[v].node)
		if err != nil {
			return nil, err
		}
		if err := times(all, c); err != nil {
			return nil, err
		}
	}
	n.own, n.count = own, all
	return all, nil
}

func (x *Expansion) countOwn(n *node) (*big.Int, error) {
	counts := make([]*big.Int, len(n.kids))
	for i, k := range n.kids {
		c, err := x.counted(k)
		if err != nil {
			return nil, err
		}
		counts[i] = c
	}
	switch n.kind {
	case isSeq:
		all := big.NewInt(1)
		for _, c := range counts {
			if err := times(all, c); err != nil {
				return nil, err
			}
		}
		return all, nil
	case isAlt:
		return n.countAlt(counts)
	case isPick:
		return n.countPicks(counts)
	default:
		return big.NewInt(1), nil
	}
}

// countAlt adds up, and notes where each kid begins.
func (n *node) countAlt(counts []*big.Int) (*big.Int, error) {
	sum := new(big.Int)
	starts := make([]*big.Int, len(counts))
	each := true // has one
	for i, c := range counts {
		starts[i] = new(big.Int).Set(sum)
		sum.Add(sum, c)
		each = each && c.IsInt64() && c.Int64() == 1
	}
	if sum.BitLen() > maxBits {
		return nil, errUncountable
	}
	if !each {
		n.starts = starts
	}
	return sum, nil
}

// countPicks counts the ways to take k of the kids from the j-th on, for all j and k.
func (n *node) countPicks(counts []*big.Int) (*big.Int, error) {
	n.ways = make([][]*big.Int, len(counts)+1)
	for j := len(counts); j >= 0; j-- {
		n.ways[j] = make([]*big.Int, n.max+1)
		n.ways[j][0] = big.NewInt(1)
		for k := 1; k <= n.max; k++ {
			w := new(big.Int)
			if j < len(counts) {
				w.Set(n.ways[j+1][k-1])
				if err := times(w, counts[j]); err != nil {
					return nil, err
				}
				w.Add(w, n.ways[j+1][k])
			}
			n.ways[j][k] = w
		}
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

// times multiplies in place.
func times(z, y *big.Int) error {
	if z.BitLen()+y.BitLen() > maxBits {
		return errUncountable
	}
	z.Mul(z, y)
	return nil
}
