package catalog_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
)

// endpoints are the rows of the table under "Endpoints" that the client asks for, typed
// from the document: id of ours, format, method and path with the parameter as it stands.
var endpoints = []struct{ id, format, row string }{
	{"endpoints.videos.create", "videos", "POST /v1/videos"},
	{"endpoints.videos.query", "videos", "GET /v1/videos/{video_id}"},
	{"endpoints.videos.content", "videos", "GET /v1/videos/{video_id}/content"},
	{"endpoints.array.create", "content", "POST /api/v3/contents/generations/tasks"},
	{"endpoints.array.query", "content", "GET /api/v3/contents/generations/tasks/{task_id}"},
	{"endpoints.ent.create", "ent", "POST /ent/v2/img2video"},
	{"endpoints.ent.query", "ent", "GET /ent/v2/tasks/{task_id}/creations"},
	{"endpoints.tasks.query", "tasks", "GET /api/v1/tasks/{task_id}"},
	{"endpoints.status.query", "status", "GET /famF/v1/videos/image2video/{task_id}"},
	{"endpoints.images.create", "images", "POST /v1/images/generations"},
	{"endpoints.music.create", "music", "POST /famN/submit/music"},
	{"endpoints.music.fetch", "music", "GET /famN/fetch/{task_id}"},
	{"endpoints.responses.query", "responses", "GET /v1/responses/{response_id}"},
	{"endpoints.chat", "chat", "POST /v1/chat/completions"},
	{"endpoints.models", "", "GET /v1beta/models"},
	{"endpoints.native.create", "native", "POST /v1beta/models/{model}:predictLongRunning"},
	{"endpoints.native.query", "native", "GET /v1beta/{operation_name}"},
}

// requests are all that the codecs can ask for, with "x" for every parameter.
func requests(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	add := func(r client.Request) {
		if r.Path != "" {
			out[r.Method+" "+r.Path] = true
		}
	}
	for _, f := range formats.All() {
		r, _, err := f.EncodeCreate(client.Draft{Model: "x", Prompt: "x"})
		require.NoError(t, err)
		add(r)
		add(f.Query("x"))
		if r, ok := f.Content("x"); ok {
			add(r)
		}
	}
	for _, l := range formats.ModelLists() {
		add(l.Request(""))
	}
	return out
}

var parameters = strings.NewReplacer("{video_id}", "x", "{task_id}", "x", "{response_id}", "x", "{model}", "x", "{operation_name}", "x")

