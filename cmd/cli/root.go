// Package cli is the command line: the cobra tree, one file a command, each an options
// struct and a run.
package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/config"
)

// version is set by the linker.
var version = "dev"

// Groups of commands in the help.
const (
	groupMake  = "make"
	groupLook  = "look"
	groupSetUp = "set up"
)

// Main runs one command line and returns the exit code of the process.
func Main(s *IO, args []string) int {
	ctx, stop := interruptible()
	defer stop()
	return run(ctx, s, args)
}

// run is Main, to be interrupted by ctx.
func run(ctx context.Context, s *IO, args []string) int {
	world := *s
	out := &stream{w: s.Out}
	world.Out, world.Err = out, &stream{w: s.Err}
	k := newGlobals(&world, version)
	root := newRoot(k, args)
	root.SetArgs(append([]string{}, args...)) // nil would be those of the process
	err := errors.Join(root.ExecuteContext(ctx), k.unsaved)
	if err == nil {
		err = out.failure()
	}
	code, text := verdict(ctx, err)
	if text != "" {
		world.note("darkroom: %s\n", client.Clean(text))
	}
	return code
}

// newRoot makes the tree of commands. The arguments are only looked at to see whether
// the flags that are drawn from the catalog are needed: reading it takes longer than all
// the rest.
func newRoot(k *globals, args []string) *cobra.Command {
	plain := false
	root := &cobra.Command{
		Use:   "darkroom",
		Short: "an operator console for a media generation gateway",
		Long: `Darkroom is an operator console for a gateway in front of generative media models.

Without a command it opens the console in this terminal. With no profile configured it
talks to the embedded gateway ("sandbox"), which makes its media on this machine.`,
		Example: `  darkroom                                           # the console
  darkroom demo                                      # a video, an image, a song
  darkroom create image --prompt "a lighthouse" --download .
  darkroom inspect video_abc123`,
		SilenceUsage: true, SilenceErrors: true,
		Args: noSuchCommand,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return k.out.check(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return runConsole(cmd.Context(), k, plain) },
	}
	root.SuggestionsMinimumDistance = 2
	k.flags(root)
	root.Flags().StringVar(&k.preview, "preview", "", "how the console draws pictures: "+previewNames(", ")+" (default auto: what the terminal can)")
	_ = root.RegisterFlagCompletionFunc("preview", cobra.FixedCompletions(strings.Split(previewNames(" "), " "), cobra.ShellCompDirectiveNoFileComp))
	root.Flags().BoolVar(&plain, "plain", false, "no colours in the console, and pictures as characters (NO_COLOR=1 does the same); with --preview none no pictures")
	root.AddGroup(
		&cobra.Group{ID: groupMake, Title: "Make media:"},
		&cobra.Group{ID: groupLook, Title: "Look at jobs, tasks and models:"},
		&cobra.Group{ID: groupSetUp, Title: "Set up:"},
	)
	group := func(id string, all ...*cobra.Command) {
		for _, c := range all {
			c.GroupID = id
		}
		root.AddCommand(all...)
	}
	group(groupMake, newCreate(k, slices.Contains(args, "create")), newPresets(k), newChat(k), newImprove(k), newDemo(k), newPoll(k))
	group(groupLook, newJobs(k), newInspect(k), newModels(k), newHead(k), newRequest(k))
	group(groupSetUp, newAuth(k), newConfig(k), newGateway(k), newHistory(k), newSandbox(k))
	root.AddCommand(newVersion(k), newLicenses(k), newExitCodes(k))
	root.SetIn(k.io.In)
	root.SetOut(k.io.Out) // before cobra's own commands are made, which keep it
	root.SetErr(k.io.Err)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	strictCompletion(root)
	strict(root)
	return root
}

func previewNames(sep string) string {
	var names []string
	for _, p := range config.Previews() {
		names = append(names, string(p))
	}
	return strings.Join(names, sep)
}
