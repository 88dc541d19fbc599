package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNotify(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "auto", "notify: auto": "auto", "notify: osc99": "osc99", "notify: native": "native", "notify: off": "off"} {
		p := testPaths(t)
		write(t, p.Config, text+"\n")
		c, err := Load(Request{Paths: p, Env: environment(nil)})
		require.NoError(t, err, text)
		require.Equal(t, want, c.Notify, text)
	}
	for _, text := range []string{"notify: loud", "notify: [bell]", "notify: OFF"} {
		p := testPaths(t)
		write(t, p.Config, text+"\n")
		_, err := Load(Request{Paths: p, Env: environment(nil)})
		require.ErrorContains(t, err, p.Config, text)
	}
	p := testPaths(t)
	write(t, p.Config, "notify: loud\n")
	_, err := Load(Request{Paths: p, Env: environment(nil)})
	require.ErrorContains(t, err, `notify: "loud": allowed are auto, osc9, osc777, osc99, bell, native, off`)
}
