package sandbox

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// script is what the directives of a prompt ask for (see the package comment). The
// zero value asks for nothing. It is kept in the task's record.
type script struct {
	Fail        bool    `json:"fail,omitempty"`
	FailCode    string  `json:"fail_code,omitempty"`
	FailMessage string  `json:"fail_message,omitempty"`
	Slow        float64 `json:"slow,omitempty"` // factor, 0 for none
	Stay        phase   `json:"stay,omitempty"` // phase that is never left
	Term        string  `json:"term,omitempty"` // status term of the running phase
	Async       bool    `json:"async,omitempty"`
	HTTP        int     `json:"http,omitempty"` // status of the answer to the create
	After       bool    `json:"after,omitempty"`
	Times       int     `json:"times,omitempty"`
	RetryAfter  string  `json:"retry_after,omitempty"`
}

var (
	directiveRE = regexp.MustCompile(`\[\[sandbox:([^\]]{0,200})\]\]`)
	argRE       = regexp.MustCompile(`([A-Za-z0-9_-]+)(?:=("[^"]*"|\S*))?`)
)

// directive is one parsed [[sandbox:...]].
type directive struct {
	name string
	args map[string]string
}

const directiveNames = "fail, slow, stay-queued, stay-running, unknown-status, status, async, http, or an HTTP status as 429 or 500"

// parseScript reads the directives of a text and returns the text without them.
func parseScript(text string) (script, string, error) {
	var sc script
	if !strings.Contains(text, "[[sandbox:") {
		return sc, text, nil
	}
	for _, m := range directiveRE.FindAllStringSubmatch(text, -1) {
		d := parseDirective(m[1])
		if err := sc.apply(d); err != nil {
			return script{}, "", err
		}
	}
	rest := directiveRE.ReplaceAllString(text, "")
	return sc, strings.TrimSpace(rest), nil
}

func parseDirective(s string) directive {
	s = strings.TrimSpace(s)
	name, rest, _ := strings.Cut(s, " ")
	d := directive{name: strings.ToLower(name), args: map[string]string{}}
	for _, m := range argRE.FindAllStringSubmatch(rest, -1) {
		d.args[strings.ToLower(m[1])] = strings.Trim(m[2], `"`)
	}
	return d
}

// only refuses arguments that the directive does not know.
func (d directive) only(keys ...string) error {
	for k := range d.args {
		if !slices.Contains(keys, k) {
			allowed := "none"
			if len(keys) > 0 {
				allowed = strings.Join(keys, ", ")
			}
			return fmt.Errorf("sandbox directive %q: unknown argument %q, allowed: %s", shorten(d.name, 40), shorten(k, 40), allowed)
		}
	}
	return nil
}

func (sc *script) apply(d directive) error {
	switch d.name {
	case "fail":
		sc.Fail, sc.FailCode, sc.FailMessage = true, d.args["code"], d.args["message"]
		return d.only("code", "message")
	case "slow":
		return sc.applySlow(d)
	case "stay-queued":
		sc.Stay = phaseQueued
		return d.only()
	case "stay-running":
		sc.Stay = phaseRunning
		return d.only()
	case "unknown-status", "status":
		sc.Term = d.args["term"]
		if sc.Term == "" {
			sc.Term = "reticulating"
		}
		return d.only("term")
	case "async":
		sc.Async = true
		return d.only()
	case "http":
		return sc.applyHTTP(d, d.args["code"])
	default:
		if _, err := strconv.Atoi(d.name); err == nil {
			return sc.applyHTTP(d, d.name)
		}
		return fmt.Errorf("sandbox directive %q is unknown, allowed: %s", shorten(d.name, 40), directiveNames)
	}
}

func (sc *script) applySlow(d directive) error {
	sc.Slow = 10
	if by, ok := d.args["by"]; ok {
		f, err := strconv.ParseFloat(by, 64)
		if err != nil || !(f > 0 && f <= 10_000) {
			return fmt.Errorf("sandbox directive slow: by=%s: a factor above 0 and up to 10000", shorten(by, 40))
		}
		sc.Slow = f
	}
	return d.only("by")
}

func (sc *script) applyHTTP(d directive, code string) error {
	n, err := strconv.Atoi(code)
	scriptable := n >= 500 && n <= 599 || slices.Contains([]int{400, 401, 403, 404, 408, 409, 429}, n)
	if err != nil || !scriptable {
		return fmt.Errorf("sandbox directive http: code %q: allowed are 400, 401, 403, 404, 408, 409, 429 and 500 to 599", shorten(code, 40))
	}
	sc.HTTP = n
	_, sc.After = d.args["after"]
	if t, ok := d.args["times"]; ok {
		if sc.Times, err = strconv.Atoi(t); err != nil || sc.Times < 1 || sc.Times > 1000 {
			return fmt.Errorf("sandbox directive %s: times=%s: a count from 1 to 1000", d.name, shorten(t, 40))
		}
	}
	if ra, ok := d.args["retry-after"]; ok {
		if s, err := strconv.Atoi(ra); err != nil || s < 0 || s > 3600 {
			return fmt.Errorf("sandbox directive %s: retry-after=%s: seconds from 0 to 3600", d.name, shorten(ra, 40))
		}
		sc.RetryAfter = ra
	}
	return d.only("code", "after", "times", "retry-after")
}
