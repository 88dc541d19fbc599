// Package lookup asks what is known about ids: first the history on this machine, then the query
// routes that are likely to know them, and the others only if none of these does.
package lookup

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/schedule"
)

// Gateway is the part of the client that is needed here; the client keeps the host's pace.
type Gateway interface {
	Lookup(ctx context.Context, id string, formats ...string) []client.RouteResult
	// Guess orders the formats by how likely they own an id. It does no I/O.
	Guess(id string) []string
}

// History is the part of the history that is needed here.
type History interface {
	Get(ctx context.Context, id string) (jobs.Job, error)
	List(ctx context.Context, q jobs.Query) (jobs.Page, error)
	Detail(ctx context.Context, id string) (jobs.Detail, error)
}

// Planner is what a History may implement, to tell how long tasks like a job's take: see
// [jobs.Engine.PlanOf].
type Planner interface {
	PlanOf(j *jobs.Job) *schedule.Plan
}

// planOf is what a history knows of how long tasks like a job's take; nil for nothing.
func planOf(h History, j *jobs.Job) *schedule.Plan {
	if p, is := h.(Planner); is && j != nil {
		return p.PlanOf(j)
	}
	return nil
}

// Desk looks ids up at one gateway.
type Desk struct {
	Gateway Gateway
	// History is nil where there is none.
	History History
	// Profile is the one whose gateway is asked: not about jobs of others.
	Profile string
	// Only are the formats that are asked, empty for all.
	Only []string
	// Routes returns the formats that may know the tasks of a model, likely ones first; nil if
	// nobody knows.
	Routes func(model string) []string
	// Check asks the address of a result; nil to ask none.
	Check func(ctx context.Context, address string) inspect.ResultCheck
	// Slots is how many ids are looked up at once, 0 for six.
	Slots int
}

// Result is what came of one subject.
type Result struct {
	Subject inspect.Subject
	// Asked is the id that the gateway was asked about, "" if it was not asked.
	Asked    string
	Findings inspect.Findings
	// Checks has what the first addresses of its results answered, see [Desk].Check.
	Checks []inspect.ResultCheck
	// Err says why nobody was asked, HistoryErr why the history was not.
	Err, HistoryErr error
}

// Why nobody was asked.
var (
	ErrNoTask  = errors.New("the job has no task to ask for")
	ErrProfile = errors.New("the job is of another profile")
	ErrRequest = errors.New("no job of the history has a request with this id, and a gateway cannot be asked by it")
	ErrResult  = errors.New("no job of the history has this result, and its address names no id")
	ErrSeveral = errors.New("more than one job has an id that ends so: give more of it")
)

// Each looks all subjects up, several at a time, and hands over each result as it comes, one after
// another. The route on which the most ids were found is asked first about those that follow. If
// there are several subjects, those refused with 429 are asked about once more, after the others.
// When ctx ends, Each does too, with what has come by then. Of an id whose routes have not all
// answered by then, that is a refusal, if one of them got one.
func (d *Desk) Each(ctx context.Context, all []inspect.Subject, result func(i int, r Result)) {
	hits := tally{n: map[string]int{}}
	limited := map[int]Result{}
	places := make([]int, len(all))
	for i := range all {
		places[i] = i
	}
	d.pass(ctx, all, places, &hits, func(i int, r Result) {
		if len(all) > 1 && r.limited() {
			limited[i] = r
			return
		}
		result(i, r)
	})
	d.pass(ctx, all, slices.Sorted(maps.Keys(limited)), &hits, func(i int, r Result) {
		delete(limited, i)
		result(i, r)
	})
	for _, i := range slices.Sorted(maps.Keys(limited)) { // ctx has ended
		result(i, limited[i])
	}
}

// longestAgain is the longest wait that a gateway may ask for and get.
const longestAgain = 30 * time.Second

// limited reports whether the gateway refused to answer for the moment.
func (r *Result) limited() bool {
	v, at := client.Telling(r.results())
	if v != client.VerdictLimited {
		return false
	}
	api, ok := errors.AsType[*client.APIError](r.Findings.Routes[at].Result.Err)
	return ok && api.RetryAfter <= longestAgain
}

// held reports whether a route said why nothing is known for the moment: a 429, or a refused key. That
// stays so where the other routes of the id have not answered; that nobody knows an id would not.
func (r *Result) held() bool {
	v := r.telling()
	return v == client.VerdictLimited || v == client.VerdictRefused
}

// pass looks up the subjects at some places.
func (d *Desk) pass(ctx context.Context, all []inspect.Subject, places []int, hits *tally, result func(i int, r Result)) {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		next = make(chan int)
	)
	for range min(cmp.Or(d.Slots, 6), len(places)) {
		wg.Go(func() {
			for i := range next {
				r := d.one(ctx, all[i], hits)
				if ctx.Err() != nil && !r.held() {
					continue
				}
				mu.Lock()
				result(i, r)
				mu.Unlock()
			}
		})
	}
	for _, i := range places {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	wg.Wait()
}

// One looks one subject up.
func (d *Desk) One(ctx context.Context, s inspect.Subject) Result {
	return d.one(ctx, s, &tally{n: map[string]int{}})
}

