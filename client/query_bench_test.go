package client_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
	"darkroom/client/transport"
)

// BenchmarkQuery is what a query costs beside the HTTP: the chain of round trippers, the
// log and the decoding.
func BenchmarkQuery(b *testing.B) {
	body := []byte(`{"id":"t-1234","object":"video","model":"famA3","status":"in_progress","progress":10,"created_at":1700000000}`)
	header := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"req-0123456789abcdef"}, "Date": {"Sun, 22 Nov 2026 00:00:00 GMT"}}
	c, err := client.New(client.Options{
		BaseURL: "http://gateway.test", Formats: formats.All(),
		Key:  func() (string, error) { return secret, nil },
		Pace: transport.Pace{Rate: -1},
		Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			return &http.Response{
				StatusCode: http.StatusOK, Header: header.Clone(), Body: io.NopCloser(bytes.NewReader(body)),
				ContentLength: int64(len(body)), Request: r,
			}, nil
		}),
	})
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, err := c.Query(b.Context(), "videos", "t-1234")
		require.NoError(b, err)
	}
}
