package export_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/bundle"
	"darkroom/jobs/export"
)

// history holds jobs with what is kept of them.
type history map[string]jobs.Detail

func (h history) Get(_ context.Context, id string) (jobs.Job, error) {
	d, err := h.Detail(context.Background(), id)
	return d.Job, err
}

func (h history) Detail(_ context.Context, id string) (jobs.Detail, error) {
	d, ok := h[id]
	if !ok {
		return d, jobs.ErrNotFound
	}
	return d, nil
}

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func two() history {
	failed := jobs.Job{ID: "0195-a", TaskID: "task-a", State: jobs.Failed, Run: "0192f000-0000-7000-8000-00000000000a", Cell: "12.3", RawStatus: "FAILURE", CreatedAt: at, SubmittedAt: at, EndedAt: at.Add(90 * time.Second),
		Draft: client.Draft{Modality: client.Video, Model: "famA", Prompt: "=HYPERLINK(\"http://x\")\nsecond"},
		Error: &client.TaskError{Code: "busy", Message: "+1\x1b[2J"}, Tags: []string{"late", "vip"}, Remark: "@all"}
	done := jobs.Job{ID: "0195-b", State: jobs.Completed, Draft: client.Draft{Model: "famB", Prompt: "a secret kite"},
		Assets: []client.Asset{{URL: "https://cdn.example/v.mp4?sig=abc"}}, Files: []jobs.File{{State: jobs.FileSaved, Path: "/home/me/v.mp4"}, {State: jobs.FileFailed, Path: "/home/me/no.mp4"}}}
	return history{failed.ID: {Job: failed, Answer: []byte(`{"status":"FAILURE"}`)}, done.ID: {Job: done, Request: []byte(`{"prompt":"a secret kite"}`)}}
}

func pack(t *testing.T, o export.Options, ids ...string) *export.Pack {
	t.Helper()
	p, err := export.New(two(), o)
	require.NoError(t, err)
	for _, id := range ids {
		require.NoError(t, p.Add(t.Context(), id))
	}
	assert.Equal(t, len(ids), p.Len())
	return p
}

func write(t *testing.T, o export.Options, ids ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, pack(t, o, ids...).Write(&b))
	return b.Bytes()
}

func TestASheetHoldsNoFormula(t *testing.T) {
	rows, err := csv.NewReader(bytes.NewReader(write(t, export.Options{Form: export.CSV}, "0195-a", "0195-b"))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	at := func(row int, column string) string {
		for i, c := range rows[0] {
			if c == column {
				return rows[row][i]
			}
		}
		t.Fatal(column)
		return ""
	}
	assert.Equal(t, "task-a", at(1, "task"))
	assert.Equal(t, "90.0", at(1, "took s"))
	assert.Equal(t, "12.3", at(1, "cell"))
	assert.Equal(t, "2026-03-01T12:00:00Z", at(1, "created"))
	assert.Equal(t, "late vip", at(1, "tags"))
	assert.Equal(t, `'=HYPERLINK("http://x") second`, at(1, "prompt"))
	assert.Equal(t, "'@all", at(1, "remark"))
	assert.True(t, strings.HasPrefix(at(1, "error"), "'+1"))
	assert.NotContains(t, at(1, "error"), "\x1b")
	assert.Equal(t, "/home/me/v.mp4", at(2, "files"), "what is on the disk")
	assert.Empty(t, at(2, "took s"), "not known is not 0")
}

func TestWhatIsLeftOutIsInNoForm(t *testing.T) {
	for _, f := range export.Forms() {
		o := export.Options{Form: f, Options: bundle.Options{NoPrompts: true, NoPaths: true, NoQueries: true}}
		data := write(t, o, "0195-b")
		if f == export.Bundle {
			b, err := bundle.Read(bytes.NewReader(data), int64(len(data)))
			require.NoError(t, err)
			data, err = json.Marshal(b)
			require.NoError(t, err)
		}
		for _, secret := range []string{"secret", "/home/me", "sig=abc"} {
			assert.NotContains(t, string(data), secret, f)
		}
		assert.Contains(t, string(data), "v.mp4", f)
	}
}

func TestJSONIsOneArray(t *testing.T) {
	var all []jobs.Job
	require.NoError(t, json.Unmarshal(write(t, export.Options{Form: export.JSON}, "0195-b", "0195-a"), &all))
	require.Len(t, all, 2)
	assert.Equal(t, "0195-b", all[0].ID)
	assert.Equal(t, "busy", all[1].Error.Code)
	require.NoError(t, json.Unmarshal(write(t, export.Options{Form: export.JSON}), &all))
	assert.Empty(t, all)
}

func TestABundleHasWhatIsKept(t *testing.T) {
	data := write(t, export.Options{Form: export.Bundle, Options: bundle.Options{Made: at}}, "0195-a", "0195-b")
	b, err := bundle.Read(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	require.Len(t, b.Cases, 2)
	assert.Equal(t, "task-a", b.Cases[0].Result.Subject.Value)
	assert.Equal(t, "0195-b", b.Cases[1].Result.Subject.Value, "it has no task")
	assert.JSONEq(t, `{"status":"FAILURE"}`, string(b.Cases[0].Answer))
}

// TestAFileIsThereWholeOrNotAtAll, and one that was there stays unless a person says otherwise.
func TestAFileIsThereWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "jobs.csv")
	assert.Equal(t, export.CSV, export.FormOf(path))
	assert.Equal(t, export.Bundle, export.FormOf("A.ZIP"))
	assert.Empty(t, export.FormOf("jobs"))
	o := export.Options{Form: export.CSV}
	require.NoError(t, pack(t, o, "0195-a").File(path, false))
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.ErrorIs(t, pack(t, o).File(path, false), export.ErrThere)
	require.NoError(t, pack(t, o).File(path, true))
	require.Error(t, pack(t, o).File(filepath.Join(path, "below"), false))
}

func TestAJobThatCannotBeReadIsTold(t *testing.T) {
	for _, f := range export.Forms() {
		p := pack(t, export.Options{Form: f})
		require.ErrorIs(t, p.Add(t.Context(), "none"), jobs.ErrNotFound)
		ctx, stop := context.WithCancel(t.Context())
		stop()
		require.ErrorIs(t, p.Add(ctx, "0195-a"), context.Canceled)
		assert.Zero(t, p.Len())
	}
	_, err := export.New(two(), export.Options{Form: "xml"})
	require.Error(t, err)
}
