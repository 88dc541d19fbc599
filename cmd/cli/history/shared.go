package history

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/client/human"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/store"
	"darkroom/jobs/store/postgres"
)

// notShared refuses what concerns the file on this machine if the profile shares a history, and
// says what to do instead.
func notShared(k *kit.Kit, instead string) error {
	place := k.Shared()
	if place == "" {
		return nil
	}
	return kit.Usage("the profile's history is on a server, %s: %s. For the file on this machine: DARKROOM_HISTORY=sqlite before the command", place, instead)
}

// dumpCommand is the command that backs up a shared history.
func dumpCommand(k *kit.Kit) string {
	schema := postgres.Schema
	if c, err := k.Config(); err == nil {
		schema = postgres.SchemaOf(c.Profile.History)
	}
	return "pg_dump -Fc -n " + schema + " -f darkroom.dump DATABASE"
}

func backupElsewhere(k *kit.Kit) error {
	return notShared(k, "its backups are the server's, as by `"+dumpCommand(k)+"`")
}

func restoreElsewhere(k *kit.Kit) error {
	return notShared(k, "end all consoles and pollers, and use `pg_restore --clean --if-exists -d DATABASE darkroom.dump`; "+
		"jobs that were about to be sent may have been sent since: docs/SHARED-HISTORY.md says how to hold them back")
}

// examineShared is the doctor of a shared history.
func examineShared(ctx context.Context, k *kit.Kit, fix bool) error {
	c, err := k.Config()
	if err != nil {
		return err
	}
	st, err := app.OpenStore(ctx, c, k.IO.Tell)
	if err != nil {
		return err
	}
	s, ok := st.(*postgres.Store)
	if !ok {
		return errors.Join(errors.New("the history is not on a server"), st.Close())
	}
	h, err := s.Examine(ctx, fix)
	if err = errors.Join(err, s.Close()); err != nil {
		return err
	}
	if err := printShared(k, h); err != nil {
		return err
	}
	if !h.Sound() {
		return kit.Exit(kit.ExitFailed, errors.New("something is wrong with the history; see above"))
	}
	return nil
}

func printShared(k *kit.Kit, h *postgres.Health) error {
	if !k.Out.Table() {
		return k.Out.One(h)
	}
	k.IO.Printf("%s\n", h.Place)
	yes := func(b bool, good, bad string) string {
		if b {
			return good
		}
		return bad
	}
	upkeep := "never yet; any console or poller does it once a day"
	if !h.Upkeep.IsZero() {
		upkeep = human.Times{Now: time.Now()}.Stamp(h.Upkeep)
	}
	err := kit.Fields(k.IO.Out, [][2]string{
		{"server", fmt.Sprintf("PostgreSQL %s, answers in %s; %d of %d connections are in use", h.Server, h.Answer.Round(100*time.Microsecond), h.Connections, h.MaxConns)},
		{"clock", yes(h.ClockAhead == 0, "as this machine's", fmt.Sprintf("%s ahead of this machine's", h.ClockAhead))},
		{"schema", fmt.Sprint(h.Schema)},
		{"commits", yes(h.Durable, "wait for the server's disk", "do NOT wait for the server's disk (fsync or synchronous_commit is off): a crash of it can lose jobs that were sent")},
		{"search", yes(h.Trigrams, "by an index", "looks through every job: `CREATE EXTENSION pg_trgm` before the first start makes it fast")},
		{"jobs", fmt.Sprintf("%d, %d of them active", h.Jobs, h.Active)},
		{"bodies", fmt.Sprintf("%d, %s before compression", h.Bodies, human.Bytes(h.BodyBytes))},
		{"size", human.Bytes(h.Bytes)},
		{"upkeep", upkeep},
		{"backups", "are the server's, as by `" + dumpCommand(k) + "`; none was looked at"},
	})
	if err != nil {
		return err
	}
	like := &store.Health{Leases: h.Leases, Findings: h.Findings}
	if cells := healthCells(like); len(cells) > 0 {
		if err := kit.Rows(k.IO.Out, []string{"WHAT", "COUNT", "STATE", ""}, cells); err != nil {
			return err
		}
	}
	if len(h.Findings) == 0 {
		k.IO.Printf("all is well\n")
	}
	return nil
}
