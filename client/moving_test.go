package client

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAssetAddress(t *testing.T) {
	for _, c := range []struct {
		moving     bool
		raw, want  string
		stillOpens string
	}{
		{false, "https://gw.example/files/a.mp4?t=1", "https://gw.example/files/a.mp4?t=1", ""},
		{false, "/files/a.mp4", "https://gw.example/files/a.mp4", ""},
		{true, "https://gw.example/files/a.mp4?t=1", "/files/a.mp4?t=1", "https://gw.example/files/a.mp4?t=1"},
		{true, "https://cdn.example/files/a.mp4", "https://cdn.example/files/a.mp4", "https://cdn.example/files/a.mp4"},
		{true, "", "", ""},
		{true, "::", "::", ""},
	} {
		cl, err := New(Options{BaseURL: "https://gw.example", Key: func() (string, error) { return "k", nil }, Moving: c.moving})
		require.NoError(t, err)
		require.Equal(t, c.want, cl.assetAddress(c.raw), c.raw)
		if c.stillOpens != "" {
			u, err := cl.assetURL("", "", Asset{URL: c.want})
			require.NoError(t, err)
			require.Equal(t, c.stillOpens, u.String())
			assets := []Asset{{URL: c.want}}
			cl.absolute(assets)
			require.Equal(t, c.stillOpens, assets[0].URL)
		}
	}
}
