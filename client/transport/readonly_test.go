package transport

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each of a link's clients, to each origin: what could create, change or delete never arrives.
func TestReadOnlySendsNothingButReads(t *testing.T) {
	base, err := url.Parse("https://gateway.test")
	require.NoError(t, err)
	for method, allowed := range map[string]bool{
		http.MethodGet: true, http.MethodHead: true, http.MethodOptions: true,
		http.MethodPost: false, http.MethodPut: false, http.MethodPatch: false, http.MethodDelete: false,
		http.MethodConnect: false, http.MethodTrace: false, "get": false, "PROPFIND": false,
	} {
		next, keys := &recorder{}, 0
		l := New(Options{
			Base: base, HTTP: next, Exchanges: 4, ReadOnly: "--read-only", Now: time.Now, Pace: Pace{Rate: -1},
			Key: func() (string, error) { keys++; return "sk-0123456789", nil },
		})
		sent := 0
		for name, via := range map[string]*http.Client{"gateway": l.Gateway, "creates": l.Creates, "plain": l.Plain} {
			for _, to := range []string{"https://gateway.test/v1/videos", "https://files.test/a"} {
				r, err := http.NewRequestWithContext(t.Context(), method, to, strings.NewReader("{}"))
				require.NoError(t, err)
				resp, err := via.Do(r)
				if allowed {
					require.NoError(t, err, "%s %s by %s", method, to, name)
					require.NoError(t, resp.Body.Close())
					sent++
					continue
				}
				var refused *ReadOnlyError
				require.ErrorAs(t, err, &refused, "%s %s by %s", method, to, name)
				assert.Equal(t, ReadOnlyError{By: "--read-only", Method: method}, *refused)
				assert.True(t, NotSent(err))
			}
		}
		assert.Len(t, next.got, sent, method)
		if !allowed {
			assert.Zero(t, keys, "no key is read for it")
			assert.Empty(t, l.Exchanges(), "and nothing was exchanged")
		}
	}
}

func TestReadOnlyErrorSaysWhatAndWhy(t *testing.T) {
	assert.Equal(t, "read-only (DARKROOM_READ_ONLY): nothing that creates, changes or deletes is sent",
		(&ReadOnlyError{By: "DARKROOM_READ_ONLY"}).Error())
	assert.Equal(t, "POST was not sent: read-only (--read-only): nothing that creates, changes or deletes is sent",
		(&ReadOnlyError{By: "--read-only", Method: "POST"}).Error())
}
