package download

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/formats"
	"darkroom/jobs"
)

// TestWhatCannotMendIsFinal at the first try, through every format, whether or not there is a
// content path, and however a gateway answers on one that it does not have.
func TestWhatCannotMendIsFinal(t *testing.T) {
	t.Parallel()
	for _, f := range formats.All() {
		for name, k := range map[string]struct {
			url     string // "" for the host's
			content int    // status of the content path
			says    string
			packed  bool
		}{
			"over the limit":               {content: 404, says: "the limit is 1000 bytes"},
			"over the limit, content 500":  {content: 500, says: "the limit is 1000 bytes"},
			"over the limit, content busy": {content: 503, says: "the limit is 1000 bytes"},
			"no address":                   {url: "file:///etc/passwd", content: 404, says: "not an http or https URL"},
			"no address, content 500":      {url: "http://u:p@h/x", content: 500, says: "not an http or https URL"},
			"a page of metadata":           {url: "http://169.254.169.254/latest/meta-data/", content: 404, says: "169.254.169.254"},
			"a private address":            {url: "http://10.255.255.1/v.mp4", content: 405, says: "private_results"},
			"packed":                       {content: 404, packed: true, says: "packed"},
		} {
			t.Run(f.Name()+" "+name, func(t *testing.T) {
				t.Parallel()
				gate := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(k.content) }))
				t.Cleanup(gate.Close)
				for _, length := range []bool{true, false} {
					var asked atomic.Int32
					h := newHost(t)
					h.fault = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
						asked.Add(1)
						if k.packed {
							w.Header().Set("Content-Encoding", "gzip")
						}
						if !length {
							_ = http.NewResponseController(w).Flush() // so that nobody can tell
							_, _ = w.Write(h.data)
						}
						return !length
					}
					s, err := New(Options{Dir: t.TempDir(), Source: webSource(t, gate.URL), MaxBytes: 1000})
					require.NoError(t, err)
					r := request()
					r.Job.Format, r.Job.QueryFormat = f.Name(), f.Name()
					if r.Asset.URL = k.url; k.url == "" {
						r.Asset.URL = h.URL + "/v.mp4"
					}
					_, err = s.Save(t.Context(), r, nil)
					require.ErrorContains(t, err, k.says)
					assert.True(t, isFault(err, jobs.SavePermanent), "%v", err)
					assert.NotContains(t, err.Error(), "no content path", "nobody asked for one")
					if k.url == "" {
						assert.EqualValues(t, 1, asked.Load())
					}
				}
			})
		}
	}
}

// TestABadAddressWithAContentPathThatIsBusy is tried again: the file may be had there.
func TestABadAddressWithAContentPathThatIsBusy(t *testing.T) {
	t.Parallel()
	gate := newHost(t)
	gate.fault = func(w http.ResponseWriter, _ *http.Request, n int) bool {
		if n <= 3 { // and two that the client repeats by itself
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return n <= 3
	}
	s := webSaver(t, gate.URL)
	r := request()
	r.Asset.URL = "file:///etc/passwd"
	_, err := s.Save(t.Context(), r, nil)
	require.True(t, isFault(err, jobs.SaveTemporary), "%v", err)
	f, err := s.Save(t.Context(), r, nil)
	require.NoError(t, err)
	assert.Equal(t, sum(gate.data), f.SHA256)
}
