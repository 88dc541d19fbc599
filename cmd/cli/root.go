// Package cli is the command line: the cobra tree, one file a command, each an options
// struct and a run.
package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/app"
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

// globals are what every command has.
type globals struct {
	io      *IO
	profile string
	preview string
	plain   bool
	// envKey has the environment's key serve a profile of the settings.
	envKey bool
	out    output
	// unsaved is what a desk that was closed left to the spool.
	unsaved error
	// catalog is the one in use, read when it is first asked for.
	catalog func() (*catalog.Catalog, error)
	// noted sees to it that what there is to say about the address is said once.
	noted sync.Once
	// strangers likewise for a project's folder that is not read.
	strangers sync.Once
}

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
	g := newGlobals(&world)
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

func newGlobals(s *IO) *globals {
	return &globals{io: s, catalog: sync.OnceValues(func() (*catalog.Catalog, error) {
		cat, err := app.LoadCatalog(s.Paths.Catalog)
		if err != nil {
			return nil, &exitError{ExitUsage, err}
		}
		return cat, nil
	})}
}

// newRoot makes the tree of commands. The arguments are only looked at to see whether
// the flags that are drawn from the catalog are needed: reading it takes longer than all
// the rest.
func newRoot(g *globals, args []string) *cobra.Command {
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
		RunE: func(cmd *cobra.Command, _ []string) error { return runConsole(cmd.Context(), g) },
	}
	root.SuggestionsMinimumDistance = 2
	root.PersistentFlags().StringVarP(&g.profile, "profile", "p", "", "gateway profile (sandbox is the embedded gateway)")
	_ = root.RegisterFlagCompletionFunc("profile", g.completeProfiles)
	root.PersistentFlags().BoolVar(&g.envKey, "key-from-env", false, "use the key of "+config.EnvKey+" for the profile; without it that one serves "+config.EnvBaseURL+" alone")
	root.Flags().StringVar(&g.preview, "preview", "", "how the console draws pictures: "+previewNames(", ")+" (default auto: what the terminal can)")
	_ = root.RegisterFlagCompletionFunc("preview", cobra.FixedCompletions(strings.Split(previewNames(" "), " "), cobra.ShellCompDirectiveNoFileComp))
	root.Flags().BoolVar(&g.plain, "plain", false, "no colours in the console, and pictures as characters (NO_COLOR=1 does the same); with --preview none no pictures")
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

// parent makes a command that only holds others: alone it prints its help.
func parent(cmd *cobra.Command, children ...*cobra.Command) *cobra.Command {
	cmd.Args = noSuchCommand
	cmd.SuggestionsMinimumDistance = 2
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(children...)
	return cmd
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

// noSuchCommand refuses words that are no commands, and names those that are near.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("there is no command %q", cmd.CommandPath()+" "+args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usage("%s; near it: %s", text, strings.Join(near, ", "))
	}
	return usage("%s; `%s --help` lists them", text, cmd.CommandPath())
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

// flagError is usage, and names flags that are near an unknown one.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return &exitError{ExitUsage, err}
	}
	near := nearFlags(cmd, unknown.GetSpecifiedName())
	if len(near) == 0 {
		return usage("%w; `%s --help` lists them", err, cmd.CommandPath())
	}
	return usage("%w; near it: %s", err, strings.Join(near, ", "))
}

// nearFlags finds flags like cobra finds commands.
func nearFlags(cmd *cobra.Command, name string) []string {
	names := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		}
	})
	near := names.SuggestionsFor(name)
	for i, n := range near {
		near[i] = "--" + n
	}
	return near[:min(4, len(near))]
}

// config loads the configuration that the flags and the environment ask for.
func (g *globals) config() (config.Config, error) {
	c, err := config.Load(config.Request{Paths: g.io.Paths, Profile: g.profile, Preview: g.preview, Env: g.io.Env})
	if err != nil {
		return c, &exitError{ExitUsage, err}
	}
	if c.Profile.Note != "" {
		g.noted.Do(func() { g.io.note("darkroom: profile %s: %s\n", c.Profile.Name, client.CleanLine(c.Profile.Note)) })
	}
	return c, nil
}

func (g *globals) secrets() config.Secrets {
	s := g.io.Secret(g.io.Paths, g.io.Env)
	s.FromEnv = g.envKey
	return s
}

// gateway opens the gateway of the profile, without the history.
func (g *globals) gateway(ctx context.Context) (*app.Gateway, error) { return g.open(ctx, false) }

// gatewayWithKey is gateway, refused where there is no key to send.
func (g *globals) gatewayWithKey(ctx context.Context) (*app.Gateway, error) {
	gw, err := g.gateway(ctx)
	if err != nil {
		return nil, err
	}
	if err := gw.CheckKey(); err != nil {
		gw.Close()
		return nil, err
	}
	return gw, nil
}

// open is gateway, with creates through reserved formats sent for those who insist.
func (g *globals) open(ctx context.Context, insist bool) (*app.Gateway, error) {
	c, err := g.config()
	if err != nil {
		return nil, err
	}
	cat, err := g.catalog()
	if err != nil {
		return nil, err
	}
	return app.OpenGateway(ctx, app.GatewayOptions{Config: c, Secrets: g.secrets(), Version: version, Catalog: cat, Timing: g.io.timing, Insist: insist, SameKey: g.sameKey(ctx)})
}

func (g *globals) completeProfiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{config.Sandbox}
	if f, err := config.ReadFile(g.io.Paths.Config); err == nil {
		for n := range f.Profiles {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return names, cobra.ShellCompDirectiveNoFileComp
}

func newVersion(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs,
		Long:    "Prints the version of the program.",
		Example: "  darkroom version -o json",
		RunE: func(*cobra.Command, []string) error {
			if g.out.table() {
				g.io.printf("darkroom %s\n", version)
				return nil
			}
			return g.one(map[string]string{"version": version})
		},
	}
}
