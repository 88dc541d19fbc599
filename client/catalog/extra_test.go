package catalog

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// TestPlacesOfRawAdditions: names of a body that mean something in a place are kept as they
// are, and a place inside a field is a raw addition on top of it.
func TestPlacesOfRawAdditions(t *testing.T) {
	t.Parallel()
	c, err := Embedded()
	require.NoError(t, err)
	d, problems := c.Normalize(client.Video, map[string]any{"model": "famA3", "prompt": "x", "a.b[0]": json.Number("1")})
	require.Empty(t, problems)
	require.Equal(t, map[string]json.RawMessage{`a\.b\[0\]`: json.RawMessage("1")}, d.Extra)

	for place, want := range map[string]Problem{
		"content[0].role": {Severity: Warn, Message: "content[0].role is a raw addition, sent as it stands on top of field content"},
		"prompt":          {Severity: Warn, Message: "prompt is a raw addition, sent as it stands on top of the draft's own"},
		"zz.a":            {Severity: Info, Message: "zz.a is not in the catalog for video; it is sent as it stands"},
		"zz[x]":           {Severity: Block, Message: `"zz[x]" is not a place in a body: between [ and ] stands a number from 0 to 9999 (as parameters.seed or content[0].role)`},
	} {
		d := client.Draft{Modality: client.Video, Model: "famA3", Mode: "t2v", Prompt: "x", Extra: map[string]json.RawMessage{place: json.RawMessage("1")}}
		got := c.Check(d)
		require.NotEmpty(t, got, place)
		require.Equal(t, want.Severity, got[0].Severity, place)
		require.Equal(t, want.Message, got[0].Message)
	}
}
