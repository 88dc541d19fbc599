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
	g := newGlobals(&world, version)
	root := newRoot(g, args)
	root.SetArgs(append([]string{}, args...)) // nil would be those of the process
	err := errors.Join(root.ExecuteContext(ctx), g.unsaved)
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
func newRoot(g *globals, args []string) *cobra.Command {
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
			return g.out.check(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return runConsole(cmd.Context(), g, plain) },
	}
	root.SuggestionsMinimumDistance = 2
	root.PersistentFlags().StringVarP(&g.profile, "profile", "p", "", "gateway profile (sandbox is the embedded gateway)")
	_ = root.RegisterFlagCompletionFunc("profile", g.completeProfiles)
	root.PersistentFlags().BoolVar(&g.envKey, "key-from-env", false, "use the key of "+config.EnvKey+" for the profile; without it that one serves "+config.EnvBaseURL+" alone")
	root.Flags().StringVar(&g.preview, "preview", "", "how the console draws pictures: "+previewNames(", ")+" (default auto: what the terminal can)")
	_ = root.RegisterFlagCompletionFunc("preview", cobra.FixedCompletions(strings.Split(previewNames(" "), " "), cobra.ShellCompDirectiveNoFileComp))
	root.Flags().BoolVar(&plain, "plain", false, "no colours in the console, and pictures as characters (NO_COLOR=1 does the same); with --preview none no pictures")
	g.out.flag(root)
	root.SetFlagErrorFunc(flagError)
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
	group(groupMake, newCreate(g, slices.Contains(args, "create")), newPresets(g), newChat(g), newImprove(g), newDemo(g), newPoll(g))
	group(groupLook, newJobs(g), newInspect(g), newModels(g), newHead(g), newRequest(g))
	group(groupSetUp, newAuth(g), newConfig(g), newGateway(g), newHistory(g), newSandbox(g))
	root.AddCommand(newVersion(g), newLicenses(g), newExitCodes(g))
	root.SetIn(g.io.In)
	root.SetOut(g.io.Out) // before cobra's own commands are made, which keep it
	root.SetErr(g.io.Err)
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

// strictCompletion makes cobra's command for completions refuse a shell that it does not
// know: a script would source the help text.
func strictCompletion(root *cobra.Command) {
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil || cmd == root {
		return
	}
	var shells []string
	for _, c := range cmd.Commands() {
		shells = append(shells, c.Name())
	}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return usage("completion %q: allowed are %s", args[0], strings.Join(shells, ", "))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// strict makes wrong arguments of any command a matter of usage.
func strict(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			err := check(c, args)
			var told *exitError
			if err == nil || errors.As(err, &told) {
				return err
			}
			return usage("%s: %w; usage: %s", c.CommandPath(), err, c.UseLine())
		}
	}
	for _, c := range cmd.Commands() {
		strict(c)
	}
}

func newVersion(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs,
		Long:    "Prints the version of the program.",
		Example: "  darkroom version -o json",
		RunE: func(*cobra.Command, []string) error {
			if g.out.table() {
				g.io.printf("darkroom %s\n", g.version)
				return nil
			}
			return g.out.one(map[string]string{"version": g.version})
		},
	}
}
