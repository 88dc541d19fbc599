package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client/catalog"
	"darkroom/client/formats"
)

// What the catalog says of the places of fields is what the codecs do.
func TestNamesAreThoseOfTheCodecs(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	for _, f := range formats.All() {
		info, ok := c.Format(f.Name())
		if !ok || f.Name() == "chat" { // whose fields become messages
			continue
		}
		want := map[string]string{}
		for _, w := range f.Fields() {
			if w.Canonical != w.Wire {
				want[w.Canonical] = w.Wire
			}
		}
		got := map[string]string{}
		for name, place := range info.Names {
			got[name] = place
		}
		require.Equal(t, want, got, f.Name())
	}
}
