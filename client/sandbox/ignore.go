package sandbox

import (
	"fmt"
	"slices"
	"strings"
)

// What a request asks for that the fault ignore loses: the task is accepted, billed and finished
// without it, as some gateways do with fields that they do not pass on.
const (
	ignoreImages   = "images"
	ignoreDuration = "duration"
	ignoreSize     = "size"
	ignoreSeed     = "seed"
)

var ignorable = []string{ignoreImages, ignoreDuration, ignoreSize, ignoreSeed}

// parseIgnore reads `ignore images duration`.
func parseIgnore(d directive) ([]string, error) {
	var out []string
	for _, what := range ignorable {
		if _, ok := d.args[what]; ok {
			out = append(out, what)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("sandbox directive ignore: say what is ignored: %s", strings.Join(ignorable, ", "))
	}
	return out, d.only(ignorable...)
}

// ignore takes out of a request what its script has it lose, once the request was accepted.
func (a *asked) ignore() {
	for _, what := range a.script.Ignore {
		fields := []string{what}
		switch what {
		case ignoreImages:
			fields = append(slices.Clone(imageFields), "subject_image_list", "scene_image", "style_image", "human_image", "cloth_image")
			if items := a.Values.List("content"); len(items) > 0 {
				a.Values["content"] = slices.DeleteFunc(slices.Clone(items), func(x any) bool {
					item, ok := x.(map[string]any)
					return ok && item["type"] == "image_url"
				})
			}
		case ignoreSize:
			fields = []string{"size", "aspect_ratio", "resolution"}
		}
		for _, f := range fields {
			delete(a.Values, f)
			delete(a.parameters, f)
		}
	}
}

// made is what the answer about a finished video tells of it beside what the interface shows, in
// every format.
type made struct {
	// ScaledFrom is the size or the resolution of which the video is a small copy.
	ScaledFrom string `json:"scaled_from,omitempty"`
	// InputImages is how many of the pictures that were sent are in it; nil for a task of an
	// earlier version.
	InputImages *int `json:"input_images,omitempty"`
}

func (p *videoPlan) made() made {
	m := made{ScaledFrom: p.Resolution, InputImages: p.Images}
	if w, h, ok := pair(p.Size, "xX×*"); ok {
		if m.ScaledFrom = p.Size; int(w) == p.Width && int(h) == p.Height {
			m.ScaledFrom = ""
		}
	}
	return m
}
