package client

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMediaKind(t *testing.T) {
	t.Parallel()
	for ref, want := range map[string]string{
		"": "", "kite": "", "https://x.example/a": "", "https://x.example/a.txt": "", "data:text/plain,x": "", "data:": "",
		"kite.PNG": "image", "https://x.example/a.jpeg?x=.mp4": "image", "file:///tmp/a%20b.webp": "image", "data:image/png;base64,AA": "image", "DATA:Image/png,": "image",
		"https://x.example/clip.mp4": "video", "a.webm": "video", "data:video/mp4;base64,AA": "video",
		"song.mp3": "audio", "https://x.example/s.wav#t=1": "audio", "data:audio/wav,": "audio",
	} {
		require.Equal(t, want, MediaKind(ref), ref)
	}
}
