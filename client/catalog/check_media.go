package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// item reports a problem with one item of a list, up to a limit per list.
func (c *valueCheck) item(sev Severity, i int, value, format string, args ...any) {
	c.said++
	if c.said > maxItemProblems {
		return
	}
	text := fmt.Sprintf(format, args...)
	c.problem(sev, value, "%s[%d]: %s", c.label, i, text)
}

func (c *valueCheck) media(v any) {
	if m, ok := v.(map[string]any); ok && (isRef(m) || c.textRefs()) {
		c.refObject(m, func(sev Severity, value, format string, args ...any) {
			c.problem(sev, value, "%s: %s", c.label, fmt.Sprintf(format, args...))
		})
		return
	}
	s, ok := v.(string)
	if !ok {
		c.wrongType(v, "one reference: "+references)
		return
	}
	sev, text := reference(s, c.f.MediaKinds)
	if sev != "" {
		c.problem(sev, show(s), "%s is %s; %s", c.label, quoted(s), text)
	}
}

// quoted formats a reference for a message; an empty one becomes a pair of quotation marks.
func quoted(s string) string {
	if s == "" {
		return `""`
	}
	return show(s)
}

// textRefs reports whether the field's references are text in this format.
func (c *valueCheck) textRefs() bool {
	return c.k.info != nil && slices.Contains(c.k.info.TextRefs, c.f.Name)
}

// isRef reports whether an object is {url: ADDRESS}.
func isRef(m map[string]any) bool { _, ok := m["url"].(string); return ok && len(m) == 1 }

// refKeys are the keys under which a reference object may hold its address.
var refKeys = []string{"url", "image", "image_url", "video", "video_url", "audio", "audio_url", "subject_image"}

// RefKeys returns the keys under which reference objects have been seen to hold their addresses: a
// file may stand there.
func RefKeys() []string { return slices.Clone(refKeys) }

// refObject judges a reference that is an object: {url} works everywhere, other shapes where the
// shape of an item is not documented, or is shown for the format.
func (c *valueCheck) refObject(m map[string]any, say func(sev Severity, value, format string, args ...any)) {
	known := isRef(m) || strings.HasSuffix(c.f.Name, "_list") // the shape of whose items is not documented
	switch {
	case c.textRefs() && !isRef(m):
		say(Block, showAny(m), "is an object; the %s format takes references as text: %s", c.k.format, references)
		return
	case c.k.info != nil && !known && len(c.k.info.RefKeys[c.f.Name]) > 0:
		known = true
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !slices.Contains(c.k.info.RefKeys[c.f.Name], key) {
				say(Info, showAny(m[key]), "key %s is not documented; documented: %s", show(key), strings.Join(c.k.info.RefKeys[c.f.Name], ", "))
			}
		}
	}
	if !known {
		say(Warn, showAny(m), "is %s; usual is a reference: %s", showAny(m), references)
	}
	for _, key := range refKeys {
		if s, ok := m[key].(string); ok {
			if sev, text := reference(s, c.f.MediaKinds); sev != "" {
				if sev == Block && !isRef(m) {
					sev = Warn // what else may stand there is not documented
				}
				say(sev, show(s), "%s is %s; %s", key, quoted(s), text)
			}
		}
	}
}

func (c *valueCheck) medias(v any) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v} // a lone one
	}
	c.count(len(list))
	for i, x := range list {
		switch t := x.(type) {
		case string:
			sev, text := reference(t, c.f.MediaKinds)
			if sev != "" {
				c.item(sev, i, show(t), "is %s; %s", quoted(t), text)
			}
		case map[string]any:
			c.refObject(t, func(sev Severity, value, format string, args ...any) {
				c.item(sev, i, value, format, args...)
			})
		case nil:
		default:
			sev := Warn
			if c.k.info != nil && c.k.info.Typed {
				sev = Block
			}
			c.item(sev, i, showAny(x), "is %s; usual is a reference: %s", showAny(x), references)
		}
	}
}

