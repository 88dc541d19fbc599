package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/kittest"
)

// TestARequestThatNamesAFileAsksFirst: a request of somebody else's had any file on this machine
// sent before.
func TestARequestThatNamesAFileAsksFirst(t *testing.T) {
	t.Parallel()
	for _, by := range []string{
		`{"model":"famA3","prompt":"x","input_reference":"file://%s"}`,
		`curl https://g.example/v1/videos -H 'Authorization: Bearer x' -d '{"model":"famA3","prompt":"x","input_reference":"file://%s"}'`,
		`{"model":"famA3","prompt":"x","whatever":{"deep":["file://%s"]}}`,
	} {
		w := newWorld(t)
		picture := w.file("private.png", "\x89PNG\r\n\x1a\n")
		from := w.file("from.txt", fmt.Sprintf(by, picture))
		args := []string{"create", "video", "--from", from}
		w.fails(kit.ExitUsage, []string{picture, "--attach-files"}, args...)
		require.NoFileExists(t, w.paths().History, "nothing was planned")
		w.ok(append(args, "--dry-run")...)

		y := kittest.NewTypist(t)
		code := start(t.Context(), y, w, args...)
		y.Shows("Attach them? [y/N]")
		y.Types("\n")
		require.Equal(t, kit.ExitUsage, y.Ends(code), y.Screen())
		require.NoFileExists(t, w.paths().History)
	}
	w := newWorld(t)
	picture := w.file("mine.png", "\x89PNG\r\n\x1a\n")
	_, err := os.Stat(picture)
	require.NoError(t, err)
	from := w.file("from.txt", fmt.Sprintf(`{"model":"famA3","prompt":"x","input_reference":"file://%s"}`, picture))
	r := w.run("create", "video", "--from", from, "--attach-files")
	require.NotContains(t, r.err, "--attach-files", "it is not asked")
}

// TestABodyThatNamesAFileAsksFirst: --body took any file on this machine along before.
func TestABodyThatNamesAFileAsksFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	picture := w.file("private.png", "\x89PNG\r\n\x1a\n")
	body := w.file("body.json", fmt.Sprintf(`{"model":"famA3","mode":"i2v","prompt":"x","image":"file://%s"}`, picture))
	args := []string{"create", "video", "--body", body}
	w.fails(kit.ExitUsage, []string{"--body", picture, "--attach-files"}, args...)
	w.in = fmt.Sprintf(`{"model":"famA3","mode":"i2v","prompt":"x","image":"file://%s"}`, picture)
	w.fails(kit.ExitUsage, []string{"--body -", picture, "--attach-files"}, "create", "video", "--body", "-")
	w.in = ""
	require.NoFileExists(t, w.paths().History, "nothing was planned")
	w.ok(append(args, "--dry-run")...)

	for answer, sends := range map[string]bool{"\n": false, "y\n": true} {
		y := kittest.NewTypist(t)
		code := start(t.Context(), y, w, args...)
		y.Shows("Attach them? [y/N]")
		y.Types(answer)
		require.Equal(t, sends, y.Ends(code) != kit.ExitUsage, y.Screen())
	}
	require.NotContains(t, w.run(append(args, "--attach-files")...).err, "--attach-files", "it is not asked")
}

// TestATableThatNamesFilesElsewhereAsksFirst: those beside the table are as if typed.
func TestATableThatNamesFilesElsewhereAsksFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	beside, private := w.file("shots/a.png", "\x89PNG\r\n\x1a\n"), w.file("private.png", "\x89PNG\r\n\x1a\n")
	table := func(picture string) string { return "model,mode,prompt,image\nfamA3,i2v,x," + picture + "\n" }
	args := func(more ...string) []string { return append([]string{"create", "video", "--batch"}, more...) }
	own, other := w.file("shots/own.csv", table(beside)), w.file("shots/other.csv", table(private))
	require.NotContains(t, w.run(args(own)...).err, "--attach-files")
	w.fails(kit.ExitUsage, []string{"--batch", "outside its folder: " + private, "--attach-files"}, args(other)...)
	w.ok(args(other, "--dry-run")...)
	w.in = table(beside)
	w.fails(kit.ExitUsage, []string{"--batch -", beside, "--attach-files"}, args("-")...)
	w.in = ""
	require.NotContains(t, w.run(args(other, "--attach-files")...).err, "--attach-files", "it is not asked")

	y := kittest.NewTypist(t)
	code := start(t.Context(), y, w, args(other)...)
	y.Shows("Attach them? [y/N]")
	y.Types("\n")
	require.Equal(t, kit.ExitUsage, y.Ends(code), y.Screen())
}

// TestAStrangersProjectFolderIsToldOnce: a batch of a preset looked for it twice, and said it twice.
func TestAStrangersProjectFolderIsToldOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("config/presets/kites.yaml", "prompt: a kite\n")
	project := filepath.Join(w.dir, ".darkroom")
	require.NoError(t, os.MkdirAll(filepath.Join(project, "presets"), 0o700))
	require.NoError(t, os.Chmod(project, 0o777)) // #nosec G302 -- what is to be refused
	r := w.ok("create", "video", "--preset", "kites", "--expand", "--count", "2", "--dry-run")
	require.Equal(t, 1, strings.Count(r.err, "is not read"), r.err)
}
