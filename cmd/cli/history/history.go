// Package history has the commands about the history of jobs as a whole.
package history

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client/human"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/store"
)

// New makes the commands.
func New(k *kit.Kit) *cobra.Command {
	return kit.Parent(&cobra.Command{Use: "history", Short: "the history of jobs as a whole: back up, check, export, import",
		Long: `The history is what this machine knows of its jobs, with every request, answer and change
that was seen. It is one file, which is backed up once a day beside it, by a console or poller that runs for
some seconds, or by a command that writes while the file is small (8 MiB). A damaged one is
set aside by itself and the newest good backup takes its place.`,
		Example: "  darkroom history doctor\n  darkroom history export jobs.ndjson",
	}, newPath(k), newBackup(k), newRestore(k), newDoctor(k), newExport(k), newImport(k), newMove(k))
}

// haveHistory fails where there is no history to look at, so that none is made for it.
func haveHistory(k *kit.Kit) error {
	if k.Shared() != "" {
		return nil
	}
	return haveLocal(k)
}

// haveLocal fails where this machine has neither the history's file nor a backup of it.
func haveLocal(k *kit.Kit) error {
	path := k.IO.Paths.History
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		if all, err := store.Backups(path); err == nil && len(all) > 0 {
			return nil
		}
		return kit.NotFound("there is no history at %s: nothing was submitted yet", path)
	}
	return nil
}

func newPath(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "path", Short: "print where the history and its backups lie", Args: cobra.NoArgs,
		Long: `Prints where the history and its backups lie, newest first. The file must not be copied
while a console runs; a backup may.`,
		Example: "  darkroom history path -o json",
		RunE: func(*cobra.Command, []string) error {
			path := k.IO.Paths.History
			all, err := store.Backups(path)
			if err != nil {
				return err
			}
			if s := k.Shared(); s != "" {
				k.IO.Notef("darkroom: these are this machine's; the profile's jobs are in %s\n", s)
			}
			if !k.Out.Table() {
				return k.Out.One(map[string]any{"history": path, "backup_dir": store.BackupDir(path), "backups": append([]store.Backup{}, all...)})
			}
			k.IO.Printf("%s\n", path)
			for _, b := range all {
				k.IO.Printf("%s  %s\n", b.Path, human.Bytes(b.Bytes))
			}
			return nil
		}}
}

func newBackup(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "backup", Short: "back the history up now", Args: cobra.NoArgs,
		Long: `Makes the backup of the day, or makes it anew, and checks it. Consoles may work meanwhile.
That is done by itself once a day (see darkroom history), and seven are kept. A shared history is backed up by
who runs its server.`,
		Example: "  darkroom history backup",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := backupElsewhere(k); err != nil {
				return err
			}
			if err := haveLocal(k); err != nil {
				return err
			}
			s, err := app.OpenHistory(cmd.Context(), k.IO.Paths.History, k.IO.Tell)
			if err != nil {
				return err
			}
			b, err := s.Backup(cmd.Context())
			if err := errors.Join(err, s.Close()); err != nil {
				return err
			}
			if !k.Out.Table() {
				return k.Out.One(b)
			}
			k.IO.Printf("%s  %d jobs, %s\n", b.Path, b.Jobs, human.Bytes(b.Bytes))
			return nil
		}}
}

func newRestore(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "restore FILE", Short: "put a backup in the place of the history", Args: cobra.ExactArgs(1),
		Long: `Puts a backup in the place of the history, which is set aside and never deleted. What can
be read of newer jobs in it is taken over. Jobs that were about to be sent are ambiguous
afterwards, since they may have been sent since. No console may run meanwhile.`,
		Example: "  darkroom history restore $(darkroom history path -o json | jq -r .backups[0].path)",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := restoreElsewhere(k); err != nil {
				return err
			}
			r, err := store.Restore(cmd.Context(), k.IO.Paths.History, args[0])
			if bad, ok := errors.AsType[*store.SourceError](err); ok && cmd.Context().Err() == nil {
				if errors.Is(err, os.ErrNotExist) {
					return kit.FileError("", args[0], err)
				}
				return kit.Usage("%w", bad.Err)
			}
			if err != nil {
				return err
			}
			if !k.Out.Table() {
				return k.Out.One(r)
			}
			k.IO.Printf("%s\n", r)
			return nil
		}}
}

