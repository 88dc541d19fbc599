package setup

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client/catalog"
	"darkroom/client/transport"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// configLong explains the settings file as far as the gateway is concerned.
const configLong = `Prints the settings in use. Its commands print each setting with where it comes from, change
one, open the file in your editor, check it, and tell where settings, keys, the history and
results live on this machine, and which keys do what in the console.

The creates of some formats are not documented in the gateway's interface: they go through
POST /v1/videos, where the model allows it. Who was told a path names it in the profile,
and it is used as it is, configured and not documented:

  profiles:
    team:
      base_url: https://gateway.example
      create_paths:
        tasks: /the/path/you/were/told
        responses: /v1/responses

A gateway that has words of its own for paths, models or fields has a dialect: the name of
one ('darkroom gateway dialects' lists them), or the words themselves; docs/GATEWAYS.md tells
of its keys, and 'darkroom gateway probe' proposes one:

      dialect: NAME

Results and references are asked for at public addresses, and at such of this machine or of a
private network only where the gateway itself is at one of the kind. Where they lie at others:

      private_results: true

A gateway that is only to be read, and one that nobody should mistake for another:

      read_only: true          # nothing that creates, changes or deletes is sent
      color: red               # in the title bar: accent, good, warn, bad, info, a name, or #rrggbb
      banner: PRODUCTION`

// settings are the configuration in use, as 'config show' prints it. No key is part of it.
type settings struct {
	Profile string `json:"profile"`
	BaseURL string `json:"base_url,omitempty"` // "" for the embedded gateway
	From    string `json:"from"`
	// Key is where the key is kept, KeyOrigin the gateway that it is for; never the key.
	Key          string `json:"key,omitempty"`
	KeyOrigin    string `json:"key_origin,omitempty"`
	Theme        string `json:"theme"`
	Preview      string `json:"preview"`
	Downloads    string `json:"downloads"`
	AutoDownload bool   `json:"auto_download"`
	Mouse        bool   `json:"mouse"`
	Notify       string `json:"notify"`
	// Player is the program with its arguments; empty for what the system has.
	Player []string `json:"player,omitempty"`
	// Rate is how many requests a second may leave for the gateway at most.
	Rate          float64 `json:"rate"`
	RetentionDays int     `json:"retention_days,omitempty"` // 0 keeps ended jobs for ever
	// PrivateResults says that results may come from this machine and private addresses.
	PrivateResults bool `json:"private_results"`
	// ReadOnly names the setting that forbids to create, change or delete; "" for none.
	ReadOnly string `json:"read_only,omitempty"`
	// Color and Banner mark the profile in the console's title bar.
	Color       string       `json:"color,omitempty"`
	Banner      string       `json:"banner,omitempty"`
	History     string       `json:"history"` // a file, or the address of a shared one
	CreatePaths []createPath `json:"create_paths"`
	// Dialect is null for a gateway that has the interface's own words.
	Dialect *dialectInUse `json:"dialect"`
}

// createPath is where the creates of a format go if the interface does not show its endpoint.
type createPath struct {
	Format string `json:"format"`
	Path   string `json:"path,omitempty"` // "" for one that nobody named
	What   string `json:"what"`
}

func newConfigShow(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "show", Short: "print the settings in use, create paths among them", Args: cobra.NoArgs,
		Long: `Prints the profile in use, its gateway, and where the creates of those formats go whose
endpoint the interface does not show: what is named there is configured, not documented.`,
		Example: "  darkroom config show\n  darkroom config show --profile team -o json",
		RunE:    func(*cobra.Command, []string) error { return showConfig(k) },
	}
}

