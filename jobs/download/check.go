package download

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"darkroom/client"
	"darkroom/client/sniff"
	"darkroom/client/text"
	"darkroom/jobs"
)

// fault makes an error for which the place that was asked is to blame, and names that place.
func (g *grab) fault(f jobs.SaveFault, err error) error {
	if g.from != "" {
		err = fmt.Errorf("GET %s: %w", g.from, err)
	}
	return fault(f, err)
}

// place returns where an asset was asked for, after redirects, as FileRequest.Tried has it.
func place(a client.Asset, m *client.Media, err error) string {
	at := a.URL
	if a.Content || at == "" {
		at = "the content path"
	}
	if open, ok := errors.AsType[*client.OpenError](err); ok {
		at = open.URL
	} else if api, ok := errors.AsType[*client.APIError](err); ok && api.Path != "" {
		at = api.Path
	} else if m != nil && m.FinalURL != "" {
		at = m.FinalURL
	}
	if u, err := url.Parse(at); err == nil && (u.Host != "" || strings.HasPrefix(at, "/")) {
		at = u.Host + u.EscapedPath()
	}
	return client.CleanLine(at)
}

// both joins the failure of an asset's own address with that of the fallback. If the first is
// permanent, the asset is tried again only if the second may still have it.
func both(first, second error) error {
	if first == nil || first.Error() == second.Error() {
		return second
	}
	f := jobs.SaveTemporary
	if se, ok := errors.AsType[*jobs.SaveError](first); ok {
		f = se.Fault
	}
	if f == jobs.SavePermanent && isFault(second, jobs.SaveTemporary) && passing(second) {
		f = jobs.SaveTemporary
	}
	return fault(f, fmt.Errorf("%w; %w", first, second))
}

// passing reports a failure of a place that exists and only cannot answer now. A path that a
// gateway does not have answers with all kinds of errors, 500 among them.
func passing(err error) bool {
	api, ok := errors.AsType[*client.APIError](err)
	return !ok || api.HTTPStatus != http.StatusInternalServerError && api.HTTPStatus != http.StatusNotImplemented
}

// limitError says that a file is larger than allowed, wherever it comes from.
type limitError struct{ what string }

func (e *limitError) Error() string { return e.what }

func tooLarge(what string, limit int64) error {
	return &limitError{fmt.Sprintf("%s, the limit is %s (max_download in the settings)", what, size(limit))}
}

// check looks at the first bytes.
func (g *grab) check(m *client.Media) error {
	if len(g.head) == 0 {
		g.state = partState{} // there is nothing to go on with
		return g.fault(jobs.SaveTemporary, errors.New("the server sent nothing"))
	}
	t, ok := fits(g.r.Asset.Kind, sniff.Bytes(g.head))
	g.typ = t
	switch {
	case ok:
		return nil
	case t.Class == sniff.Text:
		err := fmt.Errorf("the server sent text instead of the %s", g.r.Asset.Kind)
		if m.Quote != nil {
			err = fmt.Errorf("%w: %s", err, words(m.Quote(g.head)))
		} else if m.Total >= 0 {
			err = fmt.Errorf("%w (%s)", err, size(m.Total))
		}
		return g.fault(jobs.SaveExpired, err)
	default:
		return g.fault(jobs.SavePermanent, fmt.Errorf("the server sent %s instead of the %s (it said %q)",
			t.MediaType, g.r.Asset.Kind, client.CleanLine(m.MediaType)))
	}
}

// words returns what a page, an error in JSON or a plain text says.
func words(head []byte) string {
	const shown = 200
	if e, ok := client.ErrorIn(head); ok && e.Message != "" {
		return text.Head(client.CleanLine(strings.TrimSpace(e.Code+" "+e.Message)), shown)
	}
	return client.CleanLine(text.Head(string(head), shown))
}

// complete judges what came, once no more will come.
func (g *grab) complete(m *client.Media) error {
	if m.Total >= 0 && g.done != m.Total {
		return g.fault(jobs.SaveTemporary, fmt.Errorf("it ended after %d of %d bytes", g.done, m.Total))
	}
	if m.Total < 0 {
		if err := brokenOff(g.file, g.done); err != nil {
			g.state = partState{} // where a whole one would go on is not known
			return g.fault(jobs.SaveTemporary, err)
		}
	}
	return g.notBlank()
}

// notBlank refuses a file of nothing but zeros, as served by a store that has lost the bytes, or
// has only reserved the room for them. No format of media is like that.
func (g *grab) notBlank() error {
	if !blank(g.head) {
		return nil
	}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for at := int64(len(g.head)); at < g.done; {
		n, err := g.file.ReadAt(*buf, at)
		if !blank((*buf)[:n]) {
			return nil
		}
		if err != nil && err != io.EOF {
			return diskFault(err)
		}
		if n == 0 {
			break
		}
		at += int64(n)
	}
	g.state = partState{} // no later try may go on with these bytes
	f := jobs.SaveTemporary
	if len(g.r.Asset.Inline) > 0 {
		f = jobs.SavePermanent // nobody has others
	}
	return g.fault(f, fmt.Errorf("the server sent %s that are all zero instead of the %s", size(g.done), g.r.Asset.Kind))
}

func blank(p []byte) bool {
	for _, b := range p {
		if b != 0 {
			return false
		}
	}
	return true
}
