package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/library"
)

type improveOptions struct {
	options
	kind kit.Choice
}

// improveView is a better prompt in -o json.
type improveView struct {
	Model    string          `json:"model"`
	Kind     client.Modality `json:"kind"`
	Prompt   string          `json:"prompt"`
	Improved string          `json:"improved"` // as the prompt would be with every part taken
	// Parts, joined, are the prompt (old) and its new version (new); a part that is the same in
	// both is unchanged.
	Parts     []improve.Part  `json:"parts"`
	Finish    string          `json:"finish_reason"` // "" when the answer did not come to its end
	Usage     json.RawMessage `json:"usage,omitempty"`
	RequestID string          `json:"request_id,omitempty"`
	LatencyMS int64           `json:"latency_ms"`
}

// NewImprove makes the command that asks for a better prompt.
func NewImprove(k *kit.Kit) *cobra.Command {
	o := &improveOptions{options: options{k: k, noStream: true}}
	cmd := &cobra.Command{
		Use: "improve [PROMPT]", Short: "ask a chat model for a better prompt, and show what differs",
		Long: `Asks a chat model to improve a prompt, and prints the improved one; what differs goes to
standard error, word by word: [-what goes-] and {+what comes+}. The prompt is the argument,
--file (- for standard input), or standard input. In the console, Compose does the same and
has the parts accepted one by one.

The model is --model, else the one that improved prompts in Compose last. The request is sent
once. A gateway that bills it may do so even when its answer is lost, so it is not sent again by
itself. The answer is made safe for a terminal.`,
		Example: `  darkroom improve --model some-model "a red kite at dawn"
  darkroom improve --kind image --file prompt.txt -o json | jq -r .improved
  darkroom create video --prompt "$(darkroom improve 'a red kite')"`,
		Args:              atMostOne("prompt"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	f := cmd.Flags()
	kit.ModelFlag(cmd, k, &o.model, client.Chat, "chat model; 'darkroom models list --live' asks the gateway for its own")
	f.StringVar(&o.file, "file", "", "file that holds the prompt; - is standard input")
	o.kind.Kind(cmd, "what the prompt is for: "+strings.Join(kit.Kinds(), ", ")+" (default video)")
	return cmd
}

func (o *improveOptions) run(ctx context.Context, args []string) error {
	if err := o.kind.Check(); err != nil {
		return err
	}
	if o.kind.Value == "" {
		o.kind.Value = string(client.Video)
	}
	if o.model == "" {
		marks, err := library.OpenMarks(o.k.IO.Paths.Marks).Load()
		if err != nil {
			o.k.IO.Tell(err.Error())
		}
		o.model = marks.Improver
	}
	if err := o.check(); err != nil {
		return err
	}
	prompt, err := o.message(ctx, args)
	if err != nil {
		return err
	}
	gw, err := o.k.GatewayWithKey(ctx)
	if err != nil {
		return err
	}
	defer gw.Close()
	a, err := gw.Client.Chat(ctx, improve.Request(o.model, prompt, client.Modality(o.kind.Value)), nil)
	if err = judged(ctx, a, err); err != nil {
		return err
	}
	if strings.TrimSpace(a.Text) == "" {
		return errors.New("the answer came without a text; ask again, or ask another model")
	}
	return o.tell(prompt, a)
}

// tell prints the better prompt and, for people, what differs.
func (o *improveOptions) tell(prompt string, a client.ChatAnswer) error {
	better := client.Clean(improve.Text(a.Text, prompt))
	parts := improve.Diff(prompt, better)
	if !o.k.Out.Table() {
		return o.k.Out.One(improveView{Model: a.Model, Kind: client.Modality(o.kind.Value), Prompt: prompt, Improved: better, Parts: slices.Clone(parts),
			Finish: a.Finish, Usage: a.Usage, RequestID: a.Meta.RequestID, LatencyMS: a.Meta.Latency.Milliseconds()})
	}
	o.remark(a)
	if len(improve.Changes(parts)) == 0 {
		o.k.IO.Notef("darkroom: the model would change nothing\n")
	} else {
		o.k.IO.Notef("%s\n", client.Clean(wordDiff(parts)))
	}
	o.k.IO.Printf("%s\n", better)
	return nil
}

// wordDiff writes removed words in [-…-] and added ones in {+…+}.
func wordDiff(parts []improve.Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Same() {
			b.WriteString(p.Old)
			continue
		}
		if p.Old != "" {
			fmt.Fprintf(&b, "[-%s-]", p.Old)
		}
		if p.New != "" {
			fmt.Fprintf(&b, "{+%s+}", p.New)
		}
	}
	return b.String()
}
