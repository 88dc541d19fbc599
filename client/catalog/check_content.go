package catalog

import (
	"fmt"
	"slices"
	"strings"
)

// roles are the roles seen so far (GATEWAY: Content item).
var roles = []string{"reference_image", "reference_video", "reference_audio", "first_frame"}

// roleMedia returns the kind of media that a role names, "" if none.
func roleMedia(role any) string {
	s, _ := role.(string)
	if kind, ok := strings.CutPrefix(s, "reference_"); ok && slices.Contains(mediaKinds, kind) {
		return kind
	}
	if s == "first_frame" || s == "last_frame" {
		return "image"
	}
	return ""
}

// mediaWord returns the word for a kind of media within a sentence.
func mediaWord(kind string) string {
	if kind == "audio" {
		return "sounds"
	}
	return kind + "s"
}

// roleShown reports whether any of the model's formats shows a role, even if the draft is sent in
// another.
func (k *checker) roleShown(role string) bool {
	if k.m == nil {
		return false
	}
	return slices.ContainsFunc(k.m.Formats, func(name string) bool {
		f := k.c.format(name)
		return f != nil && slices.Contains(f.Roles, role)
	})
}

func (c *valueCheck) content(v any) {
	list, ok := v.([]any)
	if !ok {
		c.wrongType(v, "a list of content items")
		return
	}
	c.count(len(list))
	for i, x := range list {
		item, ok := x.(map[string]any)
		if !ok {
			c.item(Block, i, showAny(x), "is %s; media items are objects with url, not bare strings: {type, text | image_url | video_url | audio_url, role, name}", showAny(x))
			continue
		}
		c.contentItem(i, item)
	}
}

func (c *valueCheck) contentItem(i int, item map[string]any) {
	kind, ok := item["type"].(string)
	if !ok || !slices.Contains(itemTypes, kind) {
		c.item(Block, i, showAny(item["type"]), "type is %s; allowed: %s", showAny(item["type"]), strings.Join(itemTypes, ", "))
		return
	}
	c.itemRole(i, item["role"])
	if c.k.info != nil && len(c.k.info.ItemTypes) > 0 && !slices.Contains(c.k.info.ItemTypes, kind) {
		c.item(Block, i, kind, "%s is not carried by the %s format; carried are %s", kind, c.k.format, strings.Join(c.k.info.ItemTypes, ", "))
		return
	}
	if of := roleMedia(item["role"]); of != "" && kind != "text" && of+"_url" != kind {
		c.item(Warn, i, showAny(item["role"]), "role %s is for %s, and the item is of type %s", showAny(item["role"]), mediaWord(of), kind)
	}
	if kind == "text" {
		if s, ok := item["text"].(string); !ok || s == "" {
			c.item(Block, i, showAny(item["text"]), "text is %s; an item of type text has a text", showAny(item["text"]))
		}
		return
	}
	if isSet(item["text"]) {
		c.item(Warn, i, showAny(item["text"]), "text is for items of type text only, this one is %s", kind)
	}
	c.itemURL(i, kind, item[kind])
}

// itemRole judges the role of an item on its own.
func (c *valueCheck) itemRole(i int, role any) {
	if s, ok := role.(string); isSet(role) && (!ok || !slices.Contains(roles, s) && !c.k.roleShown(s)) {
		c.item(Warn, i, showAny(role), "role is %s; seen are %s", showAny(role), strings.Join(roles, ", "))
	}
}

// itemURL judges the reference of a non-text item.
func (c *valueCheck) itemURL(i int, kind string, v any) {
	obj, ok := v.(map[string]any)
	if !ok {
		c.item(Block, i, showAny(v), "%s is %s; it must be an object {url: ...}, not a bare string", kind, showAny(v))
		return
	}
	u, ok := obj["url"].(string)
	if !ok || u == "" {
		c.item(Block, i, showAny(obj["url"]), "%s.url is %s; it must be %s", kind, showAny(obj["url"]), references)
		return
	}
	if sev, text := reference(u, []string{strings.TrimSuffix(kind, "_url")}); sev != "" {
		c.item(sev, i, show(u), "%s.url is %s; %s", kind, show(u), text)
	}
}

// namedKey judges the value of a key without a canonical field, by the kind and the values that the
// catalog gives it; no severity means it is fine.
func (f *Field) namedKey(key string, v any) (Severity, string) {
	s, plain := scalar(v)
	text, isText := v.(string)
	switch f.KeyKinds[key] {
	case Integer:
		if !isInteger(s) {
			return Block, fmt.Sprintf("%s is %s; it must be a whole number", key, showAny(v))
		}
	case Number:
		if _, isBool := v.(bool); isBool || !isNumber(s) {
			return Block, fmt.Sprintf("%s is %s; it must be a number", key, showAny(v))
		}
	case Boolean:
		if s != "true" && s != "false" {
			return Block, fmt.Sprintf("%s is %s; it must be true or false", key, showAny(v))
		}
	case Text:
		if !isText {
			return Block, fmt.Sprintf("%s is %s; it must be text", key, showAny(v))
		}
	case Media:
		if !isText {
			return Block, fmt.Sprintf("%s is %s; it must be %s", key, showAny(v), references)
		}
		if sev, what := reference(text, f.MediaKinds); sev != "" && text != "" {
			return sev, fmt.Sprintf("%s is %s; %s", key, show(text), what)
		}
	}
	if values := f.KeyValues[key]; len(values) > 0 && (!plain || !slices.Contains(values, s)) {
		return Warn, fmt.Sprintf("%s is %s; shown are %s", key, showAny(v), strings.Join(values, ", "))
	}
	return "", ""
}
