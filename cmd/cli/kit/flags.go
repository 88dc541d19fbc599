package kit

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/formats"
	"darkroom/client/human"
	"darkroom/client/places"
)

// Choice is a flag that takes one of a few values, or "". A flag that two commands share is
// declared, completed and checked only here.
type Choice struct {
	Value string
	name  string
	of    []string
}

// Kind declares --kind, a kind of media.
func (c *Choice) Kind(cmd *cobra.Command, text string) { c.declare(cmd, "kind", text, Kinds()) }

// Format declares --format, one of the gateway's formats.
func (c *Choice) Format(cmd *cobra.Command, text string) {
	c.declare(cmd, "format", text, FormatNames())
}

// Times declares --times, how points in time are written for people; machines get RFC 3339.
func (c *Choice) Times(cmd *cobra.Command) {
	var names []string
	for _, s := range human.TimeStyles() {
		names = append(names, string(s))
	}
	c.declare(cmd, "times", "how times are written: "+strings.Join(names, ", ")+" (as ages); else local", names)
}

// Clock writes times as --times says.
func (c *Choice) Clock() human.Times {
	return human.Times{Style: human.TimeStyle(c.Value), Now: time.Now()}
}

func (c *Choice) declare(cmd *cobra.Command, name, text string, of []string) {
	c.name, c.of = name, of
	cmd.Flags().StringVar(&c.Value, name, "", text)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(of, cobra.ShellCompDirectiveNoFileComp))
}

// Check refuses any other value.
func (c *Choice) Check() error {
	if c.Value == "" || slices.Contains(c.of, c.Value) {
		return nil
	}
	return Usage("--%s %q: allowed are %s", c.name, c.Value, strings.Join(c.of, ", "))
}

// Kinds are all modalities.
func Kinds() []string {
	return []string{string(client.Video), string(client.Image), string(client.Music), string(client.Speech), string(client.Chat)}
}

// FormatNames are the names of this version's formats.
func FormatNames() []string {
	var names []string
	for _, f := range formats.All() {
		names = append(names, f.Name())
	}
	return names
}

// ModelFlag declares --model and completes it with the catalog's models of a kind, or with all
// models for "".
func ModelFlag(cmd *cobra.Command, k *Kit, to *string, m client.Modality, text string) {
	cmd.Flags().StringVar(to, "model", "", text)
	_ = cmd.RegisterFlagCompletionFunc("model", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return ModelIDs(k, m), cobra.ShellCompDirectiveNoFileComp
	})
}

// Raw holds --extra and --set: what goes into the body of a request verbatim.
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

// Members are the given values by place, with --set over --extra; nil for none. example is an
// object to show for --extra. All mistakes in --set are reported at once.
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
