package sandbox

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// faultHeader carries fault rules for one request.
const faultHeader = "X-Sandbox-Fault"

// class is the sort of a request, as far as faults are concerned.
type class string

const (
	classAny     class = ""        // every request
	classCreate  class = "create"  // POST
	classQuery   class = "query"   // the state of a task
	classContent class = "content" // a result
	classList    class = "list"    // models
)

// Kinds of faults of answers.
const (
	faultHTTP      = "http"      // an error status
	faultHTML      = "html"      // a web page at 200
	faultReset     = "reset"     // the connection is reset in the middle of the body
	faultTruncated = "truncated" // half of the announced body, then the end
	faultDelay     = "delay"     // the answer comes late
)

// Which requests a fault concerns that does not say so: in a prompt it is about the
// task, in a header about the request itself, in the options about the server.
var (
	whereDirective = map[string]class{faultHTTP: classCreate, faultHTML: classQuery, faultDelay: classQuery,
		faultReset: classContent, faultTruncated: classContent}
	whereHeader  = map[string]class{}
	whereOptions = map[string]class{faultHTML: classQuery, faultReset: classContent, faultTruncated: classContent}
)

// fault is something that befalls single answers.
type fault struct {
	Kind   string `json:"kind"`
	On     class  `json:"on,omitempty"`
	HTTP   int    `json:"http,omitempty"`  // status
	After  bool   `json:"after,omitempty"` // the request is carried out all the same
	Skip   int    `json:"skip,omitempty"`  // answers that go well before
	Times  int    `json:"times,omitempty"` // how often, 0 for always
	Retry  int    `json:"retry,omitempty"` // seconds of Retry-After, -1 for none
	Date   bool   `json:"date,omitempty"`  // Retry-After as a date
	Millis int    `json:"ms,omitempty"`    // of delay
}

const (
	faultTimesMax = 10_000
	faultDelayMax = 60_000 // milliseconds
)

// parseFault reads a directive about answers.
func parseFault(d directive, where map[string]class) (fault, error) {
	f := fault{Kind: d.name, Retry: -1}
	keys := []string{"on", "times", "skip"}
	status := d.args["code"]
	if _, err := strconv.Atoi(d.name); err == nil {
		f.Kind, status = faultHTTP, d.name
	}
	switch f.Kind {
	case faultHTTP:
		if err := f.parseStatus(d, status); err != nil {
			return f, err
		}
		keys = append(keys, "code", "after", "retry-after", "date")
	case faultDelay:
		keys, f.Millis = append(keys, "ms"), 1000
	case faultHTML, faultReset, faultTruncated:
	default:
		return f, fmt.Errorf("sandbox directive %q is unknown, allowed: %s", shorten(d.name, 40), directiveNames)
	}
	for _, n := range []struct {
		key    string
		lo, hi int
		to     *int
	}{{"times", 1, faultTimesMax, &f.Times}, {"skip", 0, faultTimesMax, &f.Skip}, {"ms", 0, faultDelayMax, &f.Millis}, {"retry-after", 0, 3600, &f.Retry}} {
		if err := d.count(n.key, n.lo, n.hi, n.to); err != nil {
			return f, err
		}
	}
	f.On = where[f.Kind]
	if on, ok := d.args["on"]; ok {
		if f.On = class(on); on == "all" {
			f.On = classAny
		} else if !slices.Contains([]class{classCreate, classQuery, classContent, classList}, f.On) {
			return f, fmt.Errorf("sandbox directive %s: on=%s: allowed are create, query, content, list, all", shorten(d.name, 40), shorten(on, 40))
		}
	}
	return f, d.only(keys...)
}

// CheckFault reports what is wrong with a list of rules for [Options].Fault.
func CheckFault(rules string) error {
	_, err := parseRules(rules, whereOptions)
	return err
}

