package planted

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
	"darkroom/client/sandbox"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/judge"
	"darkroom/jobs/compare/plan"
	"darkroom/jobs/compare/run"
	"darkroom/jobs/compare/suite"
	"darkroom/jobs/download"
	"darkroom/jobs/store/storetest"
)

const key = "sk-planted"

// wire carries requests to a gateway in memory. They are under way for 30 to 80 ms, which depends on
// what is asked for alone.
type wire struct {
	to   http.Handler
	seed uint64
}

func (w wire) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	in := r.Clone(r.Context())
	in.Host, in.RequestURI, in.RemoteAddr = r.URL.Host, r.URL.RequestURI(), "192.0.2.1:1"
	var body []byte
	if r.Body != nil {
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		_ = r.Body.Close()
	}
	in.Body = io.NopCloser(bytes.NewReader(body))
	if err := wait(r.Context(), w.delay(body)); err != nil {
		return nil, err
	}
	rec := httptest.NewRecorder()
	w.to.ServeHTTP(rec, in)
	resp = rec.Result()
	resp.Request = r
	return resp, nil
}

// delay depends on the request, but not on the name that the engine gives its task.
func (w wire) delay(body []byte) time.Duration {
	var asked map[string]any
	_ = json.Unmarshal(body, &asked) // of a query there is nothing
	delete(asked, client.FieldExternalTaskID)
	h := fnv.New32a()
	_, _ = fmt.Fprint(h, w.seed, asked)
	return time.Duration(30+h.Sum32()>>8%50) * time.Millisecond
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// setup is what one run is made with.
type setup struct {
	suite string // YAML
	rules string // of the gateway
	seed  uint64
	// saves has results brought to the disk and looked into.
	saves bool
	// order changes the plan's, nil for none.
	order func([]compare.Slot)
}

// previews answers what the plan asks of a gateway.
type previews struct {
	*client.Client
	catalog *catalog.Catalog
}

func (p previews) FormatsFor(d client.Draft) []string {
	m, _ := p.catalog.ModelFor(d.Modality, d.Model)
	return slices.DeleteFunc(slices.Clone(m.Formats), func(f string) bool { return p.CanCreate(f) != nil })
}

// compared plans a suite, sends all of it to the embedded gateway and returns the run as it was kept. It must
// run in virtual time.
func (s setup) compared(t *testing.T, cat *catalog.Catalog) compare.Run {
	t.Helper()
	gate, err := sandbox.New(sandbox.Options{Key: key, Catalog: cat, Timing: sandbox.Real, Fault: s.rules, Seed: int64(s.seed)})
	require.NoError(t, err)
	c, err := client.New(client.Options{
		BaseURL: "http://gateway.test", Key: func() (string, error) { return key, nil }, Formats: formats.All(),
		WireNames: cat.WireNames, ModelLists: formats.ModelLists(), Transport: wire{gate, s.seed},
	})
	require.NoError(t, err)
	o := jobs.Options{
		Store: storetest.NewMem(), Gateway: c, Profile: "planted", FormatFor: cat.DraftFormat, RoutesFor: cat.Routes,
		RequestBody: c.Outline, Look: time.Minute, Rand: func() float64 { return 0.5 },
		CarriesExternalID: func(string) bool { return true },
	}
	if s.saves {
		o.AutoDownload = true
		o.Saver, err = download.New(download.Options{Dir: t.TempDir(), Source: c, MinFree: -1, MinRate: -1, NoSidecar: true})
		require.NoError(t, err)
	}
	engine := jobs.NewEngine(o)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- engine.Run(ctx) }()

	planned := s.plan(t, cat, previews{c, cat})
	j := judge.New(judge.Options{})
	b := run.New(run.Options{Dir: t.TempDir(), Jobs: desk{engine}, Profile: "planted", Judge: j.Trial, Finish: j.Run})
	id, err := b.Start(ctx, planned)
	require.NoError(t, err)
	require.NoError(t, b.Wait(ctx, id))
	r, err := b.Load(ctx, id)
	require.NoError(t, err)
	b.Close()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		require.NoError(t, err)
	}
	require.NoError(t, gate.Close())
	return r
}

func (s setup) plan(t *testing.T, cat *catalog.Catalog, g previews) compare.Run {
	t.Helper()
	read, err := suite.Parse("planted.yaml", []byte(s.suite))
	require.NoError(t, err)
	planned, _, err := plan.Make(plan.Input{Suite: read, Catalog: cat, Gateway: g, Profile: "planted", Host: "gateway.test", Seed: s.seed, Now: time.Now()})
	require.NoError(t, err)
	for i := range planned.Cells {
		require.Empty(t, planned.Cells[i].Cannot)
	}
	if s.order != nil {
		s.order(planned.Order)
	}
	return planned
}

// desk is an engine as a bench needs it.
type desk struct{ *jobs.Engine }

func (desk) Want(...string) {}

func (d desk) Watch() <-chan struct{} { return jobs.Watch(d.Engine) }

func (d desk) Judge(_ context.Context, j jobs.Job) (jobs.Job, error) { return d.Engine.Judge(j), nil }
