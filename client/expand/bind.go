package expand

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Expansion is a template with its variables and wildcards bound: a numbered set of prompts, each
// made only when it is asked for. It is safe for concurrent use once bound.
type Expansion struct {
	root *node
	vars []*value
	src  *source
}

// kind of node.
type kind uint8

const (
	isText kind = iota
	isSeq       // all kids, one behind the other
	isAlt       // one of the kids
	isPick      // min to max of the kids
	isRef       // the value of a variable that varies
)

// node is a part of a bound template. A wildcard or value used in several places is one node.
type node struct {
	kind     kind
	text     string
	kids     []*node
	min, max int
	sep      string
	ref      int // of isRef
	src      *source
	at       int

	varies bool
	// uses are the varying variables below the node, must those that each of its prompts uses;
	// binds are those whose value is chosen here, for everything below.
	uses, must uint64
	binds      []int

	own, count *big.Int
	starts     []*big.Int   // isAlt: the first number of each kid; nil when each has one
	ways       [][]*big.Int // isPick: see countPicks; may be shared
}

// value is a variable with more than one value.
type value struct {
	first *variable // the place where it was met first
	node  *node
}

// Bind puts the values of variables and the lines of wildcards into the template and counts its
// prompts. Values are templates themselves. The error names all variables without a value, and
// wildcards that form a cycle, as "a -> b -> a".
func (t *Template) Bind(vars map[string]string, lib *Library) (*Expansion, error) {
	if lib == nil {
		lib = NewLibrary(nil)
	}
	b := &binder{lib: lib, given: vars, nodes: map[string]*node{}, defaults: map[string]*variable{}, index: map[string]int{}}
	b.gather(t.root)
	root, err := b.seq(t.root)
	if err != nil {
		return nil, err
	}
	if err := b.unknown(); err != nil {
		return nil, err
	}
	x := &Expansion{root: root, vars: b.vars, src: t.src}
	for v := range x.vars {
		if err := x.place(v); err != nil {
			return nil, err
		}
	}
	if err := x.number(lib); err != nil {
		return nil, err
	}
	return x, nil
}

type binder struct {
	lib      *Library
	given    map[string]string
	defaults map[string]*variable
	nodes    map[string]*node // wildcards as "__name", variables as "$name"
	chain    []string         // what is being bound, by the same names
	index    map[string]int
	vars     []*value
	missing  []*variable
	asked    int // how often a variable was
}

// enter begins a wildcard or a variable, and refuses a cycle.
func (b *binder) enter(name string, src *source, at int) error {
	if i := slices.Index(b.chain, name); i >= 0 {
		var circle []string
		for _, s := range append(b.chain[i:], name) {
			circle = append(circle, spelled(s))
		}
		return src.errorf(at, "%s leads back to itself: %s", spelled(name), strings.Join(circle, " -> "))
	}
	b.chain = append(b.chain, name)
	return nil
}

func (b *binder) leave() { b.chain = b.chain[:len(b.chain)-1] }

func spelled(name string) string {
	if n, ok := strings.CutPrefix(name, "$"); ok {
		return "${" + show(n) + "}"
	}
	return show(name) + "__"
}

func (b *binder) seq(s seq) (*node, error) {
	n := &node{kind: isSeq}
	for _, p := range s {
		k, err := b.part(p)
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, k)
		n.varies = n.varies || k.varies
		n.uses |= k.uses
		n.must |= k.must
	}
	if len(n.kids) == 1 {
		return n.kids[0], nil
	}
	return n, nil
}

func (b *binder) part(p part) (*node, error) {
	switch p := p.(type) {
	case literal:
		return &node{kind: isText, text: string(p)}, nil
	case *group:
		return b.group(p)
	case *variable:
		return b.variable(p)
	case *wildcard:
		return b.wildcard(p)
	default:
		return nil, fmt.Errorf("%T is not a part of a template", p)
	}
}

func (b *binder) options(n *node, all []seq) error {
	for i, s := range all {
		k, err := b.seq(s)
		if err != nil {
			return err
		}
		n.add(k, i == 0)
	}
	return nil
}

// add appends one of several alternatives.
func (n *node) add(k *node, first bool) {
	n.kids = append(n.kids, k)
	n.varies = n.varies || !first || k.varies
	n.uses |= k.uses
	if n.must &= k.must; first {
		n.must = k.must
	}
}

func (b *binder) group(g *group) (*node, error) {
	n := &node{kind: isAlt, min: g.min, max: g.max, sep: g.sep, src: g.src, at: g.at}
	if err := b.options(n, g.options); err != nil {
		return nil, err
	}
	if g.max == 1 {
		return n, nil
	}
	n.kind = isPick
	if len(g.options) == 1 && len(g.options[0]) == 1 && n.kids[0].kind == isAlt {
		if _, ok := g.options[0][0].(*wildcard); ok { // {2$$__colours__}: two of its lines
			n.kids = n.kids[0].kids
		}
	}
	switch {
	case n.max > len(n.kids):
		return nil, g.src.errorf(g.at, "%d are to be taken of %d", n.max, len(n.kids))
	case n.max*len(n.kids) > 2*maxParts:
		return nil, g.src.errorf(g.at, "%d of %d are too many to take", n.max, len(n.kids))
	}
	if n.min == len(n.kids) {
		for _, k := range n.kids {
			n.must |= k.must
		}
	}
	return n, nil
}

func (b *binder) wildcard(w *wildcard) (*node, error) {
	name := "__" + w.name
	if n, ok := b.lib.nodes[w.name]; ok {
		return n, nil
	}
	if n, ok := b.nodes[name]; ok {
		b.asked++ // not in the library, since it depends on a variable
		return n, nil
	}
	asked := b.asked
	if err := b.enter(name, w.src, w.at); err != nil {
		return nil, err
	}
	defer b.leave()
	lines, err := b.lib.lines(w.name)
	if told, ok := errors.AsType[errNoWildcard](err); ok {
		return nil, w.src.errorf(w.at, `%s; \__ is the text`, told.text)
	}
	if err != nil {
		return nil, err
	}
	for _, s := range lines {
		b.gather(s)
	}
	n := &node{kind: isAlt, src: w.src, at: w.at}
	if err := b.options(n, lines); err != nil {
		return nil, err
	}
	b.nodes[name] = n
	if b.asked == asked {
		b.lib.nodes[w.name] = n
	}
	return n, nil
}
