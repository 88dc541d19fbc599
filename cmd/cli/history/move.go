package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/jobs/store"
	"darkroom/jobs/store/postgres"
)

// movePage is how many jobs are moved at a time, and moveTell how often the progress is told.
const (
	movePage = 200
	moveTell = time.Second
)

// moved is what `history move` prints.
type moved struct {
	To    string `json:"to"`
	Read  int    `json:"read"`
	Added int    `json:"added"`
	Known int    `json:"known"` // were there already
	Doubt int    `json:"doubt"` // were about to be sent, and are ambiguous
}

func newMove(k *kit.Kit) *cobra.Command {
	to := ""
	cmd := &cobra.Command{Use: "move", Short: "copy the history of this machine into a shared one", Args: cobra.NoArgs,
		Long: `Copies all jobs of this machine's history with everything that is kept of them into a
shared one on PostgreSQL, and reads them back to check. The file on this machine stays as it
is. Jobs that are there already stay as they are, so that it can be run again. Jobs that
were about to be sent are ambiguous there, since this machine may still send them. Results
on the disk stay where they are. No console may work on the file meanwhile.

Afterwards name the shared history in the settings, as profiles.NAME.history. A password
belongs in PGPASSWORD or ~/.pgpass.`,
		Example: `  darkroom history move --to postgres://darkroom@db.example/darkroom
  darkroom history move --profile work`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dsn, err := moveTo(k, to)
			if err != nil {
				return err
			}
			if err := haveLocal(k); err != nil {
				return err
			}
			m, err := move(cmd.Context(), k, dsn)
			if err != nil {
				return err
			}
			return printMoved(k, m)
		}}
	cmd.Flags().StringVar(&to, "to", "", "the shared history, as postgres://user@host/database; else that of the profile")
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// moveTo returns the address to move to. One on the command line may not hold a password, since
// every user of the machine could read it there.
func moveTo(k *kit.Kit, flag string) (string, error) {
	if flag == "" {
		c, err := k.Config()
		if err != nil {
			return "", err
		}
		if c.Profile.History == "" {
			return "", kit.Usage("where to? The profile %s has no shared history; give one with --to postgres://user@host/database", c.Profile.Name)
		}
		return c.Profile.History, nil
	}
	dsn, err := config.CheckHistory(flag)
	if err != nil || dsn == "" {
		return "", kit.Usage("--to: %w", cmp.Or(err, errors.New("give a shared history, as postgres://user@host/database")))
	}
	if u, err := url.Parse(dsn); err == nil {
		if _, has := u.User.Password(); has || u.Query().Has("password") {
			return "", kit.Usage("--to: keep the password off the command line, where others can read it: use PGPASSWORD or ~/.pgpass")
		}
	}
	return dsn, nil
}

// move opens both histories and copies one into the other.
func move(ctx context.Context, k *kit.Kit, dsn string) (m moved, err error) {
	from, err := app.OpenHistory(ctx, k.IO.Paths.History, k.IO.Tell)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if err := unheld(ctx, from); err != nil {
		return m, err
	}
	to, err := postgres.Open(ctx, dsn, postgres.Options{})
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if err := app.TakeOverToMove(ctx, k.IO.Paths, from, to, k.IO.Tell); err != nil {
		return m, err
	}
	v := &mover{k: k, from: from, to: to, done: moved{To: to.Place()}}
	v.own, _ = app.OpenInstallation(k.IO.Paths) //nolint:errcheck // without it results are downloaded anew
	if v.total, err = from.Count(ctx); err != nil {
		return m, err
	}
	before, err := from.Look(ctx)
	if err != nil {
		return m, err
	}
	if err := v.run(ctx); err != nil {
		return v.done, fmt.Errorf("%w; %d of %d jobs were copied, and it can be run again", err, v.done.Read, v.total)
	}
	after, err := from.Look(ctx)
	if err == nil && before != after {
		err = errors.New("the history of this machine was written to meanwhile: what changed of jobs that were copied already is not in the copy")
	}
	return v.done, err
}

