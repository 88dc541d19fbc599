package inspect

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/drift"
	"darkroom/jobs"
	"darkroom/jobs/bundle"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
	"darkroom/tui/widgets/jsonview"
)

// question is what was asked about an id, and what was answered so far.
type question struct {
	subject inspect.Subject
	id      string // its value, "" for nothing yet
	asked   string // what the gateway is asked by: the task's id for a job's
	at      time.Time
	gen     int             // answers to older questions are dropped
	ctx     context.Context // of what is being asked
	cancel  context.CancelFunc

	found inspect.Findings
	waves [][]int           // routes that are asked together, by their places; those that are being asked first
	docs  []jsonview.Doc    // of the routes' bodies
	odd   [][]drift.Finding // what they have that the interface does not name
	// embedded says that the embedded gateway is asked.
	embedded bool
	// results are the answers of results' addresses; asking are the addresses that have not answered
	// yet.
	results map[string]inspect.ResultCheck
	asking  map[string]bool
	more    int // further jobs with the id
	histErr error
	seq     uint64 // of the history's changes
	last    int    // the route that a watch asks, -1 for none yet
	answers int    // that routes gave, so that what shows one is drawn anew
	// events and exchanges are the timeline of the job.
	events    []jobs.Event
	exchanges []jobs.Exchange
	counted   bool // that its drift was counted
	// bundled is what a bundle holds of the id, nil for what was looked up.
	bundled *bundle.Case
}

// begin asks about another id; requests under way are given up.
func (q *question) begin(g Gateway, r jobs.Reader, s inspect.Subject, now time.Time) tea.Cmd {
	q.subject, q.id, q.at, q.more, q.histErr, q.bundled, q.counted = s, s.Value, now, 0, nil, nil, false
	q.events, q.exchanges = nil, nil
	q.found = inspect.Findings{Only: q.found.Only, Kind: s.Kind, Pending: true}
	q.renew()
	var cmd tea.Cmd
	if s.Kind == inspect.KindID {
		cmd = q.askRoutes(g, s.Value, nil)
	} else { // only the history can say which task it is about
		q.clear()
	}
	return tea.Batch(cmd, remember(q.ctx, r, s, q.gen))
}

// renew gives up the requests under way.
func (q *question) renew() {
	q.cancel()
	q.ctx, q.cancel = context.WithCancel(context.Background())
}

// askRoutes starts the matrix anew. The routes likely to know the id are asked first, each on its
// own, so that a slow one holds up no other; the rest follow if none of them knows it.
func (q *question) askRoutes(g Gateway, id string, model []string) tea.Cmd {
	q.clear()
	q.asked = id
	waves := [][]string{{q.found.Only}}
	if q.found.Only == "" {
		waves = lookup.Waves(g.Guess(id), q.found.Job, model, "")
	}
	q.waves = nil
	for _, names := range waves {
		var wave []int
		for _, n := range names {
			r := inspect.Route{Format: n}
			for _, f := range g.Formats() {
				if f.Name() == n {
					r.Label, r.Path = f.Label(), g.QueryPath(n, id)
				}
			}
			wave = append(wave, len(q.found.Routes))
			q.add(r, jsonview.Doc{})
		}
		q.waves = append(q.waves, wave)
	}
	return q.askWave(g)
}

// askWave asks the routes of the next wave.
func (q *question) askWave(g Gateway) tea.Cmd {
	if len(q.waves) == 0 {
		return nil
	}
	var cmds []tea.Cmd
	for _, i := range q.waves[0] {
		cmds = append(cmds, ask(q.ctx, g, q.asked, q.found.Routes[i].Format, q.gen, i))
	}
	return tea.Batch(cmds...)
}

// goOn asks the next wave when all of this one have answered and none of them knows the id.
func (q *question) goOn(g Gateway) tea.Cmd {
	if len(q.waves) == 0 {
		return nil
	}
	var results []client.RouteResult
	for _, i := range q.waves[0] {
		if !q.found.Routes[i].Done {
			return nil
		}
		results = append(results, q.found.Routes[i].Result)
	}
	q.waves = q.waves[1:]
	if why := lookup.Enough(results); why != "" {
		for _, wave := range q.waves {
			for _, i := range wave {
				q.found.Routes[i].Done, q.found.Routes[i].Skipped = true, why
			}
		}
		q.waves = nil
	}
	return q.askWave(g)
}

// clear forgets the routes; answers that still come are dropped.
func (q *question) clear() {
	q.gen++
	q.found.Routes, q.docs, q.odd, q.last = nil, nil, nil, -1
	q.results, q.asking = map[string]inspect.ResultCheck{}, map[string]bool{}
}

