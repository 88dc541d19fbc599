package report_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/report"
)

// beside makes a report of n pictures that all go into the folder.
func beside(t *testing.T, n int) report.Report {
	t.Helper()
	run := made([]family{{name: "picture", kind: client.AssetImage, mean: 1}}, prompts[:1], n, generated(t))
	return report.Make(run, report.Options{Now: day, Media: report.Media{MaxFile: -1}})
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

const list = ".darkroom-report.json"

func TestTheFolderFollowsTheReport(t *testing.T) {
	dir := t.TempDir()
	path, files := filepath.Join(dir, "r.html"), filepath.Join(dir, "r_files")
	r := beside(t, 3)
	require.NoError(t, r.WriteHTML(context.Background(), path))
	assert.Equal(t, []string{list, "1.1.png", "1.2.png", "1.3.png"}, names(t, files))
	for _, p := range []string{path, filepath.Join(files, "1.1.png"), filepath.Join(files, list)} {
		info, err := os.Stat(p)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), p)
	}
	info, err := os.Stat(files)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())

	require.NoError(t, os.WriteFile(filepath.Join(files, "mine.txt"), []byte("x"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(files, "1.9.png"), []byte("x"), 0o600))
	r = beside(t, 1)
	require.NoError(t, r.WriteHTML(context.Background(), path))
	assert.Equal(t, []string{list, "1.1.png", "1.9.png", "mine.txt"}, names(t, files), "what this program did not make stays")

	r = report.Make(made(six(), prompts, 1, none), report.Options{Now: day})
	require.NoError(t, r.WriteHTML(context.Background(), path))
	assert.Equal(t, []string{"1.9.png", "mine.txt"}, names(t, files))
	require.NoError(t, os.Remove(filepath.Join(files, "mine.txt")))
	require.NoError(t, os.Remove(filepath.Join(files, "1.9.png")))

	r = beside(t, 1)
	require.NoError(t, r.WriteHTML(context.Background(), path))
	r = report.Make(made(six(), prompts, 1, none), report.Options{Now: day})
	require.NoError(t, r.WriteHTML(context.Background(), path))
	assert.Equal(t, []string{"r.html"}, names(t, dir), "the folder goes once nothing is in it")
}

// TestNothingInTheWayIsTouched: links are not followed, files of others not replaced, lists not believed.
func TestNothingInTheWayIsTouched(t *testing.T) {
	elsewhere := t.TempDir()
	theirs := filepath.Join(elsewhere, "1.1.png")
	require.NoError(t, os.WriteFile(theirs, []byte("theirs"), 0o600))
	kept := func(t *testing.T) {
		body, err := os.ReadFile(theirs)
		require.NoError(t, err)
		assert.Equal(t, "theirs", string(body))
		assert.Equal(t, []string{"1.1.png"}, names(t, elsewhere))
	}
	write := func(t *testing.T, prepare func(files string)) (string, error) {
		dir := t.TempDir()
		prepare(filepath.Join(dir, "r_files"))
		r := beside(t, 1)
		return dir, r.WriteHTML(context.Background(), filepath.Join(dir, "r.html"))
	}
	t.Run("a link to a folder", func(t *testing.T) {
		dir, err := write(t, func(files string) { require.NoError(t, os.Symlink(elsewhere, files)) })
		require.ErrorContains(t, err, "r_files is in the way")
		assert.Equal(t, []string{"r_files"}, names(t, dir), "no page without its results")
		kept(t)
	})
	t.Run("a file", func(t *testing.T) {
		_, err := write(t, func(files string) { require.NoError(t, os.WriteFile(files, nil, 0o600)) })
		require.ErrorContains(t, err, "r_files is in the way")
	})
	t.Run("a file of that name", func(t *testing.T) {
		_, err := write(t, func(files string) {
			require.NoError(t, os.Mkdir(files, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(files, "1.1.png"), []byte("x"), 0o600))
		})
		require.ErrorContains(t, err, "1.1.png is in the way")
	})
	t.Run("a link of a name that the list has", func(t *testing.T) {
		dir, err := write(t, func(files string) {
			require.NoError(t, os.Mkdir(files, 0o700))
			require.NoError(t, os.Symlink(theirs, filepath.Join(files, "1.1.png")))
			require.NoError(t, os.WriteFile(filepath.Join(files, list), []byte(`["1.1.png"]`), 0o600))
		})
		require.NoError(t, err)
		info, err := os.Lstat(filepath.Join(dir, "r_files", "1.1.png"))
		require.NoError(t, err)
		assert.True(t, info.Mode().IsRegular(), "the link is replaced")
		kept(t)
	})
	t.Run("a list of other names", func(t *testing.T) {
		dir, err := write(t, func(files string) {
			require.NoError(t, os.Mkdir(files, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(files, "mine.txt"), nil, 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(files, list), []byte(`["mine.txt","../r.html","`+theirs+`"]`), 0o600))
		})
		require.NoError(t, err)
		assert.Equal(t, []string{list, "1.1.png", "mine.txt"}, names(t, filepath.Join(dir, "r_files")))
		kept(t)
	})
}

// TestOnlyFilesOfThisInstallationAreOpened: a run may come from another machine, with paths of it.
func TestOnlyFilesOfThisInstallationAreOpened(t *testing.T) {
	files := generated(t)
	run := made([]family{{name: "picture", kind: client.AssetImage, mean: 1}}, prompts[:1], 2, files)
	run.Trials[0].Files[0].Here = false
	r := report.Make(run, report.Options{Now: day})
	page := html(t, r)
	assert.NotContains(t, page, `id="t1.1" tabindex="-1" class="ok">`+"\n"+`<div class="media"><img`)
	assert.Contains(t, page, "no file is here")
	assert.Contains(t, page, `id="t1.2" tabindex="-1" class="ok">`+"\n"+`<div class="media"><img`)
}

// TestWhatCannotBeShownIsSaid: a file that is gone, no picture, or none at all.
func TestWhatCannotBeShownIsSaid(t *testing.T) {
	dir := t.TempDir()
	put := func(name, body string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(body), 0o600))
		return path
	}
	for path, says := range map[string]string{
		filepath.Join(dir, "gone.png"):           "the file is gone",
		dir:                                      "the file cannot be read",
		put("empty.png", ""):                     "the file cannot be read",
		put("a.png", `<svg onload="alert(1)"/>`): "no browser shows",
		put("b.mp4", "<html><script>alert(1)</script>"):           "no browser shows",
		put("c.png", "\x89PNG\r\n\x1a\n"+string(make([]byte, 9))): `<img src="data:image/png;base64,`,
	} {
		run := made([]family{{name: "x", mean: 1}}, prompts[:1], 1, func(family, compare.Slot) string { return path })
		assert.Contains(t, html(t, report.Make(run, report.Options{Now: day})), says, path)
	}
	files := generated(t)
	run := made([]family{{name: "x", mean: 1}}, prompts[:1], 1, files)
	assert.Contains(t, html(t, report.Make(run, report.Options{Now: day, Media: report.Media{MaxFile: 10}})), "too large to be in the page")
}
