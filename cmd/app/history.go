package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/jobs/download"
	"darkroom/jobs/store"
	"darkroom/jobs/store/postgres"
)

// OpenHistory opens the history at path. tell gets what a person has to know: that a backup
// replaced a damaged history; nil for nobody.
func OpenHistory(ctx context.Context, path string, tell func(string)) (*store.SQLite, error) {
	st, err := store.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	if r := st.Restored(); r != nil && tell != nil {
		tell(r.String())
	}
	return st, nil
}

// OpenStore opens the history that the profile names: the shared one, or this machine's file.
// It takes over the outcomes of creates from when it could not be written. tell is as in
// OpenHistory, and gets this, too.
func OpenStore(ctx context.Context, c config.Config, tell func(string)) (jobs.Store, error) {
	st, err := openStore(ctx, c, tell)
	if err == nil {
		takeOver(ctx, c, st, tell)
	}
	return st, err
}

// ReadStore is OpenStore for readers: a history of this machine that cannot be written is opened
// read-only, and tell says so.
func ReadStore(ctx context.Context, c config.Config, tell func(string)) (jobs.Store, error) {
	st, err := orRead(ctx, c, tell)
	if err != nil {
		return nil, err
	}
	if why := unwritable(st); why != nil && tell != nil {
		tell(why.Note())
	}
	return st, nil
}

// orRead is ReadStore, but does not tell that the history is read-only.
func orRead(ctx context.Context, c config.Config, tell func(string)) (jobs.Store, error) {
	st, err := OpenStore(ctx, c, tell)
	if !errors.As(err, new(*store.ReadOnlyError)) {
		return st, err
	}
	s, err := store.OpenReading(ctx, c.Paths.History)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// unwritable is why a history is read-only; nil if it can be written.
func unwritable(st jobs.Store) *store.ReadOnlyError {
	if s, ok := st.(*store.SQLite); ok {
		return s.ReadOnly()
	}
	return nil
}

func openStore(ctx context.Context, c config.Config, tell func(string)) (jobs.Store, error) {
	if dsn := c.Profile.History; dsn != "" {
		st, err := postgres.Open(ctx, dsn, postgres.Options{})
		if err != nil {
			return nil, err
		}
		return st, nil
	}
	st, err := OpenHistory(ctx, c.Paths.History, tell)
	if err != nil {
		return nil, err
	}
	return st, nil
}

// brief is a history of one machine that a short command backs up.
type brief interface {
	BackupBriefly(ctx context.Context, now time.Time) (bool, error)
}

// BackUp makes the backup of the day if there is none and it takes next to no time: for commands
// that write and exit. Its failure is not theirs: `history doctor` shows how old the newest backup
// is.
func BackUp(ctx context.Context, st jobs.Store) {
	if b, ok := st.(brief); ok && unwritable(st) == nil {
		_, _ = b.BackupBriefly(ctx, time.Now())
	}
}

// daily is a history of one machine, backed up here.
type daily interface {
	KeepUp(ctx context.Context, o store.DailyOptions, tell func(store.Daily, error))
}

// upkeep keeps the history backed up, checked and pruned until ctx ends. The server's operator
// backs a shared one up, and only our profile's jobs are ours to prune. tell gets what went
// wrong.
func upkeep(ctx context.Context, st jobs.Store, profile string, retain time.Duration, tell func(string)) {
	failed := func(err error) {
		if err != nil && tell != nil {
			tell(fmt.Sprintf("the daily work on the history failed: %v", err))
		}
	}
	switch st := st.(type) {
	case *postgres.Store:
		st.KeepUp(ctx, postgres.Upkeep{Profile: profile, Retain: retain}, failed)
	case daily:
		st.KeepUp(ctx, store.DailyOptions{Retain: retain}, func(d store.Daily, err error) {
			for _, bad := range d.Bad {
				if tell != nil {
					tell(bad + "; it no longer counts")
				}
			}
			failed(err)
		})
	}
}

// historyRoom reports whether the history's disk has more free space than saving.keep_free; nil
// for a history on a server.
func historyRoom(c *config.Config) func() bool {
	if c.Profile.Shared() != "" {
		return nil
	}
	folder, least := filepath.Dir(c.Paths.History), c.Saving.MinFree
	return func() bool { return download.HasRoom(folder, least) }
}
