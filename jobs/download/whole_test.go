package download

import (
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

func box(kind string, n int) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(8+n)) //nolint:gosec // small
	return append(append(b, kind...), make([]byte, n)...)
}

func TestBrokenOff(t *testing.T) {
	t.Parallel()
	long := append([]byte("\x00\x00\x00\x01mdat\x00\x00\x00\x00\x00\x00\x00\x18"), make([]byte, 8)...)
	rest := append([]byte("\x00\x00\x00\x00mdat"), 1, 2, 3)
	for name, tc := range map[string]struct {
		file  []byte
		whole bool
	}{
		"whole":             {bytes.Join([][]byte{box("ftyp", 16), box("mdat", 90), box("moov", 50)}, nil), true},
		"half":              {bytes.Join([][]byte{box("ftyp", 16), box("mdat", 90)}, nil)[:80], false},
		"one byte short":    {bytes.Join([][]byte{box("ftyp", 16), box("moov", 9)}, nil)[:40], false},
		"64 bits":           {append(box("ftyp", 16), long...), true},
		"64 bits, short":    {append(box("ftyp", 16), long[:20]...), false},
		"to the end":        {append(box("ftyp", 16), rest...), true},
		"something else":    {append(box("ftyp", 16), box("xyz!", 9)[:12]...), true},
		"a length of two":   {append(box("ftyp", 16), "\x00\x00\x00\x02mdat"...), true},
		"no such format":    {[]byte(strings.Repeat("\x89PNG", 9)), true},
		"nothing but stubs": {[]byte("\x00\x00"), true},
	} {
		err := brokenOff(bytes.NewReader(tc.file), int64(len(tc.file)))
		assert.Equal(t, tc.whole, err == nil, "%s: %v", name, err)
	}
}

// TestHalfABodyOfNoLength: the end of the connection is the only end that the server tells,
// and it comes too early once.
func TestHalfABodyOfNoLength(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.data = bytes.Join([][]byte{box("ftyp", 16), box("mdat", 200_000), box("moov", 500)}, nil)
	h.fault = func(w http.ResponseWriter, _ *http.Request, n int) bool {
		w.Header().Set("Connection", "close")
		w.Header().Set("Transfer-Encoding", "identity")
		data := h.data
		if n == 1 {
			data = data[:len(data)/2]
		}
		_, _ = w.Write(data)
		return true
	}
	s := webSaver(t, "http://127.0.0.1:1")
	_, err := s.Save(t.Context(), h.request(), nil)
	require.True(t, isFault(err, jobs.SaveTemporary), "%v", err)
	require.ErrorContains(t, err, `within its part "mdat"`)
	f, err := s.Save(t.Context(), h.request(), nil)
	require.NoError(t, err)
	assert.Equal(t, sum(h.data), f.SHA256)
}

// TestContentAfterABrokenBody: where nothing can be gone on with, the gateway's own path is
// asked, and not the same server again and again.
func TestContentAfterABrokenBody(t *testing.T) {
	t.Parallel()
	src := &source{data: mp4(1000)}
	var asked []bool
	src.open = func(_ *source, a client.Asset, _ int64, _ string) (*client.Media, error) {
		asked = append(asked, a.Content)
		if a.Content {
			return nil, nil
		}
		return &client.Media{Body: io.NopCloser(bytes.NewReader(src.data[:500])), Total: 1000}, nil
	}
	f, err := newSaver(t, src, nil).Save(t.Context(), request(), nil)
	require.NoError(t, err)
	assert.Equal(t, sum(src.data), f.SHA256)
	assert.Equal(t, []bool{false, true}, asked)
}
