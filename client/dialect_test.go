package client_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
)

// vendor is a dialect as a real gateway needs it, in made-up words.
func vendor() client.Dialect {
	return client.Dialect{
		Name:     "vendor",
		Segments: map[string]string{"famN": "songs", "famF": "films"},
		Paths: map[string]client.DialectPaths{
			"videos": {Content: "/files/{id}/bytes"},
			"chat":   {Create: "/talk/v2"},
			"tasks":  {Create: "/api/v1/make"},
		},
		Models: map[string][]string{
			"famA3": {"acme-3", "acme-3-latest"}, "famA3-fast": {"acme-3"}, "famN_music": {"acme_songs"}, "famF-video": {"film"}, "famF-image": {client.NamePlaceholder},
		},
		ModelNames: map[string]string{"famF-v2-6": "film-2.6"},
		Engines:    map[string]string{"famN-v5": "s5"},
		WireNames:  map[string]map[string]string{"videos": {"image": "first_frame", "duration": "duration"}},
		Omit:       []string{client.FieldExternalTaskID},
	}
}

func speaking(d client.Dialect) func(*client.Options) {
	return func(o *client.Options) { o.Dialect = d; o.ModelLists = formats.ModelLists() }
}

// TestADialectWordsWhatIsSent: path, models, engines and fields of a request are the
// gateway's; the preview, the curl command and the request itself say the same.
func TestADialectWordsWhatIsSent(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name, format string
		draft        client.Draft
		path, body   string
	}{
		{"music", "music", client.Draft{Modality: client.Music, Model: "famN_music", Prompt: "rain", Values: client.Values{"upstream_model": "famN-v5"}},
			"/songs/submit/music", `{"model":"acme_songs","upstream_model":"s5","prompt":"rain"}`},
		{"an engine that it does not have", "music", client.Draft{Modality: client.Music, Model: "famN_music", Prompt: "rain", Values: client.Values{"upstream_model": "famN-v5.5"}},
			"/songs/submit/music", `{"model":"acme_songs","upstream_model":"famN-v5.5","prompt":"rain"}`},
		{"videos", "videos", client.Draft{Modality: client.Video, Model: "famF-video", ModelName: "famF-v2-6", Mode: "i2v", Prompt: "a <kite>",
			Values: client.Values{"image": "https://e.org/a.png", "duration": "5", client.FieldExternalTaskID: "j1"}},
			"/v1/videos", `{"model":"film","model_name":"film-2.6","mode":"i2v","prompt":"a <kite>","duration":5,"first_frame":"https://e.org/a.png"}`},
		{"no base model", "images", client.Draft{Modality: client.Image, Model: "famF-image", ModelName: "famF-v2-6", Prompt: "x"}, "/v1/images/generations", `{"model":"film-2.6","model_name":"film-2.6","prompt":"x"}`},
		{"a model that it does not have", "videos", client.Draft{Modality: client.Video, Model: "famB-2", Prompt: "x"}, "/v1/videos", `{"model":"famB-2","prompt":"x"}`},
		{"raw additions are sent as they stand", "videos", client.Draft{Modality: client.Video, Model: "famA3", Prompt: "x", Extra: map[string]json.RawMessage{"model": json.RawMessage(`"famA3"`)}},
			"/v1/videos", `{"model":"famA3","prompt":"x"}`},
		{"a create that is not shown", "tasks", client.Draft{Modality: client.Video, Model: "famA3", Prompt: "x"}, "/api/v1/make", `{"model":"acme-3","input":{"prompt":"x"}}`},
		{"chat", "chat", client.Draft{Modality: client.Chat, Model: "famA3", Prompt: "x"}, "/talk/v2", `{"model":"acme-3","messages":[{"role":"user","content":"x"}]}`},
		{"the model of a path", "native", client.Draft{Modality: client.Video, Model: "famA3", Prompt: "x"}, "/v1beta/models/acme-3:predictLongRunning", `{"instances":[{"prompt":"x"}]}`},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			var got string
			g := serve(t, func(w http.ResponseWriter, r *http.Request) {
				b, _ := io.ReadAll(r.Body)
				got = string(b)
				_, _ = io.WriteString(w, `{"id":"t1","status":"queued","code":"success","data":"t1","name":"op","created":1,"choices":[{"message":{"content":"y"}}]}`)
			})
			c := newClient(t, g.URL+"/base", speaking(vendor()))
			p, err := c.Preview(x.draft, x.format)
			require.NoError(t, err)
			assert.Equal(t, x.path, p.Path)
			assert.JSONEq(t, x.body, string(p.Body))
			assert.Equal(t, "vendor", p.Dialect)
			curl, err := c.Curl(x.draft, x.format)
			require.NoError(t, err)
			assert.Contains(t, curl, g.URL+"/base"+x.path)
			_, err = c.Create(client.Insist(context.Background()), x.draft, x.format)
			require.NoError(t, err)
			assert.JSONEq(t, x.body, got)
			require.Len(t, g.seen(), 1)
			assert.Equal(t, "/base"+x.path, g.seen()[0].URL.Path)
		})
	}
}

