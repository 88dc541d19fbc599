package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// office is a gateway that knows some ids, and the keys that it was shown.
type office struct {
	url  string
	mu   sync.Mutex
	keys map[string]bool
}

func newOffice(t *testing.T, key string, knows ...string) *office {
	t.Helper()
	o := &office{keys: map[string]bool{}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		o.keys[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")] = true
		o.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		for _, id := range knows {
			if r.URL.Path == "/v1/videos/"+id {
				_, _ = w.Write([]byte(`{"id":"` + id + `","object":"video","model":"famA1","status":"queued","progress":0}`))
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"error":{"message":"not found","type":"invalid_request_error","code":"not_found"}}`))
	}))
	t.Cleanup(srv.Close)
	o.url = srv.URL
	return o
}

func (o *office) seen() (keys []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for k := range o.keys {
		keys = append(keys, k)
	}
	return keys
}

func TestInspectAsksAllProfiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ours, theirs, unasked := newOffice(t, "sk-ours-0123456789"), newOffice(t, "sk-theirs-0123456789", "video_7"), newOffice(t, "sk-none-0123456789")
	w.file("config/config.yaml", "profile: work\nprofiles:\n  work:\n    base_url: "+ours.url+"\n  team:\n    base_url: "+theirs.url+"\n  old:\n    base_url: "+unasked.url+"\n")
	w.ring.keys["work"], w.ring.keys["team"] = "sk-ours-0123456789", "sk-theirs-0123456789"
	w.env["DARKROOM_API_KEY"] = "sk-env-0123456789" // of no profile

	f := w.ok("inspect", "video_7", "--all-profiles", "-o", "json").object(t)
	assert.Equal(t, "team", f["profile"])
	all, ok := f["profiles"].([]any)
	require.True(t, ok)
	require.Len(t, all, 3)
	assert.Equal(t, map[string]any{"profile": "work", "knows": false, "state": "not found", "said": "does not know it"}, all[0])
	assert.Equal(t, "old", all[1].(map[string]any)["profile"])
	assert.Contains(t, all[1].(map[string]any)["said"], "not asked: no key is kept")
	assert.Equal(t, true, all[2].(map[string]any)["knows"])

	out := w.ok("inspect", "video_7", "--all-profiles").out
	for _, want := range []string{"PROFILE", "knows it: queued", "team videos", "work videos", "not asked: no key is kept"} {
		assert.Contains(t, out, want)
	}
	r := w.fails(kit.ExitNotFound, []string{`no gateway knows "video_8"`, "asked: work, team", "not asked: old (no key is kept"}, "inspect", "video_8", "--all-profiles")
	assert.Contains(t, r.out, "does not know it")
	assert.Contains(t, w.fails(kit.ExitNotFound, nil, "inspect", "video_7", "video_8", "--all-profiles").out, "at team: ")
	csv := w.fails(kit.ExitNotFound, nil, "inspect", "video_7", "video_8", "--all-profiles", "-o", "csv").out
	assert.Contains(t, csv, "known_at")
	assert.Contains(t, csv, ",team\n")

	assert.Equal(t, []string{"sk-ours-0123456789"}, ours.seen(), "a key goes to its own gateway alone")
	assert.Equal(t, []string{"sk-theirs-0123456789"}, theirs.seen())
	assert.Empty(t, unasked.seen())

	// Where the environment's key was given for the profile in use, it goes to no other.
	w.fails(kit.ExitNotFound, nil, "inspect", "video_8", "--all-profiles", "--key-from-env")
	assert.NotContains(t, theirs.seen(), "sk-env-0123456789")
}

func TestTheJobOfAnotherProfileIsAskedThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("config/config.yaml", "profiles:\n  work:\n    base_url: "+gateway(t)+"\n  team:\n    base_url: "+gateway(t)+"\n")
	w.ring.keys["work"], w.ring.keys["team"] = testKey, testKey
	j := w.ok("create", "video", "--prompt", "a kite", "--profile", "team", "--wait", "-o", "json").object(t)
	id := text(t, j, "id")
	w.fails(kit.ExitUsage, []string{"is of the profile team", "--profile team"}, "inspect", id, "--profile", "work")
	f := w.ok("inspect", id, "--profile", "work", "--all-profiles", "-o", "json").object(t)
	assert.Equal(t, "team", f["profile"])
	assert.Equal(t, id, f["job"])
}
