package media

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func TestReference(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("a b.png", nil, 0o600))
	want := "file://" + filepath.ToSlash(dir) + "/a%20b.png"
	for _, typed := range []string{"a b.png", "./a b.png", "'a b.png'", `a\ b.png`, want} {
		got, err := Reference(typed)
		require.NoError(t, err, typed)
		assert.Equal(t, want, got)
		again, err := Reference(got)
		require.NoError(t, err)
		assert.Equal(t, got, again, "resolving again changes nothing")
	}
	for _, typed := range []string{"https://example.org/x?y=1", "HTTP://e/", "data:image/png;base64,AA==", ""} {
		got, err := Reference(typed)
		require.NoError(t, err)
		assert.Equal(t, typed, got)
	}
	for _, typed := range []string{"none.png", ".", "file://", "file:///none"} {
		got, err := Reference(typed)
		require.Error(t, err, typed)
		assert.Equal(t, typed, got, "what cannot be used stays as typed")
	}
}

func TestWhatAReferenceIs(t *testing.T) {
	for s, scheme := range map[string]string{"HTTPS://e/": "https", "a:b.png": "", "data:,": "data", "s3://b/k": "s3", "./a.png": "", "file:///a": "file"} {
		assert.Equal(t, scheme, Scheme(s), s)
	}
	assert.True(t, Remote("data:,"))
	assert.False(t, Remote("file:///a.png"))
	assert.True(t, Typed(" 'a b.png' "))
	assert.False(t, Typed("https://e/"))
	assert.False(t, Typed(" "))
	assert.Equal(t, "/a b.png\nhttps://e/", Readable("file:///a%20b.png\nhttps://e/"))
}

func TestSizes(t *testing.T) {
	assert.Equal(t, int64(len("data:image/png;base64,QUJDRA==")), URISize("image/png", 4))
	assert.Equal(t, "image/png", URIType("data:image/png;base64,AA=="))
	path := filepath.Join(t.TempDir(), "a.png")
	require.NoError(t, os.WriteFile(path, []byte("\x89PNG\r\n\x1a\n0123"), 0o600))
	is, local, err := Look(client.FileURL(path))
	require.NoError(t, err)
	assert.True(t, local)
	assert.Equal(t, Local{Type: "image/png", Size: 12}, is)
	assert.Equal(t, "image", is.Kind())
	_, local, err = Look("https://e/a.png")
	assert.NoError(t, err)
	assert.False(t, local)
	_, _, err = Look("file:///none")
	assert.Error(t, err)
}