// TestWhatADialectOmitsIsSaid: nothing is left out in silence.
func TestWhatADialectOmitsIsSaid(t *testing.T) {
	t.Parallel()
	c := newClient(t, "https://g.example", speaking(vendor()))
	d := video()
	d.Values = client.Values{client.FieldExternalTaskID: "j1"}
	p, err := c.Preview(d, "videos")
	require.NoError(t, err)
	assert.Equal(t, []client.Dropped{{Field: client.FieldExternalTaskID, Reason: "this gateway does not take it, says the dialect vendor"}}, p.Dropped)
	assert.NotContains(t, string(p.Body), "j1")
	assert.Equal(t, "j1", d.Values[client.FieldExternalTaskID], "the draft stays as it was")
}

// TestADialectIsUndoneOnTheWayBack: tasks, lists and chats name models as the catalog does,
// bodies stay untouched.
func TestADialectIsUndoneOnTheWayBack(t *testing.T) {
	t.Parallel()
	const task = `{"id":"t1","status":"completed","model":"acme-3-latest"}`
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/v1beta/models"):
			_, _ = io.WriteString(w, `{"models":[{"name":"models/acme-3"},{"name":"film"},{"name":"other"},{"name":"film-2.6"}]}`)
		case strings.HasPrefix(r.URL.Path, "/v1/models"):
			_, _ = io.WriteString(w, `{"data":[{"id":"acme-3-latest"},{"id":"film"}]}`)
		case r.URL.Path == "/talk/v2":
			_, _ = io.WriteString(w, `{"model":"film","choices":[{"message":{"content":"y"}}]}`)
		case r.URL.Path == "/files/a%2Fb/bytes", r.URL.RawPath == "/files/a%2Fb/bytes":
			w.Header().Set("Content-Type", "video/mp4")
			_, _ = io.WriteString(w, "mp4")
		case r.Method == http.MethodPost:
			_, _ = io.WriteString(w, `{"id":"t1","status":"queued","model":"acme-3"}`)
		default:
			_, _ = io.WriteString(w, task)
		}
	})
	c := newClient(t, g.URL, speaking(vendor()))
	ctx := context.Background()
	for _, model := range []string{"famA3", "famA3-fast"} { // one name for both: what was sent decides
		d := video()
		d.Model = model
		got, err := c.Create(ctx, d, "videos")
		require.NoError(t, err)
		assert.Equal(t, model, got.Model)
		assert.Contains(t, string(got.Raw), `"acme-3"`)
	}
	got, err := c.Query(ctx, "videos", "t1")
	require.NoError(t, err)
	assert.Equal(t, "famA3", got.Model, "an alias is understood")
	assert.Equal(t, task, string(got.Raw))

	list, err := c.Models(ctx)
	require.NoError(t, err)
	byID := map[string]client.RemoteModel{}
	for _, m := range list.Models {
		byID[m.ID] = m
	}
	assert.Len(t, byID, 5)
	assert.Equal(t, "film-2.6", byID["famF-image"].GatewayName)
	assert.Equal(t, "acme-3", byID["famA3"].GatewayName)
	assert.Equal(t, []string{"v1beta", "v1"}, byID["famA3"].Origins)
	assert.Equal(t, []string{"v1beta"}, byID["famA3-fast"].Origins)
	assert.Equal(t, "film", byID["famF-video"].GatewayName)
	assert.Empty(t, byID["other"].GatewayName)

	ans, err := c.Chat(ctx, client.ChatRequest{Model: "famF-video", Messages: []client.ChatMessage{{Role: "user", Content: "x"}}}, nil)
	require.NoError(t, err)
	assert.Equal(t, "famF-video", ans.Model)

	m, err := c.Open(ctx, "videos", "a/b", client.Asset{Content: true}, 0, "")
	require.NoError(t, err)
	assert.NoError(t, m.Body.Close())
	assert.Equal(t, "GET /films/v1/videos/image2video/t%2F1", c.QueryPath("status", "t/1"))
	assert.Equal(t, "GET /songs/fetch/t1", c.Lookup(ctx, "t1", "music")[0].Path)
	assert.Empty(t, c.QueryPath("images", "t1"))
}

