package catalog

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite catalog.json from catalog.yaml")

// generate turns catalog.yaml into the JSON that the program embeds, one family, mode
// or field a line, so that changes can be reviewed.
func generate(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("catalog.yaml")
	require.NoError(t, err)
	doc, _, err := parse(data, "catalog.yaml")
	require.NoError(t, err)
	require.NoError(t, doc.validate())
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(doc))
	out := b.Bytes()
	for _, start := range []string{`{"id":`, `{"name":`, `{"token":`} {
		out = bytes.ReplaceAll(out, []byte(start), []byte("\n"+start))
	}
	return out
}

// TestEmbeddedIsCurrent fails when catalog.json is not what catalog.yaml says; "go
// generate ./client/catalog" runs it with -update.
func TestEmbeddedIsCurrent(t *testing.T) {
	want := generate(t)
	if *update {
		require.NoError(t, os.WriteFile("catalog.json", want, 0o600))
		return
	}
	require.Equal(t, string(want), string(embedded), "catalog.json is stale: run go generate ./client/catalog")
	require.NotEmpty(t, embedded)
}

func embeddedYAML(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("catalog.yaml")
	require.NoError(t, err)
	return data
}
