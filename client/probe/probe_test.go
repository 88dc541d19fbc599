package probe_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/counterpart"
	"darkroom/client/dialect"
	"darkroom/client/formats"
	"darkroom/client/probe"
	"darkroom/client/sandbox"
	"darkroom/client/transport"
)

func options(t *testing.T, base, key string, words client.Dialect) probe.Options {
	t.Helper()
	cat, err := catalog.Embedded()
	require.NoError(t, err)
	c, err := client.New(client.Options{
		BaseURL: base, Key: func() (string, error) { return key, nil }, Formats: formats.All(), ModelLists: formats.ModelLists(), Dialect: words,
		Pace: transport.Pace{Rate: 1000},
	})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	o := probe.Options{Client: c, Catalog: cat}
	for _, name := range dialect.Examples() {
		data, _ := dialect.Example(name)
		f, err := dialect.Parse(data, name)
		require.NoError(t, err)
		o.Candidates = append(o.Candidates, probe.Candidate{Name: name, File: f})
	}
	return o
}

func row(t *testing.T, r probe.Report, what, path string) probe.Row {
	t.Helper()
	for _, x := range r.Rows {
		if x.What == what && x.Path == path {
			return x
		}
	}
	require.Fail(t, "no row", "%s %s in %+v", what, path, r.Rows)
	return probe.Row{}
}

// TestAProbeOfARealGateway: what is there, what is not, and the dialect that follows.
func TestAProbeOfARealGateway(t *testing.T) {
	t.Parallel()
	s := counterpart.Start()
	t.Cleanup(s.Close)
	o := options(t, s.URL, counterpart.Key, client.Dialect{})
	var told []probe.Row
	r, err := probe.Run(t.Context(), o, func(x probe.Row) { told = append(told, x) })
	require.NoError(t, err)
	assert.Equal(t, r.Rows, told, "rows are told as they are known")
	assert.Empty(t, s.Creates(), "nothing but GET is sent")
	for _, x := range []struct {
		what, path string
		verdict    probe.Verdict
		dialect    string
	}{
		{probe.List, "/v1beta/models", probe.There, ""},
		{probe.List, "/v1/models", probe.There, ""},
		{probe.Query, "/v1/videos/{id}", probe.There, ""},
		{probe.Content, "/v1/videos/{id}/content", probe.There, ""},
		{probe.Query, "/api/v3/contents/generations/tasks/{id}", probe.There, ""},
		{probe.Query, "/ent/v2/tasks/{id}/creations", probe.There, ""},
		{probe.Query, "/api/v1/tasks/{id}", probe.There, ""},
		{probe.Query, "/v1/responses/{id}", probe.Absent, ""},
		{probe.Query, "/famN/fetch/{id}", probe.Absent, ""},
		{probe.Query, "/suno/fetch/{id}", probe.There, "suno-kling"},
		{probe.Query, "/famF/v1/videos/image2video/{id}", probe.Absent, ""},
		{probe.Query, "/kling/v1/videos/image2video/{id}", probe.There, "suno-kling"},
		{probe.Create, "/v1/images/generations", probe.NotAsked, ""},
	} {
		got := row(t, r, x.what, x.path)
		assert.Equal(t, x.verdict, got.Verdict, "%+v", got)
		assert.Equal(t, x.dialect, got.Dialect)
	}
	assert.True(t, r.Any())
	assert.Empty(t, r.Offered, "no token of a family is a name there")
	assert.Contains(t, r.Missing, "famB-2")
	assert.Contains(t, r.Unknown, "sora-2")

	p := r.Proposal
	assert.Equal(t, map[string]string{"famN": "suno", "famF": "kling"}, p.Segments)
	assert.Equal(t, map[string]string{"famF-v1": "kling-v1"}, p.ModelNames)
	for id, name := range map[string]string{
		"famB-2": "sora-2", "famD-1-0-pro-250528": "doubao-seedance-1-0-pro-250528", "famN_music": "suno_music", "famF-video": client.NamePlaceholder,
		"famA3.1": "halo3.1", "famA3.1-fast": "halo3.1-fast", "famA3.1-4k": "halo3.1-4k", "famJq3-turbo": "joltq3-turbo", "famK-3.0-480p": "kay-3.0-480p",
	} {
		assert.Equal(t, dialect.Names{name}, p.Models[id], id)
	}
	assert.NotContains(t, p.Models, "famA3", "half a number is no name")
	data, err := p.Bytes("")
	require.NoError(t, err)
	assert.Empty(t, dialect.Lint(data, "p.yaml", o.Catalog), "the proposal can be used: %s", data)

	// A second probe, with what was proposed, finds it all there.
	f, err := dialect.Parse(data, "p.yaml")
	require.NoError(t, err)
	o = options(t, s.URL, counterpart.Key, f.Dialect("p"))
	o.Base = f
	r, err = probe.Run(t.Context(), o, nil)
	require.NoError(t, err)
	assert.Zero(t, r.Found)
	assert.Equal(t, f.Segments, r.Proposal.Segments)
	assert.Equal(t, probe.There, row(t, r, probe.Query, "/suno/fetch/{id}").Verdict)
	assert.Contains(t, r.Offered, "famA3.1-fast")
	assert.NotContains(t, r.Unknown, "halo3.1-fast")
}

