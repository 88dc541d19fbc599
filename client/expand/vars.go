package expand

import (
	"slices"
	"strings"
)

// maxVarying bounds the variables of a prompt that have more than one value.
const maxVarying = 64

// gather collects the defaults in a text, so that ${name} may stand before ${name:default}. The
// first default counts.
func (b *binder) gather(s seq) {
	for _, p := range s {
		switch p := p.(type) {
		case *group:
			for _, o := range p.options {
				b.gather(o)
			}
		case *variable:
			if p.preset {
				if b.defaults[p.name] == nil {
					b.defaults[p.name] = p
				}
				b.gather(p.value)
			}
		}
	}
}

// variable returns the node of ${name}: its value if that is a single text, else a reference to the
// value chosen once per prompt.
func (b *binder) variable(v *variable) (*node, error) {
	name := "$" + v.name
	b.asked++
	if first := b.defaults[v.name]; v.preset && first != nil && first.plain != v.plain {
		if _, given := b.given[v.name]; !given {
			return nil, v.src.errorf(v.at, "%s has two defaults: %q here, %q elsewhere", spelled(name), show(v.plain), show(first.plain))
		}
	}
	n, ok := b.nodes[name]
	if !ok {
		if err := b.enter(name, v.src, v.at); err != nil {
			return nil, err
		}
		defer b.leave()
		var err error
		if n, err = b.value(v); err != nil {
			return nil, err
		}
		if n.varies {
			if len(b.vars) == maxVarying {
				return nil, v.src.errorf(v.at, "more than %d variables with several values", maxVarying)
			}
			bit := uint64(1) << len(b.vars)
			b.vars = append(b.vars, &value{v, n})
			n = &node{kind: isRef, ref: len(b.vars) - 1, varies: true, uses: bit | n.uses, must: bit | n.must}
		}
		b.nodes[name] = n
	}
	if n.kind != isRef {
		return n, nil
	}
	// A separate node for every place, since the places decide where the value is chosen.
	place := *n
	return &place, nil
}

func (b *binder) value(v *variable) (*node, error) {
	if s, ok := b.given[v.name]; ok {
		t, err := parseSource(&source{"variable " + v.name, s})
		if err != nil {
			return nil, err
		}
		b.gather(t.root)
		return b.seq(t.root)
	}
	if d := b.defaults[v.name]; d != nil {
		return b.seq(d.value)
	}
	if !slices.ContainsFunc(b.missing, func(m *variable) bool { return m.name == v.name }) {
		b.missing = append(b.missing, v)
	}
	return &node{kind: isText}, nil
}

// unknown returns the error about variables without a value.
func (b *binder) unknown() error {
	if len(b.missing) == 0 {
		return nil
	}
	var names []string
	for _, v := range b.missing {
		names = append(names, spelled("$"+v.name))
	}
	first := b.missing[0]
	has := "has no value"
	if len(names) > 1 {
		has = "have no values"
	}
	return first.src.errorf(first.at, `%s %s: give one, or a default as ${%s:words}; \${ is the text`, strings.Join(names, ", "), has, show(first.name))
}

// place decides where the value of a variable is chosen: at the lowest node with all its uses below
// it, so that no prompt is counted twice.
func (x *Expansion) place(v int) error {
	bit := uint64(1) << v
	n := x.root
	if n.uses&bit == 0 {
		return nil
	}
	for n.kind != isRef || n.ref != v {
		kids := n.kids
		if n.kind == isRef {
			kids = []*node{x.vars[n.ref].node}
		}
		var only *node
		using := 0
		for _, k := range kids {
			if k.uses&bit != 0 {
				only = k
				using++
			}
		}
		if using != 1 {
			break
		}
		n = only
	}
	if n.must&bit == 0 {
		first := x.vars[v].first
		return first.src.errorf(first.at, "${%s} has several values and is used by some of the alternatives only, in more than one place: its prompts would repeat; use it in all of them, or write its alternatives out", show(first.name))
	}
	n.binds = append(n.binds, v)
	return nil
}
