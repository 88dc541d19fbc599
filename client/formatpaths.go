package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"darkroom/client/transport"
)

// Configurable is implemented by formats whose create endpoint the interface does not show
// (GATEWAY: Endpoints, rules 4 and 6): the person names one in the profile, and
// [Options.CreatePaths] brings it here. EncodeCreate of such a format leaves Request.Path empty.
type Configurable interface {
	// CreatePath is the path to use where the profile names none; "" for none.
	CreatePath() string
}

// Reserved is implemented by formats whose paths the gateway does not serve (GATEWAY: Endpoints,
// rule 2). A create is refused with the reason, unless the person insists.
type Reserved interface {
	// Refusal says why, and which path to use instead.
	Refusal() string
}

type insistKey struct{}

// Insist returns a context in which a create through a [Reserved] format is sent anyway.
func Insist(ctx context.Context) context.Context {
	return context.WithValue(ctx, insistKey{}, true)
}

func (c *Client) insists(ctx context.Context) bool {
	v, _ := ctx.Value(insistKey{}).(bool)
	return v || c.opts.Insist
}

// reserved is the refusal of a [Reserved] format, nil for others.
func reserved(f Format) error {
	if r, ok := f.(Reserved); ok {
		return fmt.Errorf("%s is not sent: %s", f.Label(), r.Refusal())
	}
	return nil
}

// formatPaths are where the requests of each format go at this gateway: to the paths that the
// profile or the dialect names, or to the formats' own in the dialect's words.
type formatPaths struct {
	dialect Dialect
	named   map[string]string // create endpoints of the profile, by format
	words   map[string]wording
}

// newFormatPaths works out the paths of all formats, and refuses one that leads nowhere.
func newFormatPaths(o Options, find func(name string) (Format, error), link *transport.Link) (formatPaths, error) {
	p := formatPaths{dialect: o.Dialect, named: o.CreatePaths, words: make(map[string]wording, len(o.Formats))}
	for name, path := range p.named {
		f, err := find(name)
		if err != nil {
			return p, fmt.Errorf("client: create_paths: %w", err)
		}
		if _, ok := f.(Configurable); !ok {
			return p, fmt.Errorf("client: create_paths.%s: the create endpoint of this format is documented and is not configured", name)
		}
		if _, err := link.Resolve(path); err != nil || strings.HasPrefix(path, "//") || strings.ContainsAny(path, " \t\r\n#") {
			return p, fmt.Errorf("client: create_paths.%s: %q is not a path of the gateway: it begins with one /", name, CleanLine(path))
		}
	}
	for name := range p.dialect.Paths {
		if _, err := find(name); err != nil {
			return p, fmt.Errorf("client: dialect: %w", err)
		}
	}
	for _, f := range o.Formats {
		w, err := p.dialect.word(f)
		if err != nil {
			return p, fmt.Errorf("client: dialect: paths.%s.%w", f.Name(), err)
		}
		p.words[f.Name()] = w
	}
	return p, nil
}

// create is where a create goes. The bool says that the path is configured, since the interface
// does not show it.
func (p *formatPaths) create(f Format, model string, req Request) (Request, bool, error) {
	conf, open := f.(Configurable)
	path := ""
	if open {
		path = p.named[f.Name()]
	}
	if path == "" {
		path = p.words[f.Name()].create
	}
	if path == "" && open {
		path = conf.CreatePath()
	}
	switch {
	case path != "":
		req.Path = path
	case open:
		return req, false, fmt.Errorf("%s: the create endpoint of this format is not documented in the interface; "+
			"name one in the profile (create_paths.%s)", f.Label(), f.Name())
	default:
		req.Path = p.dialect.path(req.Path, model)
	}
	return req, open, nil
}

// query asks for a task. Its Path is "" for a format that has no query.
func (p *formatPaths) query(f Format, id string) Request {
	if t := p.words[f.Name()].query; t != nil {
		return Request{Method: http.MethodGet, Path: t.fill(id)}
	}
	return f.Query(id)
}

// content asks for the bytes of a task.
func (p *formatPaths) content(f Format, id string) (Request, bool) {
	req, ok := f.Content(id)
	if t := p.words[f.Name()].content; ok && t != nil {
		req.Path = t.fill(id)
	}
	return req, ok
}

// A template is a path around a task's id.
type template struct{ before, after string }

func (t *template) fill(id string) string { return t.before + PathSegment(id) + t.after }

// wording is how the dialect words the paths of one format; a nil template leaves the format's own.
type wording struct {
	create         string
	query, content *template
}

// sentinel stands for an id where a codec is asked for its path.
const sentinel = "darkroom-id"

// word makes the wording of a format.
func (d Dialect) word(f Format) (wording, error) {
	own := d.Paths[f.Name()]
	w := wording{create: own.Create}
	if own.Create != "" {
		if err := CheckPath(own.Create); err != nil {
			return w, fmt.Errorf("create: %w", err)
		}
	}
	query := f.Query(sentinel).Path
	content, has := f.Content(sentinel)
	switch {
	case own.Query != "" && query == "":
		return w, errors.New("query: this format has no query path")
	case own.Content != "" && !has:
		return w, errors.New("content: this format has no content path")
	}
	var err error
	if w.query, err = d.template(own.Query, query); err != nil {
		return w, fmt.Errorf("query: %w", err)
	}
	if w.content, err = d.template(own.Content, content.Path); err != nil {
		return w, fmt.Errorf("content: %w", err)
	}
	return w, nil
}

// template is a path of the dialect's own, or a codec's with its segments replaced; nil where
// nothing changes.
func (d Dialect) template(own, usual string) (*template, error) {
	if own == "" {
		if own = d.path(usual, ""); own == usual { // also "" for no path
			return nil, nil
		}
		own = strings.Replace(own, sentinel, IDPlaceholder, 1)
	}
	if err := CheckIDPath(own); err != nil {
		return nil, err
	}
	before, after, _ := strings.Cut(own, IDPlaceholder)
	return &template{before, after}, nil
}

// CanCreate says whether a format can create as this client is set up; the error says what is
// missing, as Create and Preview would.
func (c *Client) CanCreate(format string) error {
	f, err := c.format(format)
	if err != nil {
		return err
	}
	if len(f.Modalities()) == 0 {
		return fmt.Errorf("%s: this format is only queried", f.Label())
	}
	if !c.opts.Insist {
		if err := reserved(f); err != nil {
			return err
		}
	}
	_, _, err = c.paths.create(f, "", Request{})
	return err
}

// QueryPath is the method and path that query a format's tasks, "" for a format that has none or is
// not known.
func (c *Client) QueryPath(format, id string) string {
	f, ok := c.byName[format]
	if !ok {
		return ""
	}
	req := c.paths.query(f, id)
	if req.Path == "" {
		return ""
	}
	return pathOf(req)
}

// ContentPath is the path of the bytes of a format's tasks, in the gateway's words; "" for a format
// that has none.
func (c *Client) ContentPath(format, id string) string {
	f, ok := c.byName[format]
	if !ok {
		return ""
	}
	req, _ := c.paths.content(f, id)
	return req.Path
}

// CreatePath is the path of a format's creates, in the gateway's words; "" where that is not known.
func (c *Client) CreatePath(format string) string {
	f, ok := c.byName[format]
	if !ok {
		return ""
	}
	req, _, err := f.EncodeCreate(Draft{Model: sentinel, Prompt: "x"})
	if err != nil {
		return ""
	}
	if req, _, err = c.paths.create(f, "", req); err != nil {
		return ""
	}
	return req.Path
}
