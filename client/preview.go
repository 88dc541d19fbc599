package client

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"darkroom/client/human"
	"darkroom/client/sniff"
	"darkroom/client/text"
)

// Preview returns the create that [Client.Create] would send, without sending it: local files and
// long data URIs are abbreviated, but Bytes counts them in full. Of files only the sizes are read.
func (c *Client) Preview(d Draft, format string) (Preview, error) {
	f, req, more, err := c.outline(d, format)
	if err != nil {
		return Preview{}, err
	}
	var body bytes.Buffer
	if err := json.Indent(&body, req.Body, "", "  "); err != nil {
		return Preview{}, fmt.Errorf("the %s format made no JSON: %w", f.Label(), err)
	}
	p := Preview{
		Format: f.Name(), Label: f.Label(), Method: req.Method, Path: req.Path,
		Body: body.Bytes(), Bytes: len(req.Body) + int(more), Dropped: req.dropped,
		Dialect: c.opts.Dialect.Name,
	}
	if req.configured {
		p.Notes = append(p.Notes, "the path is configured, not documented")
	}
	if err := c.ReadOnly(); err != nil {
		p.Notes = append(p.Notes, err.Error())
	}
	if err := reserved(f); err != nil {
		note := err.Error()
		if c.opts.Insist {
			note = f.Label() + " serves no real calls; it is tried all the same, as you insist"
		}
		p.Notes = append(p.Notes, note)
	}
	return p, nil
}

// Outline returns the body that [Client.Create] would send byte for byte, but for local files and
// long data URIs, which are abbreviated as in a Preview; see [Abbreviated].
func (c *Client) Outline(d Draft, format string) ([]byte, error) {
	_, req, _, err := c.outline(d, format)
	return req.Body, err
}

// outline is the request of a draft with files abbreviated, and how many bytes that hides.
func (c *Client) outline(d Draft, format string) (f Format, req outgoing, more int64, err error) {
	if f, err = c.format(format); err != nil {
		return nil, req, 0, err
	}
	d, err = mapFiles(context.Background(), d, func(path string) (string, error) {
		size, err := statMedia(path)
		if err != nil {
			return "", err
		}
		mt := sniff.Name(path).MediaType
		s := fmt.Sprintf("data:%s;base64,…(%s, %s)", mt, filepath.Base(path), human.Bytes(size))
		more += int64(len("data:"+mt+";base64,")+base64.StdEncoding.EncodedLen(int(size))) - jsonLen(s)
		return s, nil
	})
	if err != nil {
		return nil, req, 0, err
	}
	d.Values = abbreviate(d.Values, &more)
	req, err = c.request(f, d)
	return f, req, more, err
}

// abbreviated matches what stands in an outline for a file.
var abbreviated = text.Pattern(`"data:[^",\\]{0,128},[^"\\]{0,12}…\((?:[^"\\]|\\.){1,400}\)"`)

// Abbreviated is how many files an outline has the abbreviations of.
func Abbreviated(outline []byte) int { return len(abbreviated().FindAllIndex(outline, -1)) }

// Body returns the whole body that [Client.Create] would send: local files are read. For its length
// alone, Preview is enough.
func (c *Client) Body(ctx context.Context, d Draft, format string) ([]byte, error) {
	_, req, err := c.encode(ctx, d, format, inlineFiles)
	return req.Body, err
}

func jsonLen(s string) int64 {
	b, err := json.Marshal(s)
	if err != nil {
		return int64(len(s))
	}
	return int64(len(b) - 2)
}

const longURI = 256

// abbreviate shortens long data URIs and adds the bytes it removed to more.
func abbreviate(v Values, more *int64) Values {
	if v == nil {
		return nil
	}
	out := make(Values, len(v))
	for k, x := range v {
		out[k] = shorten(x, more)
	}
	return out
}

func shorten(v any, more *int64) any {
	switch t := v.(type) {
	case string:
		if len(t) <= longURI || !strings.HasPrefix(t, "data:") {
			return t
		}
		head, data, _ := strings.Cut(t[:longURI], ",")
		s := fmt.Sprintf("%s,%s…(%s)", head, data[:min(len(data), 12)], human.Bytes(int64(len(t))))
		*more += int64(len(t)) - jsonLen(s)
		return s
	case []any:
		out := make([]any, len(t))
		for i := range t {
			out[i] = shorten(t[i], more)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(t))
		for k, x := range t {
			out[k] = shorten(x, more)
		}
		return out
	default:
		return v
	}
}