func (f *fault) parseStatus(d directive, code string) error {
	n, err := strconv.Atoi(code)
	scriptable := n >= 500 && n <= 599 || slices.Contains([]int{400, 401, 403, 404, 408, 409, 429}, n)
	if err != nil || !scriptable {
		return fmt.Errorf("sandbox directive http: code %q: allowed are 400, 401, 403, 404, 408, 409, 429 and 500 to 599", shorten(code, 40))
	}
	f.HTTP = n
	_, f.After = d.args["after"]
	_, f.Date = d.args["date"]
	if _, ok := d.args["retry-after"]; f.Date && !ok {
		return fmt.Errorf("sandbox directive %s: date says how Retry-After is written: add its seconds, as retry-after=3 date", shorten(d.name, 40))
	}
	return nil
}

// count reads a whole number of a range, if it is there.
func (d directive) count(key string, lo, hi int, to *int) error {
	t, ok := d.args[key]
	if !ok {
		return nil
	}
	n, err := strconv.Atoi(t)
	if err != nil || n < lo || n > hi {
		return fmt.Errorf("sandbox directive %s: %s=%s: a whole number from %d to %d", shorten(d.name, 40), key, shorten(t, 40), lo, hi)
	}
	*to = n
	return nil
}

// play lets a script act on the answer under way. key is what the counts of a fault
// are kept for: a task, a prompt, the server. An error is the answer.
func (s *Server) play(w http.ResponseWriter, r *http.Request, sc script, key string) error {
	rec, ok := w.(*recorder)
	if !ok {
		return nil
	}
	if sc.Forms != (forms{}) {
		b := rec.bend()
		b.forms = b.forms.with(sc.Forms)
	}
	var refusal error
	for i, f := range sc.Answers {
		if f.On != classAny && f.On != rec.class || !s.turns.hit(f, string(rec.class)+"\x00"+key, i) {
			continue
		}
		switch f.Kind {
		case faultHTTP:
			e := statusError(f.HTTP)
			e.retryAfter = f.retryAfter(s.now())
			if f.After {
				rec.bend().instead = e
			} else if refusal == nil {
				refusal = e
			}
		case faultHTML:
			rec.bend().html = true
		case faultReset:
			rec.bend().reset = true
		case faultTruncated:
			rec.bend().truncated = true
		case faultDelay:
			if err := pause(r.Context(), time.Duration(f.Millis)*time.Millisecond); err != nil {
				return err
			}
		}
	}
	return refusal
}

// retryAfter is the value of the header of that name, in one of its two forms.
func (f fault) retryAfter(now time.Time) string {
	switch {
	case f.Retry < 0:
		return ""
	case f.Date:
		return now.Add(time.Duration(f.Retry) * time.Second).UTC().Format(http.TimeFormat)
	default:
		return strconv.Itoa(f.Retry)
	}
}

// arm reads the rules of the request's header, and plays them and those of the
// options.
func (s *Server) arm(w *recorder, r *http.Request) error {
	if err := s.play(w, r, s.faults, "options"); err != nil {
		return err
	}
	lines := r.Header[faultHeader]
	if len(lines) == 0 {
		return nil
	}
	sc, err := parseRules(strings.Join(lines, ";"), whereHeader)
	if err != nil {
		return badRequest("", "header %s: %s", faultHeader, err)
	}
	w.script = sc
	return s.play(w, r, sc, r.URL.Path)
}

// requested is the script that the request's header asks for.
func requested(w http.ResponseWriter) script {
	if rec, ok := w.(*recorder); ok {
		return rec.script
	}
	return script{}
}

// turns counts how often each fault has come up, for skip and times. What it counts is
// lost with the process, and may be forgotten when there is a lot of it.
type turns struct {
	mu sync.Mutex
	n  map[uint64]int
}

const turnsMax = 100_000

// hit says whether it is the fault's turn.
func (t *turns) hit(f fault, key string, i int) bool {
	if f.Skip == 0 && f.Times == 0 {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n == nil || len(t.n) > turnsMax {
		t.n = map[uint64]int{}
	}
	k := mix(int64(i), key)
	t.n[k]++
	n := t.n[k] - f.Skip
	return n > 0 && (f.Times == 0 || n <= f.Times)
}
