package catalog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
)

// The table of identifiers, typed from the document: family, kind, identifiers.
var identifiers = []struct {
	family string
	kind   client.Modality
	ids    string
}{
	{"famA", client.Video, "famA3 famA3-fast famA3-fast-frames famA3-frames famA3-pro famA3-pro-frames famA3.1 famA3.1-fast famA3.1-pro famA3.1-components famA3.1-4k famA3.1-pro-4k"},
	{"famB", client.Video, "famB-2 famB-2-pro"},
	{"famC", client.Video, "famC-1.0 famC-1.0-i2v famC-1.0-t2v famC-1.0-r2v famC-1.0-video-edit"},
	{"famD", client.Video, "famD-1-0-lite-t2v-250428 famD-1-0-lite-i2v-250428 famD-1-0-pro-250528 famD-1-0-pro-fast-251015 famD-1-5-pro-251215 famD-2-0-260128 famD-2-0-fast-260128"},
	{"famE", client.Video, "famE-imagine-1.0-video famE-imagine-video-1.5-preview famE-video-3"},
	{"famF", client.Video, "famF-video"},
	{"famG", client.Video, "famG-h3"},
	{"famH", client.Video, "famH-2.3"},
	{"famI", client.Video, "famI-omni"},
	{"famJ", client.Video, "famJq3-turbo"},
	{"famK", client.Video, "famK-3.0 famK-3.0-480p famK-3.0-1080p"},
	{"famL", client.Image, "famL famL-pro famL-pro-2k famL-pro-4k famL-2 famL-2-2k famL-2-4k"},
	{"famM", client.Image, "famM-3-0-t2i-250415 famM-4-0-250828 famM-4-5-251128 famM-5-0-260128"},
	{"famF", client.Image, "famF-image famF-omni-image famF-virtual-try-on-v1 famF-virtual-try-on-v1-5"},
	{"famN", client.Music, "famN_music"},
}

// modelNames are the three lists of model_name.
var modelNames = map[string]string{
	"famF-video":      "famF-v1 famF-v1-5 famF-v1-6 famF-v2-master famF-v2-1 famF-v2-1-master famF-v2-5-turbo famF-v2-6 famF-v3",
	"famF-image":      "famF-v1 famF-v1-5 famF-v2 famF-v2-new famF-v2-1 famF-v3",
	"famF-omni-image": "famF-image-o1 famF-v3-omni",
}

