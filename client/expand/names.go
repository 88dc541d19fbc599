package expand

import (
	"fmt"
)

// Variable is one of a template, for a form that asks for values.
type Variable struct {
	Name string
	// Default is what it is without a value, as it is written; HasDefault tells whether
	// there is one.
	Default    string
	HasDefault bool
}

// Variables are those that stand in the template itself, in their order; not those of its
// wildcards.
func (t *Template) Variables() []Variable {
	var out []Variable
	at := map[string]int{}
	t.root.walk(func(p part) {
		v, ok := p.(*variable)
		if !ok {
			return
		}
		i, seen := at[v.name]
		if !seen {
			i = len(out)
			at[v.name] = i
			out = append(out, Variable{Name: v.name})
		}
		if v.preset && !out[i].HasDefault {
			out[i].Default, out[i].HasDefault = v.plain, true
		}
	})
	return out
}

// walk calls f with every part, those inside of others too.
func (s seq) walk(f func(part)) {
	for _, p := range s {
		f(p)
		switch p := p.(type) {
		case *group:
			for _, o := range p.options {
				o.walk(f)
			}
		case *variable:
			p.value.walk(f)
		}
	}
}

// CheckVariable says whether a variable may have this name: letters, digits, - and _, a
// letter first.
func CheckVariable(name string) error {
	if name == "" || len(name) > maxName || variableName(name) != name {
		return fmt.Errorf("%q is not a name of a variable: letters, digits, - and _, a letter first", show(name))
	}
	return nil
}
