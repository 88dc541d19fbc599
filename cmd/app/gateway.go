// Package app is the one composition root: it puts together the configuration, the gateway's
// client, the history, the engine, and the console on top of them.
package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
	"darkroom/client/intake"
	"darkroom/client/sandbox"
	"darkroom/client/transport"
	"darkroom/cmd/config"
	"darkroom/jobs"
)

// GatewayOptions say which gateway to open, and how.
type GatewayOptions struct {
	Config  config.Config
	Secrets config.Secrets
	// Version is the program's version, for the User-Agent.
	Version string
	// Catalog is the catalog to use; nil loads it.
	Catalog *catalog.Catalog
	// Insist sends creates through reserved formats too.
	Insist bool
	// SameKey is called once to ask whether a key stored for another origin may be used for
	// the origin that the profile names now; nil for no.
	SameKey func(*config.OriginError) bool
	// Timing is the embedded gateway's; "" for its default.
	Timing sandbox.Timing
}

// Gateway is the client side of a run: what the gateway offers and how to reach it.
type Gateway struct {
	Config  config.Config
	Catalog *catalog.Catalog
	Client  *client.Client
	// Sandbox is the embedded gateway; nil if the profile names a real one.
	Sandbox *sandbox.Running

	key *keeper
}

// ChatModel is the chat model of a profile's gateway where it is known to have one, "" elsewhere.
func ChatModel(p config.Profile) string {
	if p.Embedded {
		return sandbox.ChatModel
	}
	return ""
}