// unheld refuses a history on which somebody works, and says who.
func unheld(ctx context.Context, s *store.SQLite) error {
	leases, err := s.Leases(ctx)
	if err != nil {
		return err
	}
	for _, l := range leases {
		if l.Lives {
			return kit.Usage("%s works on %d jobs of this machine's history: end all consoles and pollers first (after a crash, wait %s)",
				client.CleanLine(l.Owner), l.Jobs, 10*time.Second)
		}
	}
	if !s.Alone() {
		return kit.Usage("another console, poller or command has this machine's history open: end it first")
	}
	return nil
}

func printMoved(k *kit.Kit, m moved) error {
	if !k.Out.Table() {
		return k.Out.One(m)
	}
	k.IO.Printf("%d jobs read, %d added to %s, %d there already\n", m.Read, m.Added, m.To, m.Known)
	if m.Doubt > 0 {
		k.IO.Printf("%d were about to be sent and are ambiguous there\n", m.Doubt)
	}
	return nil
}

// mover copies one history into another.
type mover struct {
	k        *kit.Kit
	from, to jobs.Store
	own      *jobs.Installation // nil where there is none
	total    int64
	told     time.Time
	done     moved
}

func (v *mover) run(ctx context.Context) error {
	for after := ""; ; {
		page, err := v.from.Records(ctx, after, movePage)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			if int64(v.done.Read) != v.total {
				return fmt.Errorf("%d jobs were counted and %d read", v.total, v.done.Read)
			}
			return nil
		}
		if err := v.page(ctx, after, page); err != nil {
			return err
		}
		after = page[len(page)-1].Job.ID
		if v.k.IO.TtyErr != nil && time.Since(v.told) >= moveTell {
			v.told = time.Now()
			v.k.IO.Notef("%d of %d jobs…\n", v.done.Read, v.total)
		}
	}
}

// page copies a page of records and reads it back.
func (v *mover) page(ctx context.Context, after string, page []jobs.Record) error {
	fresh, err := v.fresh(ctx, page)
	if err != nil {
		return err
	}
	for i := range fresh {
		v.own.Adopt(&fresh[i].Job)
		if fresh[i].Doubt(time.Now()) {
			v.done.Doubt++
		}
	}
	if len(fresh) > 0 {
		n, err := v.to.Import(ctx, fresh)
		if err != nil {
			return err
		}
		v.done.Added += n
		if n != len(fresh) {
			return fmt.Errorf("%d jobs were added where %d were to be: somebody else adds the same ones", n, len(fresh))
		}
	}
	if err := v.check(ctx, after, fresh); err != nil {
		return err
	}
	v.done.Read += len(page)
	v.done.Known += len(page) - len(fresh)
	return nil
}

// fresh returns the records whose jobs are not in the new history yet.
func (v *mover) fresh(ctx context.Context, page []jobs.Record) ([]jobs.Record, error) {
	var out []jobs.Record
	for _, r := range page {
		_, err := v.to.Get(ctx, r.Job.ID)
		if errors.Is(err, jobs.ErrNotFound) {
			out = append(out, r)
		} else if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// check reads back what was added after an id and compares it with what was copied.
func (v *mover) check(ctx context.Context, after string, want []jobs.Record) error {
	for len(want) > 0 {
		got, err := v.to.Records(ctx, after, movePage)
		if err != nil {
			return err
		}
		if len(got) == 0 {
			return fmt.Errorf("job %s is not in the copy", want[0].Job.ID)
		}
		for _, r := range got {
			if len(want) == 0 || r.Job.ID != want[0].Job.ID {
				continue
			}
			w := want[0]
			kept, _ := jobs.Renew(nil, w.Exchanges)        // failures that an older version kept apart are one
			same := r.Job.UpdatedAt.Equal(w.Job.UpdatedAt) // else somebody works on it already
			if same && (len(r.Bodies) != len(w.Bodies) || len(r.Events) != len(w.Events) || len(r.Current) != len(w.Current)) ||
				len(r.Events) < len(w.Events) || len(r.Exchanges) < len(kept) {
				return fmt.Errorf("job %s: %d events, %d exchanges and %d bodies are in the copy, instead of %d, %d and %d", w.Job.ID,
					len(r.Events), len(r.Exchanges), len(r.Bodies), len(w.Events), len(kept), len(w.Bodies))
			}
			want = want[1:]
		}
		after = got[len(got)-1].Job.ID
	}
	return nil
}
