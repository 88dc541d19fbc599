package expand

import (
	"errors"
	"fmt"
	"iter"
	"math/big"
	"sort"
	"strings"
)

// maxSteps bounds the work on one prompt, since empty parts add no bytes to it.
const maxSteps = 1 << 20

var (
	errLong  = fmt.Errorf("the expanded prompt has more than %d bytes", maxText)
	errSteps = fmt.Errorf("the expanded prompt has more than %d parts", maxSteps)
)

// At returns the prompt with a number, from 0 to Count()-1.
func (x *Expansion) At(number *big.Int) (string, error) {
	if number.Sign() < 0 || number.Cmp(x.root.count) >= 0 {
		return "", fmt.Errorf("there is no prompt %v: they are numbered from 0, and there are %v", number, x.root.count)
	}
	r := &renderer{x: x, env: make([]string, len(x.vars))}
	if err := r.node(x.root, new(big.Int).Set(number)); err != nil {
		return "", err
	}
	return r.out.String(), nil
}

// all yields the prompts in order, making one at a time. An error ends the sequence.
func (x *Expansion) all() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		one := big.NewInt(1)
		for i := new(big.Int); i.Cmp(x.root.count) < 0; i.Add(i, one) {
			s, err := x.At(i)
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}

type renderer struct {
	x     *Expansion
	env   []string // values of the variables that are bound
	out   strings.Builder
	steps int
}

// node writes the possibility with this number below a node, and uses up the number.
func (r *renderer) node(n *node, number *big.Int) error {
	if r.steps++; r.steps > maxSteps {
		return errSteps
	}
	if len(n.binds) > 0 {
		if err := r.bind(n, number); err != nil {
			return err
		}
	}
	switch n.kind {
	case isText:
		return r.write(n.text)
	case isRef:
		return r.write(r.env[n.ref])
	case isSeq:
		return r.seq(n, number)
	case isAlt:
		return r.alt(n, number)
	default:
		return r.picks(n, number)
	}
}

func (r *renderer) write(s string) error {
	if r.out.Len()+len(s) > maxText {
		return errLong
	}
	r.out.WriteString(s)
	return nil
}

// bind splits the numbers of variables off the front and leaves the rest. A variable used by
// another has the lower index, so it is bound first.
func (r *renderer) bind(n *node, number *big.Int) error {
	digits := make([]*big.Int, len(n.binds))
	rest, own := new(big.Int).QuoRem(number, n.own, new(big.Int))
	number.Set(own)
	for i := len(n.binds) - 1; i >= 0; i-- {
		digits[i] = new(big.Int)
		rest.QuoRem(rest, r.x.vars[n.binds[i]].node.count, digits[i])
	}
	for i, v := range n.binds {
		inner := &renderer{x: r.x, env: r.env, steps: r.steps}
		if err := inner.node(r.x.vars[v].node, digits[i]); err != nil {
			return err
		}
		r.env[v], r.steps = inner.out.String(), inner.steps
	}
	return nil
}

func (r *renderer) seq(n *node, number *big.Int) error {
	digits := make([]*big.Int, len(n.kids))
	for i := len(n.kids) - 1; i >= 0; i-- {
		digits[i] = new(big.Int)
		if c := n.kids[i].count; c.IsInt64() && c.Int64() == 1 {
			continue
		}
		number.QuoRem(number, n.kids[i].count, digits[i])
	}
	for i, k := range n.kids {
		if err := r.node(k, digits[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *renderer) alt(n *node, number *big.Int) error {
	if n.starts == nil {
		return r.node(n.kids[number.Int64()], new(big.Int))
	}
	i := sort.Search(len(n.starts), func(i int) bool { return n.starts[i].Cmp(number) > 0 }) - 1
	return r.node(n.kids[i], number.Sub(number, n.starts[i]))
}

func (r *renderer) picks(n *node, number *big.Int) error {
	k := n.min
	for ; number.Cmp(n.ways[0][k]) >= 0; k++ {
		number.Sub(number, n.ways[0][k])
	}
	first := true
	for j, kid := range n.kids {
		if k == 0 {
			return nil
		}
		with := new(big.Int).Mul(kid.count, n.ways[j+1][k-1])
		if number.Cmp(with) >= 0 {
			number.Sub(number, with)
			continue
		}
		digit, left := new(big.Int).QuoRem(number, n.ways[j+1][k-1], new(big.Int))
		number = left
		if !first {
			if err := r.write(n.sep); err != nil {
				return err
			}
		}
		first = false
		k--
		if err := r.node(kid, digit); err != nil {
			return err
		}
	}
	if k > 0 {
		return errors.New("too few alternatives to take") // Bind has refused it
	}
	return nil
}
