package catalog

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func names(fs []Field) (basic, rest []string) {
	for _, f := range fs {
		if f.Basic {
			basic = append(basic, f.Name)
		} else {
			rest = append(rest, f.Name)
		}
	}
	return basic, rest
}

func TestFieldsOfAModeAndModel(t *testing.T) {
	c := load(t)
	basic, rest := names(c.Fields(client.Draft{Modality: client.Video, Model: "famA3", Mode: "t2v"}))
	require.Equal(t, []string{"duration", "aspect_ratio", "resolution", "seed"}, basic)
	require.Equal(t, []string{"generate_audio", "size", "quality", "fps", "content", "function_mode", "parameters", "callback_url", "external_task_id"}, rest)

	basic, _ = names(c.Fields(client.Draft{Modality: client.Video, Model: "famF-video", Mode: "extend"}))
	require.Equal(t, []string{"video_id", "duration", "aspect_ratio", "resolution", "seed", "negative_prompt"}, basic)

	basic, _ = names(c.Fields(client.Draft{Modality: client.Video, Model: "famH-2.3", Mode: "i2v"}))
	require.Equal(t, []string{"images", "duration", "aspect_ratio", "resolution", "seed"}, basic)

	basic, _ = names(c.Fields(client.Draft{Modality: client.Image, Model: "famF-virtual-try-on-v1"}))
	require.Equal(t, []string{"human_image", "cloth_image", "size", "aspect_ratio", "n", "quality", "style"}, basic)

	basic, _ = names(c.Fields(client.Draft{Modality: client.Music, Model: "famN_music"}))
	require.Equal(t, []string{"upstream_model", "title", "tags", "lyrics", "make_instrumental"}, basic)

	basic, _ = names(c.Fields(client.Draft{Modality: client.Speech, Model: "famN_music"}))
	require.Equal(t, []string{"upstream_model", "voice", "output_format", "sample_rate", "speed", "volume", "pitch"}, basic)
	require.Nil(t, c.Fields(client.Draft{Modality: "smell"}))
	require.NotEmpty(t, c.Fields(client.Draft{Modality: client.Video, Model: "unknown", Mode: "unknown"}))
}

// TestFieldsAreWhatCheckTakes keeps the two in step: a field that a form shows is
// never one that Check calls "not documented".
func TestFieldsAreWhatCheckTakes(t *testing.T) {
	c := load(t)
	for _, m := range c.Models("") {
		for _, mode := range m.Modes {
			d := client.Draft{Modality: m.Modality, Model: m.ID, Mode: mode.Name, Values: client.Values{}}
			taken := map[string]bool{}
			for _, f := range c.Fields(d) {
				taken[f.Name] = true
			}
			for _, f := range c.fields[m.Modality].list {
				d.Values[f.Name] = "x"
			}
			complained := map[string]bool{}
			for _, p := range c.Check(d) {
				if strings.Contains(p.Message, "is not documented for") {
					complained[p.Field] = true
				}
			}
			for _, f := range c.fields[m.Modality].list {
				require.Equal(t, taken[f.Name], !complained[f.Name], "%s %s %s", m.ID, mode.Name, f.Name)
			}
		}
	}
}

// TestEveryNeedCanBeMet fails when a mode asks for a field that its model does not
// take in that mode.
func TestEveryNeedCanBeMet(t *testing.T) {
	c := load(t)
	for _, m := range c.Models("") {
		for _, mode := range m.Modes {
			d := client.Draft{Modality: m.Modality, Model: m.ID, Mode: mode.Name}
			for _, n := range mode.Needs {
				ok := slices.Contains(n.AnyOf, client.FieldPrompt)
				for _, f := range c.Fields(d) {
					ok = ok || f.Name != "content" && slices.Contains(n.AnyOf, f.Name)
				}
				require.True(t, ok, "%s %s: %s", m.ID, mode.Name, n.Text)
			}
		}
	}
}

func TestMergedLimits(t *testing.T) {
	c := load(t)
	get := func(model, mode, name string) Field {
		m, _ := c.Model(model)
		for _, f := range c.Fields(client.Draft{Modality: m.Modality, Model: model, Mode: mode}) {
			if f.Name == name {
				return f
			}
		}
		t.Fatalf("%s %s has no %s", model, mode, name)
		return Field{}
	}
	f := get("famK-3.0-480p", "t2v", "resolution")
	require.Equal(t, []string{"480P"}, f.Allowed)
	require.True(t, f.Hard)
	require.Equal(t, "480P", f.Default)
	f = get("famK-3.0", "t2v", "duration")
	require.InDelta(t, 2, *f.Min, 0)
	require.InDelta(t, 30, *f.Max, 0)
	require.True(t, f.Hard)
	f = get("famI-omni", "t2v", "duration")
	require.Equal(t, []string{"4", "6", "8", "10"}, f.Allowed)
	require.True(t, f.Mapped)
	require.Contains(t, f.Help, "not documented")
	require.Empty(t, get("famA3", "t2v", "duration").Allowed)
}

