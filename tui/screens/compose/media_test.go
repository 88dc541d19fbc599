package compose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screens/compose/internal/findings"
)

// The first bytes of files.
const (
	png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	mp4 = "\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isomiso2avc1mp41"
)

// referenceBench has the focus on the first image of a mode that takes references.
func referenceBench(t *testing.T, w, h int) (b *bench, field string) {
	t.Helper()
	b = start(t, w, h)
	b.Type("a kite")
	b.pick("famI-omni")
	b.Click("compose/mode/o2")
	b.Key("alt+a")
	return b, b.m.sheet.Form.Focused()
}

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// problem is what is said of a field with a severity, "" for nothing.
func problem(m *Model, field string, s catalog.Severity) string {
	for _, p := range m.sheet.Problems {
		if p.Field == field && p.Severity == s {
			return p.Message
		}
	}
	return ""
}

func TestAPathThatIsBeingTypedIsNoFinding(t *testing.T) {
	b, field := referenceBench(t, 120, 40)
	for _, typed := range []string{"~/in.png", "/a/b", "in.png", "a:b.png", "htt", "'/a b.png'"} {
		b.Key("ctrl+u")
		b.Type(typed)
		for _, p := range b.m.sheet.Problems {
			assert.NotEqual(t, catalog.Block, p.Severity, "%s: %s", typed, p.Message)
		}
		assert.NotContains(t, b.View(), "it must be an http", typed)
	}
	require.True(t, b.m.sheet.Form.Focus(field))
	b.Key("ctrl+u")
	b.Type("ftp://x/y")
	assert.True(t, findings.Has(b.m.sheet.Problems, field, catalog.Block), "a scheme that nobody takes is one")
	b.Key("tab")
	assert.Contains(t, problem(b.m, field, catalog.Block), "ftp:// cannot be used; a reference is an http:// or https:// URL, a data: URI, or a file")
	assert.NotContains(t, b.View(), "there is no file")
}

// A path that was typed while others were looked at is not what was submitted: nothing is sent,
// and no path ever as it was typed.
func TestNoPathIsSentAsItWasTyped(t *testing.T) {
	m, j, _ := newModel(t)
	m.SetSize(120, 40)
	m.sheet.Fill(client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "a kite"}, "")
	path := file(t, "in.png", png)
	m.sheet.Form.SetText("image", path)
	m.doc.Refresh()
	require.Contains(t, m.sheet.Wide, "image")
	looking := m.do("compose.submit")
	m.sheet.Form.SetText("image", path+"x")
	m.doc.Refresh()
	_, cmd := m.Update(looking())
	drain(m, cmd, false)
	assert.Empty(t, j.got)
	assert.Empty(t, m.sending.Off())
	drain(m, m.do("compose.submit"), false)
	assert.Empty(t, j.got)
	assert.Contains(t, problem(m, "image", catalog.Block), "there is no file "+path+"x")
	assert.Empty(t, m.sending.Off())
	m.sheet.Form.SetText("image", path)
	m.sheet.Set("image")
	m.doc.Refresh()
	drain(m, m.do("compose.submit"), false)
	require.Len(t, j.got, 1)
	assert.Equal(t, client.FileURL(path), j.got[0][0].Draft.Values["image"])
}

func TestFilesAreLookedIntoWhenTheFieldIsLeft(t *testing.T) {
	b, field := referenceBench(t, 120, 40)
	text := file(t, "passwd", "root:x:0:0:root:/root:/bin/sh\n")
	b.Type(text)
	b.Key("tab")
	assert.Contains(t, problem(b.m, field, catalog.Block), "is text/plain, not a picture, a video or a sound")
	b.Key("ctrl+s")
	assert.Empty(t, b.jobs.got)
	assert.Contains(t, b.m.sending.Refused(), "is text/plain")

	require.True(t, b.m.sheet.Form.Focus(field))
	b.Key("ctrl+u")
	b.Type(file(t, "film.png", mp4))
	b.Key("tab")
	assert.Empty(t, problem(b.m, field, catalog.Block))
	assert.Contains(t, problem(b.m, field, catalog.Warn), "film.png is video/mp4, not image")
	assert.True(t, findings.Has(b.m.sheet.Problems, field, catalog.Warn))
	b.Key("ctrl+s")
	assert.Len(t, b.jobs.got, 1, "a warning is in nobody's way")

	require.True(t, b.m.sheet.Form.Focus(field))
	b.Key("ctrl+u")
	b.Type(file(t, "kite.png", png))
	b.Key("tab")
	assert.Empty(t, problem(b.m, field, catalog.Warn), "another file is not judged by the old one")
}

func TestFilesShowAsPaths(t *testing.T) {
	b, field := referenceBench(t, 120, 40)
	path := file(t, "my kite at the end of a name that is long enough.png", png)
	b.Type(path)
	b.Key("tab")
	require.Equal(t, client.FileURL(path), b.m.sheet.Form.Text(field))
	assert.Contains(t, b.View(), "…")
	assert.Contains(t, b.View(), "long enough.png", "its end, where its name is")
	assert.Contains(t, b.View(), "16 B, 46 B as data URI")
	assert.NotContains(t, strings.ReplaceAll(draftOf(b), "\n", ""), "file:///")
	b.Key("shift+tab")
	assert.Contains(t, draftOf(b), "%20long%20enough.png", "to be edited it is what it is")
}

// draftOf is the left half of the screen.
func draftOf(b *bench) string {
	var out []string
	for l := range strings.SplitSeq(b.View(), "\n") {
		left, _, _ := strings.Cut(l, "││")
		out = append(out, left)
	}
	return strings.Join(out, "\n")
}

func TestPathsBecomeFileURLs(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "my kite.png"), []byte(png), 0o600))
	b := start(t, 120, 40)
	b.Type("a kite")
	b.pick("famI-omni")
	b.Click("compose/mode/o2")
	b.Key("alt+a")
	field := b.m.sheet.Form.Focused()
	b.Type("~/my kite.png")
	b.Key("tab")
	assert.Equal(t, "file://"+filepath.ToSlash(dir)+"/my%20kite.png", b.m.sheet.Form.Text(field))
	require.True(t, b.m.sheet.Form.Focus(field))
	b.Key("ctrl+u")
	b.Type("~/none.png")
	b.Key("tab")
	assert.Contains(t, b.View(), "there is no file")
	require.True(t, b.m.sheet.Form.Focus(field))
	b.Key("backspace")
	assert.NotContains(t, b.View(), "there is no file", "a changed text is not judged by the old one")
}
