// Package chat has the commands that talk to a text model: chat and improve.
package chat

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/places"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
)

// maxMessage bounds one message, in bytes.
const maxMessage = 4 << 20

type options struct {
	k            *kit.Kit
	model        string
	system       string
	file         string
	conversation string
	added        kit.Raw
	stream       bool
	noStream     bool

	raw map[string]json.RawMessage // what is added
}

// New makes the command that talks to a text model.
func New(k *kit.Kit) *cobra.Command {
	o := &options{k: k}
	cmd := &cobra.Command{
		Use: "chat [MESSAGE]", Short: "talk to a text model",
		Long: `Sends a message to a text model and prints the answer: on a terminal as it comes, elsewhere
when it is whole. The message is the argument, --file (- for standard input), or both, the
file behind the argument; without either, standard input. Without a message on a terminal it
is a conversation, line by line: /help lists its commands, ctrl+c stops an answer, and ctrl+d
leaves.

The interface names no chat model, so --model is needed unless the catalog's overlay has one.
--conversation keeps the messages in a file, as JSON: they are read before and written after
an answer that is whole, so that the next command goes on with them.

What is printed is made safe for a terminal; -o json has the text as it came, with the usage,
the finish_reason and the request id. A message is sent once and never again by itself. An
answer that breaks off is printed as far as it came, and the exit code is 1.`,
		Example: `  darkroom chat --model some-model "name three colours of rust"
  darkroom chat --model some-model --file notes.txt "sum this up" --set temperature=0.2
  darkroom chat --model some-model --conversation talk.json "and in German?" -o json
  darkroom chat --model some-model --system "answer in one line"`,
		Args:              atMostOne("message"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.model, "model", "", "model; 'darkroom models list --live' asks the gateway for its own")
	f.StringVar(&o.system, "system", "", "system message, before all others")
	f.StringVar(&o.file, "file", "", "file that holds the message, or what it is about; - is standard input")
	f.StringVar(&o.conversation, "conversation", "", "file of JSON messages to go on with")
	o.added.Flags(cmd, "JSON object of fields that are sent on top", "PLACE=VALUE or PLACE:=JSON of one such field, as temperature=0.2")
	f.BoolVar(&o.stream, "stream", false, "take the answer in pieces (the default on a terminal)")
	f.BoolVar(&o.noStream, "no-stream", false, "take the answer whole")
	_ = cmd.MarkFlagFilename("conversation", "json")
	for name, values := range map[string]func() []string{
		"model":  func() []string { return kit.ModelIDs(k, client.Chat) },
		"system": func() []string { return nil },
		"set":    func() []string { return []string{"temperature=", "max_tokens=", "top_p="} },
	} {
		_ = cmd.RegisterFlagCompletionFunc(name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return values(), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		})
	}
	return cmd
}

// atMostOne takes one argument or none: several mean a text that was not quoted.
func atMostOne(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return kit.Usage("the %s is one argument, and there are %d: put it in quotes", what, len(args))
		}
		return nil
	}
}

func (o *options) run(ctx context.Context, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	talk, err := readConversation(o.conversation)
	if err != nil {
		return err
	}
	if o.system != "" {
		talk.setSystem(o.system)
	}
	s := o.k.IO
	interactive := len(args) == 0 && o.file == "" && s.TtyIn != nil && s.Tty != nil && o.k.Out.Table()
	text := ""
	if !interactive {
		if text, err = o.message(ctx, args); err != nil {
			return err
		}
	}
	gw, err := o.k.GatewayWithKey(ctx)
	if err != nil {
		return err
	}
	defer gw.Close()
	if err := gw.MayCreate(); err != nil {
		return err
	}
	if interactive {
		return o.converse(ctx, gw, talk)
	}
	return o.once(ctx, gw.Client, talk, text)
}

// check checks everything that needs no gateway.
func (o *options) check() error {
	if o.stream && o.noStream {
		return kit.Usage("--stream and --no-stream: give one of them")
	}
	var err error
	if o.raw, err = o.rawFields(); err != nil {
		return err
	}
	if o.model != "" {
		return nil
	}
	if all := kit.ModelIDs(o.k, client.Chat); len(all) > 0 {
		o.model = all[0]
		return nil
	}
	if _, err := o.k.Catalog(); err != nil {
		return err
	}
	c, err := o.k.Config()
	if err != nil {
		return err
	}
	if o.model = app.ChatModel(c.Profile); o.model != "" {
		return nil
	}
	return kit.Usage("give --model: no chat model is documented. `darkroom models list --live` lists those of the gateway")
}

// streaming reports whether the answer is requested as a stream.
func (o *options) streaming() bool {
	return o.stream || !o.noStream && o.k.IO.Tty != nil && o.k.Out.Table()
}

// sentByFlags are the members of a request that have flags of their own.
func sentByFlags() map[string]string {
	return map[string]string{"model": "--model", "messages": "--conversation and the message", "stream": "--stream or --no-stream"}
}

// rawFields are the members that --extra and --set add to a request.
func (o *options) rawFields() (map[string]json.RawMessage, error) {
	out, err := o.added.Members(`{"temperature": 0.2}`)
	if err != nil {
		return nil, err
	}
	for place := range out {
		member, err := places.Check(place)
		if err != nil {
			return nil, kit.Usage("--extra: %w", err)
		}
		if flag := sentByFlags()[member]; flag != "" {
			return nil, kit.Usage("--set and --extra: %s is told by %s", member, flag)
		}
	}
	return out, nil
}

// message is the text of the argument and --file, or of standard input.
func (o *options) message(ctx context.Context, args []string) (string, error) {
	said, file := "", o.file
	if len(args) == 1 {
		said = args[0]
	}
	if said == "-" {
		if file != "" {
			return "", kit.Usage("the message - is standard input, and --file %s is given too: give one of them", client.CleanLine(file))
		}
		said, file = "", "-"
	}
	if said == "" && file == "" && len(args) == 0 {
		file = "-"
	}
	if file != "" {
		more, err := o.text(ctx, file)
		if err != nil {
			return "", err
		}
		said = strings.TrimSpace(said + "\n\n" + strings.TrimRight(more, "\r\n"))
	}
	if strings.TrimSpace(said) == "" {
		return "", kit.Usage("the message is empty: give it as the argument, by --file FILE, or on standard input")
	}
	if !utf8.ValidString(said) {
		return "", kit.Usage("the message is not text (it is not UTF-8)")
	}
	if len(said) > maxMessage {
		return "", kit.Usage("the message has more than %d MiB", maxMessage>>20)
	}
	return said, nil
}

// text reads a file, or standard input for "-".
func (o *options) text(ctx context.Context, file string) (string, error) {
	what := "--file"
	if file == kit.Stdin {
		what = ""
		if o.k.IO.TtyIn != nil {
			o.k.IO.Notef("Type the message; end it with ctrl+d on a line of its own.\n")
		}
	}
	b, err := o.k.IO.Read(ctx, what, file, maxMessage)
	if err == nil && !utf8.Valid(b) {
		err = kit.Usage("%s: it is not text (it is not UTF-8)", kit.ShownFile(what, file))
	}
	return string(b), err
}
