package intake_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/intake"
	"darkroom/client/places"
)

// bodies makes bodies out of the words that the catalog and the formats know, put together
// as nobody would.
type bodies struct {
	*rand.Rand
	names []string
	n     int
}

func newBodies(r intake.Reader, seed uint64) *bodies {
	b := &bodies{Rand: rand.New(rand.NewPCG(seed, 7))} //nolint:gosec // reproducible, not secret
	b.names = []string{"model", "model_name", "mode", "prompt", "input", "media", "instances", "parameters", "messages", "content", "role",
		"type", "url", "image_url", "zz", "a.b", "x[0]", `c\d`, "referenceImages", "image", "stream"}
	for _, m := range []client.Modality{client.Video, client.Image, client.Music, client.Speech, client.Chat} {
		for _, f := range r.Catalog.AllFields(m) {
			b.names = append(append(b.names, f.Name), f.Aliases...)
		}
	}
	return b
}

// text is one that stands nowhere else in the body.
func (b *bodies) text() string {
	b.n++
	return fmt.Sprintf("text-%04d \"q\" 塩", b.n)
}

func (b *bodies) value(depth int) any {
	switch n := b.IntN(12); {
	case n < 5:
		return b.text()
	case n == 5:
		return json.Number(fmt.Sprint(9007199254740993 + int64(b.n)))
	case n == 6:
		return b.IntN(2) == 0
	case n == 7:
		return nil
	case n < 10 && depth > 0:
		out := make([]any, b.IntN(4))
		for i := range out {
			out[i] = b.value(depth - 1)
			if b.IntN(3) == 0 {
				out[i] = map[string]any{"type": []string{"first_frame", "last_frame", "reference_image", "reference_audio"}[b.IntN(4)], "url": b.text()}
			}
		}
		return out
	case depth > 0:
		return b.object(depth-1, 1+b.IntN(3))
	default:
		return b.text()
	}
}

func (b *bodies) object(depth, n int) map[string]any {
	out := map[string]any{}
	for range n {
		out[b.names[b.IntN(len(b.names))]] = b.value(depth)
	}
	return out
}

// TestNothingOfAnyBodyIsLost reads bodies that no format makes.
func TestNothingOfAnyBodyIsLost(t *testing.T) {
	r := reader(t)
	c := gateway(t, r)
	models := []string{"famA3", "famF-video", "famK-3.0", "famJq3-turbo", "famL-2", "famN_music", "unknown-model"}
	paths := []string{"", "", "/v1/videos", "/ent/v2/img2video", "/api/v1/tasks", "/v1beta/models/famA3:predictLongRunning", "/v1/images/generations",
		"/famN/submit/music", "/v1/chat/completions", "/v1/responses", "/made/up", "/api/v3/contents/generations/tasks"}
	b := newBodies(r, 1)
	read := 0
	for range 1500 {
		body := b.object(3, 1+b.IntN(8))
		if b.IntN(4) > 0 {
			body["model"] = models[b.IntN(len(models))]
		}
		if b.IntN(3) == 0 {
			body["messages"] = []any{map[string]any{"role": "system", "content": b.text()}, b.value(2), map[string]any{"role": "user", "content": b.text()}}
		}
		if b.IntN(3) == 0 {
			body["instances"] = []any{b.object(2, 2), b.value(1)}
		}
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		text := string(raw)
		if p := paths[b.IntN(len(paths))]; p != "" {
			text = "POST " + p + "\n" + text
		}
		got, err := r.Read(text, intake.Hint{Modality: client.Video})
		if err != nil {
			continue
		}
		read++
		nothingIsLost(t, string(raw), got)
		for place := range got.Draft.Extra {
			_, err := places.Check(place)
			require.NoError(t, err)
		}
		_, _ = c.Preview(got.Draft, got.Format)
	}
	require.Greater(t, read, 500)
}