func (d *Desk) one(ctx context.Context, s inspect.Subject, hits *tally) Result {
	r := Result{Subject: s}
	r.Findings.Job, r.Err = d.Find(ctx, s)
	r.Findings.Plan = planOf(d.History, r.Findings.Job)
	if r.Err != nil && !errors.Is(r.Err, ErrSeveral) {
		r.HistoryErr, r.Err = r.Err, nil // the gateway may know it all the same
	}
	if r.Err == nil {
		r.Asked, r.Err = d.asked(s, r.Findings.Job)
	}
	if r.Err == nil {
		d.ask(ctx, &r, hits)
	}
	d.Results(ctx, &r)
	return r
}

// Results asks the addresses of the results, if Check is set.
func (d *Desk) Results(ctx context.Context, r *Result) {
	if d.Check == nil || ctx.Err() != nil {
		return
	}
	urls := r.Findings.ResultURLs()
	for _, u := range urls[:min(maxChecks, len(urls))] {
		r.Checks = append(r.Checks, d.Check(ctx, u))
	}
}

// asked returns the id by which the gateway is asked about a subject. j is the subject's job, nil
// for none.
func (d *Desk) asked(s inspect.Subject, j *jobs.Job) (string, error) {
	switch {
	case j != nil && (j.TaskID == s.Value || slices.Contains(j.AltIDs, s.Value)):
		return s.Value, nil
	case j != nil && j.TaskID == "":
		return "", ErrNoTask
	case j != nil && d.Profile != "" && j.Profile != d.Profile:
		return "", ErrProfile
	case j != nil:
		return j.TaskID, nil
	case s.Kind == inspect.KindRequest:
		return "", ErrRequest
	case s.Kind == inspect.KindResult:
		ids := inspect.IDsIn(s.Value)
		if len(ids) == 0 {
			return "", ErrResult
		}
		return ids[0], nil
	default:
		return s.Value, nil
	}
}

// maxChecks is how many results of one id are asked about.
const maxChecks = 20

// ask asks the routes, wave after wave, until one knows the task.
func (d *Desk) ask(ctx context.Context, r *Result, hits *tally) {
	f := &r.Findings
	if f.Job != nil {
		ctx = f.Job.KnownAs(ctx)
	}
	if len(d.Only) == 1 {
		f.Only = d.Only[0]
	}
	why := ""
	for _, wave := range d.waves(r.Asked, f.Job, hits) {
		if why != "" {
			for _, format := range wave {
				f.Routes = append(f.Routes, inspect.Route{Format: format, Done: true, Skipped: why})
			}
			continue
		}
		results := d.Gateway.Lookup(ctx, r.Asked, wave...)
		for _, res := range results {
			f.Routes = append(f.Routes, inspect.Route{Format: res.Format})
			f.Answer(len(f.Routes)-1, res)
			if res.Verdict() == client.VerdictTask {
				hits.add(res.Format)
			}
		}
		why = Enough(results)
	}
}

// Enough says why no further routes are asked after a wave, "" if they are.
func Enough(results []client.RouteResult) string {
	v, _ := client.Telling(results)
	switch v {
	case client.VerdictTask:
		// A state that nobody listed may be a route's word for any id: another one may know more.
		if slices.ContainsFunc(results, func(r client.RouteResult) bool {
			return r.Verdict() == client.VerdictTask && r.Task.Status != client.StatusUnknown
		}) {
			return "another route knows it"
		}
		return ""
	case client.VerdictRefused:
		return "the key was refused"
	case client.VerdictLimited:
		return "the gateway takes no more requests"
	case client.VerdictAway:
		return "the gateway was not reached"
	default:
		return ""
	}
}

// waves returns the formats to ask, see [Waves].
func (d *Desk) waves(id string, j *jobs.Job, hits *tally) [][]string {
	if len(d.Only) > 0 {
		return [][]string{d.Only}
	}
	var model []string
	if j != nil && d.Routes != nil {
		model = d.Routes(j.Draft.Model)
	}
	return Waves(d.Gateway.Guess(id), j, model, hits.most())
}

// Waves returns the formats of guess in the order in which they are asked, those of one wave at
// once. For a job of ours these are its own format, then those of its model; for another id best,
// the one that knew the ids before it, or else the two that its shape suggests; then the rest.
func Waves(guess []string, j *jobs.Job, model []string, best string) [][]string {
	rest := slices.Clone(guess)
	var waves [][]string
	take := func(names ...string) {
		var wave []string
		for _, n := range names {
			if i := slices.Index(rest, n); i >= 0 {
				wave = append(wave, n)
				rest = slices.Delete(slices.Clone(rest), i, i+1)
			}
		}
		if len(wave) > 0 {
			waves = append(waves, wave)
		}
	}
	if j != nil {
		take(cmp.Or(j.QueryFormat, j.Format))
		take(model...)
	} else {
		take(best)
		take(rest[:min(2, len(rest))]...)
	}
	take(rest...)
	return waves
}

// tally counts on which routes ids were found.
type tally struct {
	mu sync.Mutex
	n  map[string]int
}

func (t *tally) add(format string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n[format]++
}

// most returns the route that knew the most ids, "" for none.
func (t *tally) most() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	best := ""
	for f, n := range t.n {
		if best == "" || n > t.n[best] || n == t.n[best] && f < best {
			best = f
		}
	}
	return best
}
