package delivered

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// report is what an answer tells of a task.
type report struct {
	seconds    []float64
	pictures   []picture
	scaledFrom string // the size from which the result is said to have been scaled
	seed       string
	images     int    // that were used; -1 if the answer does not say
	fromText   string // the answer's word for it, if it says that the video was made from text
	// noImageTokens: the answer counts what was read, and no picture was.
	noImageTokens bool
}

// Bounds of what is looked at, and of what a video can be.
const (
	maxDepth   = 6
	maxSeconds = 3600
)

// read takes a report from a body. What is not JSON tells nothing.
func read(body []byte) report {
	r := report{images: -1}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v map[string]any
	if dec.Decode(&v) != nil {
		return r
	}
	r.object(v, 0)
	return r
}

// inner names the objects in which such answers put parts of what they tell. Of a list there, the
// first item is the result.
var inner = []string{"data", "output", "metadata", "usage", "parameters", "content", "response", "result", "task_result", "videos", "input_tokens_details"}

func (r *report) object(v map[string]any, depth int) {
	if depth > maxDepth {
		return
	}
	r.length(v)
	r.picture(v)
	if s := scalar(v["seed"]); s != "" && s != "0" && !strings.HasPrefix(s, "-") && isWhole(s) {
		r.seed = s // of several, the innermost: the one that made the result
	}
	if s, ok := v["scaled_from"].(string); ok {
		r.scaledFrom = s
	}
	r.used(v)
	for _, k := range inner {
		switch x := v[k].(type) {
		case map[string]any:
			r.object(x, depth+1)
		case []any:
			if len(x) == 1 || k == "videos" && len(x) > 0 {
				if o, ok := x[0].(map[string]any); ok {
					r.object(o, depth+1)
				}
			}
		}
	}
}

// length reads how long the result is. If the answer counts the input as well, only the length of
// the output counts.
func (r *report) length(v map[string]any) {
	names := []string{"output_video_duration"}
	if n, in := positive(v["input_video_duration"]); !in || n == 0 {
		names = append(names, "video_duration", "duration", "seconds")
	}
	for _, k := range names {
		if n, ok := positive(v[k]); ok && n <= maxSeconds {
			r.seconds = append(r.seconds, n)
		}
	}
}

// picture reads the size, the resolution and the shape.
func (r *report) picture(v map[string]any) {
	add := func(p picture, ok bool) {
		if ok {
			r.pictures = append(r.pictures, p)
		}
	}
	width, ok1 := positive(v["width"])
	height, ok2 := positive(v["height"])
	add(picture{w: width, h: height}, ok1 && ok2)
	add(sized(scalar(v["size"])))
	add(sized(scalar(v["resolution"])))
	add(lined(scalar(v["resolution"])))
	add(lined(scalar(v["SR"])))
	for _, k := range []string{"ratio", "aspect_ratio", "video_ratio"} {
		add(shaped(scalar(v[k])))
	}
}

// Words with which answers say that a video was made from text.
var fromText = map[string]bool{"t2v": true, "text2video": true, "texttovideo": true, "textgenerate": true}

// used reads how many of the pictures that were sent were used.
func (r *report) used(v map[string]any) {
	n, told := 0, false
	for _, k := range []string{"images", "image_urls", "input_images", "reference_images", "input_reference", "image", "image_url"} {
		switch x := v[k].(type) {
		case []any:
			n, told = n+len(x), true
		case string:
			if strings.TrimSpace(x) != "" {
				n, told = n+1, true
			}
		case json.Number:
			if i, err := strconv.Atoi(x.String()); err == nil && i >= 0 {
				n, told = n+i, true
			}
		}
	}
	if told {
		r.images = max(r.images, n)
	}
	for _, k := range []string{"action", "mode"} {
		if s, ok := v[k].(string); ok && isFromText(s) {
			r.fromText = s
		}
	}
	_, words := positive(v["text_tokens"]) // else nothing was counted
	if n, ok := v["image_tokens"].(json.Number); ok && n.String() == "0" && words {
		r.noImageTokens = true
	}
}

func isFromText(mode string) bool {
	return fromText[strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(mode))]
}

// scalar returns a text, or a number as it was written.
func scalar(v any) string {
	switch t := v.(type) {
	case string:
		return strings.TrimSpace(t)
	case json.Number:
		return t.String()
	default:
		return ""
	}
}

func positive(v any) (float64, bool) {
	f, err := strconv.ParseFloat(strings.TrimSuffix(scalar(v), "s"), 64)
	return f, err == nil && f > 0
}
