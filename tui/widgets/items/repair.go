package items

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"darkroom/client"
)

// repair is the item that a misshapen one probably means: a bare URL becomes a media item of the
// kind that it looks like, bare text in place of {url: …} becomes the object, and a missing tag is
// inferred from the item's keys. It is false when that cannot be told.
func (s *Spec) repair(item any, facts map[string]Fact) (any, bool) {
	m, ok := item.(map[string]any)
	if !ok {
		return s.wrap(item, facts)
	}
	out := m
	if _, has := m[s.Tag]; s.Tag != "" && !has {
		tag := ""
		for i := range s.Parts {
			if p := &s.Parts[i]; p.Only != "" && m[p.Path[0]] != nil {
				if tag != "" && tag != p.Only {
					return item, false
				}
				tag = p.Only
			}
		}
		if tag != "" {
			out = set(out, []string{s.Tag}, tag)
		}
	}
	for _, i := range s.parts(out) {
		p := &s.Parts[i]
		if v, has, nested := get(out, p.Path); has && !nested {
			if _, ok := v.(string); ok {
				out = set(out, p.Path, v)
			}
		}
	}
	return out, !sameMap(out, m)
}

// wrap makes an item of a bare value.
func (s *Spec) wrap(v any, facts map[string]Fact) (any, bool) {
	text, isText := v.(string)
	if _, plain := scalar(v); !plain || v == nil {
		return v, false
	}
	var p *Part
	switch {
	case s.Tag != "" && isText && looksLikeReference(text):
		p = s.mediaPart(text, facts)
	case s.Tag == "" && len(s.Parts) == 1:
		p = &s.Parts[0]
	}
	if p == nil && isText {
		if i := slices.IndexFunc(s.Parts, func(p Part) bool { return p.Kind == Lines }); i >= 0 {
			p = &s.Parts[i]
		}
	}
	if p == nil {
		return v, false
	}
	item := map[string]any{}
	if s.Tag != "" {
		item[s.Tag] = p.Only
	}
	return set(item, p.Path, v), true
}

// mediaPart is the part that a reference goes into, by the reference's content or name.
func (s *Spec) mediaPart(ref string, facts map[string]Fact) *Part {
	kind, _, _ := strings.Cut(facts[ref].Type, "/")
	if kind == "" {
		kind = mediaKind(ref)
	}
	var first *Part
	for i := range s.Parts {
		p := &s.Parts[i]
		if p.Kind != Media {
			continue
		}
		if first == nil {
			first = p
		}
		if slices.Contains(p.Media, kind) {
			return p
		}
	}
	return first
}

// mediaKind is the kind of media that a reference's name tells, else image.
func mediaKind(ref string) string {
	return cmp.Or(client.MediaKind(strings.Trim(ref, "'\" ")), "image")
}

// looksLikeReference tells a path or URL from plain text.
func looksLikeReference(s string) bool {
	s = strings.Trim(s, "'\" ")
	for _, head := range []string{"http://", "https://", "file://", "data:", "/", "~/", "./", "../"} {
		if strings.HasPrefix(s, head) {
			return true
		}
	}
	return !strings.ContainsAny(s, " \n") && path.Ext(s) != ""
}
