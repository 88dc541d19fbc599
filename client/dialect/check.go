package dialect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
)

// maxWord bounds a name of a model or a field, in bytes.
const maxWord = 200

// Problem is one mistake in a dialect.
type Problem struct {
	// Keys is the path to it, from the outermost key on.
	Keys    []string
	Message string
}

// String is the path and the mistake.
func (p Problem) String() string {
	return client.CleanLine(strings.Join(p.Keys, ".") + ": " + p.Message)
}

// checker gathers problems.
type checker struct {
	cat  *catalog.Catalog
	all  []client.Format
	list []Problem
}

func (c *checker) add(keys []string, format string, args ...any) {
	c.list = append(c.list, Problem{Keys: keys, Message: fmt.Sprintf(format, args...)})
}

// Problems returns the mistakes in a dialect, in the order of its keys. Without a catalog the names
// of its models and fields are not checked.
func (f File) Problems(cat *catalog.Catalog) []Problem {
	c := &checker{cat: cat, all: formats.All()}
	c.segments(f.Segments)
	c.paths(f.Paths)
	c.models(f.Models)
	c.words("model_names", f.ModelNames, func() []string { return modelNames(cat) })
	c.words("engines", f.Engines, func() []string { return engines(cat) })
	c.wireNames(f.WireNames)
	c.omit(f.Omit)
	for name, n := range map[string]int{"segments": len(f.Segments), "paths": len(f.Paths), "models": len(f.Models), "model_names": len(f.ModelNames), "engines": len(f.Engines)} {
		if n > maxEntries {
			return []Problem{{Keys: []string{name}, Message: fmt.Sprintf("%d entries; at most %d are taken", n, maxEntries)}}
		}
	}
	return c.list
}

