package cli

import (
	"github.com/spf13/cobra"
)

func newJobs(g *globals) *cobra.Command {
	return parent(&cobra.Command{Use: "jobs", Short: "what was submitted: list, show, watch, download",
		Long: `Jobs are what this machine submitted, from here or from the console, with everything that
was seen of them. A job is named by its id, by the last characters of it (as lists show
them), or by its task id. ` + "`darkroom exit-codes`" + ` tells how these commands end.`,
		Example: "  darkroom jobs list --state failed -o ndjson\n  darkroom jobs show 3f9a1c22",
	}, newJobsList(g), newJobsShow(g), newJobsChain(g), newJobsWatch(g), newJobsDownload(g), newJobsOpen(g),
		newJobsDrop(g), newJobsRepoll(g), newJobsResend(g), newJobsAdopt(g),
		newJobsPause(g), newJobsResume(g), newJobsPauses(g), newJobsTag(g), newJobsStar(g), newJobsUnstar(g), newJobsRemark(g), newJobsPrune(g))
}