func TestSuggest(t *testing.T) {
	c := load(t)
	require.Equal(t, "famK-3.0", c.Suggest("famk-3.O", 3)[0])
	require.Equal(t, []string{"famN_music"}, c.Suggest("famN-music", 1))
	require.Contains(t, c.Suggest("famD-2-0", 3), "famD-2-0-260128")
	require.Empty(t, c.Suggest("something else altogether", 3))
	require.Empty(t, c.Suggest("", 3))
	require.Empty(t, c.Suggest("famA3", 0))
	require.LessOrEqual(t, len(c.Suggest(strings.Repeat("famA3", 1000), 3)), 3)
}

func TestCheckOrder(t *testing.T) {
	c := load(t)
	ps := c.Check(client.Draft{Modality: client.Video, Model: "famF-video", Mode: "multi_i2v", Values: client.Values{
		"seed": "x", "callback_url": json.Number("1"), "fps": "fast", "duration": "x", "resolution": json.Number("7"), "zzz": "1", "seconds": "3"},
		Extra: map[string]json.RawMessage{"b": json.RawMessage(`1`), "a": json.RawMessage(`2`), "fps": json.RawMessage(`3`)}})
	var got []string
	for _, p := range ps {
		got = append(got, string(p.Severity)+" "+p.Field)
	}
	require.Equal(t, []string{
		"block model_name", "block prompt", "block image_list", "block duration", "block seed", "block fps",
		"warn resolution", "warn callback_url", "warn seconds", "warn zzz", "warn fps", "info a", "info b",
	}, got)
	require.True(t, Blocked(ps))
	require.False(t, Blocked(ps[6:]))
	require.Nil(t, c.Check(client.Draft{Modality: client.Video, Model: "famA3", Prompt: "x"}))
}

func TestCheckShowsHostileValuesSafely(t *testing.T) {
	c := load(t)
	long := strings.Repeat("é", 100_000)
	for _, v := range []string{"\x1b]0;title\a\x1b[31m", long, "data:image/png;base64," + strings.Repeat("A", 1<<20), "a\nb\tc"} {
		for _, p := range c.Check(client.Draft{Modality: client.Video, Model: v, Mode: v, ModelName: v,
			Values: client.Values{"image": v, "images": []any{v}, "size": v, v: v}, Extra: map[string]json.RawMessage{v: json.RawMessage(v)}}) {
			require.Less(t, len(p.Message), 1000)
			require.NotContains(t, p.Message+p.Value+p.Field, "\x1b")
			require.NotContains(t, p.Message, "\n")
			require.NotContains(t, p.Message, "AAAAAAAAAAAAAAAAA")
		}
	}
}

func TestNormalize(t *testing.T) {
	c := load(t)
	d, ps := c.Normalize(client.Video, map[string]any{
		"model": "famA3", "mode": "i2v", "prompt": "a\nb", "model_name": nil,
		"seconds": "5", "ratio": "16:9", "image_url": "https://e.com/a.png",
		"video_urls": []any{"v1"}, "video": "v2", "videos": []any{"v2", "v3"},
		"seed": json.Number("9007199254740993"), "colour": map[string]any{"r": json.Number("1")}, "generate_audio": nil,
	})
	require.Empty(t, ps)
	require.Equal(t, client.Draft{
		Modality: client.Video, Model: "famA3", Mode: "i2v", Prompt: "a\nb",
		Values: client.Values{
			"duration": "5", "aspect_ratio": "16:9", "image": "https://e.com/a.png",
			"videos": []any{"v2", "v3", "v1"}, "seed": json.Number("9007199254740993"), "generate_audio": nil,
		},
		Extra: map[string]json.RawMessage{"colour": json.RawMessage(`{"r":1}`)},
	}, d)

	d, ps = c.Normalize(client.Music, map[string]any{"model": json.Number("5"), "modelId": json.Number("128"), "engine": "famQ-v9", "lyric": "x", "lyrics": "x"})
	require.Len(t, ps, 2)
	require.Equal(t, "model", ps[0].Field)
	require.Equal(t, Block, ps[0].Severity)
	require.Equal(t, "upstream_model", ps[1].Field)
	require.Contains(t, ps[1].Message, `engine is "famQ-v9" and modelId is 128`)
	require.Equal(t, client.Values{"upstream_model": "famQ-v9", "lyrics": "x"}, d.Values)
	require.Equal(t, map[string]json.RawMessage{"model": json.RawMessage("5")}, d.Extra)

	d, ps = c.Normalize(client.Video, map[string]any{"duration": json.Number("5"), "seconds": "5"})
	require.Empty(t, ps, "the same value in two types is no contradiction")
	require.Equal(t, json.Number("5"), d.Values["duration"])

	d, ps = c.Normalize(client.Chat, map[string]any{"model": "m", "messages": []any{}})
	require.Empty(t, ps)
	require.Equal(t, "m", d.Model)
	require.Contains(t, d.Values, "messages")
}
