package client

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSniffMedia(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	for name, c := range map[string]struct{ content, want string }{
		"a.txt": {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "image/png"},
		"b.png": {"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isom", "video/mp4"},
		"c.mp3": {"\xff\xfb\x90\x00\x00\x00\x01\x02", "audio/mpeg"},
		"d.mp4": {"\x00\x00\x00\x18ftypheis\x00\x00\x00\x00mif1heis", "image/heic"},
		"e":     {"fLaC\x00\x00\x00\x22", "audio/flac"}, // also where the name says nothing
		"f.mkv": {"\x1aE\xdf\xa3\xa3B\x82\x88matroska", "video/x-matroska"},
		"g.mp3": {"\x00\x01\x02\x03", "audio/mpeg"}, // where the bytes say nothing
	} {
		got, err := SniffMedia(write(name, c.content))
		require.NoError(t, err, name)
		assert.Equal(t, c.want, got, name)
	}
	for path, want := range map[string]string{
		write("passwd.png", "root:x:0:0:root:/root:/bin/sh\n"): "is text/plain, not a picture, a video or a sound",
		write("empty.png", ""):                                 "is empty",
		dir:                                                    "is not a regular file",
		filepath.Join(dir, "none.png"):                         "none.png: no such file",
	} {
		_, err := SniffMedia(path)
		assert.ErrorContains(t, err, want)
	}
}

func FuzzSniffMedia(f *testing.F) {
	for _, seed := range []string{"", "\x00\x00\x00\x20ftyp", "RIFF\xff\xff\xff\xffWAVE", "\x1aE\xdf\xa3", "ID3", "<html>", "GIF89a\xff\xff\xff\xff"} {
		f.Add([]byte(seed))
	}
	path := filepath.Join(f.TempDir(), "file.png")
	f.Fuzz(func(t *testing.T, head []byte) {
		require.NoError(t, os.WriteFile(path, head, 0o600))
		kind, err := SniffMedia(path)
		if err == nil {
			assert.Regexp(t, `^(image|video|audio)/[a-zA-Z0-9.+-]+$`, kind)
		}
	})
}
