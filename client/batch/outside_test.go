package batch_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/client/expand"
)

// TestFilesBesideATableAreAsIfTyped: those below its folder, wherever links lead; others are not.
func TestFilesBesideATableAreAsIfTyped(t *testing.T) {
	top := t.TempDir()
	at := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	for _, name := range []string{"shots/a.png", "shots/below/b.png", "shots2/c.png", "private.png"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(at(name)), 0o700))
		require.NoError(t, os.WriteFile(at(name), nil, 0o600))
	}
	require.NoError(t, os.Symlink(at("private.png"), at("shots/leads-out.png")))
	require.NoError(t, os.Symlink(top, at("shots/up")))
	require.NoError(t, os.Symlink(at("shots"), at("linked")))
	row := func(paths ...string) expand.Row {
		list := make([]any, len(paths))
		for i, p := range paths {
			list[i] = map[string]any{"url": client.FileURL(p)}
		}
		return expand.Row{Draft: client.Draft{Values: client.Values{"image_list": list}}}
	}
	own := []string{at("shots/a.png"), at("shots/below/b.png"), at("shots/up/shots/a.png"), at("linked/a.png")}
	others := []string{at("shots/leads-out.png"), at("private.png"), at("shots2/c.png"), at("shots/none.png"), at("shots/up/private.png")}
	rows := []expand.Row{row(own...), row(others...), row(others...)}
	for _, table := range []string{"shots/t.csv", "linked/t.csv"} {
		assert.ElementsMatch(t, others, batch.Outside(at(table), client.Draft{}, rows), table)
	}
	assert.Len(t, batch.Outside("", client.Draft{}, rows), len(own)+len(others), "a table that was piped in")
	base := row(at("private.png")).Draft
	assert.NotContains(t, batch.Outside(at("shots/t.csv"), base, rows), at("private.png"), "the person named it")
}