// TestIDsAreUnguessable: each probe asks for another id, and for no other than one.
func TestIDsAreUnguessable(t *testing.T) {
	t.Parallel()
	s := counterpart.Start()
	t.Cleanup(s.Close)
	ids := map[string]bool{}
	for range 2 {
		_, err := probe.Run(t.Context(), options(t, s.URL, counterpart.Key, client.Dialect{}), nil)
		require.NoError(t, err)
	}
	for _, r := range s.Requests() {
		assert.Equal(t, http.MethodGet, r.Method)
		if id, ok := strings.CutPrefix(r.Path, "/suno/fetch/"); ok {
			assert.Len(t, id, len("darkroom-probe-")+26)
			ids[id] = true
		}
	}
	assert.Len(t, ids, 2)
}

// TestAProbeOfTheEmbeddedGateway: everything that is documented is there.
func TestAProbeOfTheEmbeddedGateway(t *testing.T) {
	t.Parallel()
	run, err := sandbox.Start(t.Context(), sandbox.Options{Dir: t.TempDir(), Timing: sandbox.Instant}, "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = run.Close() })
	r, err := probe.Run(t.Context(), options(t, run.URL, run.Key, client.Dialect{}), nil)
	require.NoError(t, err)
	for _, x := range r.Rows {
		if x.What == probe.Query {
			assert.Equal(t, probe.There, x.Verdict, "%+v", x)
		}
	}
	assert.Empty(t, r.Missing)
	assert.Zero(t, r.Found, "%+v", r.Proposal)
}

func TestAProbeThatCanNotGoOn(t *testing.T) {
	t.Parallel()
	s := counterpart.Start()
	t.Cleanup(s.Close)
	r, err := probe.Run(t.Context(), options(t, s.URL, "sk-wrong", client.Dialect{}), nil)
	var api *client.APIError
	require.ErrorAs(t, err, &api)
	assert.Equal(t, 401, api.HTTPStatus)
	assert.Equal(t, probe.Refused, r.Rows[0].Verdict)
	assert.Len(t, r.Rows, 2, "nothing more is asked with a key that is refused")

	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err = probe.Run(ctx, options(t, s.URL, counterpart.Key, client.Dialect{}), func(probe.Row) {
		if n++; n == 3 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 3, n)

	gone := options(t, "http://127.0.0.1:1", counterpart.Key, client.Dialect{})
	_, err = probe.Run(t.Context(), gone, nil)
	require.Error(t, err)
	assert.False(t, errors.As(err, &api) && api.HTTPStatus == 0)
}

// TestAGatewayThatSaysTheSameOfEverything tells nothing, and that is said; a web console alone
// has nothing.
func TestAGatewayThatSaysTheSameOfEverything(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		status int
		body   string
		want   probe.Verdict
		note   string
	}{
		"one 404":      {404, `{"error":{"message":"not found"}}`, probe.Unclear, "the same"},
		"a web page":   {200, "<html>hello</html>", probe.Absent, "no list"},
		"a bad moment": {503, `{"error":{"message":"overloaded"}}`, probe.Unclear, "no list"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			g := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				w.WriteHeader(x.status)
				_, _ = io.WriteString(w, x.body)
			}))
			t.Cleanup(g.Close)
			r, err := probe.Run(t.Context(), options(t, g.URL, "k", client.Dialect{}), nil)
			require.NoError(t, err)
			assert.False(t, r.Any())
			assert.Equal(t, x.want, row(t, r, probe.Query, "/v1/videos/{id}").Verdict)
			assert.Contains(t, strings.Join(r.Notes, "\n"), x.note)
			assert.Nil(t, r.Offered)
		})
	}
}