// OpenGateway reads the catalog, starts the embedded gateway if the profile asks for it, and
// makes the client. It touches no history and reads no key. The embedded gateway runs until
// Close, even if ctx ends first: creates in flight still need their answers.
func OpenGateway(ctx context.Context, o GatewayOptions) (*Gateway, error) {
	cfg := o.Config
	cat := o.Catalog
	if cat == nil {
		var err error
		if cat, err = LoadCatalog(cfg.Paths.Catalog); err != nil {
			return nil, err
		}
	}
	words, err := cfg.Profile.Dialect.Client(cat)
	if err != nil {
		return nil, err
	}
	g := &Gateway{Config: cfg, Catalog: cat}
	base := cfg.Profile.BaseURL
	g.key = newKeeper(keyFinder(o.Secrets, cfg.Profile, o.SameKey))
	if cfg.Profile.Embedded {
		g.Sandbox, err = sandbox.Start(context.WithoutCancel(ctx),
			sandbox.Options{Dir: cfg.Paths.Sandbox, Catalog: cat, Timing: o.Timing}, "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("the embedded gateway did not start: %w", err)
		}
		base = g.Sandbox.URL
		k := g.Sandbox.Key
		g.key = newKeeper(func() (string, error) { return k, nil })
	}
	g.Client, err = client.New(client.Options{
		BaseURL: base, Key: g.key.get, Formats: formats.All(), WireNames: cat.WireNames,
		ModelLists: formats.ModelLists(), CreatePaths: cfg.Profile.CreatePaths, Dialect: words, Insist: o.Insist,
		Pace:      transport.Pace{Rate: cfg.Profile.Rate},
		UserAgent: "darkroom/" + o.Version, Moving: cfg.Profile.Embedded,
		PrivateResults: cfg.Profile.PrivateResults, ReadOnly: cfg.Profile.ReadOnly,
	})
	if err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// Close stops the embedded gateway.
func (g *Gateway) Close() {
	if g.Sandbox != nil {
		_ = g.Sandbox.Close()
	}
}

// CheckKey says whether there is a key at all, before anything is journalled that could not be
// sent. It looks only in the person's own keyring and files.
func (g *Gateway) CheckKey() error {
	_, err := g.key.get()
	return err
}

// MayCreate says why nothing can be created at all: the gateway is only to be read, or there is no
// key.
func (g *Gateway) MayCreate() error {
	if err := g.Client.ReadOnly(); err != nil {
		return err
	}
	return g.CheckKey()
}

// FormatsFor are the formats that can create a draft with this gateway's configuration, preferred
// first: those that reach its model in its modality, or, in a modality whose models are not shown
// (chat), those that make that modality. It leaves out reserved formats and those whose create
// path is neither shown nor configured. Nil for a model that is not in the catalog.
func (g *Gateway) FormatsFor(d client.Draft) []string {
	return slices.DeleteFunc(g.Reaching(d), func(name string) bool { return g.Client.CanCreate(name) != nil })
}

// Reaching is FormatsFor plus the formats that this gateway's configuration cannot create with;
// Client.CanCreate says why.
func (g *Gateway) Reaching(d client.Draft) []string {
	makes := func(name string) bool {
		if info, ok := g.Catalog.Format(name); ok {
			return slices.Contains(info.Modalities, d.Modality)
		}
		f, ok := g.Client.Format(name)
		return ok && slices.Contains(f.Modalities(), d.Modality)
	}
	var all []string
	if m, ok := g.Catalog.ModelFor(d.Modality, d.Model); ok {
		all = slices.Clone(m.Formats)
	} else if g.Catalog.DraftFormat(d) != "" {
		for _, f := range g.Catalog.Formats() {
			all = append(all, f.Name)
		}
	}
	return slices.DeleteFunc(all, func(name string) bool { return !makes(name) })
}

// FormatFor is the first of FormatsFor; "" if there is none.
func (g *Gateway) FormatFor(d client.Draft) string {
	if all := g.FormatsFor(d); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Ways is FormatsFor; for a model that the catalog does not list, the formats worth a try.
func (g *Gateway) Ways(d client.Draft) []string { return g.Catalog.Ways(d, g.FormatsFor) }

// NoFormat is the error for a draft that no format can create: it says what is wrong with its
// model, or what each format that reaches it lacks.
func (g *Gateway) NoFormat(d client.Draft) error {
	model := client.CleanLine(d.Model)
	if m, ok := g.Catalog.Model(d.Model); ok && m.Modality != d.Modality {
		if _, ok := g.Catalog.ModelFor(d.Modality, d.Model); !ok {
			return fmt.Errorf("model %q makes %s, the request is for %s", model, m.Modality, d.Modality)
		}
	} else if !ok && g.Catalog.DraftFormat(d) == "" {
		return fmt.Errorf("model %q is not in the catalog: name a format", model)
	}
	all := g.Reaching(d)
	if len(all) == 0 {
		return fmt.Errorf("no format is known to make %s with model %q", d.Modality, model)
	}
	var why []string
	for _, name := range all {
		if err := g.Client.CanCreate(name); err != nil {
			why = append(why, err.Error())
		}
	}
	return fmt.Errorf("model %q is created with through %s: %s", model, strings.Join(all, ", "), strings.Join(why, "; "))
}

// LoadCatalog is the embedded catalog with the person's overlay, if any, on top.
func LoadCatalog(overlay string) (*catalog.Catalog, error) {
	cat, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	b, err := catalog.ReadFile(overlay)
	if errors.Is(err, fs.ErrNotExist) {
		return cat, nil
	}
	if err != nil {
		return nil, err
	}
	return cat.Overlay(b, overlay)
}

// Intake reads requests from elsewhere, by this gateway's formats and paths.
func (g *Gateway) Intake() intake.Reader {
	return intake.Reader{Catalog: g.Catalog, Formats: g.Client.Formats(), CreatePaths: g.Config.Profile.CreatePaths, Dialect: g.Client.Dialect()}
}

// screenGateway is the client as screens see it: without a named format it uses the draft's
// preferred one, as a submission does.
type screenGateway struct {
	*client.Client
	gw *Gateway
	// history is the history of jobs; nil for none.
	history jobs.Reader
}

// idsWait bounds how long the history may take to find the ids of a task.
const idsWait = 5 * time.Second

// Lookup is the client's, and also accepts answers under the other ids that the history has for
// the task. It asks the history only if an answer names another task.
func (g screenGateway) Lookup(ctx context.Context, id string, formats ...string) []client.RouteResult {
	out := g.Client.Lookup(ctx, id, formats...)
	if g.history == nil || !slices.ContainsFunc(out, func(r client.RouteResult) bool {
		_, other := errors.AsType[*client.OtherTaskError](r.Err)
		return other
	}) {
		return out
	}
	short, cancel := context.WithTimeout(ctx, idsWait)
	defer cancel()
	page, err := g.history.List(short, jobs.Query{TaskID: id, Limit: 2})
	if err != nil || len(page.Jobs) != 1 { // of two jobs, either could be meant
		return out
	}
	return g.Client.Lookup(page.Jobs[0].KnownAs(ctx), id, formats...)
}

// Preview shows the request of a draft.
func (g screenGateway) Preview(d client.Draft, format string) (client.Preview, error) {
	format, err := g.format(d, format)
	if err != nil {
		return client.Preview{}, err
	}
	return g.Client.Preview(d, format)
}

// Curl is the request of a draft as a command line, with a variable for the key.
func (g screenGateway) Curl(d client.Draft, format string) (string, error) {
	format, err := g.format(d, format)
	if err != nil {
		return "", err
	}
	return g.Client.Curl(d, format)
}

// Body is the whole body of a draft's create.
func (g screenGateway) Body(ctx context.Context, d client.Draft, format string) ([]byte, error) {
	format, err := g.format(d, format)
	if err != nil {
		return nil, err
	}
	return g.Client.Body(ctx, d, format)
}

// ReadRequest reads a curl command or a JSON body of any format.
func (g screenGateway) ReadRequest(text string, h intake.Hint) (intake.Result, error) {
	return g.gw.Intake().Read(text, h)
}

// FormatsFor are the formats to choose from for a draft, preferred first.
func (g screenGateway) FormatsFor(d client.Draft) []string { return g.gw.FormatsFor(d) }

func (g screenGateway) format(d client.Draft, name string) (string, error) {
	if name == "" {
		name = g.gw.FormatFor(d)
	}
	if name == "" {
		return "", g.gw.NoFormat(d)
	}
	return name, nil
}
