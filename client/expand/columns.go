package expand

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// column is what a column of a table holds: one of its fields is set.
type column struct {
	name     string // as the header has it
	skip     bool
	variable string
	own      string // one of ownNames
	field    catalog.Field
}

// target identifies a column: no two may have the same.
func (c column) target() string {
	switch {
	case c.skip:
		return ""
	case c.variable != "":
		return "$" + c.variable
	case c.own != "":
		return c.own
	}
	return c.field.Name
}

// ownNames are the fields that belong to the draft itself and are not values.
func ownNames() []string {
	return []string{client.FieldPrompt, client.FieldModel, client.FieldModelName, client.FieldMode}
}

func ownField(d *client.Draft, name string) *string {
	switch name {
	case client.FieldModel:
		return &d.Model
	case client.FieldModelName:
		return &d.ModelName
	case client.FieldMode:
		return &d.Mode
	default:
		return &d.Prompt
	}
}

// columns finds out what each column of a header holds. The error names every column that has no
// place, and the names allowed.
func (t Table) columns(head []string) ([]column, error) {
	var out []column
	var unknown []string
	var errs []error
	seen := map[string]string{}
	used := map[string]bool{}
	for _, name := range head {
		name = strings.TrimSpace(name)
		to, mapped := t.Columns[name]
		if !mapped {
			to = name
		}
		used[name] = mapped
		c, ok := t.column(to, mapped)
		c.name = name
		switch first, twice := seen[c.target()]; {
		case !ok && mapped:
			errs = append(errs, fmt.Errorf("column %q is mapped to %q, which is not a field of %s%s", show(name), show(to), t.Base.Modality, t.near(to)))
		case !ok:
			unknown = append(unknown, fmt.Sprintf("%q%s", show(name), t.near(name)))
		case twice && !c.skip:
			errs = append(errs, fmt.Errorf("columns %q and %q both hold %s", show(first), show(name), c.target()))
		}
		seen[c.target()] = name
		out = append(out, c)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Columns)) {
		if !used[name] {
			errs = append(errs, fmt.Errorf("column %q is mapped, and the header has no such column; it has %s", show(name), listed(head, 20)))
		}
	}
	if len(unknown) > 0 {
		errs = append(errs, fmt.Errorf("unknown columns: %s; allowed: %s; any other can be mapped to one of them, to a variable as $name, or to - to be passed over%s",
			strings.Join(unknown, ", "), strings.Join(t.allowed(), ", "), t.Hint))
	}
	if len(errs) > 0 {
		return nil, &Error{Name: t.Name, Line: 1, Message: errors.Join(errs...).Error()}
	}
	return out, nil
}

func (t Table) column(to string, mapped bool) (column, bool) {
	if mapped && to == "-" {
		return column{skip: true}, true
	}
	if v, ok := strings.CutPrefix(to, "$"); ok {
		return column{variable: v}, CheckVariable(v) == nil
	}
	low := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(to))
	for _, name := range []string{to, low} {
		if slices.Contains(ownNames(), name) {
			return column{own: name}, true
		}
		if canonical, ok := t.Catalog.Canonical(t.Base.Modality, name); ok {
			f, _ := t.Catalog.Field(t.Base.Modality, canonical)
			return column{field: f}, true
		}
	}
	return column{}, false
}

// allowed returns the column names for the model that every row begins with.
func (t Table) allowed() []string {
	names := ownNames()
	for _, f := range t.Catalog.Fields(t.Base) {
		names = append(names, f.Name)
	}
	return names
}

// near suggests a known name for an unknown one.
func (t Table) near(name string) string {
	low := strings.ToLower(strings.TrimSpace(name))
	for _, a := range t.allowed() {
		if len(low) > 2 && (strings.HasPrefix(a, low) || strings.HasPrefix(low, a) || strings.TrimRight(low, "s") == strings.TrimRight(a, "s")) {
			return " (" + a + "?)"
		}
	}
	return ""
}
