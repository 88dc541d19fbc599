package jobs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/transport"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/pulse"
)

func newPulse(k *kit.Kit) *cobra.Command {
	all := false
	cmd := &cobra.Command{Use: "pulse", Short: "how the work is going, in numbers", Args: cobra.NoArgs,
		Long: `Tells what is in flight, what failed in the last 24 hours by code, how long tasks of each model
took (p50 and p95), what holds the work up, and how many polls fall due within 10 seconds, with
how many requests the profile lets go in that time.`,
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
	top := cmp.Or(c.Profile.Rate, transport.DefaultRate)
	in, err := pulse.Read(ctx, r, profile, time.Now(), pulse.Pace{Rate: top, Top: top})
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
		n := human.Count(x.Jobs)
		if i := slices.IndexFunc(s.LastHour, func(l pulse.Count) bool { return l.Of == x.Of }); i >= 0 {
			n += ", " + human.Count(s.LastHour[i].Jobs) + " in the last hour"
		}
		rows = append(rows, []string{"failed", client.CleanLine(x.Of), n})
	}
	for _, x := range s.Models {
		rows = append(rows, []string{"p50 / p95", client.CleanLine(x.Model), fmt.Sprintf("%s / %s, %s", human.Dur(x.P50), human.Dur(x.P95), human.Plural(x.Jobs, "job"))})
	}
	rows = append(rows, []string{"polls due", "in 10 s", fmt.Sprintf("%s, of %.0f requests that may go", human.Count(s.Due), top*pulse.Window.Seconds())})
	rows = append(rows, heldUp(&s)...)
	if err := kit.Rows(k.IO.Out, []string{"WHAT", "OF", "HOW MANY"}, rows); err != nil {
		return err
	}
	if s.Cut {
		k.IO.Notef("only the newest %s jobs of each kind were looked at\n", human.Count(pulse.Most))
	}
	return nil
}

// heldUp are the rows of what a person paused.
func heldUp(s *pulse.Summary) (rows [][]string) {
	if s.Holds.Paused {
		rows = append(rows, []string{"held up", "everything", "paused"})
	}
	for _, host := range strings.Fields(s.Holds.Hosts) {
		rows = append(rows, []string{"held up", client.CleanLine(host), "paused"})
	}
	if s.Holds.Jobs > 0 {
		rows = append(rows, []string{"held up", "paused by hand", human.Plural(s.Holds.Jobs, "job")})
	}
	return rows
}
