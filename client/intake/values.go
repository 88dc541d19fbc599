package intake

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"darkroom/client"
)

// holder is the object under a name; for "name[]" the first of a list.
func holder(body map[string]any, name string) map[string]any {
	name, list := strings.CutSuffix(name, "[]")
	v := body[name]
	if items, ok := v.([]any); list && ok && len(items) > 0 {
		v = items[0]
	}
	obj, _ := v.(map[string]any)
	return obj
}

// dropHolder removes an empty object; from a list only when it was the only item.
func dropHolder(body map[string]any, name string) {
	name, list := strings.CutSuffix(name, "[]")
	if items, ok := body[name].([]any); !list || ok && len(items) == 1 {
		delete(body, name)
	}
}

// at is the value at a dotted place.
func at(body map[string]any, place string) (any, bool) {
	head, inner, nested := strings.Cut(place, ".")
	if !nested {
		v, ok := body[head]
		return v, ok
	}
	v, ok := holder(body, head)[inner]
	return v, ok
}

// sharedPlace is the place inside another object that several fields of a format share, as
// input.media; false for a format without one.
func sharedPlace(f client.Format) (string, bool) {
	seen := map[string]bool{}
	for _, w := range f.Fields() {
		if seen[w.Wire] && strings.Contains(w.Wire, ".") {
			return w.Wire, true
		}
		seen[w.Wire] = true
	}
	return "", false
}

// splitter puts the items of a list that several fields share under canonical names. It
// reports whether all of them found a place; if not, it has changed nothing.
type splitter func(v any, body map[string]any) bool

// roleFields are the fields of references by the role of an item.
var roleFields = map[string]string{"first_frame": "image", "last_frame": "end_image", "reference_image": "reference_images",
	"reference_video": "videos", "reference_audio": "audios"}

// byRole gives each item {type: ROLE, url: URL} to the field of its role.
func byRole(v any, body map[string]any) bool {
	found := map[string]any{}
	for _, x := range items(v) {
		role, url, ok := roleItem(x)
		field := roleFields[role]
		if !ok || field == "" {
			return false
		}
		switch list, many := found[field].([]any); {
		case field == "image" || field == "end_image":
			if found[field] != nil {
				return false
			}
			found[field] = url
		case many:
			found[field] = append(list, url)
		default:
			found[field] = []any{url}
		}
	}
	return put(body, found)
}

// asContent makes content items, which keep order and roles.
func asContent(v any, body map[string]any) bool {
	var out []any
	for _, x := range items(v) {
		role, url, ok := roleItem(x)
		kind := ""
		switch {
		case strings.HasSuffix(role, "_image"), strings.HasSuffix(role, "_frame"):
			kind = "image_url"
		case strings.HasSuffix(role, "_video"):
			kind = "video_url"
		case strings.HasSuffix(role, "_audio"):
			kind = "audio_url"
		}
		if !ok || kind == "" {
			return false
		}
		out = append(out, map[string]any{"type": kind, kind: map[string]any{"url": url}, "role": role})
	}
	return len(out) > 0 && put(body, map[string]any{fieldContent: out})
}

func put(body, found map[string]any) bool {
	for name := range found {
		if _, set := body[name]; set {
			return false
		}
	}
	for name, v := range found {
		body[name] = v
	}
	return len(found) > 0
}

func items(v any) []any {
	l, _ := v.([]any)
	return l
}

// roleItem reads {type: ROLE, url: URL}; an item with more in it is none.
func roleItem(x any) (role, url string, ok bool) {
	m, _ := x.(map[string]any)
	role, _ = m["type"].(string)
	url, _ = m["url"].(string)
	return role, url, len(m) == 2 && role != "" && url != ""
}

// inlined makes data URIs of pictures that stand as {image: {mimeType, data}}.
func inlined(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	out := slices.Clone(list)
	for i, x := range out {
		m, _ := x.(map[string]any)
		image, _ := m["image"].(map[string]any)
		mime, okMime := image["mimeType"].(string)
		data, okData := image["data"].(string)
		if len(m) == 1 && len(image) == 2 && okMime && okData && !strings.ContainsAny(mime, ",;") {
			out[i] = "data:" + mime + ";base64," + data
		}
	}
	return out
}

// liftMessages takes the system text and the last message of the user out of a
// conversation, in a format whose fields go there.
func liftMessages(fields []client.WireField, body map[string]any) {
	list, ok := body[fieldMessages].([]any)
	if !ok || !slices.ContainsFunc(fields, func(w client.WireField) bool {
		return w.Canonical == client.FieldPrompt && w.Wire == fieldMessages
	}) {
		return
	}
	take := func(i int, role, name string) bool {
		if i < 0 || i >= len(list) || body[name] != nil {
			return false
		}
		m, _ := list[i].(map[string]any)
		text, isText := m["content"].(string)
		if m["role"] != role || !isText || text == "" || len(m) != 2 {
			return false
		}
		body[name] = text
		return true
	}
	if take(len(list)-1, client.RoleUser, client.FieldPrompt) {
		list = list[:len(list)-1]
	}
	if take(0, client.RoleSystem, "system") {
		list = list[1:]
	}
	if body[fieldMessages] = slices.Clone(list); len(list) == 0 {
		delete(body, fieldMessages)
	}
}

// unstream removes from a conversation what asks for a stream: a create reads its answer whole, and
// a streamed one would be paid for and not be read.
func unstream(body map[string]any) bool {
	on, _ := body["stream"].(bool)
	if _, ok := body[fieldMessages].([]any); !ok || !on {
		return false
	}
	delete(body, "stream")
	delete(body, "stream_options")
	return true
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}

// sameText compares scalars by their texts, all else deeply.
func sameText(a, b any) bool {
	x, okX := plain(a)
	y, okY := plain(b)
	return okX && okY && x == y || okX == okY && reflect.DeepEqual(a, b)
}

func plain(v any) (string, bool) {
	switch t := v.(type) {
	case string:
		return t, true
	case json.Number:
		return t.String(), true
	default:
		return "", false
	}
}

func sameJSON(a, b any) bool { return bytes.Equal(raw(a), raw(b)) }

// raw is a parsed value as JSON.
func raw(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSpace(b.Bytes())
}

// clone copies what can be changed.
func clone(v any) any {
	switch t := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(t))
		for k, x := range t {
			out[k] = clone(x)
		}
		return out
	case []any:
		out := make([]any, len(t))
		for i := range t {
			out[i] = clone(t[i])
		}
		return out
	default:
		return v
	}
}
