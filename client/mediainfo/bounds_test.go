package mediainfo

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatIsReadToTellAFileIsBounded(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(context.Background())
	r := &readerAt{ctx: ctx, r: bytes.NewReader(make([]byte, 1000)), left: 500}
	_, err := r.ReadAt(make([]byte, 400), 0)
	require.NoError(t, err)
	_, err = r.ReadAt(make([]byte, 101), 0)
	require.ErrorContains(t, err, "more than 64 MB")
	_, err = r.ReadAt(make([]byte, 1), 0)
	require.ErrorContains(t, err, "more than 64 MB", "from then on")
	stop()
	_, err = r.ReadAt(make([]byte, 1), 0)
	require.ErrorIs(t, err, context.Canceled)
}

// endless is a file that goes on with the same bytes.
type endless struct{ head, rest string }

func (e endless) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	if at < int64(len(e.head)) {
		n = copy(p, e.head[at:])
	}
	for i := n; i < len(p); i++ {
		p[i] = e.rest[(at+int64(i-len(e.head)))%int64(len(e.rest))]
	}
	return len(p), nil
}

func TestFilesThatGoOnForEverAreLeft(t *testing.T) {
	t.Parallel()
	const all = "more than 64 MB of it would have to be read"
	for name, c := range map[string]struct {
		file endless
		err  string
		all  bool
	}{
		"boxes":    {endless{"", "\x00\x00\x00\x08ftyp"}, "too many boxes", false},
		"chunks":   {endless{"RIFF\x00\x00\x00\x00WAVE", "LIST\x04\x00\x00\x00INFO"}, "no sound in it", false},
		"notes":    {endless{"\xff\xd8", "\xff\xfe\x00\x04\x00\x00"}, all, true},
		"comments": {endless{"fLaC", "\x04\x04\x04\x04"}, "damaged", true},
	} {
		r := &readerAt{ctx: context.Background(), r: c.file, left: 1 << 20}
		_, err := read(r, 1<<50)
		require.ErrorContains(t, err, c.err, name)
		assert.GreaterOrEqual(t, r.left, int64(0), name)
		assert.Equal(t, c.all, r.err != nil, name)
	}
}

func FuzzOrientation(f *testing.F) {
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"))
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x00Exif\x00\x00II"))
	f.Fuzz(func(t *testing.T, b []byte) {
		o := Orientation(b)
		require.True(t, o >= 1 && o <= 8)
	})
}
