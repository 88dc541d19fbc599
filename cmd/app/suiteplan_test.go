package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/sandbox"
	"darkroom/jobs"
	"darkroom/jobs/compare/suite"
	"darkroom/jobs/schedule"
)

// TestARunIsPlannedOfASuiteAndItsFiles: files are relative to the suite, and each plan of the console has
// an order of its own.
func TestARunIsPlannedOfASuiteAndItsFiles(t *testing.T) {
	t.Parallel()
	g := openGateway(t, testConfig(t), sandbox.Instant)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "kite.png"), []byte("\x89PNG\r\n\x1a\n"), 0o600))
	s, err := suite.Parse("kites.yaml", []byte("name: kites\nkind: video\nprompts: [a kite]\nmode: i2v\nvalues: {image: kite.png}\nmodels: [famA3]\nrepeats: 2\n"))
	require.NoError(t, err)
	asked := 0
	o := PlanOptions{Version: "1", PlanOf: func(j *jobs.Job) *schedule.Plan {
		asked++
		assert.Equal(t, "famA3", j.Draft.Model)
		return nil
	}}
	r, cast, err := g.PlanRun(t.Context(), s, filepath.Join(dir, "kites.yaml"), o)
	require.NoError(t, err)
	require.Len(t, r.Cells, 1)
	assert.Empty(t, r.Cells[0].Cannot)
	assert.Equal(t, []string{client.FileURL(filepath.Join(dir, "kite.png"))}, refs(r.Cells[0].Draft))
	assert.Equal(t, 2, cast.Trials)
	assert.Positive(t, asked)
	assert.Less(t, cast.Expected, time.Minute)
	again, _, err := g.PlanRun(t.Context(), s, filepath.Join(dir, "kites.yaml"), o)
	require.NoError(t, err)
	assert.NotEqual(t, r.Seed, again.Seed)
	assert.NotEqual(t, r.ID, again.ID)
	assert.Equal(t, r.Cells[0].Hash, again.Cells[0].Hash)

	_, _, err = g.PlanRun(t.Context(), s, filepath.Join(dir, "elsewhere", "kites.yaml"), o)
	require.ErrorContains(t, err, "there is no file")
}

// refs are the files that a draft names.
func refs(d client.Draft) (out []string) {
	for _, f := range d.LocalFiles() {
		out = append(out, f.Ref)
	}
	return out
}

func TestAReportTakesNothingsPlace(t *testing.T) {
	t.Parallel()
	g := openGateway(t, testConfig(t), sandbox.Instant)
	s, err := suite.Parse("kites.yaml", []byte("name: kites\nkind: video\nprompts: [a kite]\nmode: t2v\nmodels: [famA3]\n"))
	require.NoError(t, err)
	r, _, err := g.PlanRun(t.Context(), s, "", PlanOptions{})
	require.NoError(t, err)
	for _, format := range []string{"html", "md", "csv", "json"} {
		path := filepath.Join(t.TempDir(), "kites."+format)
		require.NoError(t, g.WriteReport(t.Context(), &r, format, path), format)
		st, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), st.Mode().Perm())
		assert.Positive(t, st.Size())
		require.ErrorContains(t, g.WriteReport(t.Context(), &r, format, path), "is there already")
	}
	require.Error(t, g.WriteReport(t.Context(), &r, "pdf", filepath.Join(t.TempDir(), "kites.pdf")))
}
