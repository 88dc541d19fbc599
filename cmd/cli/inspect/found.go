package inspect

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/drift"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
)

// found is what is known about one id.
type found struct {
	ID string `json:"id"` // as it was given
	// Kind and From say what the text was taken for, and where in it the id stood.
	Kind inspect.Kind `json:"kind,omitempty"`
	From string       `json:"from,omitempty"`
	// Job is the job of the history that the id belongs to, "" for none; TaskID is what
	// was asked for, when the id given is not that of the task.
	Job    string   `json:"job,omitempty"`
	TaskID string   `json:"task_id,omitempty"`
	Format string   `json:"format,omitempty"` // the one that answered
	Task   *taskOut `json:"task,omitempty"`
	// Facts are merged from all answers; Explanation says what the error means.
	Facts       []inspect.Fact  `json:"facts,omitempty"`
	Explanation *explanationOut `json:"explanation,omitempty"`
	// Pace compares a task under way with earlier ones, where these are known.
	Pace *paceOut `json:"pace,omitempty"`
	// Verdict says what all that means, and what to do next.
	Verdict *inspect.Verdict `json:"verdict,omitempty"`
	// Results has what the addresses of the results answer, with --results.
	Results []resultOut `json:"results,omitempty"`
	// Drift is what the answers have that the interface document does not name.
	Drift []drift.Finding `json:"drift,omitempty"`
	// Warnings are those of the job.
	Warnings []string `json:"warnings,omitempty"`
	// Raw is the body of the answer as it came, when it is JSON; RawText otherwise.
	Raw     json.RawMessage `json:"raw,omitempty"`
	RawText string          `json:"raw_text,omitempty"`
	Routes  []routeRow      `json:"routes"`
	// Profile is the one whose gateway knows the id, with --all-profiles; Profiles has what each
	// said.
	Profile  string       `json:"profile,omitempty"`
	Profiles []profileOut `json:"profiles,omitempty"`
	// Events and Exchanges are those of the job: of a bundle's, or of the history's if one id is
	// looked up.
	Events    []jobs.Event    `json:"events,omitempty"`
	Exchanges []jobs.Exchange `json:"exchanges,omitempty"`
	// Watch is what was seen of the task, with --watch.
	Watch *watched `json:"watch,omitempty"`
	// HistoryError says why the history was not looked at.
	HistoryError string `json:"history_error,omitempty"`
	// Problem says why there is no task to show.
	Problem string `json:"problem,omitempty"`

	body   []byte // for --raw: of the task, else of the only path that was asked
	result lookup.Result
}

// routeRow is one query path, asked or not.
type routeRow struct {
	Profile   string `json:"profile,omitempty"` // whose gateway it is, with --all-profiles
	Format    string `json:"format"`
	Path      string `json:"path,omitempty"`
	HTTP      int    `json:"http_status"`
	LatencyMS int64  `json:"latency_ms"`
	RequestID string `json:"request_id,omitempty"`
	Status    string `json:"status,omitempty"`
	Error     string `json:"error,omitempty"`
	// Page is the title of a web page that came in place of an answer.
	Page string `json:"web_page,omitempty"`
	// Skipped says why it was not asked.
	Skipped string `json:"skipped,omitempty"`
}

// newFound returns what came of one id. The error is the one to end with: that of the most telling
// route if none knew the id.
func newFound(cat *catalog.Catalog, profile string, r lookup.Result) (found, error) {
	f := found{ID: r.Subject.Value, From: r.Subject.From, Routes: []routeRow{}, result: r}
	if r.Subject.Kind != inspect.KindID {
		f.Kind = r.Subject.Kind
	}
	j := r.Findings.Job
	if j != nil {
		f.Job, f.Warnings = j.ID, j.Warnings
	}
	if r.Asked != r.Subject.Value {
		f.TaskID = r.Asked
	}
	absent := ""
	for i := range r.Findings.Routes {
		x := &r.Findings.Routes[i]
		f.Routes = append(f.Routes, newRow(x))
		if t := x.Result.Task; t != nil && t.Absent != "" {
			absent = "; " + x.Path + " says " + f.Routes[i].Error
		}
	}
	if best := r.Findings.Best(); best >= 0 {
		f.take(r.Findings.Routes[best].Result)
	} else if len(r.Findings.Routes) == 1 {
		f.body = r.Findings.Routes[0].Body
	}
	if r.HistoryErr != nil {
		f.HistoryError = client.CleanLine(r.HistoryErr.Error())
	}
	f.Facts = r.Findings.Facts()
	if l, err := drift.Embedded(); err == nil { // a test reads it
		f.Drift = r.Findings.Drift(l)
		if profile == config.Sandbox {
			f.Drift = l.Own(f.Drift)
		}
	}
	if e, ok := r.Findings.Explain(cat); ok {
		f.Explanation = newExplanation(e)
	}
	f.judge(cat, time.Now())
	err := f.failure(profile, r, absent)
	if err != nil {
		f.Problem = client.CleanLine(err.Error())
	}
	return f, err
}

