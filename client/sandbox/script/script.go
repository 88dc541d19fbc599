// Package script reads what a prompt, a header or the options ask the embedded gateway to do wrong,
// and bends JSON accordingly. The grammar is in the comment of the sandbox package.
package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/client/text"
)

// Script is what the faults of a prompt, of a request header or of the server's
// options ask for (see the package comment). The zero value asks for nothing. It is
// kept in the task's record.
type Script struct {
	Fail        bool    `json:"fail,omitempty"`
	FailCode    string  `json:"fail_code,omitempty"`
	FailMessage string  `json:"fail_message,omitempty"`
	Slow        float64 `json:"slow,omitempty"`  // factor, 0 for none
	Stay        string  `json:"stay,omitempty"`  // StayQueued or StayRunning: what is never left
	Term        string  `json:"term,omitempty"`  // status term of the running phase
	First       string  `json:"first,omitempty"` // status term of the queued phase
	Async       bool    `json:"async,omitempty"`
	// Ignore names the parts of the request that are silently ignored.
	Ignore []string `json:"ignore,omitempty"`
	// Expire says when the addresses of results end. Forget is the number of seconds after its
	// create from which the task is unknown; 0 for never.
	Expire  Expiry  `json:"expire,omitzero"`
	Forget  int     `json:"forget,omitempty"`
	Pace    Pace    `json:"pace,omitzero"`
	Deliver Deliver `json:"deliver,omitzero"`
	Forms   Forms   `json:"forms,omitzero"`
	Answers []Fault `json:"answers,omitempty"`
	// Rules are for some tasks alone; [Course.Decide] says for which.
	Rules []Rule `json:"-"`
}

// Forms are the ways in which the JSON of an answer is bent.
type Forms struct {
	NoURL    bool `json:"no_url,omitempty"`    // results are named nowhere
	ErrorURL bool `json:"error_url,omitempty"` // result_url holds the text of the error
	Types    bool `json:"types,omitempty"`     // numbers as text, and the like
	Millis   bool `json:"millis,omitempty"`    // times in milliseconds
	Flat     bool `json:"flat,omitempty"`      // errors as {code, message, data}
	// Zone is the offset in which times are written as text, "" to leave them as the format has
	// them; with NoZone the text does not name the offset.
	Zone   string `json:"zone,omitempty"`
	NoZone bool   `json:"no_zone,omitempty"`
}

// With adds other forms; a zone among them wins.
func (f Forms) With(o Forms) Forms {
	if o.Zone == "" {
		o.Zone, o.NoZone = f.Zone, f.NoZone
	}
	return Forms{f.NoURL || o.NoURL, f.ErrorURL || o.ErrorURL, f.Types || o.Types, f.Millis || o.Millis, f.Flat || o.Flat, o.Zone, o.NoZone}
}

// With adds another script, which wins where both name the same.
func (sc Script) With(o Script) Script {
	if o.Fail {
		sc.Fail, sc.FailCode, sc.FailMessage = true, o.FailCode, o.FailMessage
	}
	if o.Slow > 0 {
		sc.Slow = o.Slow
	}
	if o.Stay != "" {
		sc.Stay = o.Stay
	}
	if o.Term != "" {
		sc.Term = o.Term
	}
	if o.First != "" {
		sc.First = o.First
	}
	if o.Expire.After > 0 {
		sc.Expire = o.Expire
	}
	if o.Forget > 0 {
		sc.Forget = o.Forget
	}
	sc.Async = sc.Async || o.Async
	sc.Ignore = slices.Concat(sc.Ignore, o.Ignore)
	sc.Pace = sc.Pace.with(o.Pace)
	sc.Deliver = sc.Deliver.with(o.Deliver)
	sc.Rules = slices.Concat(sc.Rules, o.Rules)
	sc.Forms = sc.Forms.With(o.Forms)
	sc.Answers = slices.Concat(sc.Answers, o.Answers)
	return sc
}

// Kept returns the part of a header's script that goes into the record of the task that the request
// creates: what it says of the task, and of later requests by their class.
func (sc Script) Kept() Script {
	sc.Answers = slices.DeleteFunc(slices.Clone(sc.Answers), func(f Fault) bool { return f.On != Query && f.On != Content })
	return sc
}

// Task returns a script without its faults of single answers.
func (sc Script) Task() Script {
	sc.Answers = nil
	return sc
}

// The values of Stay: the state that a task never leaves.
const (
	StayQueued  = "queued"
	StayRunning = "in_progress"
)

var (
	directiveRE = text.Pattern(`\[\[sandbox:([^\]]{0,200})\]\]`)
	argRE       = text.Pattern(`([A-Za-z0-9_-]+)(?:=("[^"]*"|\S*))?`)
	ruleRE      = text.Pattern(`(?:[^;\n"]|"[^"]*"?)+`)
)

// directive is one parsed [[sandbox:...]], or one rule of a list.
type directive struct {
	name string
	args map[string]string
}

const directiveNames = "fail, slow, take, spread, drift, deliver, stay-queued, stay-running, unknown-status, status, first-status, async, ignore, no-url, error-url, types, millis, flat, expire, forget, zone, no-zone, " +
	"html, reset, truncated, delay, http, or an HTTP status as 429 or 500"

