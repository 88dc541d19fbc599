// Package check holds what a suite expects of its trials, cells and of the run as a whole, and says how
// each expectation came out. It is pure.
//
// An expectation is a line of words, "SUBJECT is VALUE" or "SUBJECT < VALUE":
//
//	status is completed          also: is not; states of a job
//	error is NOT_ENOUGH_CREDIT   the gateway's error code
//	latency < 30s                from the POST to the end, also called total; also: create, queue, run, download
//	size < 20MB                  of each file
//	files is 2                   how many were saved
//	width is 1280                any property that a file tells of, in its unit
//	duration is as asked         within the suite's tolerance; "delivered is as asked": all of them
//	score sharpness > 0.5        what a scorer of that name said
//
// over the repeats of a cell:
//
//	success >= 2/3               also: 90%
//	median latency < 20s         also: p95, from 20 on; any latency, "score NAME", size
//
// and, with "overall" in front, over all trials of the run. "famA*: latency < 30s" concerns models of
// that pattern alone.
package check

import (
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare/measure"
	"darkroom/jobs/delivered"
)

// scope is what an expectation looks at.
type scope int

const (
	eachTrial scope = iota
	eachCell
	wholeRun
)

// over is how the trials of a cell or run become one value.
type over int

const (
	none over = iota
	successes
	medianOf
	p95Of
)

// Expectation is one line of a suite, read. Make it with [Parse].
type Expectation struct {
	text  string // as it was written, on one line
	model string // pattern of the models that it concerns, "" for all
	scope scope
	over  over

	subject string // a key of subjects, a property, or "score"
	score   string // its name
	op      string // "is", "is not", "<", "<=", ">", ">="
	value   float64
	word    string // of "is" and "is not"
	asAsked bool
}

// String is the line as it was written.
func (e Expectation) String() string { return e.text }

// quantity is how a subject's values are written.
type quantity int

const (
	ofWords quantity = iota
	ofTime
	ofBytes
	ofNumber
)

// subjects are those that are no property of a file.
var subjects = map[string]quantity{
	"status": ofWords, "error": ofWords, "latency": ofTime, "total": ofTime, "create": ofTime, "queue": ofTime, "run": ofTime, "download": ofTime,
	"size": ofBytes, "files": ofNumber, "delivered": ofWords, "score": ofNumber, "success": ofNumber,
}

// maxLine bounds an expectation, in bytes.
const maxLine = 200

// Parse reads an expectation. The error says what is wrong and what is allowed.
func Parse(line string) (Expectation, error) {
	text := strings.Join(strings.Fields(client.CleanLine(line)), " ")
	if text == "" || len(text) > maxLine {
		return Expectation{}, fmt.Errorf("an expectation is a line of up to %d characters, such as: latency < 30s", maxLine)
	}
	e := Expectation{text: text}
	rest := text
	if model, after, ok := strings.Cut(rest, ": "); ok {
		if _, err := path.Match(model, ""); err != nil {
			return Expectation{}, fmt.Errorf("%q: %q is not a pattern of models: write one such as famA*", text, model)
		}
		e.model, rest = model, after
	}
	words := strings.Fields(rest)
	at := slices.IndexFunc(words, isOp)
	if at < 1 || at == len(words)-1 {
		return Expectation{}, fmt.Errorf("%q: write a subject, then is, is not, <, <=, > or >=, then a value, with blanks between", text)
	}
	e.op = words[at]
	value := words[at+1:]
	if e.op == "is" && value[0] == "not" && len(value) > 1 {
		e.op, value = "is not", value[1:]
	}
	if err := e.takeSubject(words[:at]); err != nil {
		return Expectation{}, fmt.Errorf("%q: %w", text, err)
	}
	if err := e.takeValue(strings.Join(value, " ")); err != nil {
		return Expectation{}, fmt.Errorf("%q: %w", text, err)
	}
	return e, nil
}

func isOp(w string) bool { return slices.Contains([]string{"is", "<", "<=", ">", ">="}, w) }

func (e *Expectation) takeSubject(words []string) error {
	if words[0] == "overall" {
		e.scope, words = wholeRun, words[1:]
	}
	if len(words) > 0 && (words[0] == "median" || words[0] == "p95") {
		e.over = medianOf
		if words[0] == "p95" {
			e.over = p95Of
		}
		words = words[1:]
	}
	switch {
	case len(words) == 2 && words[0] == "score":
		e.subject, e.score = "score", words[1]
	case len(words) == 1:
		e.subject = words[0]
	default:
		return fmt.Errorf("%q is not a subject: %s", strings.Join(words, " "), allowedSubjects())
	}
	if _, known := subjects[e.subject]; !known && !slices.Contains(delivered.Fields(), e.subject) {
		return fmt.Errorf("%q is not a subject: %s", e.subject, allowedSubjects())
	}
	return e.together()
}