func newDoctor(k *kit.Kit) *cobra.Command {
	fix := false
	cmd := &cobra.Command{Use: "doctor", Short: "look through the whole history for damage", Args: cobra.NoArgs,
		Long: `Looks through the whole history: every page, every kept body, what belongs to what, the
leases, the backups, and whether the results lie where they were saved. With --fix it
repairs what can be repaired without losing anything, and puts a backup in the place of a
file that cannot be read. It warns when there is no backup, or none of a day ago or less
though jobs changed since. The exit code is 0 when all is well or was repaired, also with a
warning, else 1.

Of a shared history it looks at the server, the schema, every kept body, what belongs to
what, and the leases. Its backups are the server's, and files lie on other machines too.`,
		Example: "  darkroom history doctor --fix",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if k.Shared() != "" {
				return examineShared(cmd.Context(), k, fix)
			}
			if err := haveLocal(k); err != nil {
				return err
			}
			var at atomic.Pointer[string]
			status := k.IO.Status(func() string {
				if what := at.Load(); what != nil {
					return "looking through " + *what
				}
				return ""
			})
			h, err := store.ExamineTelling(cmd.Context(), k.IO.Paths.History, fix, func(what string) { at.Store(&what) })
			status.Stop()
			if err != nil {
				return err
			}
			if err := printHealth(k, h); err != nil {
				return err
			}
			if !h.Sound() {
				return kit.Exit(kit.ExitFailed, errors.New("something is wrong with the history; see above"))
			}
			return nil
		}}
	cmd.Flags().BoolVar(&fix, "fix", false, "repair what can be repaired")
	return cmd
}

func printHealth(k *kit.Kit, h *store.Health) error {
	if !k.Out.Table() {
		return k.Out.One(h)
	}
	k.IO.Printf("%s\n", h.Path)
	if err := printNumbers(k, h); err != nil {
		return err
	}
	cells := healthCells(h)
	if len(cells) > 0 {
		if err := kit.Rows(k.IO.Out, []string{"WHAT", "COUNT", "STATE", ""}, cells); err != nil {
			return err
		}
	}
	switch {
	case len(h.Findings) > 0:
	case len(h.Warnings) > 0:
		k.IO.Printf("nothing is broken; see the warning above\n")
	default:
		k.IO.Printf("all is well\n")
	}
	return nil
}

// backupOf says how old the newest good backup is.
func backupOf(h *store.Health) string {
	b := h.Newest()
	if b == nil {
		return "none"
	}
	age := time.Since(b.Made)
	if age < time.Second {
		return "the newest good one was just made"
	}
	return fmt.Sprintf("the newest good one is %s old, of %s", human.Age(age), human.Times{Now: time.Now()}.Stamp(b.Made))
}

// printNumbers prints how much there is in a history that opens.
func printNumbers(k *kit.Kit, h *store.Health) error {
	if h.Schema == 0 {
		return nil
	}
	return kit.Fields(k.IO.Out, [][2]string{
		{"schema", fmt.Sprint(h.Schema)},
		{"jobs", fmt.Sprintf("%d, %d of them active", h.Jobs, h.Active)},
		{"bodies", fmt.Sprint(h.Bodies)},
		{"size", fmt.Sprintf("%s, %s of it free; log %s", human.Bytes(h.Bytes), human.Bytes(h.FreeBytes), human.Bytes(h.LogBytes))},
		{"backup", backupOf(h)},
	})
}

// healthCells returns the rows of what was examined.
func healthCells(h *store.Health) (cells [][]string) {
	for _, l := range h.Leases {
		state := "it has expired"
		if l.Lives {
			state = "lives"
		}
		cells = append(cells, []string{"lease", fmt.Sprintf("%d jobs", l.Jobs), state, l.Owner})
	}
	for _, b := range h.Backups {
		state := "good"
		if b.Problem != "" {
			state = "BAD"
		}
		cells = append(cells, []string{"backup", fmt.Sprintf("%d jobs", b.Jobs), state, b.Path + "  " + human.Times{Now: time.Now()}.Stamp(b.Made)})
	}
	for _, a := range h.Aside {
		cells = append(cells, []string{"aside", "", "", a})
	}
	for _, w := range h.Warnings {
		cells = append(cells, []string{"warning", "", "", w})
	}
	for _, f := range h.Findings {
		state := "wrong"
		switch {
		case f.Fixed:
			state = "fixed"
		case f.Fixable:
			state = "--fix"
		}
		cells = append(cells, []string{"problem", fmt.Sprint(f.Count), state, f.Text})
		for _, n := range f.Named {
			cells = append(cells, []string{"", "", "", n})
		}
	}
	return cells
}
