package create

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzContentItem(f *testing.F) {
	for _, s := range []string{"text=a", "first_frame=https://x.example/a.png", "image:r:n=https://x.example/a", "image::n=data:,", "audio=https://x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		item, err := contentItem(s)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		kind, ok := item["type"].(string)
		require.True(t, ok)
		require.Contains(t, []string{"text", "image_url", "video_url", "audio_url"}, kind)
		require.Contains(t, item, kind)
	})
}
