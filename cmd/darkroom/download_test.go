package main_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stuckHost is a gateway with one finished task, and the host of its result, which sends
// 40 of the 64 MiB to the first who asks.
type stuckHost struct {
	data []byte
	gate *httptest.Server
	cdn  *httptest.Server
	stop chan struct{}

	mu     sync.Mutex
	ranges []string
	keys   []string
}

func newStuckHost(t *testing.T) *stuckHost {
	t.Helper()
	h := &stuckHost{data: make([]byte, 64<<20), stop: make(chan struct{})}
	_, _ = rand.NewChaCha8([32]byte{}).Read(h.data) // never fails
	copy(h.data, "\x00\x00\x00\x18ftypisom")
	h.cdn = httptest.NewServer(http.HandlerFunc(h.file))
	h.gate = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"id":"video_1","status":"completed","video_url":%q}`, h.cdn.URL+"/v.mp4?signature=x")
	}))
	t.Cleanup(func() {
		close(h.stop)
		h.gate.Close()
		h.cdn.Close()
	})
	return h
}

func (h *stuckHost) file(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.ranges = append(h.ranges, r.Header.Get("Range"))
	h.keys = append(h.keys, r.Header.Get("Authorization"))
	first := len(h.ranges) == 1
	h.mu.Unlock()
	w.Header().Set("ETag", `"64"`)
	w.Header().Set("Content-Type", "video/mp4")
	if !first {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(h.data))
		return
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(h.data)))
	_, _ = w.Write(h.data[:40<<20])
	_ = http.NewResponseController(w).Flush()
	select {
	case <-h.stop:
	case <-r.Context().Done():
	}
}

// TestKilledDownloadGoesOn kills the program with SIGKILL in the middle of a download. The
// next run asks for the rest, and has the whole.
func TestKilledDownloadGoesOn(t *testing.T) {
	t.Parallel()
	host := newStuckHost(t)
	h := newHome(t, "DARKROOM_BASE_URL="+host.gate.URL, "DARKROOM_API_KEY=sk-download-1")
	dir := filepath.Join(h.dir, "out")
	path, err := binary()
	require.NoError(t, err)
	cmd := exec.Command(path, "create", "video", "--model", "famA3", "--prompt", "a kite", "--download", dir)
	cmd.Env, cmd.Stdout, cmd.Stderr = h.env, io.Discard, io.Discard
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return synced(dir) >= 32<<20 }, patience, 20*time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed
	require.Less(t, synced(dir), int64(len(host.data)))

	out, errOut, code := h.run(t, "", "jobs", "list", "-o", "json")
	require.Equal(t, 0, code, errOut)
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &list))
	require.Len(t, list, 1)
	out, errOut, code = h.run(t, "", "jobs", "download", list[0]["id"].(string), "--dir", dir, "-o", "json")
	require.Equal(t, 0, code, errOut)
	file := decode(t, out)["files"].([]any)[0].(map[string]any)
	require.Equal(t, "saved", file["state"])
	want := fmt.Sprintf("%x", sha256.Sum256(host.data))
	require.Equal(t, want, file["sha256"])
	b, err := os.ReadFile(file["path"].(string))
	require.NoError(t, err)
	require.Equal(t, want, fmt.Sprintf("%x", sha256.Sum256(b)))
	host.mu.Lock()
	defer host.mu.Unlock()
	require.Len(t, host.ranges, 2)
	var from int64
	_, err = fmt.Sscanf(host.ranges[1], "bytes=%d-", &from)
	require.NoError(t, err, host.ranges[1])
	require.GreaterOrEqual(t, from, int64(32<<20))
	require.Equal(t, []string{"", ""}, host.keys, "the key is the gateway's")
	sidecar, err := os.ReadFile(file["path"].(string) + ".json")
	require.NoError(t, err)
	require.NotContains(t, string(sidecar), "sk-download-1")
}

// synced is how many bytes of the one part file are said to be on the disk.
func synced(dir string) int64 {
	states, _ := filepath.Glob(filepath.Join(dir, ".parts", "*.json"))
	if len(states) != 1 {
		return 0
	}
	b, err := os.ReadFile(states[0])
	if err != nil {
		return 0
	}
	var s struct {
		Synced int64 `json:"synced"`
	}
	if json.Unmarshal(b, &s) != nil {
		return 0
	}
	return s.Synced
}
