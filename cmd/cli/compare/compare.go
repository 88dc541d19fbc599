// Package compare has the commands about comparisons: suites that are run, what came of them, votes,
// baselines and reports.
package compare

import (
	"github.com/spf13/cobra"

	"darkroom/cmd/cli/kit"
)

// New makes the commands.
func New(k *kit.Kit) *cobra.Command {
	return kit.Parent(&cobra.Command{Use: "compare", Short: "models side by side: run suites, see what the numbers show",
		Long: `A suite is a YAML file that says what is compared: prompts, models, formats and settings, how
often, and what is expected. A run sends its trials in a fair order, measures them, and is kept;
it is named by its id, the last characters of it, or "last". docs/TESTERS.md walks from a suite
to a verdict. ` + "`darkroom exit-codes`" + ` tells how these commands end.`,
		Example: "  darkroom compare run kites.yaml --dry-run\n  darkroom compare run kites.yaml --junit kites.xml\n  darkroom compare show last",
	}, newRun(k), newList(k), newShow(k), newReport(k), newVote(k), newVotes(k), newBless(k), newDiff(k), newResume(k), newStop(k), newRemove(k))
}
