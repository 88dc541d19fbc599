package request

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func TestPathOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ arg, base, want string }{
		{"/v1/x", "https://h.example/gw", "/v1/x"},
		{"https://h.example/gw/v1/x?q=1", "https://h.example/gw", "/v1/x?q=1"},
		{"HTTPS://H.example:443/gw/a%2Fb", "https://h.example/gw/", "/a%2Fb"},
		{"https://h.example/gw", "https://h.example/gw", "/"},
		{"https://h.example", "https://h.example", "/"},
		{"https://h.example/gwx", "https://h.example/gw", ""},
		{"https://h.example/v1/x", "https://h.example/gw", ""},
		{"https://h.example.evil/gw/x", "https://h.example/gw", ""},
		{"https://h.example:8443/gw/x", "https://h.example/gw", ""},
		{"https://h.example@evil/gw/x", "https://h.example/gw", ""},
	} {
		got, err := pathOn(c.arg, c.base)
		require.Equal(t, c.want, got, c.arg)
		require.Equal(t, c.want == "", err != nil, c.arg)
	}
}

func FuzzPathOn(f *testing.F) {
	f.Add("/v1/x")
	f.Add("https://h.example/gw/v1?x#y")
	f.Add("https://h.example@evil.example/gw/x")
	f.Fuzz(func(t *testing.T, arg string) {
		got, err := pathOn(arg, "https://h.example/gw")
		if err != nil {
			assert.Empty(t, got)
			assert.Equal(t, client.Clean(err.Error()), err.Error())
			return
		}
		assert.True(t, strings.HasPrefix(got, "/") && !strings.HasPrefix(arg, "//"), "%q", got)
	})
}
