package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

func TestJoin(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	c, err = c.Overlay([]byte(`version: 1
families:
  - token: famI
    models:
      - {id: famI-omni, note: ours}
  - token: famZ
    kind: video
    traits: {modality: video, modes: [t2v], formats: [videos]}
    models:
      - {id: famZ-1}
`), "catalog.yaml")
	require.NoError(t, err)
	base := c.Offers()
	list := []client.RemoteModel{{ID: "z-new"}, {ID: "famA3", Owner: "first"}, {ID: "A-new"}, {ID: "famA3", Owner: "second"}, {ID: "z-new"}, {ID: "famZ-1"}}
	all := catalog.Join(base, list)
	got := map[string]catalog.Offer{}
	for _, o := range all {
		assert.NotContains(t, got, o.ID, "each once")
		got[o.ID] = o
	}
	for id, want := range map[string]catalog.Origin{
		"famA3": catalog.FromBoth, "famB-2": catalog.FromCatalog, "z-new": catalog.FromLive, "A-new": catalog.FromLive,
		"famI-omni": catalog.FromOverlay, "famZ-1": catalog.FromOverlay,
	} {
		o := got[id]
		assert.Equal(t, want, o.Origin(), id)
	}
	famA3, made := got["famA3"], got["famZ-1"]
	assert.Equal(t, "first", famA3.Live.Owner)
	assert.NotNil(t, made.Live, "offered, whoever wrote it down")
	require.Len(t, all, len(base)+2)
	assert.Equal(t, []string{"A-new", "z-new"}, []string{all[len(base)].ID, all[len(base)+1].ID}, "by name, behind the catalog's")
	for i := range base {
		assert.Nil(t, base[i].Live, "what was joined is not written to")
		assert.Equal(t, base[i].ID, all[i].ID, "in the catalog's order")
	}
	var speech []client.Modality
	for _, x := range got["famN_music"].Known {
		speech = append(speech, x.Modality)
	}
	assert.Equal(t, []client.Modality{client.Music, client.Speech}, speech)
}

// TestOverlayOfAFamily: traits that a file changes are of all its models.
func TestOverlayOfAFamily(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	over, err := c.Overlay([]byte("version: 1\nfamilies:\n  - token: famK\n    traits: {source: ours}\n"), "catalog.yaml")
	require.NoError(t, err)
	for _, x := range over.Models("") {
		assert.Equal(t, x.Family == "famK", x.Overlay, x.ID)
	}
	for _, x := range c.Models("") {
		assert.False(t, x.Overlay, x.ID)
	}
}