func showConfig(k *kit.Kit) error {
	c, err := k.Config()
	if err != nil {
		return err
	}
	cat, err := k.Catalog()
	if err != nil {
		return err
	}
	s := settings{
		Profile: c.Profile.Name, BaseURL: c.Profile.BaseURL, From: c.Profile.Source, Theme: c.Theme, Preview: string(c.Preview), Downloads: c.Downloads,
		Rate: cmp.Or(c.Profile.Rate, transport.DefaultRate), RetentionDays: int(c.Retention / (24 * time.Hour)),
		PrivateResults: c.Profile.PrivateResults, ReadOnly: c.Profile.ReadOnly, Color: c.Profile.Color, Banner: c.Profile.Banner,
		History:      cmp.Or(c.Profile.Shared(), c.Paths.History),
		AutoDownload: c.AutoDownload, Mouse: c.Mouse, Notify: c.Notify, Player: c.Player, CreatePaths: createPaths(cat, c.Profile),
	}
	if s.Dialect, err = dialectOf(c.Profile, cat); err != nil {
		return kit.Exit(kit.ExitUsage, err)
	}
	keyOf(k, c, &s)
	if !k.Out.Table() {
		return k.Out.One(s)
	}
	gateway := s.BaseURL
	if c.Profile.Embedded {
		gateway = "the embedded gateway"
	}
	if err := kit.Fields(k.IO.Out, [][2]string{
		{"profile", s.Profile + " (" + s.From + ")"}, {"gateway", gateway}, {"key", s.keyText()}, {"dialect", s.Dialect.String()}, {"may send", s.sendText()}, {"rate", s.rateText()}, {"results from", s.resultsText()}, {"history", s.History},
		{"retention", s.retentionText()}, {"theme", s.Theme}, {"preview", s.Preview}, {"downloads", s.Downloads},
		{"saving", map[bool]string{true: "results are saved by themselves", false: "results are saved when asked for"}[s.AutoDownload]},
		{"mouse", map[bool]string{true: "on", false: "off"}[s.Mouse]},
		{"title bar", s.markText()}, {"notify", s.Notify},
		{"player", cmp.Or(strings.Join(s.Player, " "), "what the system has")},
	}); err != nil {
		return err
	}
	k.IO.Printf("\n")
	var cells [][]string
	for _, p := range s.CreatePaths {
		path := p.Path
		if path == "" {
			path = "-"
		}
		cells = append(cells, []string{p.Format, path, p.What})
	}
	if err := kit.Rows(k.IO.Out, []string{"FORMAT", "CREATE PATH", "WHAT"}, cells); err != nil || s.Dialect == nil {
		return err
	}
	k.IO.Printf("\n")
	return kit.Rows(k.IO.Out, []string{"DIALECT", "HERE", "AT THE GATEWAY"}, dialectCells(s.Dialect.File))
}

// keyOf fills in where the key of a profile comes from, and for which gateway it is kept.
func keyOf(k *kit.Kit, c config.Config, s *settings) {
	sec := k.Secrets()
	switch {
	case c.Profile.Embedded:
	case config.IsEnv(c.Profile.Name) || sec.FromEnv:
		s.Key = config.EnvKey
	default:
		if k, err := sec.Look(c.Profile.Name); err == nil {
			s.Key, s.KeyOrigin = k.Where, k.Origin
		}
	}
}

func (s *settings) keyText() string {
	switch {
	case s.BaseURL == "":
		return "made at each start"
	case s.Key == "":
		return "none; `darkroom auth login` keeps one"
	case s.KeyOrigin == "":
		return s.Key
	}
	return s.Key + ", for " + s.KeyOrigin
}

func (s *settings) sendText() string {
	if s.ReadOnly != "" {
		return "read-only (" + s.ReadOnly + "): nothing that creates, changes or deletes"
	}
	return "everything; `read_only: true` of a profile, or --read-only, lets it only be read"
}

func (s *settings) markText() string {
	if s.Color == "" && s.Banner == "" {
		return "the profile's name; `color:` and `banner:` of a profile mark it"
	}
	return strings.TrimSpace(strings.Join([]string{s.Profile, s.Banner, s.Color}, " "))
}

func (s *settings) rateText() string {
	text := strconv.FormatFloat(s.Rate, 'g', -1, 64) + " requests a second at most"
	if s.Rate == transport.DefaultRate {
		text += ", the usual; `rate:` of a profile sets another"
	}
	return text
}

func (s *settings) resultsText() string {
	if s.PrivateResults {
		return "any address, this machine and private ones among them (private_results)"
	}
	return "public addresses, and those of the gateway's own kind; `private_results: true` of a profile takes private ones"
}

func (s *settings) retentionText() string {
	if s.RetentionDays == 0 {
		return "ended jobs stay for ever; `retention: DAYS` removes them after that"
	}
	return fmt.Sprintf("ended jobs without a tag go after %d days", s.RetentionDays)
}

// createPaths returns the creates that the interface does not show, in the order of the formats.
func createPaths(cat *catalog.Catalog, p config.Profile) []createPath {
	var out []createPath
	for _, format := range config.Configurable() {
		row := createPath{Format: format, Path: p.CreatePaths[format], What: "configured, not documented"}
		if own := p.Dialect.File.Paths[format].Create; row.Path == "" && own != "" {
			row.Path, row.What = own, "of the dialect "+p.Dialect.Name+", not documented"
		}
		if row.Path == "" {
			row.What = fmt.Sprintf("not configured (create_paths.%s of a profile); %s", format, instead(cat, format))
		}
		out = append(out, row)
	}
	return out
}

// instead says where creates with the models of a format go meanwhile.
func instead(cat *catalog.Catalog, format string) string {
	for _, m := range cat.Models("") {
		if !slices.Contains(m.Formats, format) {
			continue
		}
		if f, ok := cat.Format(m.Formats[0]); ok && f.Create != "" {
			return "its models go through " + f.Create
		}
	}
	return "no model needs it"
}