func newRow(x *inspect.Route) routeRow {
	res := x.Result
	row := routeRow{Format: x.Format, Path: x.Path, HTTP: res.Meta.HTTPStatus, LatencyMS: res.Meta.Latency.Milliseconds(),
		RequestID: res.Meta.RequestID, Skipped: x.Skipped}
	if t := res.Task; t != nil {
		row.Status = t.RawStatus
		if t.Absent != "" {
			row.Error = client.CleanLine(t.RawStatus + ": " + t.Absent)
		}
	}
	if p, page := client.ReadPage(x.Body); page {
		row.Page = cmp.Or(p.Title, "without a title")
	}
	if res.Err != nil {
		row.Error = inspect.ErrorText(res.Err)
	}
	return row
}

// failure says why there is no task to show, nil if there is one.
func (f *found) failure(own string, r lookup.Result, absent string) error {
	j := r.Findings.Job
	switch {
	case errors.Is(r.Err, lookup.ErrNoTask) && j.State == jobs.Completed:
		return nil // the create's answer was the result
	case errors.Is(r.Err, lookup.ErrNoTask):
		return kit.NotFound("job %s is %s and has no task to ask for; `darkroom jobs show %s` tells what is known", jobs.ShortID(j.ID), j.State, jobs.ShortID(j.ID))
	case errors.Is(r.Err, lookup.ErrProfile):
		return kit.Usage("job %s is of the profile %s, and %s is in use: add --profile %s", jobs.ShortID(j.ID), j.Profile, own, j.Profile)
	case errors.Is(r.Err, lookup.ErrSeveral):
		return kit.Usage("%q: %w", client.CleanLine(f.ID), r.Err)
	case r.Err != nil:
		return kit.NotFound("%q: %w", client.CleanLine(f.ID), r.Err)
	}
	results := make([]client.RouteResult, 0, len(r.Findings.Routes))
	for i := range r.Findings.Routes {
		results = append(results, r.Findings.Routes[i].Result)
	}
	switch v, at := client.Telling(results); {
	case v == client.VerdictTask || at < 0:
		return nil
	case v != client.VerdictUnknown:
		return results[at].Err
	case r.Findings.Mute() != "":
		return kit.NotFound("no query path knows %q, as far as they answered: %s, the likely one, sent a web page%s", client.CleanLine(f.ID), r.Findings.Mute(), absent)
	case f.Job != "":
		return kit.NotFound("no query path knows %q (any more); `darkroom jobs show %s` tells what was seen of it%s", client.CleanLine(f.ID), jobs.ShortID(f.Job), absent)
	default:
		return kit.NotFound("no query path knows %q; is it complete, and is it of this profile's gateway?%s", client.CleanLine(f.ID), absent)
	}
}

func (f *found) take(r client.RouteResult) {
	f.Format, f.Task, f.body = r.Format, newTaskOut(r.Task), r.Task.Raw
	if json.Valid(r.Task.Raw) {
		f.Raw = r.Task.Raw
	} else {
		f.RawText = string(r.Task.Raw)
	}
}

// worst joins errors under the exit code that says the most: any other goes before "not found",
// that before a state that stays unknown, and that before a timeout.
func worst(all []error) error {
	if len(all) == 0 {
		return nil
	}
	mild := []int{kit.ExitTimeout, kit.ExitUnknown, kit.ExitNotFound}
	code := mild[0]
	for _, err := range all {
		c := kit.Code(err)
		if !slices.Contains(mild, c) {
			code = c
			break
		}
		if slices.Index(mild, c) > slices.Index(mild, code) {
			code = c
		}
	}
	return kit.Exit(code, errors.Join(all...))
}

// resultOut is the check of a result as machines get it.
type resultOut struct {
	URL       string     `json:"url"`
	Alive     bool       `json:"alive"`
	Status    int        `json:"status,omitempty"`
	MediaType string     `json:"media_type,omitempty"`
	Bytes     *int64     `json:"bytes,omitempty"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
	Error     string     `json:"error,omitempty"`

	words string
}

// check takes in what the addresses of the results answered.
func (f *found) check(all []inspect.ResultCheck) {
	for _, c := range all {
		out := resultOut{URL: c.URL, Alive: c.Alive(), Status: c.Head.StatusCode, MediaType: c.Head.MediaType, words: c.Words(time.Now())}
		if c.Err != nil {
			out.Error = client.CleanLine(c.Err.Error())
		} else if c.Head.Bytes >= 0 {
			out.Bytes = &c.Head.Bytes
		}
		if !c.Expires.IsZero() {
			out.ExpiresAt = &c.Expires
		}
		f.Results = append(f.Results, out)
	}
}

// explanationOut is an explanation as machines get it.
type explanationOut struct {
	Listed  bool          `json:"listed"`
	Source  string        `json:"source"`
	Meaning string        `json:"meaning,omitempty"`
	Fault   catalog.Fault `json:"fault,omitempty"`
	Retry   catalog.Retry `json:"retry,omitempty"`
	Field   string        `json:"field,omitempty"`
	Next    string        `json:"next,omitempty"`

	whose, again string
}

func newExplanation(e inspect.Explanation) *explanationOut {
	return &explanationOut{Listed: e.Listed, Source: e.Source(), Meaning: e.Rule.Meaning, Fault: e.Rule.Fault, Retry: e.Rule.Retry,
		Field: e.Rule.Field, Next: e.Rule.Next, whose: e.Whose(), again: e.Again()}
}