// TestAnAmbiguousNameStaysWhatItIs: where nobody knows which of two was meant.
func TestAnAmbiguousNameStaysWhatItIs(t *testing.T) {
	t.Parallel()
	g := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"id":"t1","status":"completed","model":"acme-3"}`)
	})
	c := newClient(t, g.URL, speaking(vendor()))
	got, err := c.Query(context.Background(), "videos", "t1")
	require.NoError(t, err)
	assert.Equal(t, "acme-3", got.Model)
}

// TestACreatePathOfTheProfileWins over that of the dialect.
func TestACreatePathOfTheProfileWins(t *testing.T) {
	t.Parallel()
	c := newClient(t, "https://g.example", speaking(vendor()), func(o *client.Options) { o.CreatePaths = map[string]string{"tasks": "/mine"} })
	p, err := c.Preview(client.Draft{Modality: client.Video, Model: "famK-3.0", Prompt: "x"}, "tasks")
	require.NoError(t, err)
	assert.Equal(t, "/mine", p.Path)
}

func TestADialectThatLeadsNowhereIsRefused(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]client.Dialect{
		"format":         {Paths: map[string]client.DialectPaths{"air": {Create: "/x"}}},
		"another host":   {Paths: map[string]client.DialectPaths{"videos": {Create: "//evil.example/x"}}},
		"a whole URL":    {Paths: map[string]client.DialectPaths{"videos": {Create: "https://evil.example/x"}}},
		"dots":           {Paths: map[string]client.DialectPaths{"videos": {Query: "/a/../{id}"}}},
		"escaped dots":   {Paths: map[string]client.DialectPaths{"videos": {Query: "/a/%2e%2e/{id}"}}},
		"a query":        {Paths: map[string]client.DialectPaths{"videos": {Query: "/a?x={id}"}}},
		"no id":          {Paths: map[string]client.DialectPaths{"videos": {Query: "/a"}}},
		"two ids":        {Paths: map[string]client.DialectPaths{"videos": {Query: "/a/{id}/{id}"}}},
		"another brace":  {Paths: map[string]client.DialectPaths{"videos": {Query: "/a/{id}/{x}"}}},
		"no content":     {Paths: map[string]client.DialectPaths{"music": {Content: "/a/{id}"}}},
		"no query there": {Paths: map[string]client.DialectPaths{"images": {Query: "/a/{id}"}}},
		"a segment":      {Segments: map[string]string{"famN": ".."}},
	} {
		_, err := client.New(client.Options{BaseURL: "https://g.example", Formats: formats.All(), Key: func() (string, error) { return secret, nil }, Dialect: d})
		assert.ErrorContains(t, err, "dialect", name)
	}
}
