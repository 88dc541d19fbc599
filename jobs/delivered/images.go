package delivered

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"darkroom/client/human"
)

// imageFields are the canonical fields that hold references to pictures.
var imageFields = []string{"image", "end_image", "images", "reference_images", "image_list", "subject_image_list",
	"human_image", "cloth_image", "scene_image", "style_image"}

// images counts the pictures that a draft sends; one that stands in two places counts once.
func (w *Wish) images() int {
	seen := map[string]bool{}
	for _, f := range imageFields {
		for _, x := range w.Draft.Values.List(f) {
			if ref := reference(x); ref != "" {
				seen[ref] = true
			}
		}
	}
	for _, x := range w.Draft.Values.List("content") {
		if item, ok := x.(map[string]any); ok && item["type"] == "image_url" {
			if ref := reference(item["image_url"]); ref != "" {
				seen[ref] = true
			}
		}
	}
	return len(seen)
}

// reference returns the address in a value, or the whole of an object without one.
func reference(v any) string {
	switch t := v.(type) {
	case string:
		return strings.TrimSpace(t)
	case map[string]any:
		for _, k := range []string{"url", "image", "image_url"} {
			if ref := reference(t[k]); ref != "" {
				return ref
			}
		}
		b, err := json.Marshal(t)
		if err != nil || len(t) == 0 {
			return ""
		}
		return string(b)
	default:
		return ""
	}
}

func holdsType(items []any, kind string) bool {
	return slices.ContainsFunc(items, func(x any) bool {
		item, ok := x.(map[string]any)
		return ok && item["type"] == kind
	})
}

// lostImages returns a warning that fewer pictures were used than sent, "" for none.
func (w *Wish) lostImages(r report) string {
	sent := w.images()
	were := " were"
	if sent == 1 {
		were = " was"
	}
	sentence := human.Plural(sent, "image") + were + " sent, "
	switch {
	case sent == 0:
		return ""
	case w.video() && r.images >= 0 && r.images < sent:
		return sentence + fmt.Sprintf("the task reports %d", r.images)
	case w.video() && r.fromText != "" && !isFromText(w.Draft.Mode):
		return sentence + "the task reports that it is made from text alone (" + r.fromText + ")"
	case r.noImageTokens:
		return sentence + "the task reports that it has read none"
	default:
		return ""
	}
}
