package kit

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/formats"
	"darkroom/client/places"
)

// Choice is a flag that takes one of a few values, "" for none of them. A flag that two commands
// share is declared, completed and checked here alone.
type Choice struct {
	Value string
	name  string
	of    []string
}

// Kind declares --kind, the kind of media that something is about.
func (c *Choice) Kind(cmd *cobra.Command, text string) { c.declare(cmd, "kind", text, Kinds()) }

// Format declares --format, a format of the gateway's.
func (c *Choice) Format(cmd *cobra.Command, text string) {
	c.declare(cmd, "format", text, FormatNames())
}

func (c *Choice) declare(cmd *cobra.Command, name, text string, of []string) {
	c.name, c.of = name, of
	cmd.Flags().StringVar(&c.Value, name, "", text)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(of, cobra.ShellCompDirectiveNoFileComp))
}

// Check refuses another value.
func (c *Choice) Check() error {
	if c.Value == "" || slices.Contains(c.of, c.Value) {
		return nil
	}
	return Usage("--%s %q: allowed are %s", c.name, c.Value, strings.Join(c.of, ", "))
}

// Kinds are the modalities that there are.
func Kinds() []string {
	return []string{string(client.Video), string(client.Image), string(client.Music), string(client.Speech), string(client.Chat)}
}

// FormatNames are the formats that this version has.
func FormatNames() []string {
	var names []string
	for _, f := range formats.All() {
		names = append(names, f.Name())
	}
	return names
}

// ModelFlag declares --model and completes it with the models of the catalog that make a kind, or
// with "" all.
func ModelFlag(cmd *cobra.Command, k *Kit, to *string, m client.Modality, text string) {
	cmd.Flags().StringVar(to, "model", "", text)
	_ = cmd.RegisterFlagCompletionFunc("model", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return ModelIDs(k, m), cobra.ShellCompDirectiveNoFileComp
	})
}

// Raw are --extra and --set: what is put into the body of a request as it stands.
type Raw struct {
	extra string
	set   []string
}

// Flags declares both.
func (r *Raw) Flags(cmd *cobra.Command, extra, set string) {
	f := cmd.Flags()
	f.StringVar(&r.extra, "extra", "", extra)
	f.StringArrayVar(&r.set, "set", nil, set)
	_ = cmd.RegisterFlagCompletionFunc("extra", cobra.NoFileCompletions)
}

// Members are what was given, by place, --set over --extra; nil for nothing. Example is an object
// that --extra may be. All that is wrong with --set is told at once.
func (r *Raw) Members(example string) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	if r.extra != "" {
		if _, err := client.ParseJSON(r.extra); err != nil {
			return nil, Usage("--extra: %s; give a JSON object, as '%s'", client.CleanLine(err.Error()), example)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(r.extra), &members); err != nil || members == nil {
			return nil, Usage("--extra %q: give a JSON object, as '%s'", FirstLine(r.extra, 60), example)
		}
		for name, raw := range members {
			out[places.Quote(name)] = raw
		}
	}
	var problems []string
	for _, s := range r.set {
		place, raw, err := setting(s)
		if err != nil {
			problems = append(problems, client.CleanLine("--set "+err.Error()))
			continue
		}
		out[place] = raw
	}
	if len(problems) > 0 {
		return nil, Usage("%s", strings.Join(problems, "\n"))
	}
	return out, nil
}
