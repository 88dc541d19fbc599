package download

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOpenable: what starts programs, or leads elsewhere, is handed to no opener.
func TestOpenable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const png, desktop = "\x89PNG\r\n\x1a\n rest", "[Desktop Entry]\nExec=sh -c 'touch /tmp/x'\n"
	write := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), mode))
		return path
	}
	for _, good := range []string{
		write("a.png", png, 0o600), write("b.PNG", png, 0o644), write("c.json", `{"a": 1}`, 0o600), write("d.txt", "words", 0o600),
		write("e.mp4", "\x00\x00\x00\x18ftypisom....", 0o600), write("f.mp3", "ID3 ...", 0o600),
	} {
		require.NoError(t, Openable(good))
	}
	link := filepath.Join(dir, "link.png")
	require.NoError(t, os.Symlink(filepath.Join(dir, "a.png"), link))
	for _, bad := range []string{
		write("x.desktop", desktop, 0o600), write("x.png", desktop, 0o600), write("y.desktop", png, 0o600),
		write("x.sh", "#!/bin/sh\n", 0o600), write("x.html", "<html>", 0o600), write("x.url", "[InternetShortcut]", 0o600),
		write("x.svg", "<svg/>", 0o600), write("x.exe", "MZ\x90\x00", 0o600), write("x.command", "ls", 0o600), write("none", png, 0o600),
		write("run.png", png, 0o700), write("z.png", "\x7fELF\x02\x01\x01\x00", 0o600), write("empty.png", "", 0o600),
		link, dir, filepath.Join(dir, "gone.png"), "relative.png",
	} {
		err := Openable(bad)
		require.Error(t, err, bad)
		assert.Contains(t, err.Error(), "not opened")
	}
}
