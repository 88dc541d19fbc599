package columns

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

func tables() map[bool]*Table {
	return map[bool]*Table{false: New(Dialect{}), true: New(Dialect{Shared: true})}
}

// row answers a scan with what was written.
type row []any

func (r row) Scan(dest ...any) error {
	for i, v := range r {
		reflect.ValueOf(dest[i]).Elem().Set(reflect.ValueOf(v))
	}
	return nil
}

// TestEveryFieldIsKept: what a job has, its row has, but for what is said of it elsewhere.
func TestEveryFieldIsKept(t *testing.T) {
	t.Parallel()
	j := &jobs.Job{}
	kept := map[uintptr]bool{}
	for _, c := range all() {
		if !c.copied {
			kept[reflect.ValueOf(c.field(j)).Pointer()] = true
		}
	}
	have := func(of reflect.Value) {
		for i := range of.NumField() {
			name := of.Type().Field(i).Name
			if slices.Contains([]string{"NextPollAt", "Foreign", "Seq"}, name) { // its work's Due; said by the engine
				continue
			}
			assert.True(t, kept[of.Field(i).Addr().Pointer()], "no column has %s", name)
		}
	}
	have(reflect.ValueOf(j).Elem())
	have(reflect.ValueOf(&j.Seen).Elem())
}

// TestRoundTrip: what is written of a job is read back, by another clock, too.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1_700_000_000_000)
	j := jobs.Job{
		ID: "id", Profile: "p", State: jobs.Failed, Progress: 0.5, Paused: true, Polls: 3, Note: "note", CreateTook: time.Second,
		CreatedAt: at, EndedAt: at.Add(time.Minute), Error: &client.TaskError{Message: "no"}, Warnings: []string{"w"},
		Draft: client.Draft{Modality: client.Video, Model: "m", Mode: "t2v", Prompt: "a kite"},
		Seen:  jobs.Seen{Working: at, GatewayEnded: at.Add(time.Second)},
	}
	for shared, table := range tables() {
		texts, err := table.Encode(&j, "")
		require.NoError(t, err)
		wrote := row(table.read.Args(nil, &j, texts, time.Hour))
		w, got, err := table.Scan(wrote, time.Hour)
		require.NoError(t, err)
		require.NoError(t, table.Decode(got, &w.Job))
		assert.Equal(t, j, w.Job, "shared: %v", shared)
		assert.True(t, table.Whole.Same(&j, texts, &w.Job, got))

		there, _, err := table.Scan(wrote, 2*time.Hour)
		require.NoError(t, err)
		assert.Equal(t, at.Add(-time.Hour), there.Job.Seen.Working, "by the clock of whoever reads it")
		assert.Equal(t, j.Seen.GatewayEnded, there.Job.Seen.GatewayEnded, "by the gateway's clock, wherever it is read")

		w.Job.Polls++
		assert.True(t, table.Settled.Same(&j, texts, &w.Job, got), "polls run")
		w.Job.State = jobs.Completed
		assert.False(t, table.Settled.Same(&j, texts, &w.Job, got))
		assert.Len(t, table.Changing, len(table.Running)+len(table.Settled))
		assert.Equal(t, "id", table.Whole[0].name)
	}
}

// TestKnownDraft: a draft whose text is known is not written anew; what is empty is "".
func TestKnownDraft(t *testing.T) {
	t.Parallel()
	table := New(Dialect{})
	texts, err := table.Encode(&jobs.Job{}, "as it was")
	require.NoError(t, err)
	assert.Equal(t, "as it was", texts[table.Text("draft")])
	assert.Empty(t, texts[table.Text("error")])
	assert.Empty(t, texts[table.Text("assets")])
}