// OfPrompt reads the directives of a text and returns the text without them.
func OfPrompt(prompt string) (Script, string, error) {
	var sc Script
	if !strings.Contains(prompt, "[[sandbox:") {
		return sc, prompt, nil
	}
	for _, m := range directiveRE().FindAllStringSubmatch(prompt, -1) {
		d := parseDirective(m[1])
		if err := sc.apply(d, inPrompt); err != nil {
			return Script{}, "", err
		}
	}
	rest := directiveRE().ReplaceAllString(prompt, "")
	return sc, strings.TrimSpace(rest), nil
}

// OfHeader reads the rules of a request's header.
func OfHeader(rules string) (Script, error) { return parseRules(rules, inHeader) }

// OfOptions reads the rules of a server.
func OfOptions(rules string) (Script, error) { return parseRules(rules, inOptions) }

// parseRules reads a list of rules, as a header or an option has it: directives
// without their brackets, separated by semicolons or lines.
func parseRules(list string, where place) (Script, error) {
	var sc Script
	for _, rule := range ruleRE().FindAllString(list, -1) {
		if rule = strings.TrimSpace(rule); rule == "" {
			continue
		}
		if err := sc.apply(parseDirective(rule), where); err != nil {
			return Script{}, err
		}
	}
	return sc, nil
}

func parseDirective(s string) directive {
	s = strings.TrimSpace(s)
	name, rest, _ := strings.Cut(s, " ")
	d := directive{name: strings.ToLower(name), args: map[string]string{}}
	for _, m := range argRE().FindAllStringSubmatch(rest, -1) {
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
			return fmt.Errorf("sandbox directive %q: unknown argument %q, allowed: %s; and model, rate in prompts and options", text.Clip(d.name, 40), text.Clip(k, 40), allowed)
		}
	}
	return nil
}

// apply applies a directive, for all tasks or for some.
func (sc *Script) apply(d directive, where place) error {
	r, d, some, err := d.condition(where)
	if err != nil {
		return err
	}
	if !some {
		return sc.applyAll(d, where)
	}
	err = r.Script.applyAll(d, place{classes: classesInPrompt, drift: where.drift})
	for i := range r.Script.Pace.Drift {
		r.Script.Pace.Drift[i].of = r.Model
	}
	sc.Rules = append(sc.Rules, r)
	return err
}

// applyAll applies a directive without a condition.
func (sc *Script) applyAll(d directive, where place) error {
	switch d.name {
	case "fail":
		sc.Fail, sc.FailCode, sc.FailMessage = true, d.args["code"], d.args["message"]
		return d.only("code", "message")
	case "slow":
		return sc.applySlow(d)
	case "stay-queued":
		sc.Stay = StayQueued
		return d.only()
	case "stay-running":
		sc.Stay = StayRunning
		return d.only()
	case "unknown-status", "status":
		sc.Term = d.args["term"]
		if sc.Term == "" {
			sc.Term = "reticulating"
		}
		return d.only("term")
	case "first-status":
		if sc.First = d.args["term"]; sc.First == "" {
			sc.First = "unknown"
		}
		return d.only("term")
	case "async":
		sc.Async = true
		return d.only()
	case "ignore":
		what, err := parseIgnore(d)
		sc.Ignore = append(sc.Ignore, what...)
		return err
	case "deliver":
		return sc.applyDeliver(d)
	case "no-url":
		sc.Forms.NoURL = true
		return d.only()
	case "error-url":
		sc.Forms.ErrorURL = true
		return d.only()
	case "types":
		sc.Forms.Types = true
		return d.only()
	case "millis":
		sc.Forms.Millis = true
		return d.only()
	case "flat":
		sc.Forms.Flat = true
		return d.only()
	}
	if ok, err := sc.applyEnd(d); ok {
		return err
	}
	if ok, err := sc.applyPace(d, where); ok {
		return err
	}
	f, err := parseFault(d, where.classes)
	sc.Answers = append(sc.Answers, f)
	return err
}

func (sc *Script) applySlow(d directive) error {
	sc.Slow = 10
	if by, ok := d.args["by"]; ok {
		f, err := strconv.ParseFloat(by, 64)
		if err != nil || !(f > 0 && f <= 10_000) {
			return fmt.Errorf("sandbox directive slow: by=%s: a factor above 0 and up to 10000", text.Clip(by, 40))
		}
		sc.Slow = f
	}
	return d.only("by")
}

// Idle reports whether a script leaves the state of a task alone.
func (sc Script) Idle() bool {
	return !sc.Fails() && sc.Stay == "" && sc.Term == "" && sc.First == "" && sc.Forget == 0 && sc.Expire.After == 0
}

// Fails reports whether the task is to fail; an error in place of a result's URL is a failure.
func (sc Script) Fails() bool { return sc.Fail || sc.Forms.ErrorURL }

// Failure returns the code and the message of a scripted failure.
func (sc Script) Failure() (code, message string) {
	code, message = sc.FailCode, sc.FailMessage
	if code == "" {
		code = "generation_failed"
	}
	if message == "" {
		message = "a sandbox fault asked for this failure"
	}
	return code, message
}
