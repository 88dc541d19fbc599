package references

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/items"
)

// content is a field of items that hold references.
func content(refs ...any) Field {
	spec := &items.Spec{List: true, Parts: []items.Part{{Path: []string{"url"}, Kind: items.Media, Media: []string{"image"}}}}
	var list []any
	for _, r := range refs {
		list = append(list, map[string]any{"url": r})
	}
	return Field{Name: "content", Text: items.Format(list), Value: list, Spec: spec}
}

func images(refs ...string) Field {
	var list []any
	for _, r := range refs {
		list = append(list, r)
	}
	return Field{Name: "images", Kinds: []string{"image"}, Text: strings.Join(refs, "\n"), Value: list}
}

func picture(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), 0o600))
	return path
}

func TestReferencesAreFoundWhereverTheyStand(t *testing.T) {
	for _, f := range []Field{images("https://x.example/a.png", "~/b.png"), content("https://x.example/a.png", "~/b.png")} {
		assert.Equal(t, []string{"https://x.example/a.png", "~/b.png"}, slices.Collect(f.All()), f.Name)
		assert.True(t, f.Any(Local), f.Name)
		v, changed := f.checkable()
		assert.True(t, changed, f.Name)
		assert.NotEqual(t, f.Value, v, "a path that is being typed is no finding")
	}
	f := images("https://x.example/a.png")
	assert.False(t, f.Any(Local))
	v, changed := f.checkable()
	assert.False(t, changed)
	assert.Equal(t, f.Value, v)
}

func TestPathsBecomeURLsAndFilesAreLookedInto(t *testing.T) {
	path := picture(t, "a kite.png")
	k := New()
	assert.Nil(t, Resolve(nil, Submit))
	for _, f := range []Field{images(path, "/no/such.png"), content(path, "/no/such.png")} {
		msg := Resolve([]Field{f}, Submit)().(Msg)
		assert.Equal(t, Submit, msg.Then)
		found := msg.Found[0]
		assert.Contains(t, found.Done, client.FileURL(path))
		assert.Contains(t, found.Done, "/no/such.png", "nothing that was typed is lost")
		k.Take(&found)
		ps := k.Findings([]Field{f})
		require.Len(t, ps, 1)
		assert.Equal(t, catalog.Block, ps[0].Severity)
		assert.Contains(t, ps[0].Message, f.Name+": there is no file /no/such.png")
		k.Forget(f.Name)
		assert.Empty(t, k.Findings([]Field{f}))
	}
	assert.Equal(t, "image/png", k.Facts()[client.FileURL(path)].Type)
	assert.NotEmpty(t, k.Facts()["/no/such.png"].Err+k.Facts()["file:///no/such.png"].Err)
	f := images(client.FileURL(path))
	assert.Equal(t, "16 B, 46 B as data URI; "+NotShown, k.Detail(&f, true), "the name stands before it")
	assert.Equal(t, "a kite.png 16 B, 46 B as data URI", k.Weight(&f))
}

func TestFilesOfADraftAreLookedAtOnce(t *testing.T) {
	k := New()
	f := content(client.FileURL(picture(t, "a.png")), "~/being typed")
	look := k.Look([]Field{f})
	require.NotNil(t, look)
	found := look().(Msg).Found[0]
	assert.Equal(t, f.Text, found.Done, "a path that is being typed stays")
	assert.Nil(t, k.Look([]Field{f}))
}

func TestWhyAFileIsHeavyIsSaidOnce(t *testing.T) {
	k := New()
	k.files["file:///a/1.png"] = weight{Name: "1.png", Bytes: 5_000_000, URI: 6_600_000}
	k.files["file:///a/2.png"] = weight{Name: "2.png", Bytes: 6_000_000, URI: 8_000_000}
	list := k.Heavy([]Field{images("file:///a/1.png", "file:///a/2.png")})
	require.Len(t, list, 2)
	assert.Contains(t, list[0].Message, "request size limits are not documented")
	assert.Equal(t, "images: 2.png, 8.0 MB as data URI, too", list[1].Message)
}

func TestFindingsNameFilesByTheEndOfTheirPaths(t *testing.T) {
	ref := client.FileURL("/a/" + strings.Repeat("long ", 12) + "kite.png")
	shown := ref[:20] + widgets.Ellipsis
	k := New()
	k.files[ref] = weight{Name: "kite.png", Bytes: 10, URI: 40}
	about := func(at string) catalog.Problem {
		return catalog.Problem{Field: "images", Value: shown, Severity: catalog.Info, Message: at + ": " + shown + " is sent as a data URI"}
	}
	ps := []catalog.Problem{about("images[0]"), about("images[1]")}
	k.NameFiles([]Field{images(ref)}, ps)
	said, _, _ := strings.Cut(strings.TrimPrefix(ps[0].Message, "images[0]: "), " is sent")
	assert.Equal(t, maxPath, widgets.Width(said))
	assert.True(t, strings.HasSuffix(said, "kite.png"), said)
	assert.Contains(t, ps[0].Message, "(10 B, 40 B as data URI)")
	assert.True(t, strings.HasPrefix(ps[1].Message, "images[1]: ") && strings.HasSuffix(ps[1].Message, "kite.png, 40 B as data URI"), ps[1].Message)
}

func TestTwoReferencesInOneAreWarnedOf(t *testing.T) {
	ps := Glued([]Field{images("https://x.example/a", "https://x.example/ahttps://x.example/b", "data:text/plain,http://a://b")})
	require.Len(t, ps, 1)
	assert.Contains(t, ps[0].Message, "images: item 2 holds :// twice")
}
