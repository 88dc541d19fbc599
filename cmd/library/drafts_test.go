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
	keep := Drafts{dir: t.TempDir()}
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
	d := Drafts{dir: filepath.Join(t.TempDir(), "drafts")}
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
	d := Drafts{dir: t.TempDir()}
	want := kept.Draft{Draft: client.Draft{Modality: client.Video, Prompt: "a {red|blue} kite"}, Expand: "all", Vars: map[string]string{"x": "y"}}
	require.NoError(t, d.Save(want))
	got, ok, err := d.Load(client.Video)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, want, got)
}

// Several profiles can be open in one console: what is typed in one overwrites nothing of another.
func TestEachProfileHasItsOwnDrafts(t *testing.T) {
	dir := t.TempDir()
	typed := func(text string) kept.Draft {
		return kept.Draft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: text}}
	}
	prompt := func(profile string) string {
		d, _, err := OpenDrafts(dir, profile).Load(client.Video)
		require.NoError(t, err)
		return d.Draft.Prompt
	}
	require.NoError(t, Drafts{dir: dir}.Save(typed("of an earlier version")))
	require.NoError(t, OpenDrafts(dir, "work").Save(typed("ours")))
	env := "env:https://gateway.example/../x"
	require.NoError(t, OpenDrafts(dir, env).Save(typed("of the environment")))
	require.Equal(t, "ours", prompt("work"))
	require.Equal(t, "of the environment", prompt(env))
	require.Equal(t, "of an earlier version", prompt("team"), "none of its own yet")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 3, "all of it is in the folder")
}