// modelSentences are "What the service does" and "Model identifiers".
func modelSentences() []sentence {
	return []sentence{
		{id: "service.formats", says: "each is there with its paths", holds: func(t *testing.T, c *catalog.Catalog) {
			want := map[string]string{
				"videos": "POST /v1/videos", "content": "POST /api/v3/contents/generations/tasks", "ent": "POST /ent/v2/img2video",
				"tasks": "", "status": "", "images": "POST /v1/images/generations", "music": "POST /famN/submit/music",
				"responses": "", "chat": "POST /v1/chat/completions", "native": "POST /v1beta/models/{model}:predictLongRunning",
			}
			have := map[string]string{}
			for _, f := range c.Formats() {
				have[f.Name] = f.Create
			}
			require.Equal(t, want, have)
			require.Len(t, formats.All(), len(want))
			require.Equal(t, "/v1beta/models", formats.ModelLists()[0].Request("").Path)
		}},
		{id: "service.async", says: "a create that is not synchronous has a query path, or one of another format", holds: func(t *testing.T, _ *catalog.Catalog) {
			for _, f := range formats.All() {
				require.Equal(t, f.Synchronous(), f.Query("x").Path == "", f.Name())
			}
		}},
		{id: "service.many", says: "one video model, several formats", holds: func(t *testing.T, c *catalog.Catalog) {
			for model, want := range map[string]string{
				"famA3": "videos native", "famB-2": "videos", "famC-1.0": "videos tasks", "famD-2-0-260128": "videos content",
				"famE-video-3": "videos", "famF-video": "videos status", "famG-h3": "videos content", "famH-2.3": "videos content",
				"famI-omni": "videos content", "famJq3-turbo": "videos ent", "famK-3.0": "videos tasks",
			} {
				m, ok := c.Model(model)
				require.True(t, ok, model)
				require.Equal(t, want, strings.Join(m.Formats, " "), model)
			}
		}},
		{id: "service.many", says: "and its tasks may be visible through several", holds: func(t *testing.T, c *catalog.Catalog) {
			for model, want := range map[string]string{
				"famA3": "videos", "famC-1.0": "videos tasks", "famK-3.0": "videos tasks", "famF-video": "videos status",
				"famJq3-turbo": "videos ent", "famI-omni": "videos content", "famN_music": "music", "famL": "responses", "other": "",
			} {
				require.Equal(t, want, strings.Join(c.Routes(model), " "), model)
			}
		}},
		{id: "models.table", says: "every identifier, and no other", holds: everyIdentifier},
		{id: "models.table", says: "an unknown one gets suggestions", body: `{"model":"famA-3.1","prompt":"x"}`, finds: []string{"block model: near: famA3.1"}},
		{id: "models.table", says: "one of another kind", body: `{"model":"famL","prompt":"x"}`, finds: []string{"block model: makes image"}},
		{id: "models.groups", says: "no group label is ever appended", holds: everyModelIsSentAsItIs},
		{id: "models.groups", says: "and one that is there is no name", body: `{"model":"famA3-official","prompt":"x"}`, finds: []string{"block model: not in the catalog"}},
		{id: "models.famC", says: "the aggregated one needs a mode, the others do not", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, m := range c.Models(client.Video) {
				require.Equal(t, m.ID == "famC-1.0" || m.ID == "famF-video", m.ModeRequired, m.ID)
			}
		}},
		{id: "models.famC", says: "a fixed one needs none", body: `{"model":"famC-1.0-t2v","prompt":"x"}`},
		{id: "models.famC", says: "a fixed one keeps its minimum", body: `{"model":"famC-1.0-i2v","prompt":"x"}`, finds: []string{"block image: mode i2v of famC-1.0-i2v"}},
		{id: "models.famC", says: "a fixed one has one mode", body: `{"model":"famC-1.0-t2v","mode":"i2v","prompt":"x"}`, finds: []string{"warn mode: documented: t2v"}},
		{id: "models.try-on", says: "complete: they take no model_name", as: client.Image,
			body:  `{"model":"famF-virtual-try-on-v1","model_name":"famF-v1","human_image":<img>,"cloth_image":<img2>}`,
			finds: []string{"warn model_name: takes none"}},
		{id: "models.famN", says: "model is always famN_music", as: client.Music, body: `{"model":"famN-v5","prompt":"x"}`, finds: []string{`block model: "famN-v5" is not in the catalog`}},
		{id: "model_name.lists", says: "the three lists", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, m := range c.Models("") {
				require.Equal(t, modelNames[m.ID], strings.Join(m.ModelNames, " "), m.ID)
			}
		}},
		{id: "model_name.lists", says: "another value for famF-video", body: `{"model":"famF-video","model_name":"famF-v2","mode":"t2v","prompt":"x"}`, finds: []string{`block model_name: "famF-v2"`}},
		{id: "model_name.lists", says: "another value for famF-image", as: client.Image, body: `{"model":"famF-image","model_name":"famF-v2-6","prompt":"x"}`, finds: []string{"block model_name: famF-v2-new"}},
		{id: "model_name.lists", says: "another value for famF-omni-image", as: client.Image, body: `{"model":"famF-omni-image","model_name":"famF-v3","prompt":"x"}`, finds: []string{"block model_name: famF-image-o1"}},
		{id: "model_name.lists", says: "other models take none", body: `{"model":"famA3","model_name":"famF-v3","mode":"t2v","prompt":"x"}`, finds: []string{"warn model_name: takes none"}},
		{id: "model_name.required", says: "famF-video", body: `{"model":"famF-video","mode":"t2v","prompt":"x"}`, finds: []string{"block model_name: required for famF-video; allowed: famF-v1, "}},
		{id: "model_name.required", says: "famF-image", as: client.Image, body: `{"model":"famF-image","prompt":"x"}`, finds: []string{"block model_name: required"}},
		{id: "model_name.required", says: "model beside it", body: `{"model_name":"famF-v3","prompt":"x"}`, finds: []string{"block model: required"}},
		{id: "model_name.omni", says: "famF-omni-image is not named there: uncertain, and said so", as: client.Image, body: `{"model":"famF-omni-image","prompt":"x"}`,
			finds: []string{"warn model_name: whether it is required is not documented"}},
		{id: "versioning.2", says: "versions are given in full", body: `{"model":"famD-2-0","prompt":"x"}`, finds: []string{"block model: famD-2-0-260128"}},
	}
}

func everyIdentifier(t *testing.T, c *catalog.Catalog) {
	total, families := 0, map[string]bool{}
	for _, row := range identifiers {
		var have []string
		for _, m := range c.Models(row.kind) {
			if m.Family == row.family {
				have = append(have, m.ID)
				require.NotEmpty(t, m.Source, m.ID)
			}
		}
		require.Equal(t, row.ids, strings.Join(have, " "), row.family)
		total += len(have)
		families[row.family] = true
	}
	require.Equal(t, 53, total)
	require.Len(t, c.Models(""), total, "models that the document does not name")
	require.Len(t, c.Families(), len(families))
}

func everyModelIsSentAsItIs(t *testing.T, c *catalog.Catalog) {
	gateway := previews(t, c)
	for _, m := range c.Models("") {
		for _, format := range m.Formats {
			p, err := gateway.Preview(client.Draft{Modality: m.Modality, Model: m.ID, Prompt: "x"}, format)
			require.NoError(t, err)
			if format == "native" {
				require.Equal(t, "/v1beta/models/"+m.ID+":predictLongRunning", p.Path)
				continue
			}
			require.Contains(t, string(p.Body), `"model": "`+m.ID+`"`, format)
		}
	}
}
