package about

import (
	"fmt"

	"github.com/spf13/cobra"

	"darkroom/cmd/cli/kit"
)

// exitCode is one line of `exit-codes`.
type exitCode struct {
	Code    int    `json:"code"`
	Meaning string `json:"meaning"`
}

func exitCodes() []exitCode {
	return []exitCode{
		{kit.ExitOK, "done"},
		{kit.ExitFailed, "a task failed, a request was refused, or something broke"},
		{kit.ExitUsage, "wrong words, a file of the wrong kind, a draft that the rules do not allow, or no terminal"},
		{kit.ExitNotFound, "no such job, task, model, preset, module or file"},
		{kit.ExitAuth, "no key for this gateway, or the gateway refused it"},
		{kit.ExitAmbiguous, "a create may or may not have been accepted; see `darkroom jobs list`"},
		{kit.ExitPaused, "it is paused, or this is read-only: it is not sent, and a paused one is not asked about; nothing is lost, see `darkroom jobs resume --help`"},
		{kit.ExitUnsaved, "the gateway accepted a create and the history could not be written: the id is printed and kept; do not send it again"},
		{kit.ExitUnknown, "a task that was watched stays in a state that nobody lists; see `darkroom inspect --help`"},
		{kit.ExitTimeout, "a task that was watched has not ended within --timeout"},
		{kit.ExitChecks, "a comparison does not meet what its suite expects, or got worse than its baseline"},
		{kit.ExitCancelled, "interrupted; 128 + n for another signal n"},
	}
}

// NewExitCodes makes the command that prints what the exit codes mean.
func NewExitCodes(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "exit-codes", Short: "print what the exit codes mean", Args: cobra.NoArgs,
		Long: `Prints the exit codes of all commands, for scripts to rely on. A missing file is 3;
one that cannot be read, or does not hold what is needed, is 2, and so is a host, a flag or a
value that is written wrongly.`,
		Example: "  darkroom exit-codes",
		RunE: func(*cobra.Command, []string) error {
			if !k.Out.Table() {
				return kit.List(k.Out, exitCodes())
			}
			var cells [][]string
			for _, c := range exitCodes() {
				cells = append(cells, []string{fmt.Sprint(c.Code), c.Meaning})
			}
			return kit.Rows(k.IO.Out, []string{"CODE", "MEANING"}, cells)
		},
	}
}
