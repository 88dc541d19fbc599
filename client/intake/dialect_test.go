package intake_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/intake"
)

// vendor is a dialect in made-up words.
func vendor() client.Dialect {
	return client.Dialect{
		Name:     "vendor",
		Segments: map[string]string{"famN": "songs"},
		Paths: map[string]client.DialectPaths{
			"tasks": {Create: "/api/v1/make"}, "content": {Create: "/jobs/new"},
		},
		Models: map[string][]string{
			"famA3": {"acme-3"}, "famA3-fast": {"acme-3"}, "famI-omni": {"omni", "omni-latest"},
			"famN_music": {"acme_songs"}, "famK-3.0": {"kay"}, "famF-video": {client.NamePlaceholder},
		},
		ModelNames: map[string]string{"famF-v2-6": "film-2.6"},
		Engines:    map[string]string{"famN-v5": "s5"},
		WireNames:  map[string]map[string]string{"music": {"upstream_model": "mv"}, "videos": {"image": "first_frame"}, "tasks": {"resolution": "parameters.size"}},
	}
}

// TestARequestInTheGatewaysWordsIsUnderstood: its path, models, engines and fields.
func TestARequestInTheGatewaysWordsIsUnderstood(t *testing.T) {
	t.Parallel()
	r := reader(t)
	r.Dialect = vendor()
	for _, x := range []struct {
		name, text, format string
		want               client.Draft
		notes              int
	}{
		{"a song", `curl https://g.example/songs/submit/music -d '{"model":"acme_songs","mv":"s5","prompt":"rain"}'`, "music",
			client.Draft{Modality: client.Music, Model: "famN_music", Prompt: "rain", Values: client.Values{"upstream_model": "famN-v5"}}, 0},
		{"a song without its path", `{"model":"acme_songs","mv":"s5","prompt":"rain","tags":"x"}`, "music",
			client.Draft{Modality: client.Music, Model: "famN_music", Prompt: "rain", Values: client.Values{"upstream_model": "famN-v5", "tags": "x"}}, 0},
		{"a whole path", "POST /base/jobs/new\n" + `{"model":"omni-latest","prompt":"x"}`, "content",
			client.Draft{Modality: client.Video, Model: "famI-omni", Prompt: "x"}, 0},
		{"a create that is not shown", "POST /api/v1/make\n" + `{"model":"kay","input":{"prompt":"x"},"parameters":{"size":"720P"}}`, "tasks",
			client.Draft{Modality: client.Video, Model: "famK-3.0", Prompt: "x", Values: client.Values{"resolution": "720P"}}, 0},
		{"fields", "POST /v1/videos\n" + `{"model":"film-2.6","model_name":"film-2.6","prompt":"x","first_frame":"https://e.org/a.png"}`, "videos",
			client.Draft{Modality: client.Video, Model: "famF-video", ModelName: "famF-v2-6", Prompt: "x", Values: client.Values{"image": "https://e.org/a.png"}}, 0},
		{"several models of a name", "POST /v1/videos\n" + `{"model":"acme-3","prompt":"x"}`, "videos",
			client.Draft{Modality: client.Video, Model: "famA3", Prompt: "x"}, 1},
		{"the interface's own words", "POST /famN/submit/music\n" + `{"model":"famN_music","upstream_model":"famN-v5","prompt":"rain"}`, "music",
			client.Draft{Modality: client.Music, Model: "famN_music", Prompt: "rain", Values: client.Values{"upstream_model": "famN-v5"}}, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			got, err := r.Read(x.text, intake.Hint{})
			require.NoError(t, err)
			assert.Equal(t, x.format, got.Format)
			assert.Len(t, got.Notes, x.notes, "%v", got.Notes)
			if x.want.Values == nil {
				x.want.Values = got.Draft.Values // empty
				assert.Empty(t, got.Draft.Values)
			}
			assert.Equal(t, x.want, got.Draft)
		})
	}
	got, err := r.Read(`{"model":"acme-3","prompt":"x"}`, intake.Hint{Model: "famA3-fast"})
	require.NoError(t, err)
	assert.Equal(t, "famA3-fast", got.Draft.Model, "the one that is supposed")
}

// TestDraftsComeBackFromCommandsOfADialect: what is sent in the gateway's words is read back.
func TestDraftsComeBackFromCommandsOfADialect(t *testing.T) {
	t.Parallel()
	r := reader(t)
	r.Dialect = vendor()
	c, err := client.New(client.Options{BaseURL: "https://gateway.example/base", Key: func() (string, error) { return "sk-key", nil },
		Formats: r.Formats, WireNames: r.Catalog.WireNames, Dialect: r.Dialect,
		CreatePaths: map[string]string{"status": "/made/up", "responses": "/v1/responses"}})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	for name, d := range drafts() {
		text, err := c.Curl(d, name)
		require.NoError(t, err)
		got, err := r.Read(text, intake.Hint{Model: d.Model})
		require.NoError(t, err, text)
		assert.Equal(t, name, got.Format, text)
		assert.Equal(t, d.Model, got.Draft.Model, text)
		assert.Equal(t, d.ModelName, got.Draft.ModelName)
		want, err := c.Preview(d, name)
		require.NoError(t, err)
		again, err := c.Preview(got.Draft, name)
		require.NoError(t, err)
		assert.Equal(t, string(want.Body), string(again.Body))
		assert.True(t, json.Valid(want.Body))
	}
}
