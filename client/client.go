package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"darkroom/client/transport"
)

// Defaults of [Options].
const (
	DefaultTimeout     = 60 * time.Second
	defaultSyncTimeout = 10 * time.Minute
	DefaultMaxBody     = 64 << 20
	// QueryMaxBody caps the answers to queries, in bytes: they carry URLs and no media.
	QueryMaxBody     = 8 << 20
	defaultExchanges = 200
)

// Options says how to reach one gateway.
type Options struct {
	// BaseURL is http or https and may have a path prefix, but no user, query or fragment.
	BaseURL string
	// Key is called for each request; its result is never kept and never printed.
	Key func() (string, error)
	// Formats in the order in which screens list them.
	Formats []Format
	// WireNames returns the names that a model wants instead of a format's usual ones, canonical ->
	// wire; nil for none.
	WireNames func(model, format string) map[string]string
	// CreatePaths are the create endpoints that the interface does not show, format -> path, as the
	// profile gives them. Only [Configurable] formats take one.
	CreatePaths map[string]string
	// Dialect is how the gateway words paths, models and fields; see [Dialect].
	Dialect Dialect
	// Insist sends creates through [Reserved] formats too; see also [Insist].
	Insist bool
	// ModelLists are the codecs of the model lists that [Client.Models] joins.
	ModelLists []ModelLister
	UserAgent  string
	// Moving says that the gateway's address changes from start to start, as the embedded one's
	// does: tasks then name assets of its own origin by their path, and Open finds them where the
	// gateway is now.
	Moving bool
	// PrivateResults lets the addresses of results and references lead to this machine and to
	// private and link-local addresses. Otherwise they may do so only where the gateway itself is
	// at such an address.
	PrivateResults bool
	// ReadOnly is what makes the gateway read-only, "" for nothing: then nothing that could create,
	// change or delete is sent.
	ReadOnly string
	// Timeout bounds one exchange, from the dial to the last byte of the answer (for media: to the
	// first byte, and then from byte to byte). SyncTimeout is the bound of a create whose answer is
	// the result. Waiting for the pace does not count.
	Timeout, SyncTimeout time.Duration
	// MaxBody caps an answer after decompression, in bytes.
	MaxBody int64
	Pace    transport.Pace
	// Exchanges is how many exchanges the log keeps.
	Exchanges int
	// Transport does the HTTP; nil for a tuned net/http one, which honours the proxy environment
	// and, for requests without the key, PrivateResults.
	Transport http.RoundTripper
	Now       func() time.Time
}

// Client talks to one gateway. It is safe for concurrent use.
type Client struct {
	opts    Options
	base    *url.URL
	link    *transport.Link
	formats []Format
	byName  map[string]Format
	paths   formatPaths
}

// New checks the options and makes a client. It does no I/O.
func New(o Options) (*Client, error) {
	base, err := parseBase(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if o.Key == nil {
		return nil, errors.New("client: Options.Key is required")
	}
	o = o.withDefaults()
	c := &Client{opts: o, base: base, byName: make(map[string]Format, len(o.Formats))}
	c.link = transport.New(transport.Options{
		Base: base, Key: o.Key, Header: http.Header{"User-Agent": {o.UserAgent}, "Accept": {"application/json"}},
		Pace: o.Pace, PrivateResults: o.PrivateResults, ReadOnly: o.ReadOnly, Exchanges: o.Exchanges, HTTP: o.Transport, Now: o.Now,
	})
	for _, f := range o.Formats {
		if _, dup := c.byName[f.Name()]; dup {
			return nil, fmt.Errorf("client: format %q is given twice", f.Name())
		}
		c.byName[f.Name()] = f
		c.formats = append(c.formats, f)
	}
	if c.paths, err = newFormatPaths(o, c.format, c.link); err != nil {
		return nil, err
	}
	return c, nil
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.SyncTimeout <= 0 {
		o.SyncTimeout = defaultSyncTimeout
	}
	if o.MaxBody <= 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.Exchanges <= 0 {
		o.Exchanges = defaultExchanges
	}
	if o.UserAgent == "" {
		o.UserAgent = "darkroom"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// parseBase reads a gateway's address as a person may type it.
func parseBase(s string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(s))
	switch {
	case err != nil:
		return nil, errors.New("client: the base URL is not a URL")
	case u.User != nil:
		return nil, errors.New("client: the base URL must not hold a user or password")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("client: the base URL %q must begin with http:// or https://", CleanLine(s))
	case u.Hostname() == "":
		return nil, fmt.Errorf("client: the base URL %q names no host", CleanLine(s))
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("client: the base URL %q must not hold a query or a fragment", CleanLine(s))
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = ""
	return u, nil
}

// Formats returns the formats in the order of the options.
func (c *Client) Formats() []Format { return slices.Clone(c.formats) }

// Format returns a format by its name.
func (c *Client) Format(name string) (Format, bool) {
	f, ok := c.byName[name]
	return f, ok
}

// Origin is the gateway's scheme and host, for display.
func (c *Client) Origin() string { return c.base.Scheme + "://" + c.base.Host }

// ReadOnly is why nothing can be created, a [*transport.ReadOnlyError]; nil where it can.
func (c *Client) ReadOnly() error {
	if c.opts.ReadOnly == "" {
		return nil
	}
	return &transport.ReadOnlyError{By: c.opts.ReadOnly}
}

// Exchanges returns the last exchanges, newest last. They hold no key, no Authorization header and
// no media.
func (c *Client) Exchanges() []transport.Exchange { return c.link.Exchanges() }

// Pace returns how fast requests may leave just now. It is cheap, and safe at any time.
func (c *Client) Pace() transport.PaceState { return c.link.Pace() }

// Hold is until when the gateway holds requests back, after it refused one with 429; the zero time
// while it does not. Narrow says that this is about one task alone: look-ups of others go on.
func (c *Client) Hold() (until time.Time, narrow bool) {
	p := c.link.Pace()
	return p.Until, p.Narrow
}

// Close closes idle connections. The client stays usable.
func (c *Client) Close() { c.link.Close() }

// ErrNoList says that the gateway has no list of models, which is no fault of the key: gateways of
// this kind need not have one (GATEWAY: rule 7 of Endpoints).
var ErrNoList = errors.New("the gateway has no list of models that could tell")

// CheckKey asks for the lists of models, the cheapest requests that need the key, until one
// answers (GATEWAY: GET /v1beta/models). A refused key is an *APIError with status 401 or 403;
// where the gateway has no list, the error wraps [ErrNoList].
func (c *Client) CheckKey(ctx context.Context) error {
	var asked []string
	for _, l := range c.opts.ModelLists {
		req := l.Request("")
		if _, err := c.get(ctx, req, QueryMaxBody); !Missing(err) {
			return err
		}
		asked = append(asked, req.Path)
	}
	return fmt.Errorf("%w (asked: %s)", ErrNoList, strings.Join(asked, ", "))
}

func (c *Client) format(name string) (Format, error) {
	if f, ok := c.byName[name]; ok {
		return f, nil
	}
	known := make([]string, len(c.formats))
	for i, f := range c.formats {
		known[i] = f.Name()
	}
	return nil, fmt.Errorf("there is no format %q: one of %s", CleanLine(name), strings.Join(known, ", "))
}
