package app

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store"
	"darkroom/jobs/store/storetest"
)

// ended puts a job into a history that ended some time ago.
func ended(t *testing.T, st jobs.Store, ago time.Duration, tags ...string) string {
	t.Helper()
	id, err := uuid.NewV7()
	require.NoError(t, err)
	at := time.Now().Add(-ago)
	j := jobs.Job{ID: id.String(), Profile: "work", Format: "videos", State: jobs.Completed, Progress: -1, Tags: tags,
		Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: "x"}, CreatedAt: at, EndedAt: at, UpdatedAt: at}
	require.NoError(t, st.Insert(t.Context(), []jobs.Change{{Job: j, Events: []jobs.Event{{At: at, Kind: jobs.EventPlanned, To: j.State}}}}))
	return j.ID
}

func ids(t *testing.T, st jobs.Store) (out []string) {
	t.Helper()
	p, err := st.List(t.Context(), jobs.Query{})
	require.NoError(t, err)
	for _, j := range p.Jobs {
		out = append(out, j.ID)
	}
	return out
}

// TestUpkeepRunsOnceADay: a console that stays open for days backs up each day, and lets go
// what the retention says, but no job with a tag and none that is younger. The clock is the
// bubble's.
func TestUpkeepRunsOnceADay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const day = 24 * time.Hour
		path := filepath.Join(t.TempDir(), "h.db")
		st, err := store.Open(t.Context(), path)
		require.NoError(t, err)
		defer func() { require.NoError(t, st.Close()) }()
		old, kept := ended(t, st, 31*day), ended(t, st, 31*day, "kept")
		soon, young := ended(t, st, 28*day+12*time.Hour), ended(t, st, time.Hour)

		ctx, stop := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			upkeep(ctx, st, "work", 30*day, func(text string) { t.Error(text) })
		}()
		pass := func(d time.Duration) {
			time.Sleep(d) //nolint:forbidigo // the bubble's clock, not the wall's
			synctest.Wait()
		}
		pass(time.Second)
		backups, err := store.Backups(path)
		require.NoError(t, err)
		assert.Empty(t, backups, "not while the console starts")
		assert.ElementsMatch(t, []string{old, kept, soon, young}, ids(t, st))

		pass(time.Minute)
		backups, err = store.Backups(path)
		require.NoError(t, err)
		assert.Len(t, backups, 1)
		assert.ElementsMatch(t, []string{kept, soon, young}, ids(t, st))

		pass(2 * day)
		assert.ElementsMatch(t, []string{kept, young}, ids(t, st), "it looks again while it runs")
		backups, err = store.Backups(path)
		require.NoError(t, err)
		assert.Len(t, backups, 3, "one a day")

		stop()
		<-over
	})
}

// TestUpkeepWithoutRetention: unless somebody asks for it, nothing is ever removed.
func TestUpkeepWithoutRetention(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "h.db"))
		require.NoError(t, err)
		defer func() { require.NoError(t, st.Close()) }()
		id := ended(t, st, 10*365*24*time.Hour)
		ctx, stop := context.WithTimeout(t.Context(), 49*time.Hour)
		defer stop()
		upkeep(ctx, st, "work", 0, nil)
		assert.Equal(t, []string{id}, ids(t, st))
	})
}

// badDay is a history whose daily work goes wrong.
type badDay struct {
	jobs.Store
	got store.DailyOptions
}

func (d *badDay) KeepUp(_ context.Context, o store.DailyOptions, tell func(store.Daily, error)) {
	d.got = o
	tell(store.Daily{Bad: []string{"2026-01-01.db is damaged"}}, context.DeadlineExceeded)
}

func TestUpkeepTellsWhatWentWrong(t *testing.T) {
	t.Parallel()
	var told []string
	d := &badDay{}
	upkeep(t.Context(), d, "work", 7*24*time.Hour, func(text string) { told = append(told, text) })
	assert.Equal(t, store.DailyOptions{Retain: 7 * 24 * time.Hour}, d.got)
	require.Len(t, told, 2)
	assert.Contains(t, told[0], "2026-01-01.db is damaged; it no longer counts")
	assert.Contains(t, told[1], "daily work on the history failed")
	upkeep(t.Context(), d, "work", 0, nil)                                                  // nobody to tell
	upkeep(t.Context(), storetest.NewMem(), "work", 0, func(text string) { t.Error(text) }) // looked after elsewhere
}
