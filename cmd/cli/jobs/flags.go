package jobs

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// states is --state: some of the states that a job may have.
type states struct {
	words []string
	of    []string
}

// flag declares --state for the states that fit, or for all if fits is nil.
func (s *states) flag(cmd *cobra.Command, text string, fits func(jobs.State) bool) {
	for _, x := range jobs.States() {
		if fits == nil || fits(x) {
			s.of = append(s.of, string(x))
		}
	}
	cmd.Flags().StringSliceVar(&s.words, "state", nil, text)
	_ = cmd.RegisterFlagCompletionFunc("state", cobra.FixedCompletions(s.of, cobra.ShellCompDirectiveNoFileComp))
}

// read returns the given states and refuses unknown ones.
func (s *states) read() (out []jobs.State, err error) {
	for _, w := range s.words {
		if !slices.Contains(s.of, w) {
			return nil, kit.Usage("--state %q: allowed are %s", w, strings.Join(s.of, ", "))
		}
		out = append(out, jobs.State(w))
	}
	return out, nil
}

// allProfiles declares --all-profiles.
func allProfiles(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVarP(to, "all-profiles", "a", false, "of all profiles, not of this one only")
}

// withFilesFlag declares --with-files, see sendFiles.
func withFilesFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "with-files", false, "send the local files that the jobs name, though another installation made them")
}
