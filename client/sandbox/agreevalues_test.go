package sandbox_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// least is the minimum input of a mode, by the alternative n of every need; without leaves out
// one of them.
func least(m catalog.Model, mode catalog.Mode, n, without int) client.Draft {
	d := client.Draft{Modality: m.Modality, Model: m.ID, Mode: mode.Name, Values: client.Values{}}
	if len(m.ModelNames) > 0 {
		d.ModelName = m.ModelNames[0]
	}
	for i := range mode.Needs {
		need := &mode.Needs[i]
		if i == without {
			continue
		}
		fill(&d, need, need.AnyOf[min(n, len(need.AnyOf)-1)])
	}
	return d
}

func fill(d *client.Draft, need *catalog.Need, name string) {
	address := func(kind string) string { return fmt.Sprintf("https://e.com/%s%d", kind, len(d.Values)) }
	switch name {
	case client.FieldPrompt:
		d.Prompt = "x"
	case "video_id":
		d.Values[name] = anyTask
	case "image", "end_image", "human_image", "cloth_image":
		d.Values[name] = address("i")
	case "upstream_model":
		d.Values[name] = "famO-speech-2.8-hd"
	case "lyrics", "size", "aspect_ratio":
	case "subjects":
		d.Values[name] = []any{map[string]any{"name": "a"}}
	case "content":
		kind := "image_url"
		if len(need.Types) > 0 {
			kind = need.Types[0]
		}
		list := d.Values.List(name)
		for range max(1, need.Min) {
			item := map[string]any{"type": kind, kind: map[string]any{"url": fmt.Sprintf("https://e.com/c%d", len(list))}}
			if len(need.Roles) > 0 {
				item["role"] = need.Roles[0]
			}
			list = append(list, item)
		}
		d.Values[name] = list
	default:
		list := d.Values.List(name)
		for range max(1, need.Min) {
			list = append(list, fmt.Sprintf("https://e.com/%s%d", name, len(list)))
		}
		d.Values[name] = list
	}
}

// values are what a field may be given: what is stated, one beside every bound, and values of
// every other type.
func values(f catalog.Field) []any {
	out := []any{"", " ", nil, true, "true", json.Number("1"), json.Number("0"), json.Number("-1"), json.Number("2.5"), json.Number("5"), "5", "none",
		[]any{}, []any{"x"}, map[string]any{}, map[string]any{"a": json.Number("1")}, "16:9", "1280x720", "https://e.com/v", tinyPicture, "kite.png",
		map[string]any{"url": "https://e.com/v"}, []any{map[string]any{"url": "https://e.com/v"}}, []any{"https://e.com/v", ""}, map[string]any{"image": "https://e.com/v"},
		[]any{map[string]any{"image": "https://e.com/v"}}, map[string]any{"url": ""}}
	for _, v := range slices.Concat(f.Allowed, f.Usual, f.Suggested) {
		out = append(out, v, strings.ToUpper(v), v+" ")
		if f.Kind == catalog.Integer || f.Kind == catalog.Number {
			out = append(out, json.Number(v))
		}
	}
	for _, bound := range []*float64{f.Min, f.Max} {
		if bound != nil {
			for _, by := range []float64{-1, -0.5, 0, 0.5, 1} {
				out = append(out, json.Number(fmt.Sprint(*bound+by)), fmt.Sprint(*bound+by))
			}
		}
	}
	return out
}

// reference says whether a value has the shape of a reference, or of a list of them.
func reference(v any, list bool) bool {
	switch x := v.(type) {
	case string:
		return true
	case map[string]any:
		_, text := x["url"].(string)
		return text && len(x) == 1
	case []any:
		return list && !slices.ContainsFunc(x, func(y any) bool { return !reference(y, false) })
	}
	return false
}

// ownLimits are those of the embedded gateway, which the interface does not show.
var ownLimits = map[string][2]float64{"duration": {0.5, 60}, "fps": {1, 120}, "n": {1, 10}, "sample_rate": {8000, 48000},
	"speed": {0.25, 4}, "volume": {0, 10}, "pitch": {-24, 24}}

// beyond are values that only the embedded gateway refuses, for limits of its own.
func beyond(f catalog.Field, v any) bool {
	s, _ := client.Values{"v": v}.Text("v")
	if _, text := v.(string); text && strings.TrimSpace(s) != s && strings.Trim(s, "0123456789. ") == "" {
		return true // blanks around a number are no part of what is sent
	}
	x, err := strconv.ParseFloat(s, 64)
	own, ok := ownLimits[f.Name]
	if _, number := v.(json.Number); number && !f.Loose && slices.Contains([]catalog.Kind{catalog.Text, catalog.Lines, catalog.Choice}, f.Kind) {
		return true // refused here, though the codec would write it as the text that is asked for
	}
	if len(f.MediaKinds) > 0 && f.Kind != catalog.Content {
		return !reference(v, f.Kind == catalog.Medias) // other shapes are not shown, and it looks for a picture
	}
	return err == nil && ok && (x < own[0] || x > own[1])
}
