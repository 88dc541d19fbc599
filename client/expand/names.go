package expand

import (
	"fmt"
)

// Variable is a variable of a template, for a form that asks for values.
type Variable struct {
	Name string
	// Default is its value, as written, if none is given; HasDefault tells whether there is one.
	Default    string
	HasDefault bool
}

// Variables returns the variables of the template itself, in order, without those of its wildcards.
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

// walk calls f with every part, nested ones included.
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

// CheckVariable checks a variable name: letters, digits, - and _, a letter first.
func CheckVariable(name string) error {
	if name == "" || len(name) > maxName || variableName(name) != name {
		return fmt.Errorf("%q is not a name of a variable: letters, digits, - and _, a letter first", show(name))
	}
	return nil
}
