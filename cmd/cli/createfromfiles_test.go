package cli

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestARequestThatNamesAFileAsksFirst: a request of somebody else's had any file of this machine
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
		w.fails(ExitUsage, []string{picture, "--attach-files"}, args...)
		require.NoFileExists(t, w.paths().History, "nothing was planned")
		w.ok(append(args, "--dry-run")...)

		y := newTypist(t)
		code := y.start(t.Context(), w, args...)
		y.shows("Attach them? [y/N]")
		y.types("\n")
		require.Equal(t, ExitUsage, y.ends(code), y.screen())
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