// count checks a number of items against the field's bounds.
func (c *valueCheck) count(n int) {
	f := c.f
	if f.MaxItems == 0 && f.MinItems == 0 || n >= f.MinItems && (f.MaxItems == 0 || n <= f.MaxItems) {
		return
	}
	sev := Warn
	if f.Hard {
		sev = Block
	}
	span := fmt.Sprintf("%d or more", f.MinItems)
	if f.MaxItems > 0 {
		span = fmt.Sprintf("%d to %d", f.MinItems, f.MaxItems)
	}
	c.problem(sev, fmt.Sprintf("%d items", n), "%s has %d items; it takes %s%s", c.label, n, span, c.forModel())
}

// references describes the values a media field may have.
const references = "an http(s):// URL, a data: URI, or file:// with an absolute path"

// reference judges one media value: no severity means it is fine.
func reference(s string, kinds []string) (Severity, string) {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok {
		return Block, "it must be " + references
	}
	switch strings.ToLower(scheme) {
	case "http", "https":
		host, found := strings.CutPrefix(rest, "//")
		if !found || host == "" || host[0] == '/' || strings.ContainsAny(host, " \t\r\n") {
			return Block, "the URL has no host or has blanks in it"
		}
	case "data":
		head, _, found := strings.Cut(rest, ",")
		if !found {
			return Block, "a data URI has the shape data:<type>;base64,<data>"
		}
		if major, _, typed := strings.Cut(head, "/"); typed && len(kinds) > 0 && !slices.Contains(kinds, strings.ToLower(major)) {
			return Warn, "its type is not " + strings.Join(kinds, " or ")
		}
		return Info, "data URIs are not documented as accepted"
	case "file":
		if !strings.HasPrefix(rest, "///") || len(rest) < 4 {
			return Block, "a file reference has the shape file:///absolute/path"
		}
		return Info, "the file is sent as a data URI, which is not documented as accepted"
	default:
		return Block, "it must be " + references
	}
	return "", ""
}

func (c *valueCheck) list(v any) {
	list, ok := v.([]any)
	if one, lone := v.(map[string]any); lone {
		list, ok = []any{one}, true
	}
	if !ok {
		c.wrongType(v, "a list"+c.keyWords())
		return
	}
	c.count(len(list))
	for i, x := range list {
		m, ok := x.(map[string]any)
		typed := c.k.info != nil && c.k.info.Typed
		if len(c.f.Keys) == 0 && (ok || !typed) {
			continue
		}
		if !ok {
			c.item(Block, i, showAny(x), "is %s; it must be an object%s", showAny(x), c.keyWords())
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if _, known := c.f.Keys[key]; !known {
				c.item(Info, i, showAny(m[key]), "key %s is not documented%s", show(key), c.keyWords())
			}
		}
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if sev, text := c.f.namedKey(key, m[key]); sev != "" {
				c.item(sev, i, showAny(m[key]), "%s", text)
			}
		}
	}
}

// keyWords lists the keys that are shown, for a message.
func (c *valueCheck) keyWords() string {
	if len(c.f.Keys) == 0 {
		return ""
	}
	return " with " + strings.Join(slices.Sorted(maps.Keys(c.f.Keys)), ", ")
}

// object looks at the keys of an object: one with the meaning of a field is judged as
// that field, with the limits of the model.
func (c *valueCheck) object(v any) {
	m, ok := v.(map[string]any)
	if !ok {
		c.wrongType(v, "a JSON object"+c.keyWords())
		return
	}
	if len(c.f.Keys) == 0 {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		canonical, known := c.f.Keys[key]
		if !known {
			c.said++
			if c.said <= maxItemProblems {
				c.problem(Info, showAny(m[key]), "%s.%s is not documented; documented:%s", c.label, show(key), c.keyWords())
			}
			continue
		}
		if sev, text := c.f.namedKey(key, m[key]); canonical == "" && sev != "" {
			c.problem(sev, showAny(m[key]), "%s.%s", c.label, text)
		}
		i, found := c.k.set.names[canonical]
		if !found || m[key] == nil {
			continue
		}
		f := c.k.set.list[i]
		if f.Kind == Object {
			continue // an object within itself: nothing is shown about that
		}
		merge(&f, c.k.m, c.k.mode)
		inner := &valueCheck{k: c.k, f: &f, label: c.label + "." + key, rank: c.rank}
		inner.value(m[key])
	}
}
