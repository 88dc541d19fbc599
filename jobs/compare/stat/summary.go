package stat

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/compare"
)

// maxPairs bounds the work: of more groups than make so many pairs, none are compared.
const maxPairs = 1000

// Of summarises a run. What counts is what
// [compare.Run.Counted] returns: no warm-up, and of several attempts at a slot the first.
func Of(run *compare.Run, o Options) Summary {
	if !(o.Alpha > 0 && o.Alpha < 1) {
		o.Alpha = 0.05
	}
	s := Summary{By: o.By, Alpha: o.Alpha, Groups: []Group{}, Prompts: []Group{}, Pairs: []Comparison{}}
	all, each := samples(run, o.By)
	open, resent := 0, 0
	for i := range all {
		g := all[i].row("", all[i].cells, run.Repeats)
		open, resent = open+g.Open, resent+g.Resent
		s.Groups = append(s.Groups, g)
		for _, p := range all[i].prompts() {
			s.Prompts = append(s.Prompts, all[i].row(p.id, p.cells, run.Repeats))
		}
	}
	if open > 0 {
		s.Notes = append(s.Notes, human.Plural(open, "trial")+" without an end yet: the numbers will change.")
	}
	if resent > 0 {
		s.Notes = append(s.Notes, human.Plural(resent, "trial")+" sent again after a failure: the first attempt counts.")
	}
	if pairs := len(all) * (len(all) - 1) / 2; pairs > maxPairs {
		s.Notes = append(s.Notes, fmt.Sprintf("%s make %s pairs: more than %s are not compared. Compare fewer.", human.Plural(len(all), "group"), human.Count(pairs), human.Count(maxPairs)))
		return s
	}
	s.Pairs = compareAll(all, each, o.Alpha)
	return s
}

// sample is one group.
type sample struct {
	name  string
	cells []*tested // by number
	parts []part    // by block
}

// tested is a cell with the trials of it that are counted or open, by repeat.
type tested struct {
	cell   *compare.Cell
	block  int
	trials []*compare.Trial
	resent int // slots that were sent again
}

// part is what a group has of one block: the trials that count, by cell and repeat.
type part struct {
	block  int
	trials []*compare.Trial
	times  map[Metric]*clocks
}

// samples sorts the trials into groups by name and blocks; each says what a block is.
func samples(run *compare.Run, by By) (all []sample, each string) {
	counted, resent := map[int][]*compare.Trial{}, map[int]int{}
	for _, t := range run.Counted() {
		counted[t.Slot.Cell] = append(counted[t.Slot.Cell], t)
	}
	for _, t := range run.Latest() {
		if t.Attempt > 1 && !t.Slot.Warmup {
			resent[t.Slot.Cell]++
		}
	}
	groups, blocks, prompts := map[string]int{}, map[string]int{}, map[string]bool{}
	formats := run.Formats()
	for i := range run.Cells {
		c := &run.Cells[i]
		name, rest := split(c, by, formats)
		at, ok := groups[name]
		if !ok {
			at = len(all)
			groups[name] = at
			all = append(all, sample{name: name})
		}
		if _, ok := blocks[rest]; !ok {
			blocks[rest] = len(blocks)
		}
		prompts[c.Prompt.ID] = true
		all[at].cells = append(all[at].cells, &tested{c, blocks[rest], counted[c.Number], resent[c.Number]})
	}
	for i := range all {
		all[i].divide()
	}
	slices.SortFunc(all, func(x, y sample) int { return strings.Compare(x.name, y.name) })
	if len(blocks) > len(prompts) {
		return all, "cell"
	}
	return all, "prompt"
}

// split returns the group of a cell, and its block: all in which the cells of a group differ.
func split(c *compare.Cell, by By, formats bool) (name, rest string) {
	const sep = "\x00"
	short := compare.Cell{Model: c.Model, ModelName: c.ModelName, Format: c.Format, Settings: c.Settings}
	var settings strings.Builder
	for _, s := range c.Settings {
		settings.WriteString(sep + s.Field + sep + s.Value)
	}
	rest = c.Prompt.ID
	switch by {
	case ByModel:
		short.Settings = nil
		return short.Group(false), rest + sep + c.Format + settings.String()
	case ByFormat:
		short.Settings = nil
		return short.Group(true), rest + settings.String()
	case BySettings:
		return short.Group(false), rest + sep + c.Format
	default:
		return short.Group(formats), rest
	}
}

