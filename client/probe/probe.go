package probe

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/dialect"
)

// perRequest bounds one request.
const perRequest = 20 * time.Second

// Candidate is a dialect whose words are tried where the gateway does not have the usual ones.
type Candidate struct {
	Name string
	File dialect.File
}

// Options of a probe.
type Options struct {
	Client  *client.Client
	Catalog *catalog.Catalog
	// Base is the dialect in use, which the proposal adds to.
	Base       dialect.File
	Candidates []Candidate
}

// Run asks the gateway, one request after the other, at the client's pace. It calls on with each
// row as it is known. An error means that the gateway could not be asked, or that it refuses the
// key (an *APIError with status 401 or 403); the report holds what was found by then.
func Run(ctx context.Context, o Options, on func(Row)) (Report, error) {
	p := &prober{o: o, on: on, id: "darkroom-probe-" + strings.ToLower(rand.Text()), controls: map[string]string{}}
	p.Proposal = o.Base
	p.Rows = []Row{}
	offered, err := p.lists(ctx)
	if err != nil {
		return p.Report, err
	}
	for _, f := range o.Client.Formats() {
		if _, reserved := f.(client.Reserved); reserved {
			continue
		}
		if err := p.format(ctx, f); err != nil {
			return p.Report, err
		}
	}
	p.evenly()
	p.models(offered)
	p.rest()
	return p.Report, nil
}

// prober is one probe.
type prober struct {
	Report
	o  Options
	on func(Row)
	id string
	// controls are the answers about paths that surely do not exist, by their first segment.
	controls map[string]string
	same     int // query paths that are answered as those are
	queries  int
	// confirmed are the candidates of which a word was found, by name.
	confirmed []string
}

func (p *prober) tell(r Row) {
	p.Rows = append(p.Rows, r)
	if p.on != nil {
		p.on(r)
	}
}

