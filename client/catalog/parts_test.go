package catalog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// TestPartsOfMessages: role is system, user or assistant (GATEWAY: Endpoints).
func TestPartsOfMessages(t *testing.T) {
	require.Equal(t, []Part{{Name: "content", Kind: Lines}, {Name: "role", Kind: Text, Values: []string{"user", "assistant", "system"}}},
		load(t).Parts(client.Chat, "messages"))
	require.Equal(t, []string{"text", "image_url", "video_url", "audio_url"}, ContentTypes())
	require.Equal(t, []string{"reference_image", "reference_video", "reference_audio", "first_frame"}, ContentRoles())
}

const keyed = `version: 1
fields:
  video:
    - name: frames
      label: Frames
      kind: KIND
      media: [image]
      models: [famI-omni]
      keys: {at: "", picture: "", look: "", on: "", n: ""}
      key_kinds: {at: number, picture: media, look: text, on: boolean, n: integer}
      key_values: {look: [soft, hard]}
      help: "frames"
      source: "mine"
`

// TestNamedKeysAreJudged by their kinds and values, in lists and in objects.
func TestNamedKeysAreJudged(t *testing.T) {
	for kind, wrap := range map[string]func(map[string]any) any{
		"list":   func(m map[string]any) any { return []any{m} },
		"object": func(m map[string]any) any { return m },
	} {
		c, err := load(t).Overlay([]byte(replaceKind(keyed, kind)), "catalog.yaml")
		require.NoError(t, err)
		for key, cases := range map[string][]struct {
			v    any
			want Severity
		}{
			"at":      {{"1.5", ""}, {"x", Block}, {true, Block}, {[]any{}, Block}},
			"n":       {{"9007199254740993", ""}, {"1.5", Block}},
			"on":      {{true, ""}, {"maybe", Block}},
			"look":    {{"soft", ""}, {"bright", Warn}, {true, Block}},
			"picture": {{"https://x.org/a.png", ""}, {"file:///a.png", Info}, {"a.png", Block}, {map[string]any{}, Block}},
			"other":   {{"x", Info}},
		} {
			for _, x := range cases {
				d := client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a kite",
					Values: client.Values{"frames": wrap(map[string]any{key: x.v})}}
				worst := Severity("")
				for _, p := range c.Check(d) {
					if p.Field == "frames" {
						worst = p.Severity
					}
				}
				assert.Equal(t, x.want, worst, "%s of %s: %v", kind, key, x.v)
			}
		}
	}
	for _, bad := range []string{"key_values: {look: []}", "key_values: {nope: [a]}"} {
		_, err := load(t).Overlay([]byte(`version: 1
fields:
  video:
    - name: frames
      label: Frames
      kind: list
      keys: {look: ""}
      `+bad+`
      help: "frames"
      source: "mine"
`), "catalog.yaml")
		require.ErrorContains(t, err, "key_values", bad)
	}
}

func replaceKind(s, kind string) string { return strings.Replace(s, "KIND", kind, 1) }