// together checks whether subject, scope and summary go together, and says which trials are meant.
func (e *Expectation) together() error {
	if e.subject == "score" && e.score == "" {
		return errors.New("name the score: score sharpness > 0.5")
	}
	if e.subject == "success" {
		if e.over != none {
			return errors.New("success is a share already: success >= 2/3")
		}
		e.over = successes
	}
	if e.over != none && e.scope == eachTrial {
		e.scope = eachCell
	}
	switch q, known := subjects[e.subject]; {
	case e.scope == wholeRun && e.over == none:
		return errors.New("overall needs success, median or p95")
	case e.over > successes && (!known || q == ofWords || e.subject == "files"):
		return errors.New("a median and p95 are of a latency, size or score")
	}
	return nil
}

func allowedSubjects() string {
	var names []string
	for s := range subjects {
		names = append(names, s)
	}
	slices.Sort(names)
	return "there are " + strings.Join(append(names, delivered.Fields()...), ", ")
}

func (e *Expectation) takeValue(text string) error {
	property := slices.Contains(delivered.Fields(), e.subject)
	if text == "as asked" {
		if !property && e.subject != "delivered" || e.op != "is" {
			return errors.New("as asked is said of a property or of delivered: duration is as asked")
		}
		e.asAsked = true
		return nil
	}
	switch {
	case e.subject == "delivered":
		return errors.New("write: delivered is as asked")
	case e.subject == "status" && !jobs.State(text).Valid():
		return fmt.Errorf("%q is not a status: there are %s", text, states())
	case e.subject == "success":
		return e.takeShare(text)
	case property:
		return e.takeProperty(text)
	}
	return e.takeQuantity(text)
}

// takeQuantity reads a value of a subject that is no property.
func (e *Expectation) takeQuantity(text string) error {
	equal := strings.HasPrefix(e.op, "is")
	switch q := subjects[e.subject]; {
	case q == ofWords && !equal:
		return fmt.Errorf("%s is compared with is or is not", e.subject)
	case q == ofWords:
		e.word = text
		return nil
	case (q == ofTime || q == ofBytes) && equal:
		return fmt.Errorf("%s is compared with <, <=, > or >=", e.subject)
	case q == ofTime:
		d, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
		if err != nil || d < 0 {
			return fmt.Errorf("%q is not a duration: give one such as 1.5s, 30s or 2m", text)
		}
		e.value = d.Seconds()
		return nil
	case q == ofBytes:
		return e.takeBytes(text)
	}
	return e.takeNumber(text)
}

func states() string {
	var out []string
	for _, s := range jobs.States() {
		out = append(out, string(s))
	}
	return strings.Join(out, ", ")
}

func (e *Expectation) takeNumber(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return fmt.Errorf("%q is not a number", text)
	}
	e.value, e.word = n, text
	return nil
}

// takeProperty reads a number in the unit of a property, or a word.
func (e *Expectation) takeProperty(text string) error {
	unit := measure.Units(e.subject)
	if unit != "" {
		text = strings.TrimSpace(strings.TrimSuffix(text, unit))
		return e.takeNumber(text)
	}
	if err := e.takeNumber(text); err != nil && !strings.HasPrefix(e.op, "is") {
		return fmt.Errorf("%w: %s is compared with is or is not otherwise", err, e.subject)
	}
	e.word = text
	return nil
}

// takeShare reads "2/3" or "90%".
func (e *Expectation) takeShare(text string) error {
	if e.op == "is not" {
		return errors.New("success is compared with is, <, <=, > or >=")
	}
	if k, n, ok := strings.Cut(text, "/"); ok {
		a, err1 := strconv.Atoi(k)
		b, err2 := strconv.Atoi(n)
		if err1 == nil && err2 == nil && a >= 0 && b > 0 && a <= b {
			e.value = float64(a) / float64(b)
			return nil
		}
	}
	if p, ok := strings.CutSuffix(text, "%"); ok {
		if n, err := strconv.ParseFloat(strings.TrimSpace(p), 64); err == nil && n >= 0 && n <= 100 {
			e.value = n / 100
			return nil
		}
	}
	return fmt.Errorf("%q is not a share: give one such as 2/3 or 90%%", text)
}

// takeBytes reads "20MB" or "512 kB".
func (e *Expectation) takeBytes(text string) error {
	units := []struct {
		name string
		by   float64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}}
	for _, u := range units {
		if n, ok := strings.CutSuffix(text, u.name); ok {
			v, err := strconv.ParseFloat(strings.TrimSpace(n), 64)
			if err == nil && v >= 0 && v < 1e15 {
				e.value = v * u.by
				return nil
			}
			break
		}
	}
	return fmt.Errorf("%q is not a size: give one such as 500kB or 20MB", text)
}
