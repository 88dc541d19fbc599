package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/probe"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// NewGateway makes the commands about what a gateway has, and its words.
func NewGateway(k *kit.Kit) *cobra.Command {
	return kit.Parent(&cobra.Command{
		Use: "gateway", Short: "find out what a gateway has, and its names for it",
		Long: `A gateway may have words of its own for paths, models and fields, where the interface keeps
tokens. A dialect says which: docs/GATEWAYS.md tells of its keys.`,
		Example: "  darkroom gateway probe\n  darkroom gateway probe --write ours\n  darkroom gateway dialects",
	}, newProbe(k), newDialects(k))
}

type probeOptions struct {
	k     *kit.Kit
	write string
	force bool
}

func newProbe(k *kit.Kit) *cobra.Command {
	o := &probeOptions{k: k}
	cmd := &cobra.Command{
		Use: "probe", Short: "find out which paths and models the gateway has, without creating anything",
		Long: `Asks the gateway of the profile which of the documented paths it has, which lists of models
answer, and which models of the catalog are in them. It sends nothing but GET requests: for
the lists, and for a task by an id that nobody can have. A path at which only a create would
tell is not asked.

Where a path is absent, the words of the dialects that there are ('darkroom gateway dialects')
are tried; models that are missing are looked for under names that are nearly theirs. What
was found is proposed as a dialect. --write keeps it, for nobody else to read; the profile
then names it (dialect: NAME in the settings).

The exit code is 0 when anything of the interface was found, 1 when nothing was, and 4 when
the key is refused.`,
		Example: `  darkroom gateway probe
  darkroom gateway probe -o json | jq .proposal
  darkroom gateway probe --write ours`,
		Args: cobra.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&o.write, "write", "", "keep the proposal as the dialect of this `NAME`")
	f.BoolVar(&o.force, "force", false, "with --write: replace a dialect of that name")
	_ = cmd.RegisterFlagCompletionFunc("write", cobra.NoFileCompletions)
	return cmd
}

// probed is what `gateway probe` tells.
type probed struct {
	Gateway string `json:"gateway"`
	probe.Report
	Written string `json:"written,omitempty"` // the file, with --write
}

func (o *probeOptions) run(ctx context.Context) error {
	if o.write != "" {
		if err := o.checkName(); err != nil {
			return err
		}
	} else if o.force {
		return kit.Usage("--force is for --write")
	}
	gw, err := o.k.GatewayWithKey(ctx)
	if err != nil {
		return err
	}
	defer gw.Close()
	if o.write != "" && gw.Sandbox != nil {
		return kit.Usage("--write: the embedded gateway has the interface's own words, and no dialect")
	}
	tell := func(probe.Row) {}
	if o.k.Out.Table() {
		o.k.IO.Notef("darkroom: asking %s; nothing is created\n", client.CleanLine(gw.Client.Origin()))
		tell = o.row
	}
	report, failed := gw.Probe(ctx, tell)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	done := probed{Gateway: gw.Client.Origin(), Report: report}
	if failed == nil && o.write != "" {
		if done.Written, err = o.keep(report); err != nil {
			failed = err
		}
	}
	if failed == nil && !report.Any() {
		failed = errors.New("nothing of the interface was found: check the base URL with `darkroom auth status`")
	}
	if err := o.print(done, failed); err != nil {
		return err
	}
	return failed
}

// checkName checks the name to write before anything is asked.
func (o *probeOptions) checkName() error {
	if err := config.CheckDialectName(o.write); err != nil {
		return kit.Usage("--write: %w", err)
	}
	if _, err := os.Lstat(o.k.IO.Paths.DialectFile(o.write)); err == nil && !o.force {
		return o.taken()
	}
	return nil
}

func (o *probeOptions) taken() error {
	return kit.Usage("--write: there is already a dialect %s, %s; --force replaces it", o.write, o.k.IO.Paths.DialectFile(o.write))
}

func (o *probeOptions) keep(r probe.Report) (string, error) {
	if r.Proposal.Empty() {
		return "", errors.New("nothing is written: there is nothing to propose")
	}
	data, err := r.Proposal.Bytes("A dialect, proposed by `darkroom gateway probe`: look at it before it is used.\nA profile names it in config.yaml: dialect: " + o.write)
	if err != nil {
		return "", err
	}
	path, err := o.k.IO.Paths.WriteDialect(o.write, data, o.force)
	if errors.Is(err, fs.ErrExist) {
		return "", o.taken()
	}
	return path, err
}

// row prints a row as it comes.
func (o *probeOptions) row(r probe.Row) {
	http := "-"
	if r.HTTP != 0 {
		http = fmt.Sprint(r.HTTP)
	}
	line := fmt.Sprintf("%-9s  %-7s  %3s  %s", r.Verdict, r.What, http, r.Path)
	if r.Dialect != "" {
		line += "  (words of " + r.Dialect + ")"
	}
	if text := kit.FirstLine(r.Said, 100); text != "" && r.Verdict != probe.There && r.Verdict != probe.NotAsked {
		line += "  " + text
	}
	o.k.IO.Printf("%s\n", client.CleanLine(line))
}

func (o *probeOptions) print(done probed, failed error) error {
	if !o.k.Out.Table() {
		return o.k.Out.One(done)
	}
	s := o.k.IO
	for _, n := range done.Notes {
		s.Tell(n)
	}
	if done.Offered != nil {
		s.Printf("\n")
		if err := kit.Fields(s.Out, [][2]string{
			{"offered", namesOrNone(done.Offered)}, {"not offered", namesOrNone(done.Missing)}, {"not in the catalog", namesOrNone(done.Unknown)},
		}); err != nil {
			return err
		}
	}
	if failed != nil && done.Found == 0 {
		return nil
	}
	if done.Found == 0 {
		s.Printf("\nno dialect is needed as far as can be told\n")
		return nil
	}
	s.Printf("\n")
	if err := kit.Rows(s.Out, []string{"PROPOSED", "HERE", "AT THE GATEWAY"}, dialectCells(done.Proposal)); err != nil {
		return err
	}
	if done.Written == "" {
		s.Notef("darkroom: --write NAME keeps it as a dialect\n")
		return nil
	}
	s.Notef("darkroom: written to %s; `dialect: %s` in the profile uses it\n", client.CleanLine(done.Written), o.write)
	return nil
}

// namesOrNone returns a list of names with their number.
func namesOrNone(all []string) string {
	if len(all) == 0 {
		return "none"
	}
	const most = 60
	text := fmt.Sprintf("%d: ", len(all))
	if len(all) > most {
		return client.CleanLine(text + strings.Join(all[:most], ", ") + ", …")
	}
	return client.CleanLine(text + strings.Join(all, ", "))
}