// divide makes the parts.
func (s *sample) divide() {
	at := map[int]int{}
	for _, c := range s.cells {
		for _, t := range c.trials {
			if fate(t) != counted {
				continue
			}
			i, ok := at[c.block]
			if !ok {
				i = len(s.parts)
				at[c.block] = i
				s.parts = append(s.parts, part{block: c.block})
			}
			s.parts[i].trials = append(s.parts[i].trials, t)
		}
	}
	slices.SortFunc(s.parts, func(x, y part) int { return cmp.Compare(x.block, y.block) })
	for i := range s.parts {
		p := &s.parts[i]
		p.times = make(map[Metric]*clocks, len(Latencies()))
		for _, m := range Latencies() {
			p.times[m] = timed(p.trials, m)
		}
	}
}

// Fates of a trial.
const (
	counted = iota
	waiting // has no end
	unclear // nobody can say what came of it, or a person dropped it
)

func fate(t *compare.Trial) int {
	switch {
	case t.Unclear():
		return unclear
	case !t.Ended():
		return waiting
	default:
		return counted
	}
}

// asked is the cells of one prompt.
type asked struct {
	id    string
	cells []*tested
}

// prompts are in the order of the suite.
func (s *sample) prompts() []asked {
	var out []asked
	at := map[string]int{}
	for _, c := range s.cells {
		i, ok := at[c.cell.Prompt.ID]
		if !ok {
			i = len(out)
			at[c.cell.Prompt.ID] = i
			out = append(out, asked{id: c.cell.Prompt.ID})
		}
		out[i].cells = append(out[i].cells, c)
	}
	return out
}

// row puts cells into numbers.
func (s *sample) row(prompt string, cells []*tested, repeats int) Group {
	g := Group{Name: s.name, Prompt: client.CleanLine(prompt), Pass: Pass{N: repeats}}
	var trials []*compare.Trial
	good, passed := 0, 0.0
	codes := map[string]int{}
	for _, c := range cells {
		if c.cell.Cannot != "" {
			g.Cannot++
		} else {
			g.Cells++
		}
		g.Resent += c.resent
		n, ok := 0, 0
		for _, t := range c.trials {
			switch fate(t) {
			case waiting:
				g.Open++
				continue
			case unclear:
				g.Unclear++
				continue
			}
			trials = append(trials, t)
			if n++; t.OK() {
				ok++
				continue
			}
			codes[codeOf(t)]++
			if t.TimedOut {
				g.TimedOut++
			}
		}
		if good += ok; repeats > 0 && n >= repeats {
			g.Pass.Cells++
			passed += PassAll(ok, n, repeats)
		}
	}
	g.Success = Wilson(good, len(trials))
	if g.Pass.Cells > 0 {
		g.Pass.Value = passed / float64(g.Pass.Cells)
	}
	for code, n := range codes {
		g.Errors = append(g.Errors, Code{code, n})
	}
	slices.SortFunc(g.Errors, func(x, y Code) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), strings.Compare(x.Code, y.Code))
	})
	g.Times = rowTimes(trials)
	return g
}

// codeOf says why a trial failed.
func codeOf(t *compare.Trial) string {
	switch {
	case t.TimedOut:
		return "timed out"
	case t.Code != "":
		return client.CleanLine(t.Code)
	default:
		return string(t.State)
	}
}

// rowTimes has each metric by each clock that there is.
func rowTimes(trials []*compare.Trial) []Times {
	var out []Times
	for _, m := range Latencies() {
		c := timed(trials, m)
		if len(c.own) > 0 {
			out = append(out, timesOf(m, c.source(), c.own))
		}
		if stamps(trials, m) {
			out = append(out, timesOf(m, compare.Stamped, c.stamped))
		}
	}
	return out
}

// Time returns a group's latency in a metric, by the clock that knows most trials, and of two such by the
// one that tells more of them, see [Times]. It is false where nothing is known.
func (g *Group) Time(m Metric) (Times, bool) {
	var out Times
	for _, t := range g.Times {
		if t.Metric == m && (t.N > out.N || t.N == out.N && t.Within <= out.Within) {
			out = t
		}
	}
	return out, out.N > 0
}