// maxResults bounds how many results are asked about at once.
const maxResults = 20

// askResults asks the address of each result.
func (q *question) askResults(g Gateway) tea.Cmd {
	var cmds []tea.Cmd
	urls := q.found.ResultURLs()
	for _, u := range urls[:min(maxResults, len(urls))] {
		if !q.asking[u] {
			q.asking[u] = true
			cmds = append(cmds, head(q.ctx, g, u, q.gen))
		}
	}
	return tea.Batch(cmds...)
}

// result takes the answer of a result's address.
func (q *question) result(msg resultMsg) {
	if msg.gen == q.gen {
		delete(q.asking, msg.check.URL)
		q.results[msg.check.URL] = msg.check
	}
}

func (q *question) add(r inspect.Route, doc jsonview.Doc) {
	q.found.Routes, q.docs, q.odd = append(q.found.Routes, r), append(q.docs, doc), append(q.odd, nil)
}

// open reports whether an answer is still missing.
func (q *question) open() bool { return q.found.Busy() > 0 || q.found.Pending }

// stop gives up the requests under way; the answers so far stay.
func (q *question) stop() {
	q.cancel()
	q.gen++
	q.found.Stop()
	q.waves = nil
}

// route takes the answer of a route.
func (q *question) route(msg routeMsg, g Gateway) tea.Cmd {
	if msg.gen != q.gen || msg.at >= len(q.found.Routes) {
		return nil
	}
	q.found.Answer(msg.at, msg.res)
	q.answers++
	q.docs[msg.at], q.odd[msg.at] = msg.doc, msg.odd
	if q.embedded {
		q.odd[msg.at] = inspect.OfEmbedded(msg.odd)
	}
	return q.goOn(g)
}

// history takes what the history knows. The gateway does not know a job's id: then the routes are
// asked again, with the id of its task.
func (q *question) history(msg historyMsg, g Gateway, r jobs.Reader, routes func(model string) []string) tea.Cmd {
	q.found.Pending, q.histErr = false, msg.err
	if msg.job == nil {
		return nil
	}
	q.found.Job, q.found.Text, q.more = msg.job, msg.text, msg.more
	q.events, q.exchanges = msg.events, msg.exchanges
	_, q.seq = r.Changes(q.seq)
	var cmd tea.Cmd
	if j := msg.job; j.TaskID != q.id && !slices.Contains(j.AltIDs, q.id) { // the id is the job's own, or that of a request
		q.renew()
		if j.TaskID != "" {
			cmd = q.askRoutes(g, j.TaskID, routes(j.Draft.Model))
		} else {
			q.clear()
		}
	}
	if len(msg.answer) > 0 {
		q.found.Keep(msg.answer)
		q.docs = append(q.docs, msg.doc)
	}
	return cmd
}

// news takes the current state of the job from the history, and reads its timeline anew.
func (q *question) news(r jobs.Reader) (cmd tea.Cmd) {
	was := q.found.Job
	if was == nil || q.bundled != nil { // nothing is merged into a bundle
		return nil
	}
	changed, seq := r.Changes(q.seq)
	q.seq = seq
	for _, j := range changed {
		if j.ID == was.ID {
			if j.Draft.Cut { // the draft never changes, and this one is whole
				j.Draft, j.Foreign = was.Draft, was.Foreign
			}
			if q.found.Job = &j; !j.UpdatedAt.Equal(was.UpdatedAt) || j.Note != was.Note || j.Remark != was.Remark || !slices.Equal(j.Tags, was.Tags) || !slices.Equal(j.Files, was.Files) {
				cmd = detail(q.ctx, r, j.ID)
			}
		}
	}
	return cmd
}

// told takes the timeline of the job.
func (q *question) told(msg detailMsg) {
	if q.found.Job != nil && q.found.Job.ID == msg.job {
		q.events, q.exchanges = msg.events, msg.exchanges
	}
}

// times are the times of the task and the job whose ages are shown.
func (q *question) times() []time.Time {
	var out []time.Time
	for _, fact := range q.found.Facts() {
		for _, s := range fact.Said {
			out = append(out, s.At)
		}
	}
	if q.found.Job != nil {
		out = append(out, q.found.Job.SubmittedAt)
	}
	return out
}

// held is how long the gateway holds look-ups back, as [lookup.Progress.Hold] says it.
func held(d *Deps) string {
	p := lookup.Progress{Host: client.CleanLine(d.Host)}
	p.Held(d.Gateway, d.Now())
	return p.Hold()
}

// formatLabel says which format is asked.
func (q *question) formatLabel() string {
	if q.found.Only == "" {
		return "format: guess ▾"
	}
	return "format: " + q.found.Only + " ▾"
}
