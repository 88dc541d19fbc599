package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
	"darkroom/client/kept"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // goldens show local times
	os.Exit(m.Run())
}

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// gateway answers with what it was given.
type gateway struct {
	mu   sync.Mutex
	list client.ModelList
	err  error
	hold chan struct{} // when set, answers wait for it or for the end of the context
	ctxs []context.Context
}

func (g *gateway) Models(ctx context.Context) (client.ModelList, error) {
	g.mu.Lock()
	g.ctxs = append(g.ctxs, ctx)
	hold, list, err := g.hold, g.list, g.err
	g.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
			return client.ModelList{}, ctx.Err()
		}
	}
	return list, err
}

func (g *gateway) set(list client.ModelList, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.list, g.err = list, err
}

func (g *gateway) asked() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.ctxs)
}

// drafts is what a person composes.
type drafts struct {
	kept map[client.Modality]screen.ComposeDraft
	err  error
}

func (d *drafts) Load(m client.Modality) (kept.Draft, bool, error) {
	x, ok := d.kept[m]
	return kept.Draft(x), ok, d.err
}

// marks keeps stars in memory.
type marks struct {
	mu    sync.Mutex
	stars []string
	err   error
}

func (k *marks) Load() (kept.Marks, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return kept.Marks{Stars: slices.Clone(k.stars)}, k.err
}

func (k *marks) Star(model string, on bool) (kept.Marks, error) {
	k.mu.Lock()
	if k.err == nil {
		k.stars = slices.DeleteFunc(k.stars, func(s string) bool { return s == model })
		if on {
			k.stars = append(k.stars, model)
		}
	}
	k.mu.Unlock()
	return k.Load()
}

const (
	native = "GET /v1beta/models"
	guess  = "GET /v1/models"
)

// lists are two lists that answered with so many models.
func lists(a, b int) []client.ModelSource {
	return []client.ModelSource{
		{Name: "v1beta", Path: native, Count: a, Meta: client.Meta{Latency: 12 * time.Millisecond}},
		{Name: "v1", Path: guess, Guess: true, Count: b, Meta: client.Meta{Latency: 7 * time.Millisecond}},
	}
}

func both(id string) client.RemoteModel {
	return client.RemoteModel{ID: id, Origins: []string{"v1beta", "v1"}}
}

// offered is a gateway that lacks famB and famH, and has three models of its own.
func offered(t testing.TB) client.ModelList {
	t.Helper()
	l := client.ModelList{Sources: lists(50, 53)}
	for _, x := range catalogtest.Catalog(t).Models("") {
		if x.Family != "famB" && x.Family != "famH" {
			l.Models = append(l.Models, both(x.ID))
		}
	}
	l.Models[0].Version, l.Models[0].DisplayName, l.Models[0].Description = "3", "Family A, third", "Makes short videos from text, images and references."
	l.Models[0].Methods, l.Models[0].InputLimit, l.Models[0].OutputLimit = []string{"predictLongRunning"}, 480, 8192
	l.Models = append(l.Models,
		client.RemoteModel{ID: "talker-4-mini", Origins: []string{"v1"}, Owner: "somebody", Methods: []string{"openai"}},
		client.RemoteModel{ID: "famA4", DisplayName: "Family A, fourth", Origins: []string{"v1beta"}},
		client.RemoteModel{ID: "Talker-4", Origins: []string{"v1"}, Owner: "somebody"})
	return l
}

func refusal(path string, status int, code, message string) error {
	return &client.APIError{HTTPStatus: status, Code: code, Message: message, Method: "GET", Path: path[len("GET "):]}
}

// failing are both lists with one kind of failure.
func failing(make func(path string) error) (client.ModelList, error) {
	l := client.ModelList{Sources: lists(0, 0)}
	for i := range l.Sources {
		s := &l.Sources[i]
		s.Err, s.Meta = make(s.Path), client.Meta{}
	}
	return l, l.Sources[0].Err
}

func refused() (client.ModelList, error) {
	return failing(func(p string) error { return refusal(p, 401, "invalid_api_key", "the key is not valid") })
}

func offline() (client.ModelList, error) {
	return failing(func(p string) error { return fmt.Errorf("%s: dial tcp 127.0.0.1:9: connect: connection refused", p) })
}

// halfway is a list that answered, and a guess that is served by something else.
func halfway(t testing.TB) client.ModelList {
	l := offered(t)
	l.Sources[1].Err, l.Sources[1].Count = errors.New(guess+": HTTP 200, but the answer was not understood: not JSON"), 0
	return l
}

// bench is a screen with all that is around it.
type bench struct {
	*tuitest.Driver
	m  *Model
	gw *gateway
	d  *drafts
	k  *marks
}

func newModel(t testing.TB) (*Model, *gateway, *drafts) {
	t.Helper()
	g, d := &gateway{}, &drafts{kept: map[client.Modality]screen.ComposeDraft{}}
	return New(Deps{Catalog: catalogtest.Catalog(t), Gateway: g, Drafts: d, Keys: keys.New(screen.Rows(Commands())), Styles: tuitest.Styles(t),
		Now: func() time.Time { return now }}), g, d
}

// start is a screen whose gateway has been asked once, and that keeps stars.
func start(t testing.TB, w, h int, list client.ModelList, err error) *bench {
	t.Helper()
	m, g, d := newModel(t)
	k := &marks{}
	m.stars.marks = k
	g.set(list, err)
	return &bench{Driver: tuitest.NewScreen(t, m, w, h), m: m, gw: g, d: d, k: k}
}

// goTo puts the cursor on a model.
func (b *bench) goTo(id string) {
	b.Key("/", "ctrl+u")
	b.Type(id)
	b.Key("enter")
}