func (c *checker) format(name string) client.Format {
	for _, f := range c.all {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

func (c *checker) formatNames() string {
	var names []string
	for _, f := range c.all {
		names = append(names, f.Name())
	}
	return strings.Join(names, ", ")
}

func (c *checker) segments(m map[string]string) {
	known := segments(c.all)
	for _, s := range slices.Sorted(maps.Keys(m)) {
		keys := []string{"segments", s}
		if !slices.Contains(known, s) {
			c.add(keys, "no documented path has this segment; they have %s", strings.Join(known, ", "))
		} else if err := client.CheckSegment(m[s]); err != nil {
			c.add(keys, "%s", err)
		}
	}
}

// segments are the words of the paths of formats, without the ids in them, sorted.
func segments(all []client.Format) []string {
	const id = "0id0"
	seen := map[string]bool{}
	for _, f := range all {
		paths := []string{f.Query(id).Path}
		if req, _, err := f.EncodeCreate(client.Draft{Model: id, Prompt: "x"}); err == nil {
			paths = append(paths, req.Path)
		}
		for _, p := range paths {
			for s := range strings.SplitSeq(p, "/") {
				if s != "" && !strings.Contains(s, id) {
					seen[s] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

func (c *checker) paths(m map[string]Paths) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		p, f := m[name], c.format(name)
		if f == nil {
			c.add([]string{"paths", name}, "there is no such format; there are %s", c.formatNames())
			continue
		}
		_, content := f.Content("x")
		c.path(name, "create", p.Create, client.CheckPath, len(f.Modalities()) > 0)
		c.path(name, "query", p.Query, client.CheckIDPath, f.Query("x").Path != "")
		c.path(name, "content", p.Content, client.CheckIDPath, content)
	}
}

func (c *checker) path(format, what, path string, check func(string) error, has bool) {
	keys := []string{"paths", format, what}
	switch {
	case path == "":
	case !has:
		c.add(keys, "the format %s has no %s path", format, what)
	case what == "create" && strings.ContainsAny(path, "{}"):
		c.add(keys, "%q: a create has no id, and no braces belong in its path", path)
	default:
		if err := check(path); err != nil {
			c.add(keys, "%s", err)
		}
	}
}

func (c *checker) models(m map[string]Names) {
	for _, id := range slices.Sorted(maps.Keys(m)) {
		keys := []string{"models", id}
		if c.cat != nil {
			if _, ok := c.cat.Model(id); !ok {
				c.add(keys, "this model is not in the catalog%s", near(c.cat.Suggest(id, 3)))
				continue
			}
		}
		if len(m[id]) == 0 {
			c.add(keys, "a name is missing: one, or a list whose first is sent")
		}
		for i, name := range m[id] {
			switch why := badWord(name); {
			case name == client.NamePlaceholder:
			case why != "":
				c.add(keys, "%q %s", name, why)
			case slices.Contains(m[id][:i], name):
				c.add(keys, "%q is there twice", name)
			}
		}
	}
}

func (c *checker) words(part string, m map[string]string, known func() []string) {
	for _, from := range slices.Sorted(maps.Keys(m)) {
		keys := []string{part, from}
		if all := known(); c.cat != nil && !slices.Contains(all, from) {
			c.add(keys, "the catalog has no such value; it has %s", strings.Join(all, ", "))
		} else if why := badWord(m[from]); why != "" {
			c.add(keys, "%q %s", m[from], why)
		}
	}
}

// modelNames are the values of model_name of all models.
func modelNames(cat *catalog.Catalog) (out []string) {
	if cat == nil {
		return nil
	}
	for _, m := range cat.Models("") {
		out = append(out, m.ModelNames...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// engines are the values of upstream_model, with their other spellings.
func engines(cat *catalog.Catalog) (out []string) {
	if cat == nil {
		return nil
	}
	for _, m := range []client.Modality{client.Music, client.Speech} {
		f, _ := cat.Field(m, client.FieldEngine)
		out = append(append(append(out, f.Allowed...), f.Suggested...), slices.Collect(maps.Keys(f.ValueAliases))...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *checker) wireNames(m map[string]map[string]string) {
	for _, format := range slices.Sorted(maps.Keys(m)) {
		f := c.format(format)
		if f == nil {
			c.add([]string{"wire_names", format}, "there is no such format; there are %s", c.formatNames())
			continue
		}
		usual := map[string]string{}
		var fields []string
		for _, w := range f.Fields() {
			usual[w.Canonical] = w.Wire
			fields = append(fields, w.Canonical)
		}
		for _, field := range slices.Sorted(maps.Keys(m[format])) {
			keys, name := []string{"wire_names", format, field}, m[format][field]
			switch other := taken(field, name, usual, m[format]); {
			case usual[field] == "":
				c.add(keys, "the format %s has no such field; it has %s", format, strings.Join(fields, ", "))
			case badWord(name) != "" || strings.ContainsAny(name, `[]\`) || slices.Contains(strings.Split(name, "."), ""):
				c.add(keys, "%q is not a name of a field: letters, digits and signs, a dot between an object and its member", name)
			case other != "":
				c.add(keys, "%q is the name of %s in this format: one would take the other's place", name, other)
			}
		}
	}
}

// taken is the other field that uses a name, "" for none. Fields that share a place in the format's
// own words may share another.
func taken(field, name string, usual, own map[string]string) string {
	for _, other := range slices.Sorted(maps.Keys(usual)) {
		its := own[other]
		if its == "" {
			its = usual[other]
		}
		if other != field && its == name && usual[other] != usual[field] {
			return other
		}
	}
	return ""
}

func (c *checker) omit(list []string) {
	for _, name := range list {
		keys := []string{"omit"}
		switch name {
		case client.FieldModel, client.FieldModelName, client.FieldMode, client.FieldPrompt:
			c.add(keys, "%q is what a request is made of, and is always sent", name)
			continue
		}
		has := func(f client.Format) bool {
			return slices.ContainsFunc(f.Fields(), func(w client.WireField) bool { return w.Canonical == name })
		}
		if !slices.ContainsFunc(c.all, has) {
			c.add(keys, "%q is not a field of any format", name)
		}
	}
}

func badWord(s string) string {
	switch {
	case s == "":
		return "is empty: a name is needed"
	case len(s) > maxWord:
		return fmt.Sprintf("has more than %d bytes", maxWord)
	case s != strings.TrimSpace(s) || s != client.CleanLine(s):
		return "has blanks around it, or characters that no name has"
	default:
		return ""
	}
}

func near(list []string) string {
	if len(list) == 0 {
		return "; `darkroom models` lists it"
	}
	return "; near it are " + strings.Join(list, ", ")
}
