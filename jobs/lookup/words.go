package lookup

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
)

// States of a result beside those of a task.
const (
	NotFound = "not found" // nobody knows it
	NotKnown = "not known" // it could not be found out
)

// states returns what a result can be, in the order in which the counts are shown.
func states() []string {
	return []string{string(client.StatusCompleted), string(client.StatusFailed), string(client.StatusQueued), string(client.StatusRunning), string(client.StatusUnknown), NotFound, NotKnown}
}

// State returns the one word for what came. A task that nobody knows is never called completed.
func (r *Result) State() string {
	if t := r.Findings.Task(); t != nil {
		return string(t.Status)
	}
	if j := r.Findings.Job; j != nil && errors.Is(r.Err, ErrNoTask) && j.State.Ended() { // the create's answer was all there is
		if j.State == jobs.Completed {
			return string(client.StatusCompleted)
		}
		return string(client.StatusFailed)
	}
	if errors.Is(r.Err, ErrRequest) || errors.Is(r.Err, ErrResult) || r.Err == nil && r.telling() == client.VerdictUnknown {
		return NotFound
	}
	return NotKnown
}

func (r *Result) telling() client.Verdict {
	v, _ := client.Telling(r.results())
	return v
}

func (r *Result) results() []client.RouteResult {
	out := make([]client.RouteResult, 0, len(r.Findings.Routes))
	for i := range r.Findings.Routes {
		out = append(out, r.Findings.Routes[i].Result)
	}
	return out
}

// Format returns the format of the route that knows it, "" for none.
func (r *Result) Format() string {
	if i := r.Findings.Best(); i >= 0 {
		return r.Findings.Routes[i].Format
	}
	return ""
}

// Said returns the first value of a fact, "" for none.
func (r *Result) Said(k inspect.Key) string { return said(&r.Findings, k) }

// Meaning returns the one thing to know about it, in a clean line: what its error means and what to
// do, why nothing is known, or where its result is.
func (r *Result) Meaning(c *catalog.Catalog) string {
	t := r.Findings.Task()
	e, ok := r.Findings.Explain(c)
	code, text := e.Failure.Code, strings.TrimSpace(e.Failure.Code+" "+e.Failure.Message)
	switch {
	case errors.Is(r.Err, ErrNoTask) && r.Findings.Job.State == jobs.Completed:
		text = "the create's answer was the result; there is no task to ask for"
	case r.Err != nil:
		text = r.Err.Error()
	case ok && e.Listed && (t != nil || r.telling() != client.VerdictOdd):
		text = strings.TrimPrefix(code+": ", ": ") + e.Rule.Meaning + "; " + e.Rule.Next
		if wait := r.Findings.Wait(); t == nil && wait > 0 {
			text += " (again in " + human.Wait(wait) + ")"
		}
	case ok:
	case len(r.Checks) > 0:
		text = r.Checks[0].Words(time.Now()) + ": " + r.Checks[0].URL
	case t != nil:
		text = r.ofTask(t)
	case r.telling() == client.VerdictUnknown:
		head := "no route knows it."
		if r.Findings.Mute() != "" {
			head = "no answer from the likely route."
		}
		text = strings.Join(append([]string{head}, r.Findings.Hints()...), " ")
	default:
		if _, at := client.Telling(r.results()); at >= 0 {
			text = inspect.ErrorText(r.Findings.Routes[at].Result.Err)
		}
	}
	return client.CleanLine(text)
}

// ofTask is what to know of a task without an error: where its result is, or that something is odd about its
// state.
func (r *Result) ofTask(t *client.Task) string {
	if len(t.Assets) > 0 {
		return cmp.Or(t.Assets[0].URL, "its result is at the content path")
	}
	v := r.Findings.Verdict(inspect.Ways{Dur: human.Dur}, time.Now())
	if v.Long || t.Status == client.StatusUnknown || t.Status == client.StatusFailed {
		return v.Means
	}
	return ""
}

// Totals count results by state, and failures by code.
type Totals struct {
	States map[string]int
	Codes  map[string]int
}

// Add counts one more.
func (t *Totals) Add(r *Result) {
	if t.States == nil {
		t.States, t.Codes = map[string]int{}, map[string]int{}
	}
	t.States[r.State()]++
	if c := r.Said(inspect.KeyCode); c != "" {
		t.Codes[c]++
	}
}

// Words returns the totals by state, such as "31 completed, 4 not found".
func (t *Totals) Words() string {
	var parts []string
	for _, s := range states() {
		if n := t.States[s]; n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+s)
		}
	}
	return strings.Join(parts, ", ")
}

// CodeWords returns the failures by code, the most frequent first; "" for none.
func (t *Totals) CodeWords() string {
	var parts []string
	for _, c := range byCount(t.Codes) {
		parts = append(parts, client.CleanLine(c)+" "+strconv.Itoa(t.Codes[c]))
	}
	return strings.Join(parts, ", ")
}

func byCount(n map[string]int) []string {
	return slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b)) })
}
