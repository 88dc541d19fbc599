package library

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/kept"
)

// TestDraftsOfEveryKind: what is composed is kept for each kind on its own.
func TestDraftsOfEveryKind(t *testing.T) {
	t.Parallel()
	keep := Drafts{t.TempDir()}
	kinds := []client.Modality{client.Video, client.Image, client.Music, client.Speech, client.Chat}
	for _, k := range kinds {
		require.NoError(t, keep.Save(kept.Draft{Draft: client.Draft{Modality: k, Model: "m-" + string(k), Prompt: "p"}, Format: "f-" + string(k)}))
	}
	for _, k := range kinds {
		d, ok, err := keep.Load(k)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, "m-"+string(k), d.Draft.Model)
		require.Equal(t, "f-"+string(k), d.Format)
	}
}

func TestDrafts(t *testing.T) {
	t.Parallel()
	d := Drafts{filepath.Join(t.TempDir(), "drafts")}
	_, ok, err := d.Load(client.Video)
	require.NoError(t, err)
	require.False(t, ok)
	want := kept.Draft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: "waves", Values: client.Values{"title": "x"},
		Parents: []client.Parent{{Job: "p", As: "i2v", Ref: "x"}}}, Job: "origin", Turned: time.Unix(1_700_000_000, 7).UTC()}
	require.NoError(t, d.Save(want))
	got, ok, err := d.Load(client.Video)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, want, got)
	info, err := os.Stat(d.path(client.Video))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	for _, text := range []string{"{", `{"modality":"image"}`} {
		require.NoError(t, os.WriteFile(d.path(client.Video), []byte(text), 0o600))
		got, ok, err = d.Load(client.Video)
		require.Error(t, err)
		require.False(t, ok)
		require.Zero(t, got)
		b, err := os.ReadFile(d.path(client.Video))
		require.NoError(t, err)
		require.Equal(t, text, string(b))
	}
}

func TestDraftsKeepWhatThePromptIs(t *testing.T) {
	d := Drafts{t.TempDir()}
	want := kept.Draft{Draft: client.Draft{Modality: client.Video, Prompt: "a {red|blue} kite"}, Expand: "all", Vars: map[string]string{"x": "y"}}
	require.NoError(t, d.Save(want))
	got, ok, err := d.Load(client.Video)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, want, got)
}
