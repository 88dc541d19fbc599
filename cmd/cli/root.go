// Package cli is the command line: the cobra tree, one file a command, each an options
// struct and a run.
package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/config"
)

// version is set by the linker.
var version = "dev"

// globals are the flags that every command knows.
type globals struct {
	io      *IO
	profile string
}

// Main runs one command line and returns the exit code of the process.
func Main(s *IO, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot(&globals{io: s})
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := root.ExecuteContext(ctx)
	code := codeOf(err)
	if err != nil && err.Error() != "" {
		s.note("darkroom: %s\n", client.Clean(err.Error()))
	}
	return code
}

func newRoot(g *globals) *cobra.Command {
	root := &cobra.Command{
		Use:   "darkroom",
		Short: "an operator console for a media generation gateway",
		Long: `Darkroom is an operator console for a gateway in front of generative media models.

Without a command it opens the console in this terminal. With no profile configured it
talks to the embedded gateway ("sandbox"), which makes its media on this machine.`,
		SilenceUsage: true, SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("there is no command %q; `darkroom help` lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return runConsole(cmd.Context(), g) },
	}
	root.PersistentFlags().StringVarP(&g.profile, "profile", "p", "", "gateway profile (sandbox is the embedded gateway)")
	_ = root.RegisterFlagCompletionFunc("profile", g.completeProfiles)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &exitError{ExitUsage, err} })
	root.CompletionOptions.HiddenDefaultCmd = false
	root.AddCommand(
		newCreate(g), newJobs(g), newInspect(g), newModels(g), newSandbox(g), newDemo(g),
		newAuth(g), newConfig(g), newVersion(g), newExitCodes(),
	)
	return root
}

// config loads the configuration that the flags and the environment ask for.
func (g *globals) config() (config.Config, error) {
	c, err := config.Load(config.Request{Paths: g.io.Paths, Profile: g.profile, Env: g.io.Env})
	if err != nil {
		return c, &exitError{ExitUsage, err}
	}
	return c, nil
}

func (g *globals) secrets() config.Secrets { return g.io.Secret(g.io.Paths, g.io.Env) }

// gateway opens the gateway of the profile, without the history.
func (g *globals) gateway(ctx context.Context) (*app.Gateway, error) {
	c, err := g.config()
	if err != nil {
		return nil, err
	}
	return app.OpenGateway(ctx, c, g.secrets(), version)
}

func (g *globals) completeProfiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{config.Sandbox}
	if f, err := config.ReadFile(g.io.Paths.Config); err == nil {
		for n := range f.Profiles {
			names = append(names, n)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func newVersion(g *globals) *cobra.Command {
	o := &output{}
	cmd := &cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if o.table() {
				g.io.printf("darkroom %s\n", version)
				return nil
			}
			return o.one(g.io.Out, map[string]string{"version": version})
		},
	}
	o.flag(cmd)
	return cmd
}

func newExitCodes() *cobra.Command {
	lines := []string{
		"0    done",
		"1    a task failed, a request was refused, or something broke",
		"2    wrong words, a draft that the rules do not allow, or no terminal",
		"3    no such job, task or model",
		"4    no key, or the gateway refused it",
		"5    a create may or may not have been accepted; see `darkroom jobs list`",
		"130  interrupted",
	}
	return &cobra.Command{Use: "exit-codes", Short: "what the exit codes mean (a help topic)", Long: "Exit codes:\n\n  " + strings.Join(lines, "\n  "),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), cmd.Long)
			return err
		}}
}
