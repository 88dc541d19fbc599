package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/sandbox"
	"darkroom/jobs/delivered"
)

// filled is the least draft that a mode of a model needs, with everything that is compared later.
func filled(g *Gateway, m catalog.Model, mode catalog.Mode, format string) client.Draft {
	d := client.Draft{Modality: m.Modality, Model: m.ID, Mode: mode.Name, Prompt: "a kite", Values: client.Values{}}
	if len(m.ModelNames) > 0 {
		d.ModelName = m.ModelNames[0]
	}
	const picture, film = "https://example.com/a.png", "https://example.com/a.mp4"
	for _, n := range mode.Needs {
		switch f := n.AnyOf[0]; f {
		case client.FieldPrompt, "video_id":
		case "image", "end_image", "human_image", "cloth_image", "scene_image", "style_image":
			d.Values[f] = picture + "?" + f
		case "videos":
			d.Values[f] = []any{film}
		default:
			var list []any
			for i := range max(1, n.Min) {
				list = append(list, picture+"?"+string(rune('a'+i)))
			}
			d.Values[f] = list
		}
	}
	usual := map[string]string{"duration": "2", "aspect_ratio": "9:16", "resolution": "720p", "seed": "42", "n": "2", "size": "1024x1024"}
	for _, f := range g.Catalog.FieldsFor(d, format) {
		v, compared := usual[f.Name]
		if list := slices.Concat(f.Allowed, f.Usual); len(list) > 0 && !slices.Contains(list, v) {
			v = list[0]
		}
		if fixed := m.Fixed[f.Name]; fixed != "" {
			v = fixed
		}
		if compared && f.Kind != catalog.Object {
			d.Values[f.Name] = json.Number(v)
			if f.Kind != catalog.Integer && f.Kind != catalog.Number {
				d.Values[f.Name] = v
			}
		}
	}
	return d
}

// TestWhatTheEmbeddedGatewayMakesIsWhatWasAsked: no model and no mode of it is warned of, through
// any format; and every one is that has lost its images and its length.
func TestWhatTheEmbeddedGatewayMakesIsWhatWasAsked(t *testing.T) {
	t.Parallel()
	g := openGateway(t, testConfig(t), sandbox.Instant)
	tried, lost, families := 0, 0, map[string]bool{}
	for _, m := range g.Catalog.Models("") {
		if m.Modality != client.Video && m.Modality != client.Image {
			continue
		}
		for i, mode := range m.Modes {
			if mode.Name == "extend" {
				continue // it needs a task of the server
			}
			for _, format := range g.FormatsFor(client.Draft{Modality: m.Modality, Model: m.ID}) {
				d := filled(g, m, mode, format)
				task, ok := finished(t, g, d, format)
				if !ok {
					continue // it needs more in this format
				}
				w := delivered.Wish{Draft: d, Mapped: g.mappedDurations(d)}
				assert.Empty(t, delivered.Answer(w, task.Raw, pictures(task)), "%s %s through %s: %s", m.ID, mode.Name, format, task.Raw)
				if i == 0 && !families[m.Family] { // to make a file takes time
					families[m.Family] = true
					assert.Empty(t, delivered.Saved(w, fetched(t, g, task), task.Raw), "%s %s through %s: %v", m.ID, mode.Name, format, d.Values)
				}
				tried++
				if m.Modality != client.Video || len(mode.Needs) < 2 {
					continue
				}
				bad := d.Clone()
				bad.Prompt += " [[sandbox:ignore images]]"
				if w.Draft = bad; slices.ContainsFunc([]string{"image", "images", "reference_images", "image_list"}, func(f string) bool { return len(bad.Values.List(f)) > 0 }) {
					task, ok = finished(t, g, bad, format)
					require.True(t, ok)
					assert.NotEmpty(t, delivered.Answer(w, task.Raw, -1), "%s %s through %s: %s", m.ID, mode.Name, format, task.Raw)
					lost++
				}
			}
		}
	}
	assert.Greater(t, tried, 60)
	assert.Greater(t, lost, 20)
}

// finished creates a task and asks until it has ended; false where the draft is refused.
func finished(t *testing.T, g *Gateway, d client.Draft, format string) (client.Task, bool) {
	t.Helper()
	task, err := g.Client.Create(t.Context(), d, format)
	if api, ok := errors.AsType[*client.APIError](err); ok && api.HTTPStatus == http.StatusBadRequest {
		return task, false
	}
	require.NoError(t, err, "%s %s through %s: %v", d.Model, d.Mode, format, d.Values)
	for range 100 {
		if task.Status.Terminal() {
			break
		}
		task, err = g.Client.Query(t.Context(), task.Format, task.ID)
		require.NoError(t, err)
	}
	require.Equal(t, client.StatusCompleted, task.Status, "%s", task.Raw)
	return task, true
}

func pictures(task client.Task) int {
	n := 0
	for _, a := range task.Assets {
		if a.Kind == client.AssetImage {
			n++
		}
	}
	if n == 0 {
		return -1
	}
	return n
}

// fetched is what the first result says of itself.
func fetched(t *testing.T, g *Gateway, task client.Task) delivered.File {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.Sandbox.URL+task.Assets[0].URL, nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, b, 0o600))
	f, err := measure(ctx, path)
	require.NoError(t, err)
	return f
}
