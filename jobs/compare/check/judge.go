package check

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"darkroom/client/human"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/measure"
)

// leastP95 is how many trials a 95th percentile needs.
const leastP95 = 20

// Trial checks one trial that has ended against each expectation about trials of its model.
func Trial(list []Expectation, c *compare.Cell, t *compare.Trial) []compare.Check {
	var out []compare.Check
	for _, e := range list {
		if e.scope == eachTrial && e.concerns(c) {
			out = append(out, e.check(e.trial(t)))
		}
	}
	return out
}

// Run checks what concerns several trials: it sets the checks of each cell and of the run. Each slot
// counts with its first attempt, as in the statistics; warm-ups do not count.
func Run(list []Expectation, r *compare.Run) {
	byCell := map[int][]*compare.Trial{}
	for _, t := range r.Counted() {
		byCell[t.Slot.Cell] = append(byCell[t.Slot.Cell], t)
	}
	r.CellChecks, r.Checks = nil, nil
	for i := range r.Cells {
		c := &r.Cells[i]
		if c.Cannot != "" {
			continue
		}
		for _, e := range list {
			if e.scope == eachCell && e.concerns(c) {
				if r.CellChecks == nil {
					r.CellChecks = map[int][]compare.Check{}
				}
				r.CellChecks[c.Number] = append(r.CellChecks[c.Number], e.check(e.several(byCell[c.Number], r.Repeats)))
			}
		}
	}
	for _, e := range list {
		if e.scope != wholeRun {
			continue
		}
		var all []*compare.Trial
		planned := 0
		for i := range r.Cells {
			if c := &r.Cells[i]; c.Cannot == "" && e.concerns(c) {
				all = append(all, byCell[c.Number]...)
				planned += r.Repeats
			}
		}
		r.Checks = append(r.Checks, e.check(e.several(all, planned)))
	}
}

// Failed counts the checks of a run that failed, of trials, cells and the run itself. Of a slot that was
// sent again the first attempt counts.
func Failed(r *compare.Run) int {
	n := 0
	count := func(list []compare.Check) {
		for _, c := range list {
			if c.Verdict == compare.Fail {
				n++
			}
		}
	}
	for _, t := range r.Counted() {
		count(t.Checks)
	}
	for _, list := range r.CellChecks {
		count(list)
	}
	count(r.Checks)
	return n
}

