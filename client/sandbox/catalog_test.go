package sandbox

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

// minimum is the least request that the catalog says a mode of a model needs, for a
// task of this server where one is needed.
func minimum(m catalog.Model, mode catalog.Mode, task string) map[string]any {
	body := map[string]any{"model": m.ID}
	if mode.Name != "" {
		body["mode"] = mode.Name
	}
	if len(m.ModelNames) > 0 {
		body["model_name"] = m.ModelNames[0]
	}
	for _, n := range mode.Needs {
		if n.Severity != "" && n.Severity != catalog.Block {
			continue
		}
		switch f := n.AnyOf[0]; f {
		case "prompt":
			body[f] = "a kite"
		case "video_id":
			body[f] = task
		case "image", "end_image", "human_image", "cloth_image", "scene_image", "style_image":
			body[f] = "https://example.com/" + f + ".png"
		default:
			list := []any{}
			for range max(1, n.Min) {
				list = append(list, "https://example.com/"+f)
			}
			body[f] = list
		}
	}
	return body
}

// What the catalog calls the minimum input of a mode is accepted, for every model.
func TestEveryModelIsServed(t *testing.T) {
	b := newBench(t)
	task := b.video(t2v + "}")["id"].(string)
	cat, err := loadCatalog()
	require.NoError(t, err)
	paths := map[client.Modality]string{client.Video: "/v1/videos", client.Image: "/v1/responses", client.Music: "/famN/submit/music", client.Speech: "/famN/submit/music"}
	tried := 0
	for _, m := range cat.Models("") {
		path, ok := paths[m.Modality]
		if !ok {
			continue
		}
		for _, mode := range m.Modes {
			body := minimum(m, mode, task)
			body["background"] = true
			raw, err := json.Marshal(body)
			require.NoError(t, err)
			w := b.do("POST", path, string(raw))
			assert.Equal(t, http.StatusOK, w.Code, "%s %s: %s", m.ID, raw, w.Body)
			tried++
		}
	}
	assert.Greater(t, tried, 60)
}
