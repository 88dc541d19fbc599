package client

import (
	"context"
	"errors"
	"net/http"
	"slices"
)

// maxModelPages bounds how many pages of one list are read.
const maxModelPages = 20

// RemoteModel is one model in a list of the gateway.
type RemoteModel struct {
	// ID is the name to use in requests: without the "models/" that some lists put before it.
	ID string `json:"id"`
	// GatewayName is the list's name for the model where the dialect translates it; "" where that
	// is ID.
	GatewayName string `json:"gateway_name,omitempty"`
	DisplayName string `json:"display_name,omitempty"`
	Description string `json:"description,omitempty"`
	Version     string `json:"version,omitempty"`
	Owner       string `json:"owner,omitempty"`
	// Methods are supportedGenerationMethods, or the endpoint types of the other list.
	Methods     []string `json:"methods,omitempty"`
	InputLimit  int64    `json:"input_token_limit,omitempty"`  // tokens, 0 when not told
	OutputLimit int64    `json:"output_token_limit,omitempty"` // tokens, 0 when not told
	// Origins are the names of the lists that have it.
	Origins []string `json:"origins,omitempty"`
}

// ModelLister is the codec of one model list, without I/O.
type ModelLister interface {
	// Name is the stable identifier, as "v1beta".
	Name() string
	// Label is for people; it says when the path is a guess.
	Label() string
	// Guess says that the interface does not show the path.
	Guess() bool
	// Request asks for a page; page is "" for the first.
	Request(page string) Request
	// Decode reads a 2xx answer; next is the following page, "" for none.
	Decode(r Response) (models []RemoteModel, next string, err error)
}

// ModelSource is how one list answered.
type ModelSource struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Path  string `json:"path"` // method and path
	Guess bool   `json:"guess,omitempty"`
	Count int    `json:"count"`
	Meta  Meta   `json:"meta,omitzero"`
	Err   error  `json:"-"`
	Error string `json:"error,omitempty"`
}

// ModelList is the answers of all lists, joined by the model's name.
type ModelList struct {
	// Models in the order of the lists, each once.
	Models  []RemoteModel `json:"models"`
	Sources []ModelSource `json:"sources"`
}

// Models asks every model list (GATEWAY: Model list, and rule 7 of Endpoints) and joins the
// answers. It fails only when no list answered: with the error of a list whose path the interface
// shows, if there is one.
func (c *Client) Models(ctx context.Context) (ModelList, error) {
	out := ModelList{Models: []RemoteModel{}}
	if len(c.opts.ModelLists) == 0 {
		return out, errors.New("client: no model list is set up")
	}
	index := map[string]int{}
	var shown, guessed error
	answered := false
	for _, l := range c.opts.ModelLists {
		src := c.listModels(ctx, l, &out, index)
		out.Sources = append(out.Sources, src)
		switch {
		case src.Err == nil:
			answered = true
		case l.Guess():
			guessed = errors.Join(guessed, src.Err)
		default:
			shown = errors.Join(shown, src.Err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if answered {
		return out, nil
	}
	if shown == nil {
		shown = guessed
	}
	return out, shown
}

func (c *Client) listModels(ctx context.Context, l ModelLister, out *ModelList, index map[string]int) ModelSource {
	src := ModelSource{Name: l.Name(), Label: l.Label(), Path: pathOf(l.Request("")), Guess: l.Guess()}
	seen := map[string]bool{}
	for page, n := "", 0; n < maxModelPages; n++ {
		req := l.Request(page)
		req.Method = http.MethodGet
		ans, err := c.get(ctx, req, QueryMaxBody)
		src.Meta = ans.meta
		var models []RemoteModel
		if err == nil {
			models, page, err = l.Decode(ans.Response)
		}
		if err != nil {
			src.Err, src.Error = err, CleanLine(err.Error())
			return src
		}
		for _, m := range models {
			if seen[m.ID] {
				continue
			}
			seen[m.ID] = true
			src.Count++
			for _, m := range c.opts.Dialect.offered(m) {
				join(out, index, m, l.Name())
			}
		}
		if page == "" {
			break
		}
	}
	return src
}

// offered is a listed model under each of the catalog's names for it; unchanged where the dialect
// has none.
func (d Dialect) offered(m RemoteModel) []RemoteModel {
	ids := d.CatalogModels(m.ID)
	if len(ids) == 0 {
		return []RemoteModel{m}
	}
	out := make([]RemoteModel, 0, len(ids))
	for _, id := range ids {
		same := m
		same.ID, same.GatewayName = id, m.ID
		out = append(out, same)
	}
	return out
}

// join adds a model, or what a further list says about one that is there.
func join(out *ModelList, index map[string]int, m RemoteModel, origin string) {
	i, ok := index[m.ID]
	if !ok {
		m.Origins = []string{origin}
		index[m.ID] = len(out.Models)
		out.Models = append(out.Models, m)
		return
	}
	have := &out.Models[i]
	if !slices.Contains(have.Origins, origin) { // a list may have several names for one
		have.Origins = append(have.Origins, origin)
	}
	fill := func(to *string, from string) {
		if *to == "" {
			*to = from
		}
	}
	fill(&have.GatewayName, m.GatewayName)
	fill(&have.DisplayName, m.DisplayName)
	fill(&have.Description, m.Description)
	fill(&have.Version, m.Version)
	fill(&have.Owner, m.Owner)
	if len(have.Methods) == 0 {
		have.Methods = m.Methods
	}
	have.InputLimit = max(have.InputLimit, m.InputLimit)
	have.OutputLimit = max(have.OutputLimit, m.OutputLimit)
}