// Unforeseen reports whether a trial ended otherwise than completed, and nothing that is expected decides
// whether it may: no check of its own failed, and none is about its status, its error or a success that it
// has a part in. What is expected of its latency alone says nothing of a trial that has none.
func Unforeseen(r *compare.Run, t *compare.Trial) bool {
	c := r.Cell(t.Slot.Cell)
	if c == nil || t.Slot.Warmup || !t.Ended() || t.OK() {
		return false
	}
	for _, list := range [][]compare.Check{t.Checks, r.CellChecks[c.Number], r.Checks} {
		for _, x := range list {
			e, err := Parse(x.Name)
			if err == nil && e.concerns(c) && slices.Contains([]string{"status", "error", "success"}, e.subject) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(t.Checks, func(x compare.Check) bool { return x.Verdict == compare.Fail })
}

func (e Expectation) check(v compare.Verdict, text string) compare.Check {
	return compare.Check{Name: e.text, Verdict: v, Text: text}
}

func (e Expectation) concerns(c *compare.Cell) bool {
	if e.model == "" {
		return true
	}
	ok, err := path.Match(strings.ToLower(e.model), strings.ToLower(c.Model))
	return err == nil && ok
}

func verdict(ok bool) compare.Verdict {
	if ok {
		return compare.Pass
	}
	return compare.Fail
}

// holds compares a number with the expected one.
func (e Expectation) holds(n float64) bool {
	const rounding = 1e-9
	switch e.op {
	case "<":
		return n < e.value
	case "<=":
		return n <= e.value+rounding
	case ">":
		return n > e.value
	case ">=":
		return n >= e.value-rounding
	case "is not":
		return math.Abs(n-e.value) > rounding
	default:
		return math.Abs(n-e.value) <= rounding
	}
}

// bounds compares a number of which only bounds are known: it passes or fails if all numbers between
// them do.
func (e Expectation) bounds(least, most float64) compare.Verdict {
	switch a, b := e.holds(least), e.holds(most); {
	case a && b:
		return compare.Pass
	case !a && !b:
		return compare.Fail
	default:
		return compare.Unknown
	}
}

// trial says how one trial did.
func (e Expectation) trial(t *compare.Trial) (compare.Verdict, string) {
	if !t.Ended() {
		return compare.Unknown, "not over yet"
	}
	switch e.subject {
	case "status":
		state := string(t.State)
		if t.TimedOut {
			state = "timed out"
		}
		return verdict((state == e.word) == (e.op == "is")), "it is " + state
	case "error":
		text := "there was no error"
		if t.Code != "" {
			text = "the error is " + t.Code
		}
		return verdict(strings.EqualFold(t.Code, e.word) == (e.op == "is")), text
	}
	if i, ok := latency(t, e.subject); ok {
		return e.interval(t, i)
	}
	if !t.OK() {
		return compare.Fail, "nothing was delivered"
	}
	switch e.subject {
	case "size":
		return e.size(t)
	case "files":
		return verdict(e.holds(float64(len(t.Files)))), human.Plural(len(t.Files), "file")
	case "score":
		return e.scored(t)
	case "delivered":
		return asAsked(t.Facts)
	}
	return e.property(t)
}

// latency returns a latency by the word for it. Where the gateway's own stamps bound it they are
// narrower than polls; a total of theirs leaves the create out, and does not count here.
func latency(t *compare.Trial, subject string) (compare.Interval, bool) {
	l := &t.Latency
	best := func(stamped, polled compare.Interval) compare.Interval {
		if stamped.Known() && !stamped.Open {
			return stamped
		}
		return polled
	}
	switch subject {
	case "latency", "total":
		return l.Total, true
	case "create":
		return l.Create, true
	case "queue":
		return best(l.GatewayQueue, l.Queue), true
	case "run":
		return best(l.GatewayRun, l.Run), true
	case "download":
		return l.Download, true
	}
	return compare.Interval{}, false
}

// interval compares a latency. What was not over proves only that it took longer than that.
func (e Expectation) interval(t *compare.Trial, i compare.Interval) (compare.Verdict, string) {
	if !i.Known() || !t.OK() && !i.Open {
		return compare.Unknown, "not known: it did not complete"
	}
	most := i.Most.Seconds()
	if i.Open {
		most = math.Inf(1)
	}
	text := "took " + i.String()
	v := e.bounds(i.Least.Seconds(), most)
	if v == compare.Unknown {
		text += ": that leaves it open"
	}
	return v, text
}

func (e Expectation) size(t *compare.Trial) (compare.Verdict, string) {
	if len(t.Files) == 0 {
		return compare.Unknown, "no file was saved"
	}
	worst := t.Files[0].Bytes
	for _, f := range t.Files {
		if !e.holds(float64(f.Bytes)) {
			return compare.Fail, human.Bytes(f.Bytes)
		}
		worst = max(worst, f.Bytes)
	}
	return compare.Pass, human.Bytes(worst)
}

func (e Expectation) scored(t *compare.Trial) (compare.Verdict, string) {
	for _, c := range t.Checks {
		if c.Scored && c.Name == e.score {
			return verdict(e.holds(c.Score)), fmt.Sprintf("scored %.4g", c.Score)
		}
	}
	return compare.Unknown, "not scored"
}

// asAsked says whether everything is as asked for.
func asAsked(facts []compare.Property) (compare.Verdict, string) {
	var wrong []string
	known := false
	for _, p := range facts {
		switch p.Verdict {
		case compare.Fail:
			wrong = append(wrong, measure.Sentence(p))
		case compare.Pass:
			known = true
		}
	}
	switch {
	case len(wrong) > 0:
		return compare.Fail, strings.Join(wrong, "; ")
	case known:
		return compare.Pass, "as asked for"
	default:
		return compare.Unknown, "nothing to compare"
	}
}

func (e Expectation) property(t *compare.Trial) (compare.Verdict, string) {
	for _, p := range t.Facts {
		switch {
		case p.Field != e.subject:
		case e.asAsked && p.Verdict == compare.Unknown:
			return compare.Unknown, "nothing to compare"
		case e.asAsked:
			return p.Verdict, measure.Sentence(p)
		case !p.Delivered.Known:
			return compare.Unknown, "the file does not tell"
		case p.Delivered.Number > 0:
			return verdict(e.holds(p.Delivered.Number)), "it is " + strings.TrimSpace(p.Delivered.Text+" "+p.Unit)
		default:
			return verdict(strings.EqualFold(p.Delivered.Text, e.word) == (e.op == "is")), "it is " + p.Delivered.Text
		}
	}
	return compare.Unknown, "the file does not tell"
}

// several says how trials did together; planned is how many there are to be.
func (e Expectation) several(trials []*compare.Trial, planned int) (compare.Verdict, string) {
	if e.over == successes {
		return e.success(trials, planned)
	}
	least, most := e.values(trials)
	n := len(least)
	switch {
	case n == 0:
		return compare.Unknown, "nothing is known"
	case e.over == p95Of && n < leastP95:
		return compare.Unknown, fmt.Sprintf("%d of the %d that a p95 needs", n, leastP95)
	}
	q := 0.5
	if e.over == p95Of {
		q = 0.95
	}
	a, b := quantile(least, q), quantile(most, q)
	return e.bounds(a, b), fmt.Sprintf("%s of %d", e.words(a, b), n)
}

func (e Expectation) success(trials []*compare.Trial, planned int) (compare.Verdict, string) {
	ok, ended, unclear := 0, 0, 0
	for _, t := range trials {
		switch {
		case t.Unclear():
			unclear++
		case t.Ended():
			ended++
		}
		if t.OK() {
			ok++
		}
	}
	if planned = max(planned, len(trials)); planned == 0 {
		return compare.Unknown, "nothing was sent"
	}
	text := fmt.Sprintf("%d/%d succeeded", ok, ended)
	if left := planned - ended - unclear; left > 0 {
		text += fmt.Sprintf(", %d not over", left)
	}
	if unclear > 0 {
		text += fmt.Sprintf(", %d unclear", unclear)
	}
	// What is not over may succeed or fail, and so may what is unclear have.
	all := float64(planned)
	return e.bounds(float64(ok)/all, float64(ok+planned-ended)/all), text
}

// values returns bounds of what was measured, of those trials that have any. A time-out took at least
// so long; a failed trial has no latency.
func (e Expectation) values(trials []*compare.Trial) (least, most []float64) {
	add := func(a, b float64) { least, most = append(least, a), append(most, b) }
	for _, t := range trials {
		if i, ok := latency(t, e.subject); ok {
			switch {
			case i.Known() && i.Open && t.TimedOut:
				add(i.Least.Seconds(), math.Inf(1))
			case i.Known() && !i.Open && t.OK():
				add(i.Least.Seconds(), i.Most.Seconds())
			}
			continue
		}
		switch {
		case e.subject == "size" && t.OK():
			for _, f := range t.Files {
				add(float64(f.Bytes), float64(f.Bytes))
			}
		case e.subject == "score":
			for _, c := range t.Checks {
				if c.Scored && c.Name == e.score {
					add(c.Score, c.Score)
				}
			}
		}
	}
	return least, most
}

// words writes what was found, as a latency, a size or a number.
func (e Expectation) words(a, b float64) string {
	switch subjects[e.subject] {
	case ofTime:
		i := compare.Interval{Source: compare.Polled, Least: seconds(a), Most: seconds(b), Open: math.IsInf(b, 1)}
		return i.String()
	case ofBytes:
		return human.Bytes(int64(a))
	default:
		return fmt.Sprintf("%.4g", a)
	}
}

func seconds(s float64) time.Duration {
	if math.IsInf(s, 1) {
		return 0
	}
	return time.Duration(s * float64(time.Second))
}

// quantile is the value that a share of the values is not above; of a median of an even number the mean
// of the two in the middle.
func quantile(values []float64, q float64) float64 {
	v := slices.Sorted(slices.Values(values))
	if q == 0.5 && len(v)%2 == 0 {
		return (v[len(v)/2-1] + v[len(v)/2]) / 2
	}
	return v[min(len(v)-1, max(0, int(math.Ceil(q*float64(len(v))))-1))]
}
