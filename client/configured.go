package client

import (
	"context"
	"fmt"
	"strings"
)

// Configurable is what a format implements whose create endpoint is not shown in the
// interface (GATEWAY: Endpoints, rules 4 and 6): the person names one in the profile,
// and [Options.CreatePaths] brings it here. EncodeCreate of such a format leaves
// Request.Path empty.
type Configurable interface {
	// CreatePath is the path to use where the profile names none; "" for none.
	CreatePath() string
}

// Reserved is what a format implements whose paths the gateway does not serve (GATEWAY:
// Endpoints, rule 2). A create is refused with the reason, unless the person insists.
type Reserved interface {
	// Refusal says why, and which path to use instead.
	Refusal() string
}

type insistKey struct{}

// Insist returns a context in which a create through a [Reserved] format is sent.
func Insist(ctx context.Context) context.Context {
	return context.WithValue(ctx, insistKey{}, true)
}

func (c *Client) insists(ctx context.Context) bool {
	v, _ := ctx.Value(insistKey{}).(bool)
	return v || c.opts.Insist
}

// reserved is the refusal of a format that is not served, nil for others.
func reserved(f Format) error {
	if r, ok := f.(Reserved); ok {
		return fmt.Errorf("%s is not sent: %s", f.Label(), r.Refusal())
	}
	return nil
}

// createPath is where a create goes: to the path that the profile names, else to the
// dialect's, else to the format's own in the dialect's words. The bool says that the
// interface does not show one, so that it is configured.
func (c *Client) createPath(f Format, d Draft, req Request) (Request, bool, error) {
	conf, open := f.(Configurable)
	path := ""
	if open {
		path = c.opts.CreatePaths[f.Name()]
	}
	if path == "" {
		path = c.words[f.Name()].create
	}
	if path == "" && open {
		path = conf.CreatePath()
	}
	switch {
	case path != "":
		req.Path = path
	case open:
		return req, false, fmt.Errorf("%s: the create endpoint of this format is not shown in the interface; "+
			"name one in the profile (create_paths.%s)", f.Label(), f.Name())
	default:
		req.Path = c.opts.Dialect.path(req.Path, d.Model)
	}
	return req, open, nil
}

// CanCreate says whether a format can create as this client is set up; the error tells
// what is missing, as Create and Preview would.
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
	_, _, err = c.createPath(f, Draft{}, Request{})
	return err
}

// checkPaths refuses configured paths that lead nowhere.
func (c *Client) checkPaths() error {
	for name, path := range c.opts.CreatePaths {
		f, err := c.format(name)
		if err != nil {
			return fmt.Errorf("client: create_paths: %w", err)
		}
		if _, ok := f.(Configurable); !ok {
			return fmt.Errorf("client: create_paths.%s: the create endpoint of this format is documented and is not configured", name)
		}
		if _, err := c.link.Resolve(path); err != nil || strings.HasPrefix(path, "//") || strings.ContainsAny(path, " \t\r\n#") {
			return fmt.Errorf("client: create_paths.%s: %q is not a path of the gateway: it begins with one /", name, CleanLine(path))
		}
	}
	return nil
}
