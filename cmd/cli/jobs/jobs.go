// Package jobs has the commands about submitted jobs.
package jobs

import (
	"github.com/spf13/cobra"

	"darkroom/cmd/cli/kit"
)

// New makes the commands.
func New(k *kit.Kit) *cobra.Command {
	return kit.Parent(&cobra.Command{Use: "jobs", Short: "your jobs: list, show, watch, download",
		Long: `Jobs are what this machine submitted, from here or from the console, with everything seen
of them since. A job is named by its id, by the last characters of it (as lists show
them), or by its task id. ` + "`darkroom exit-codes`" + ` tells how these commands end.`,
		Example: "  darkroom jobs list --state failed -o ndjson\n  darkroom jobs show 3f9a1c22",
	}, newList(k), newViews(k), newShow(k), newBodies(k), newRequest(k), newChain(k), newWatch(k), newDownload(k), newOpen(k),
		newDrop(k), newRepoll(k), newResend(k), newAdopt(k),
		newPause(k), newResume(k), newPauses(k), newTag(k), newStar(k), newUnstar(k), newReject(k), newRemark(k), newExport(k), newPulse(k), newPrune(k))
}
