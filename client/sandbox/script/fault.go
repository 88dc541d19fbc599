package script

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"darkroom/client/text"
)

// Class is the class of requests that a fault concerns.
type Class string

// Classes of requests.
const (
	Any     Class = ""        // every request
	Create  Class = "create"  // POST
	Query   Class = "query"   // the state of a task
	Content Class = "content" // a result
	List    Class = "list"    // models
)

// Kinds of faults of answers.
const (
	HTTP      = "http"      // an error status
	HTML      = "html"      // a web page at 200
	Reset     = "reset"     // the connection is reset in the middle of the body
	Truncated = "truncated" // half of the announced body, then the end
	Delay     = "delay"     // the answer comes late
)

// The requests that a fault concerns if it names none: in a prompt it is about the task, in a
// header about the request itself, in the options about the server.
var (
	classesInPrompt = map[string]Class{HTTP: Create, HTML: Query, Delay: Query,
		Reset: Content, Truncated: Content}
	classesInOptions = map[string]Class{HTML: Query, Reset: Content, Truncated: Content}
)

// Fault is something that goes wrong with single answers.
type Fault struct {
	Kind   string `json:"kind"`
	On     Class  `json:"on,omitempty"`
	HTTP   int    `json:"http,omitempty"`  // status
	After  bool   `json:"after,omitempty"` // the request is carried out all the same
	Skip   int    `json:"skip,omitempty"`  // answers that go well before
	Times  int    `json:"times,omitempty"` // how often, 0 for always
	Retry  int    `json:"retry,omitempty"` // seconds of Retry-After, -1 for none
	Date   bool   `json:"date,omitempty"`  // Retry-After as a date
	Millis int    `json:"ms,omitempty"`    // of delay
}

const (
	timesMax = 10_000
	delayMax = 60_000 // milliseconds
)

// parseFault reads a directive about answers.
func parseFault(d directive, where map[string]Class) (Fault, error) {
	f := Fault{Kind: d.name, Retry: -1}
	keys := []string{"on", "times", "skip"}
	status := d.args["code"]
	if _, err := strconv.Atoi(d.name); err == nil {
		f.Kind, status = HTTP, d.name
	}
	switch f.Kind {
	case HTTP:
		if err := f.parseStatus(d, status); err != nil {
			return f, err
		}
		keys = append(keys, "code", "after", "retry-after", "date")
	case Delay:
		keys, f.Millis = append(keys, "ms"), 1000
	case HTML, Reset, Truncated:
	default:
		return f, fmt.Errorf("sandbox directive %q is unknown, allowed: %s", text.Clip(d.name, 40), directiveNames)
	}
	for _, n := range []struct {
		key    string
		lo, hi int
		to     *int
	}{{"times", 1, timesMax, &f.Times}, {"skip", 0, timesMax, &f.Skip}, {"ms", 0, delayMax, &f.Millis}, {"retry-after", 0, 3600, &f.Retry}} {
		if err := d.count(n.key, n.lo, n.hi, n.to); err != nil {
			return f, err
		}
	}
	f.On = where[f.Kind]
	if on, ok := d.args["on"]; ok {
		if f.On = Class(on); on == "all" {
			f.On = Any
		} else if !slices.Contains([]Class{Create, Query, Content, List}, f.On) {
			return f, fmt.Errorf("sandbox directive %s: on=%s: allowed are create, query, content, list, all", text.Clip(d.name, 40), text.Clip(on, 40))
		}
	}
	return f, d.only(keys...)
}

func (f *Fault) parseStatus(d directive, code string) error {
	n, err := strconv.Atoi(code)
	scriptable := n >= 500 && n <= 599 || slices.Contains([]int{400, 401, 403, 404, 408, 409, 429}, n)
	if err != nil || !scriptable {
		return fmt.Errorf("sandbox directive http: code %q: allowed are 400, 401, 403, 404, 408, 409, 429 and 500 to 599", text.Clip(code, 40))
	}
	f.HTTP = n
	_, f.After = d.args["after"]
	_, f.Date = d.args["date"]
	if _, ok := d.args["retry-after"]; f.Date && !ok {
		return fmt.Errorf("sandbox directive %s: date says how Retry-After is written: add its seconds, as retry-after=3 date", text.Clip(d.name, 40))
	}
	return nil
}

// count reads an argument that is a whole number within a range, if it is given.
func (d directive) count(key string, lo, hi int, to *int) error {
	t, ok := d.args[key]
	if !ok {
		return nil
	}
	n, err := strconv.Atoi(t)
	if err != nil || n < lo || n > hi {
		return fmt.Errorf("sandbox directive %s: %s=%s: a whole number from %d to %d", text.Clip(d.name, 40), key, text.Clip(t, 40), lo, hi)
	}
	*to = n
	return nil
}

// RetryAfter returns the value of the Retry-After header, in one of its two forms; "" for none.
func (f Fault) RetryAfter(now time.Time) string {
	switch {
	case f.Retry < 0:
		return ""
	case f.Date:
		return now.Add(time.Duration(f.Retry) * time.Second).UTC().Format(http.TimeFormat)
	default:
		return strconv.Itoa(f.Retry)
	}
}
