package kit

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client/places"
)

func FuzzSetting(f *testing.F) {
	for _, s := range []string{"a=1", "a.b[0]:=[1]", `c\.d="x"`, "a=", "=", "a={", "a= 1 "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		place, raw, err := setting(s)
		if err != nil {
			return
		}
		require.True(t, json.Valid(raw), "%q", raw)
		_, err = places.Check(place)
		require.NoError(t, err)
	})
}
