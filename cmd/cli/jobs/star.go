package jobs

import (
	"github.com/spf13/cobra"

	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

func newStar(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "star JOB...", Short: "star jobs: those worth keeping", Args: cobra.MinimumNArgs(1),
		Long: `Stars jobs. A star is the tag "` + jobs.Star + `": exports and imports carry it, the filter is:starred
of the console and ` + "`darkroom jobs list --starred`" + ` find by it, and neither a retention nor
` + "`darkroom jobs prune`" + ` removes the job.`,
		Example:           "  darkroom jobs star 3f9a1c22 7be01d44 -o json",
		ValidArgsFunction: k.CompleteJobs(),
		RunE:              star(k, []string{jobs.Star}, nil)}
}

func newUnstar(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "unstar JOB...", Short: "take the star of jobs away", Args: cobra.MinimumNArgs(1),
		Long:              "Takes the star of jobs away. Other tags stay, and so does the job.",
		Example:           "  darkroom jobs unstar 3f9a1c22",
		ValidArgsFunction: k.CompleteJobs(),
		RunE:              star(k, nil, []string{jobs.Star})}
}

func star(k *kit.Kit, add, remove []string) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, words []string) error {
		return each(cmd.Context(), k, words, false, func(d *app.Desk, j jobs.Job) (jobs.Job, error) {
			if err := d.Engine.Tag(cmd.Context(), j.ID, add, remove); err != nil {
				return j, err
			}
			return d.Engine.Get(cmd.Context(), j.ID)
		})
	}
}