// lists asks the lists of models. The names are the gateway's own.
func (p *prober) lists(ctx context.Context) (offered []client.RemoteModel, err error) {
	list, err := p.o.Client.Models(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	answered := 0
	for _, s := range list.Sources {
		_, path, _ := strings.Cut(s.Path, " ")
		r := Row{What: List, Path: path, HTTP: s.Meta.HTTPStatus, Verdict: There, Said: fmt.Sprintf("%d models", s.Count)}
		if s.Err != nil {
			r.Verdict, r.Said = Unclear, s.Error
			api, told := errors.AsType[*client.APIError](s.Err)
			switch {
			case !told:
			case api.HTTPStatus == http.StatusUnauthorized, api.HTTPStatus == http.StatusForbidden:
				r.Verdict = Refused
			case api.HTTPStatus == http.StatusNotFound, api.HTTPStatus < 300:
				r.Verdict = Absent
			}
			if told {
				r.HTTP, r.Said = api.HTTPStatus, api.Message
			}
		} else {
			answered++
		}
		p.tell(r)
	}
	if answered == 0 {
		if api, told := errors.AsType[*client.APIError](err); !told || api.HTTPStatus == http.StatusUnauthorized || api.HTTPStatus == http.StatusForbidden {
			return nil, err
		}
		p.Notes = append(p.Notes, "no list of models answered: which models the gateway offers is not known")
		return nil, nil
	}
	return list.Models, nil
}

// format asks about the paths of one format.
func (p *prober) format(ctx context.Context, f client.Format) error {
	if _, path, ok := strings.Cut(p.o.Client.QueryPath(f.Name(), client.IDPlaceholder), " "); ok {
		path = strings.ReplaceAll(path, client.PathSegment(client.IDPlaceholder), client.IDPlaceholder)
		r, err := p.ask(ctx, Row{What: Query, Format: f.Name(), Path: path})
		if err != nil {
			return err
		}
		p.queries++
		p.tell(r)
		if r.Verdict == Absent {
			if err := p.others(ctx, r); err != nil {
				return err
			}
		}
	}
	if path := p.o.Client.ContentPath(f.Name(), client.IDPlaceholder); path != "" {
		r, err := p.ask(ctx, Row{What: Content, Format: f.Name(), Path: strings.ReplaceAll(path, client.PathSegment(client.IDPlaceholder), client.IDPlaceholder)})
		if err != nil {
			return err
		}
		p.tell(r)
	}
	if path := p.o.Client.CreatePath(f.Name()); path != "" && len(f.Modalities()) > 0 {
		p.tell(Row{What: Create, Format: f.Name(), Path: path, Verdict: NotAsked, Said: "only a create would tell, and nothing is created"})
	}
	return nil
}

// others tries the words of the candidates for a path that is absent.
func (p *prober) others(ctx context.Context, absent Row) error {
	tried := []string{absent.Path}
	for _, c := range p.o.Candidates {
		r := absent
		r.Path, r.Dialect = c.File.Paths[absent.Format].Query, c.Name
		if r.Path == "" {
			r.Path = inWords(absent.Path, c.File.Segments)
		}
		if slices.Contains(tried, r.Path) {
			continue
		}
		tried = append(tried, r.Path)
		r, err := p.ask(ctx, r)
		if err != nil {
			return err
		}
		p.tell(r)
		if r.Verdict == There {
			p.confirm(c, absent)
			return nil
		}
	}
	return nil
}

func inWords(path string, words map[string]string) string {
	parts := strings.Split(path, "/")
	for i, s := range parts {
		if w := words[s]; w != "" {
			parts[i] = w
		}
	}
	return strings.Join(parts, "/")
}

// ask sends one GET about a path and judges the answer.
func (p *prober) ask(ctx context.Context, r Row) (Row, error) {
	a, err := p.get(ctx, strings.ReplaceAll(r.Path, client.IDPlaceholder, p.id))
	if err != nil {
		return r, err
	}
	r.HTTP, r.Said = a.StatusCode, a.message
	switch {
	case a.StatusCode == http.StatusUnauthorized || a.StatusCode == http.StatusForbidden:
		r.Verdict = Refused
	case a.page || a.StatusCode >= 300 && a.StatusCode < 400:
		r.Verdict = Absent
	case a.StatusCode == http.StatusMethodNotAllowed:
		r.Verdict = There
	case a.StatusCode == http.StatusTooManyRequests || a.StatusCode >= 500:
		r.Verdict = Unclear
	case a.StatusCode < 300:
		r.Verdict = There
	default:
		control, err := p.control(ctx, r.Path)
		if err != nil {
			return r, err
		}
		r.Verdict = There
		if control == a.signature(p.id, r.Path) {
			r.Verdict = Absent
			if r.What == Query && r.Dialect == "" {
				p.same++
			}
		}
	}
	return r, nil
}

// control is the gateway's answer about a neighbouring path that surely does not exist.
func (p *prober) control(ctx context.Context, path string) (string, error) {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if said, ok := p.controls[first]; ok {
		return said, nil
	}
	made := "/" + first + "/" + p.id + "-path/" + p.id
	a, err := p.get(ctx, made)
	if err != nil {
		return "", err
	}
	said := a.signature(p.id, made)
	if a.page {
		said = "a page"
	}
	p.controls[first] = said
	return said, nil
}

// said is the part of an answer that matters here.
type said struct {
	client.RawAnswer
	page          bool
	code, message string
}

func (p *prober) get(ctx context.Context, path string) (said, error) {
	ctx, cancel := context.WithTimeout(ctx, perRequest)
	defer cancel()
	raw, err := p.o.Client.Raw(ctx, http.MethodGet, path, nil)
	if err != nil {
		return said{}, err
	}
	r := client.Response{StatusCode: raw.StatusCode, Header: raw.Header, Body: raw.Body}
	e := client.ParseError(r, http.MethodGet, path, time.Time{})
	return said{RawAnswer: raw, page: client.IsWebPage(r), code: e.Code, message: e.Message}, nil
}

// signature is an answer without the parts that differ from path to path.
func (a said) signature(id, path string) string {
	text := strings.ReplaceAll(a.message, strings.ReplaceAll(path, client.IDPlaceholder, id), "PATH")
	return fmt.Sprintf("%d %s %s", a.StatusCode, a.code, strings.ReplaceAll(text, id, "ID"))
}

// evenly withdraws verdicts where a gateway answers the same about a path that does not exist and a
// task that does not: then the answer proves nothing.
func (p *prober) evenly() {
	if p.queries == 0 || p.same < p.queries {
		return
	}
	for i, r := range p.Rows {
		if r.Verdict == Absent && r.What != List {
			p.Rows[i].Verdict = Unclear
		}
	}
	p.Notes = append(p.Notes, "the gateway answers the same for a path that it does not have and for a task that it does not know: which paths exist cannot be told")
}