// pathSentences are the rows of the table and what is said of path parameters.
func pathSentences() []sentence {
	var out []sentence
	for _, e := range endpoints {
		out = append(out, sentence{id: e.id, says: e.row, holds: func(t *testing.T, c *catalog.Catalog) {
			require.True(t, requests(t)[parameters.Replace(e.row)], "no codec asks for it")
			if f, ok := c.Format(e.format); ok && !strings.HasSuffix(e.row, "/content") {
				said := f.Query
				if strings.HasPrefix(e.row, "POST") {
					said = f.Create
				}
				assert.Equal(t, parameters.Replace(e.row), parameters.Replace(strings.ReplaceAll(said, "{id}", "x")), "what the catalog tells people")
			}
		}})
	}
	nobody := func(id, row string) sentence {
		return sentence{id: id, says: row + " is not available: nothing asks for it", holds: func(t *testing.T, _ *catalog.Catalog) {
			require.False(t, requests(t)[row])
		}}
	}
	fact := func(id, says string, holds func(t *testing.T)) sentence {
		return sentence{id: id, says: says, holds: func(t *testing.T, _ *catalog.Catalog) { holds(t) }}
	}
	return append(out,
		nobody("endpoints.videos.list", "GET /v1/videos"), nobody("endpoints.videos.remix", "POST /v1/videos/x/remix"),
		fact("endpoints.only", "nothing else is asked for, but for the list that is a guess", func(t *testing.T) {
			all := requests(t)
			for _, e := range endpoints {
				delete(all, parameters.Replace(e.row))
			}
			require.Equal(t, map[string]bool{"GET /v1/models": true}, all)
		}),
		fact("endpoints.native.query", "slashes of an operation's name are encoded", func(t *testing.T) {
			assert.Equal(t, "/v1beta/models%2FfamA3%2Foperations%2F1", codec(t, "native").Query("models/famA3/operations/1").Path)
		}),
		fact("endpoints.params", "ids are those of the create", func(t *testing.T) {
			for format, body := range map[string]string{"videos": `{"id":"a-1"}`, "content": `{"id":"a-1"}`, "ent": `{"task_id":"a-1"}`, "music": `{"code":"","message":"","data":"a-1"}`, "responses": `{"id":"a-1","status":"queued"}`} {
				id := created(t, format, body).ID
				assert.Contains(t, codec(t, format).Query(id).Path, "/a-1", format)
			}
		}),
		fact("endpoints.response-id", "complete, neither truncated nor rewritten", func(t *testing.T) {
			id := "resp_" + strings.Repeat("0a", 200) + "_END"
			assert.Equal(t, "/v1/responses/"+id, codec(t, "responses").Query(id).Path)
			assert.Equal(t, id, queried(t, "responses", `{"id":"`+id+`","status":"queued"}`).ID)
		}),
		sentence{id: "endpoints.native-model", says: "of famA alone", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, m := range c.Models("") {
				assert.Equal(t, m.Family == "famA", strings.Contains(strings.Join(m.Formats, " "), "native"), m.ID)
			}
		}},
		sentence{id: "endpoints.native-model", says: "another", format: "native", body: `{"model":"famB-2","mode":"t2v","prompt":"x"}`, finds: []string{"block format: does not reach famB-2"}},
		sentence{id: "endpoints.chat", says: "model and messages", as: client.Chat, body: `{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","content":"a"}]}`,
			to: "POST /v1/chat/completions", sends: `{"model":"m","messages":[{"content":"s","role":"system"},{"content":"u","role":"user"},{"content":"a","role":"assistant"}]}`},
		sentence{id: "endpoints.chat", says: "more of it is raw", as: client.Chat, body: `{"model":"m","messages":[{"role":"user","content":"hi"}],"temperature":1}`, finds: []string{"info temperature: as it stands"}},
		sentence{id: "endpoints.chat", says: "a model is required", as: client.Chat, body: `{"messages":[{"role":"user","content":"u"}]}`, finds: []string{"block model: required"}},
		sentence{id: "endpoints.chat", says: "a message is required", as: client.Chat, body: `{"model":"m"}`, finds: []string{"block prompt: needs a message"}},
		sentence{id: "endpoints.chat", says: "messages are objects", as: client.Chat, body: `{"model":"m","messages":["hi"]}`, finds: []string{"block messages: must be an object with content, role"}},
		sentence{id: "endpoints.chat", says: "a role is text", as: client.Chat, body: `{"model":"m","messages":[{"role":1,"content":"hi"}]}`, finds: []string{"block messages: role is 1"}},
		fact("versioning.1", "a version segment in every path", func(t *testing.T) {
			have := map[string]bool{}
			for r := range requests(t) {
				_, path, _ := strings.Cut(r, " ")
				for _, v := range []string{"/v1beta/", "/api/v3/", "/api/v1/", "/ent/v2/", "/famF/v1/", "/v1/"} {
					if strings.HasPrefix(path, v) {
						have[v] = true
						path = ""
					}
				}
				if path != "" {
					assert.True(t, strings.HasPrefix(path, "/famN/"), "%s: the music paths have none", r)
				}
			}
			assert.Len(t, have, 6)
		}),
	)
}

