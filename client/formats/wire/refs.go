package wire

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
)

// Ref is one reference of a draft: a URL, a data URI, or an object that the person wrote.
type Ref struct {
	Field string // canonical name that it came from
	Kind  string // image, video, audio
	Role  string // of a content item; may be empty
	Name  string // of a content item; may be empty
	URL   string // "" when Raw is set
	Raw   map[string]any
}

// refKinds are the fields that hold references and what they hold.
var refKinds = map[string]string{
	"image": "image", "end_image": "image", "images": "image", "reference_images": "image",
	"videos": "video", "audios": "audio",
}

// TakeRefs takes the references of the named fields out of a draft, in the order of the names. A
// value that is not a reference stays where it is and is an error that names the field.
func TakeRefs(d *client.Draft, names ...string) ([]Ref, error) {
	var out []Ref
	for _, n := range names {
		v, ok := d.Values[n]
		if !ok {
			continue
		}
		list, _ := toList(v).([]any)
		for i, x := range list {
			switch t := address(x).(type) {
			case string:
				out = append(out, Ref{Field: n, Kind: refKinds[n], URL: t})
			case map[string]any:
				out = append(out, Ref{Field: n, Kind: refKinds[n], Raw: t})
			case nil:
			default:
				return nil, fmt.Errorf("%s: item %d: %s is not a reference", n, i+1, show(x))
			}
		}
		delete(d.Values, n)
	}
	return out, nil
}

// ContentItem is the reference as an item of a content array (GATEWAY: Content item).
func (r Ref) ContentItem(role string) map[string]any {
	if r.Raw != nil {
		return r.Raw
	}
	key := r.Kind + "_url"
	item := map[string]any{"type": key, key: map[string]any{"url": r.URL}}
	if role != "" {
		item["role"] = role
	}
	return item
}

// LiftPrompt makes the texts of a content array the prompt of a draft that has none.
func LiftPrompt(d *client.Draft) {
	if strings.TrimSpace(d.Prompt) != "" {
		return
	}
	var texts []string
	for _, x := range d.Values.List("content") {
		m, _ := x.(map[string]any)
		if s, ok := m["text"].(string); ok && m["type"] == "text" && strings.TrimSpace(s) != "" {
			texts = append(texts, s)
		}
	}
	if len(texts) > 0 {
		d.Prompt = strings.Join(texts, "\n")
	}
}

// ContentRefs reads the media items of a content array, for formats without one, and returns the
// texts beside them. An item of none of the four types is an error.
func ContentRefs(v any) (refs []Ref, texts []string, err error) {
	items, err := toContents(v)
	if err != nil {
		return nil, nil, fmt.Errorf("content: %w", err)
	}
	list, _ := items.([]any)
	for i, x := range list {
		m, _ := x.(map[string]any)
		kind, _ := m["type"].(string)
		role, _ := m["role"].(string)
		name, _ := m["name"].(string)
		if kind == "text" {
			s, _ := m["text"].(string)
			texts = append(texts, s)
			continue
		}
		obj, _ := m[kind].(map[string]any)
		url, ok := obj["url"].(string)
		if !ok || !slices.Contains([]string{"image_url", "video_url", "audio_url"}, kind) {
			return nil, nil, fmt.Errorf("content: item %d is neither text nor media with a url", i+1)
		}
		refs = append(refs, Ref{Field: "content", Kind: kind[:5], Role: role, Name: name, URL: url})
	}
	return refs, texts, nil
}
