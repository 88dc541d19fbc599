package items

import (
	"slices"
	"strings"
)

// Kind is how a part is edited.
type Kind int

// The kinds of parts.
const (
	Text    Kind = iota // one line
	Lines               // many lines
	Integer             // a whole number of any length
	Number
	Boolean
	Media // a path, or a URL
	JSON  // anything else, as JSON
)

// Part is one value within an item.
type Part struct {
	// Path leads to the value through nested objects: {"image_url", "url"}.
	Path []string
	Kind Kind
	// Options are values to choose from, shown by their Labels if any. Other values are accepted
	// with a warning that begins with Seen ("seen are"), or refused when Closed.
	Options []string
	Seen    string
	Closed  bool
	// Only is the tag of the items that have the part; "" for all.
	Only string
	// Media are the kinds that a reference may be: image, video, audio.
	Media []string
	// Required says that an item is incomplete without the part; Expected warns of that only.
	Required, Expected bool
	Unit, Hint, Help   string
}

// Name is the path as people write it: "image_url.url".
func (p *Part) Name() string { return strings.Join(p.Path, ".") }

// Spec describes a structured value.
type Spec struct {
	// Title names the value for people, Noun one of its items ("item" when empty).
	Title, Noun string
	// List says that the value is a list of objects; else it is one object.
	List bool
	// Tag is the key that tells the kind of an item, and Tags are its values; "" when all items are
	// of one kind.
	Tag   string
	Tags  []string
	Parts []Part
}

func (s *Spec) noun() string {
	if s.Noun != "" {
		return s.Noun
	}
	return "item"
}

// HoldsMedia reports whether some part is a reference.
func (s *Spec) HoldsMedia() bool {
	return slices.ContainsFunc(s.Parts, func(p Part) bool { return p.Kind == Media })
}

// parts are the indices of the parts that an item has or may get: those of its tag, and where the
// tag is unknown, those whose keys are present.
func (s *Spec) parts(item map[string]any) []int {
	tag, _ := item[s.Tag].(string)
	known := s.Tag == "" || slices.Contains(s.Tags, tag)
	var out []int
	for i := range s.Parts {
		p := &s.Parts[i]
		_, has := item[p.Path[0]]
		if p.Only == "" || p.Only == tag || !known && has {
			out = append(out, i)
		}
	}
	return out
}

// others are the keys of an item that belong to no part and no tag, sorted.
func (s *Spec) others(item map[string]any) []string {
	used := map[string]bool{s.Tag: true}
	for _, i := range s.parts(item) {
		used[s.Parts[i].Path[0]] = true
	}
	var out []string
	for k := range item {
		if !used[k] {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// Fact is what is known about a reference.
type Fact struct {
	Size int64  // bytes of a local file; 0 for what is not known
	Type string // media type, "" for what is not known
	Err  string // why it cannot be sent, "" when it can
}
