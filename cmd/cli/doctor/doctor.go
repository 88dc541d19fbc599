// Package doctor has the command that looks at what the program needs of this machine: what is
// well, what could be better, what is broken, and what to do about it.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// State is how well something is.
type State string

// States, best first.
const (
	OK     State = "ok"
	Better State = "better" // it works, and could work better
	Broken State = "broken" // something cannot be done at all
)

// Finding is one thing that was looked at.
type Finding struct {
	Check string `json:"check"`
	State State  `json:"state"`
	Found string `json:"found"`
	// Do is what to do next; "" where nothing is to be done.
	Do string `json:"do,omitempty"`
}

// report is what the command prints. No secret is part of it.
type report struct {
	State    State     `json:"state"` // the worst
	Version  string    `json:"version"`
	Profile  string    `json:"profile,omitempty"` // "" if the settings cannot be read
	Findings []Finding `json:"findings"`
}

// examiner looks at everything.
type examiner struct {
	k *kit.Kit
	// c are the settings; those that are used without any where they cannot be read, which failed
	// says.
	c      config.Config
	failed error
	online bool
	tell   func(Finding)
	report report
}

// New makes the command.
func New(k *kit.Kit) *cobra.Command {
	online := true
	cmd := &cobra.Command{
		Use: "doctor", Short: "check this machine, and say what to do about what is missing", Args: cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		Long: `Checks the terminal (colours, pictures, tmux, size, widths of characters), the programs for
previews and for playing, the keyring, the settings, the gateway and its key (of the embedded one,
the fonts for its pictures), the history and the room on the disks. Each is ok, can be better, or is broken, with what to do about it.

Nothing is created at the gateway and no setting is changed. The terminal is asked about
itself, which takes a moment; the gateway is sent GET requests, with the key only if it is
kept for it. --online=false keeps off the network. The history is opened as any command
opens it, and not searched for damage: 'darkroom history doctor' does that.

The exit code is 0 when nothing is broken, else 1.`,
		Example: "  darkroom doctor\n  darkroom doctor --profile work\n  darkroom doctor -o json | jq '.findings[] | select(.state != \"ok\")'",
		RunE:    func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), k, online) },
	}
	cmd.Flags().BoolVar(&online, "online", true, "ask the gateway, and the server of a shared history")
	return cmd
}

func run(ctx context.Context, k *kit.Kit, online bool) error {
	x := &examiner{k: k, online: online, tell: func(Finding) {}, report: report{State: OK, Version: k.Version}}
	if k.Out.Table() {
		x.tell = func(f Finding) { printFinding(k, f) }
	}
	for _, look := range []func(context.Context){
		x.terminal, x.programs, x.settings, x.gateway, x.history, x.room,
	} {
		if look(ctx); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if !k.Out.Table() {
		if err := k.Out.One(x.report); err != nil {
			return err
		}
	}
	if x.report.State == Broken {
		return kit.Exit(kit.ExitFailed, errors.New("something is broken; see above"))
	}
	return nil
}

// add takes a finding. What others wrote is cleaned.
func (x *examiner) add(check string, state State, found, do string) {
	f := Finding{check, state, client.CleanLine(found), client.CleanLine(do)}
	x.report.Findings = append(x.report.Findings, f)
	if state == Broken || state == Better && x.report.State == OK {
		x.report.State = state
	}
	x.tell(f)
}

// word is a state as a person reads it.
func (s State) word() string {
	return map[State]string{OK: "ok", Better: "can be better", Broken: "BROKEN"}[s]
}

// indent is how far texts are from the left, leastText what they have of a line at least.
const indent, leastText = 29, 30

// printFinding prints a finding, wrapped where there is a terminal.
func printFinding(k *kit.Kit, f Finding) {
	wrap := func(s string) string { return s }
	if w, _ := k.IO.Size(); k.IO.Tty != nil {
		wrap = func(s string) string { return ansi.Wrap(s, max(w-indent-2, leastText), "/") }
	}
	below := "\n" + strings.Repeat(" ", indent)
	text := fmt.Sprintf("%-13s  %-12s  %s", f.State.word(), f.Check, strings.ReplaceAll(wrap(f.Found), "\n", below))
	if f.Do != "" {
		text += below + strings.ReplaceAll(wrap("→ "+f.Do), "\n", below+"  ")
	}
	k.IO.Printf("%s\n", text)
}
