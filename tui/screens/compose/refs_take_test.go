package compose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/screen"
)

// mp4Head is what a video begins with.
const mp4Head = "\x00\x00\x00\x18ftypisom\x00\x00\x00\x00isommp42"

func TestOneOfSeveralDroppedFilesIsTakenAndSaid(t *testing.T) {
	dir := t.TempDir()
	video := filepath.Join(dir, "clip.mp4")
	require.NoError(t, os.WriteFile(video, []byte(mp4Head), 0o600))
	paths := append([]string{video}, pictures(t, dir, "a.png", "b.png", "c.png", "d.png")...)
	b := start(t, 120, 34)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "i2v", Values: client.Values{"image": "https://x.invalid/1"}}})
	b.m.doc.GoTo("image")
	b.Paste(strings.Join(paths, "\n"))
	assert.Equal(t, client.FileURL(paths[1]), b.m.sheet.Draft.Values["image"], "the first one that the field is for")
	said := toast(t, b)
	assert.Equal(t, screen.Warn, said.Level)
	assert.Contains(t, said.Text, "takes one file: it is a.png now, without clip.mp4, b.png, c.png and 1 more; alt+o chooses another")
	n := len(b.Sent)
	b.Paste(paths[2])
	assert.Equal(t, client.FileURL(paths[2]), b.m.sheet.Draft.Values["image"])
	assert.Len(t, b.Sent, n, "of one file there is nothing to say")
}

// Files for which the model has no place are not forgotten while one is picked for the first.
func TestDroppedFilesWaitForAModel(t *testing.T) {
	dir := t.TempDir()
	video := filepath.Join(dir, "clip.mp4")
	require.NoError(t, os.WriteFile(video, []byte(mp4Head), 0o600))
	paths := pictures(t, dir, "a.png", "b.png")
	b := start(t, 120, 34)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Speech, Prompt: "words"}})
	b.Paste(strings.Join([]string{paths[0], video, paths[1]}, "\n"))
	b.Key("r")
	require.True(t, b.m.over.Has(choose.Scope))
	assert.Contains(t, toast(t, b).Text, "not taken yet: clip.mp4")
	b.Type("famI-omni")
	b.Key("enter")
	assert.Equal(t, []any{client.FileURL(paths[0]), client.FileURL(paths[1])}, b.m.sheet.Draft.Values["images"])

	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Speech, Prompt: "words"}})
	b.Paste(strings.Join(paths, "\n"))
	b.Key("r")
	require.True(t, b.m.over.Has(choose.Scope))
	b.Type("famF-omni-image")
	b.Key("enter")
	assert.Equal(t, client.FileURL(paths[0]), b.m.sheet.Draft.Values["image"])
	assert.Contains(t, toast(t, b).Text, "it is a.png now, without b.png")
}
