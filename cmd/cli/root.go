// Package cli is the command line: the root of the cobra tree. Each noun's commands are in a package
// of their own, on top of [darkroom/cmd/cli/kit].
package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/cli/about"
	"darkroom/cmd/cli/chat"
	"darkroom/cmd/cli/compare"
	"darkroom/cmd/cli/create"
	"darkroom/cmd/cli/demo"
	"darkroom/cmd/cli/doctor"
	"darkroom/cmd/cli/drift"
	"darkroom/cmd/cli/history"
	"darkroom/cmd/cli/inspect"
	"darkroom/cmd/cli/jobs"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/models"
	"darkroom/cmd/cli/poll"
	"darkroom/cmd/cli/presets"
	"darkroom/cmd/cli/request"
	"darkroom/cmd/cli/setup"
	"darkroom/cmd/cli/themes"
	"darkroom/cmd/config"
)

// version is set by the linker.
var version = "dev"

// Groups of commands in the help.
const (
	groupMake  = "make"
	groupLook  = "look"
	groupSetUp = "set up"
	groupAbout = "about"
)

// envLines asks for the console as lines.
const envLines = "DARKROOM_ACCESSIBLE"

// Main runs one command line and returns the exit code of the process.
func Main(s *kit.IO, args []string) int {
	if Brief(args) {
		return run(context.Background(), s, args)
	}
	ctx, stop := interruptible()
	defer stop()
	return run(ctx, s, args)
}

// Brief reports whether a command only tells of the program: a signal may end it at any time.
func Brief(args []string) bool {
	return len(args) > 0 && slices.Contains([]string{"version", "--version", "help", "--help", "-h"}, args[0])
}

// run is Main, but ends with ctx.
func run(ctx context.Context, s *kit.IO, args []string) int {
	world := *s
	out := &stream{w: s.Out}
	world.Out, world.Err = out, &stream{w: s.Err}
	k := kit.New(&world, version)
	root := newRoot(k, args)
	root.SetArgs(append([]string{}, args...)) // nil would mean the process's
	err := errors.Join(root.ExecuteContext(ctx), k.Unsaved)
	if err == nil {
		err = out.failure()
	}
	code, text := kit.Verdict(ctx, err)
	if text != "" {
		world.Notef("darkroom: %s\n", client.Clean(text))
	}
	return code
}

// noun is a command below the root.
type noun struct {
	name, group string
	make        func(k *kit.Kit) *cobra.Command
}

// nouns are all of them, in the order of the help.
func nouns(args []string) []noun {
	newCreate := func(k *kit.Kit) *cobra.Command { return create.New(k, slices.Contains(args, "create")) }
	return []noun{
		{"create", groupMake, newCreate}, {"presets", groupMake, presets.New}, {"chat", groupMake, chat.New}, {"improve", groupMake, chat.NewImprove},
		{"compare", groupMake, compare.New}, {"demo", groupMake, demo.New}, {"poll", groupMake, poll.New},
		{"jobs", groupLook, jobs.New}, {"inspect", groupLook, inspect.New}, {"models", groupLook, models.New}, {"head", groupLook, request.NewHead},
		{"request", groupLook, request.New}, {"drift", groupLook, drift.New},
		{"auth", groupSetUp, setup.NewAuth}, {"config", groupSetUp, setup.NewConfig}, {"themes", groupSetUp, themes.New}, {"gateway", groupSetUp, setup.NewGateway},
		{"doctor", groupSetUp, doctor.New}, {"history", groupSetUp, history.New}, {"sandbox", groupSetUp, setup.NewSandbox},
		{"version", groupAbout, about.NewVersion}, {"licenses", groupAbout, about.NewLicenses}, {"exit-codes", groupAbout, about.NewExitCodes},
	}
}

// needed are the nouns that a command line can be about: to make all of them takes a tenth of the start
// of a short command. Help, completion, mistakes and flags before a noun need them all.
func needed(args []string) []noun {
	all := nouns(args)
	if len(args) == 0 || len(args) == 1 && args[0] == "--version" {
		return nil
	}
	if i := slices.IndexFunc(all, func(n noun) bool { return n.name == args[0] }); i >= 0 {
		return all[i : i+1]
	}
	return all
}

// newRoot makes the tree of commands. It looks at the arguments only to see which of them are needed,
// and whether flags from the catalog are: reading the catalog takes longer than all the rest.
func newRoot(k *kit.Kit, args []string) *cobra.Command {
	plain, which, lined := false, false, false
	k.Console = func(ctx context.Context, judge string) error { return runConsole(ctx, k, plain, judge) }
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
		Args: kit.NoSuchCommand,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return k.Out.Check(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if which {
				return about.Version(k)
			}
			if on, _ := strconv.ParseBool(k.IO.Env(envLines)); lined || on && !cmd.Flags().Changed("accessible") {
				return runLines(cmd.Context(), k)
			}
			return runConsole(cmd.Context(), k, plain, "")
		},
	}
	root.SuggestionsMinimumDistance = 2
	k.Flags(root)
	root.Flags().StringVar(&k.Preview, "preview", "", "how the console draws pictures: "+previewNames(", ")+" (default auto: what the terminal can)")
	_ = root.RegisterFlagCompletionFunc("preview", cobra.FixedCompletions(strings.Split(previewNames(" "), " "), cobra.ShellCompDirectiveNoFileComp))
	root.Flags().BoolVar(&plain, "plain", false, "no colours in the console, and pictures as characters (NO_COLOR=1 does the same); with --preview none no pictures")
	root.Flags().BoolVar(&lined, "accessible", false, "the console as plain lines, for screen readers; nothing is drawn ("+envLines+"=1 does the same)")
	root.Flags().BoolVar(&which, "version", false, "print the version")
	root.AddGroup(
		&cobra.Group{ID: groupMake, Title: "Make media:"},
		&cobra.Group{ID: groupLook, Title: "Look at jobs, tasks and models:"},
		&cobra.Group{ID: groupSetUp, Title: "Set up:"},
		&cobra.Group{ID: groupAbout, Title: "About darkroom:"},
	)
	for _, n := range needed(args) {
		c := n.make(k)
		c.GroupID = n.group
		root.AddCommand(c)
	}
	root.SetIn(k.IO.In)
	root.SetOut(k.IO.Out) // cobra's own commands copy it when they are made
	root.SetErr(k.IO.Err)
	cobrasOwn(root, args)
	strictCompletion(root)
	strict(root)
	return root
}

// cobrasOwn adds the commands that cobra makes, among ours and worded as they are.
func cobrasOwn(root *cobra.Command, args []string) {
	root.SetHelpCommandGroupID(groupAbout)
	root.SetCompletionCommandGroupID(groupSetUp)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Short = "explain a command"
		case "completion":
			c.Short = "print completions for a shell"
		}
	}
}

func previewNames(sep string) string {
	var names []string
	for _, p := range config.Previews() {
		names = append(names, string(p))
	}
	return strings.Join(names, sep)
}
