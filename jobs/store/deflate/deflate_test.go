package deflate_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/store/deflate"
)

// TestRoundTrip: what is packed comes back, and is packed only where that makes it smaller.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		body []byte
		enc  string
	}{{nil, ""}, {[]byte("short"), ""}, {bytes.Repeat([]byte("long "), 100), "deflate"}, {[]byte("0123456789abcdef"), ""}} {
		enc, packed := deflate.Pack(tc.body, 10)
		assert.Equal(t, tc.enc, enc)
		assert.NotNil(t, packed)
		got, err := deflate.Unpack(enc, packed)
		require.NoError(t, err)
		assert.Equal(t, string(tc.body), string(got))
	}
	_, err := deflate.Unpack("deflate", []byte("no such stream"))
	require.ErrorContains(t, err, "a kept body is damaged")
	_, err = deflate.Unpack("zstd", nil)
	require.ErrorContains(t, err, `an unknown encoding "zstd"`)
}
