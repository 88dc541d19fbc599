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

// OpenHistory opens the history at path. tell gets what a person has to know: that a
// backup was put in the place of a damaged one; nil for nobody.
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

// OpenStore opens the history that the profile names: the shared one, or the file of this
// machine. It takes over what came of creates while it could not be written. tell is that of
// OpenHistory, and told of that, too.
func OpenStore(ctx context.Context, c config.Config, tell func(string)) (jobs.Store, error) {
	st, err := openStore(ctx, c, tell)
	if err == nil {
		takeOver(ctx, c, st, tell)
	}
	return st, err
}

// ReadStore is OpenStore for what only reads: a history of this machine that cannot be written
// is opened to be read, of which tell is told.
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

// orRead is ReadStore, which tells nobody that it can be read only.
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

// unwritable is why a history can be read only; nil where it can be written.
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

// brief is a history of one machine, which a short command backs up.
type brief interface {
	BackupBriefly(ctx context.Context, now time.Time) (bool, error)
}

// BackUp makes the backup of the day where none is there and it takes no time to speak of,
// for commands that write and end. What goes wrong with it is no failure of theirs: `history
// doctor` tells how old the newest is.
func BackUp(ctx context.Context, st jobs.Store) {
	if b, ok := st.(brief); ok && unwritable(st) == nil {
		_, _ = b.BackupBriefly(ctx, time.Now())
	}
}

// daily is a history of one machine, which is backed up here.
type daily interface {
	KeepUp(ctx context.Context, o store.DailyOptions, tell func(store.Daily, error))
}

// upkeep has the history backed up, checked and pruned until ctx ends; a shared one is
// backed up by who runs its server, and only the jobs of our profile are ours to prune. tell
// gets what went wrong.
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

// historyRoom tells whether the disk of the history has more free than saving.keep_free says;
// nil for a history on a server.
func historyRoom(c *config.Config) func() bool {
	if c.Profile.Shared() != "" {
		return nil
	}
	folder, least := filepath.Dir(c.Paths.History), c.Saving.MinFree
	return func() bool { return download.HasRoom(folder, least) }
}
