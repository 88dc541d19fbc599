package jobs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client/human"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

type pruneOptions struct {
	k      *kit.Kit
	older  string
	state  states
	prune  jobs.Prune
	all    bool
	tagged bool
	stars  bool
	yes    bool
}

// pruned is what `jobs prune` prints.
type pruned struct {
	jobs.Pruned
	DryRun bool `json:"dry_run,omitempty"`
}

func newPrune(k *kit.Kit) *cobra.Command {
	o := &pruneOptions{k: k}
	cmd := &cobra.Command{Use: "prune", Short: "remove ended jobs from the history", Args: cobra.NoArgs,
		Long: `Removes ended jobs of the profile in use from the history, with everything that is kept of
them. Files that were saved stay, and so do jobs that run, are ambiguous or have a file to
be fetched, and starred ones unless --even-starred is given. It asks first; the room in the
history's file is used again. The setting "retention: DAYS" does so by itself once a day, for
all but jobs with a tag or a star.`,
		Example: `  darkroom jobs prune --older 90d --dry-run
  darkroom jobs prune --state failed,refused --yes
  darkroom jobs prune --newest 1000 --keep best --yes`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) }}
	f := cmd.Flags()
	f.StringVar(&o.older, "older", "", "only those that ended so long ago, as 90d, 2w or 36h")
	o.state.flag(cmd, "only these states, as failed,dropped", jobs.State.Ended)
	f.StringSliceVar(&o.prune.Keep, "keep", nil, "but none with one of these tags")
	f.BoolVar(&o.tagged, "keep-tagged", false, "but none with any tag")
	f.BoolVar(&o.stars, "even-starred", false, "starred ones too")
	f.IntVar(&o.prune.Newest, "newest", 0, "but not the newest so many of them")
	allProfiles(cmd, &o.all)
	f.BoolVar(&o.prune.Dry, "dry-run", false, "only count")
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	for _, n := range []string{"older", "keep", "newest"} {
		_ = cmd.RegisterFlagCompletionFunc(n, cobra.FixedCompletions(nil, cobra.ShellCompDirectiveNoFileComp))
	}
	return cmd
}

func (o *pruneOptions) check() error {
	var err error
	if o.prune.States, err = o.state.read(); err != nil {
		return err
	}
	if o.prune.Newest < 0 {
		return kit.Usage("--newest %d: give a number of jobs", o.prune.Newest)
	}
	if o.older != "" {
		d, err := parseAge(o.older)
		if err != nil {
			return kit.Usage("--older: %w", err)
		}
		o.prune.Before = time.Now().Add(-d)
	}
	if o.older == "" && len(o.state.words) == 0 && o.prune.Newest == 0 {
		return kit.Usage("which jobs? Give --older, --state or --newest; `--older 0d` removes all that have ended")
	}
	if o.prune.Keep, err = jobs.CleanTags(o.prune.Keep); err != nil {
		return kit.Usage("--keep: %w", err)
	}
	if !o.stars {
		o.prune.Keep = append(o.prune.Keep, jobs.Star)
	}
	o.prune.KeepTagged = o.tagged
	if o.all {
		return nil
	}
	c, err := o.k.Config()
	o.prune.Profile = c.Profile.Name
	return err
}

// maxAge bounds an age, in days.
const maxAge = 36500

// parseAge accepts whole days and weeks besides Go's durations, such as 90d, 2w, 36h.
func parseAge(s string) (time.Duration, error) {
	unit := time.Duration(0)
	switch {
	case strings.HasSuffix(s, "d"):
		unit = 24 * time.Hour
	case strings.HasSuffix(s, "w"):
		unit = 7 * 24 * time.Hour
	}
	bad := fmt.Errorf("%q: give a span of time like 90d, 2w or 36h, of at most %d days", s, maxAge)
	if unit == 0 {
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 || d > maxAge*24*time.Hour {
			return 0, bad
		}
		return d, nil
	}
	n, err := strconv.ParseUint(s[:len(s)-1], 10, 16)
	if d := time.Duration(n) * unit; err == nil && d <= maxAge*24*time.Hour { //nolint:gosec // of 16 bits
		return d, nil
	}
	return 0, bad
}

func (o *pruneOptions) run(ctx context.Context) error {
	if err := o.check(); err != nil {
		return err
	}
	open := o.k.OpenHistory
	if o.prune.Dry {
		open = o.k.ReadHistory
	}
	s, err := open(ctx)
	if err != nil {
		return err
	}
	if !o.prune.Dry {
		app.BackUp(ctx, s) // first, so that the backup has what is removed
	}
	sum, err := o.remove(ctx, s)
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	out := pruned{sum, o.prune.Dry}
	if !o.k.Out.Table() {
		return o.k.Out.One(out)
	}
	verb := "removed"
	if o.prune.Dry {
		verb = "would be removed"
	}
	o.k.IO.Printf("%d jobs %s, with %s of bodies\n", sum.Jobs, verb, human.Bytes(sum.Bytes))
	return nil
}

// remove counts, asks if it must, and removes.
func (o *pruneOptions) remove(ctx context.Context, s jobs.Store) (jobs.Pruned, error) {
	if o.prune.Dry {
		return s.Prune(ctx, o.prune)
	}
	if o.yes {
		return o.told(ctx, s, 0)
	}
	dry := o.prune
	dry.Dry = true
	would, err := s.Prune(ctx, dry)
	if err != nil || would.Jobs == 0 {
		return would, err
	}
	sure, err := o.k.IO.Confirm(ctx, fmt.Sprintf("Remove %d jobs with %s of bodies from the history?", would.Jobs, human.Bytes(would.Bytes)))
	if err != nil {
		return jobs.Pruned{}, err
	}
	if !sure {
		return jobs.Pruned{}, kit.Stopped("nothing was removed")
	}
	return o.told(ctx, s, would.Jobs)
}

// told removes, and tells how far it is; of is how many there are, 0 where nobody counted. An interrupt
// ends it between two portions.
func (o *pruneOptions) told(ctx context.Context, s jobs.Store, of int) (jobs.Pruned, error) {
	var done atomic.Int64
	p := o.prune
	p.Tell = func(sum jobs.Pruned) { done.Store(int64(sum.Jobs)) }
	status := o.k.IO.Status(func() string {
		text := fmt.Sprintf("%s jobs removed", human.Count(int(done.Load())))
		if of > 0 {
			text += " of " + human.Count(of)
		}
		return text
	})
	sum, err := s.Prune(ctx, p)
	status.Stop()
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w: %d jobs were removed, the others stay", err, sum.Jobs)
	}
	return sum, err
}
