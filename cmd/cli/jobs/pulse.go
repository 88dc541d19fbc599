package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/pulse"
)

func newPulse(k *kit.Kit) *cobra.Command {
	all := false
	cmd := &cobra.Command{Use: "pulse", Short: "how the work stands, in numbers", Args: cobra.NoArgs,
		Long: `Tells what is in flight, what failed in the last 24 hours by code, how long tasks of each model
took (p50 and p95), what holds the work up, and how many polls fall due within 10 seconds.`,
		Example: "  darkroom jobs pulse\n  darkroom jobs pulse -o json | jq .failures",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runPulse(cmd.Context(), k, all) }}
	allProfiles(cmd, &all)
	return cmd
}

func runPulse(ctx context.Context, k *kit.Kit, all bool) error {
	c, err := k.Config()
	if err != nil {
		return err
	}
	r, done, err := k.Reader(ctx)
	if err != nil {
		return err
	}
	defer done()
	profile := c.Profile.Name
	if all {
		profile = ""
	}
	in, err := pulse.Read(ctx, r, profile, time.Now(), pulse.Pace{})
	if err != nil {
		return err
	}
	s := pulse.Of(in)
	if !k.Out.Table() {
		return k.Out.One(s)
	}
	var rows [][]string
	for _, x := range s.InFlight {
		rows = append(rows, []string{"in flight", x.Of, human.Count(x.Jobs)})
	}
	for _, x := range s.Failures {
		rows = append(rows, []string{"failed", client.CleanLine(x.Of), human.Count(x.Jobs)})
	}
	for _, x := range s.Models {
		rows = append(rows, []string{"p50 / p95", client.CleanLine(x.Model), fmt.Sprintf("%s / %s, %s", human.Dur(x.P50), human.Dur(x.P95), human.Plural(x.Jobs, "job"))})
	}
	rows = append(rows, []string{"polls due", "in 10 s", human.Count(s.Due)})
	if s.Holds.Jobs > 0 {
		rows = append(rows, []string{"held up", "paused by hand", human.Plural(s.Holds.Jobs, "job")})
	}
	if err := kit.Rows(k.IO.Out, []string{"WHAT", "OF", "HOW MANY"}, rows); err != nil {
		return err
	}
	if s.Cut {
		k.IO.Notef("only the newest %s jobs of each kind were looked at\n", human.Count(pulse.Most))
	}
	return nil
}