// ruleSentences are the rules 1 to 7 under "Endpoints" that are about what can be created
// where.
func ruleSentences() []sentence {
	fact := func(id, says string, holds func(t *testing.T, c *catalog.Catalog)) sentence {
		return sentence{id: id, says: says, holds: holds}
	}
	return []sentence{
		{id: "endpoints.2.famA", says: "through POST /v1/videos instead", body: `{"model":"famA3","mode":"t2v","prompt":"x"}`, to: "POST /v1/videos"},
		{id: "endpoints.2.famI", says: "through POST /v1/videos", format: "videos", body: `{"model":"famI-omni","mode":"t2v","prompt":"x"}`, to: "POST /v1/videos"},
		{id: "endpoints.2.famI", says: "or the content-array format", format: "content", body: `{"model":"famI-omni","mode":"t2v","prompt":"x"}`, to: "POST /api/v3/contents/generations/tasks"},
		{id: "endpoints.2.famI", says: "not through the native one", format: "native", body: `{"model":"famI-omni","mode":"t2v","prompt":"x"}`, finds: []string{"block format: allowed: videos, content"}},
		{id: "endpoints.3", says: "famJq3-turbo through POST /v1/videos", body: `{"model":"famJq3-turbo","mode":"i2v","prompt":"x","image_url":<img>}`,
			to: "POST /v1/videos", sends: `{"model":"famJq3-turbo","mode":"i2v","prompt":"x","image_url":<img>}`},
		fact("endpoints.3", "no other create path of /ent/v2 is made up", func(t *testing.T, _ *catalog.Catalog) {
			for r := range requests(t) {
				if strings.HasPrefix(r, "POST /ent/") {
					assert.Equal(t, "POST /ent/v2/img2video", r)
				}
			}
		}),
		{id: "endpoints.4", says: "famC goes through POST /v1/videos", body: `{"model":"famC-1.0-t2v","prompt":"x"}`, to: "POST /v1/videos"},
		{id: "endpoints.4", says: "famK goes through POST /v1/videos", body: `{"model":"famK-3.0","mode":"t2v","prompt":"x"}`, to: "POST /v1/videos"},
		{id: "endpoints.4", says: "famF goes through POST /v1/videos", body: `{"model":"famF-video","model_name":"famF-v3","mode":"t2v","prompt":"x"}`, to: "POST /v1/videos"},
		fact("endpoints.4", "without a path of the profile's nothing is sent, and why is told", func(t *testing.T, _ *catalog.Catalog) {
			gateway, err := client.New(client.Options{BaseURL: "http://127.0.0.1:1", Formats: formats.All(), Key: func() (string, error) { return "k", nil }})
			require.NoError(t, err)
			defer gateway.Close()
			for _, name := range []string{"tasks", "status", "responses"} {
				require.ErrorContains(t, gateway.CanCreate(name), "create_paths."+name)
				require.ErrorContains(t, gateway.CanCreate(name), "not documented")
			}
		}),
		{id: "endpoints.4", says: "with one it is marked as configured", format: "tasks", body: `{"model":"famK-3.0","mode":"t2v","prompt":"x"}`, finds: []string{"info format: create_paths.tasks"}},
		{id: "endpoints.6", says: "POST /v1/responses is the create, its body is not documented", as: client.Image, format: "responses", body: `{"model":"famL","prompt":"x"}`,
			finds: []string{"info format: body of its create is not documented"}, to: "POST /v1/responses"},
		fact("endpoints.7", "the path of the other list is a guess, and labelled so", func(t *testing.T, _ *catalog.Catalog) {
			guesses := 0
			for _, l := range formats.ModelLists() {
				if l.Guess() {
					guesses++
					assert.Contains(t, l.Label(), "guess")
					assert.Equal(t, http.MethodGet, l.Request("").Method)
				}
			}
			assert.Equal(t, 1, guesses)
		}),
		{id: "format.unknown", says: "one that nobody lists", format: "nope", body: `{"model":"famB-2","mode":"t2v","prompt":"x"}`, finds: []string{`warn format: "nope" is not in the catalog`}},
	}
}
