package filter

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
)

// Term is a term of a filter.
type Term struct {
	Name  string   // with its operator, as "state:" and "age<"
	Takes string   // what stands behind it, as "STATE,…"
	Help  string   // what it selects
	Give  []string // values that complete it, where they are known beforehand
	Not   bool     // a - before it leaves out what it selects
}

// row is a term with how it is read.
type row struct {
	Term
	also   string // another name
	ops    string // the operators that it takes
	single bool   // a second one would contradict the first
	short  string // what stands behind < and >, where that is something else
	take   func(p *parser, op, value string) error
}

// usage is how a term is written.
func (r row) usage() string {
	var out []string
	for _, op := range r.ops {
		takes := r.Takes
		if op != ':' && r.short != "" {
			takes = r.short
		}
		out = append(out, r.Name+string(op)+takes)
	}
	return strings.Join(out, " or ")
}

// rows is the table of the terms.
func rows() []row {
	return []row{
		{Term: Term{"state", "STATE,…", "in one of these states; the beginning of a state will do", values(jobs.States()), true},
			also: "status", ops: ":", take: (*parser).state},
		{Term: Term{"kind", "KIND", "of this kind", values(client.Modalities()), true}, ops: ":", single: true, take: (*parser).kind},
		{Term: Term{"model", "NAME", "of models that begin so; * stands for any text", nil, true}, ops: ":", single: true, take: (*parser).model},
		{Term: Term{"code", "CODE,…", "with this error code or HTTP status; * stands for any text", nil, true}, ops: ":", take: (*parser).code},
		{Term: Term{"age", "1h", "made less, or more, than so long ago: 90s, 15m, 1h30m, 2d, 1w", []string{"1h", "1d", "1w"}, false},
			ops: "<>", single: true, take: (*parser).age},
		{Term: Term{"since", "TIME", "made from then on: yesterday, 14:00, 2026-11-22, 2026-11-22T14:00", days(), false},
			ops: ":", single: true, take: (*parser).since},
		{Term: Term{"until", "TIME", "made until then; a day is taken as a whole", days(), false}, ops: ":", single: true, take: (*parser).until},
		{Term: Term{"ended", "TIME", "ended on that day, or from then on: today, 14:00; ended<1h, ended>2d", days(), false},
			ops: ":<>", short: "1h", single: true, take: (*parser).ended},
		{Term: Term{"took", "2m", "ended, and took more, or less, than so long", []string{"1m", "5m"}, false},
			ops: "><", single: true, take: (*parser).took},
		{Term: Term{"is", "WHAT", "starred, fault, observed, slow (longer than 95 of 100 like it), stuck (unchanged for 30 min), unsaved (a file could not be saved), rejected (else left out)",
			words(), true}, ops: ":", take: (*parser).is},
		{Term: Term{"tag", "TAG", "with this tag", nil, true}, ops: ":", single: true, take: (*parser).tag},
		{Term: Term{"id", "ID", "with this id, the job's or the task's", nil, false}, ops: ":", single: true, take: (*parser).id},
		{Term: Term{"group", "ID", "submitted together, by the id of their group", nil, true}, ops: ":", single: true, take: (*parser).group},
		{Term: Term{"run", "ID", "of this run of a comparison", nil, false}, ops: ":", single: true, take: (*parser).run},
		{Term: Term{"profile", "NAME", "of this profile; all for every one", nil, true}, ops: ":", single: true, take: (*parser).profile},
		{Term: Term{"sort", "COLUMN", "in this order; with - from the other end, as sort:-took", sorts(), false},
			ops: ":", single: true, take: (*parser).sort},
	}
}

// Terms lists the terms, one for each operator.
func Terms() []Term {
	var out []Term
	for _, r := range rows() {
		for _, op := range r.ops {
			t := r.Term
			t.Name += string(op)
			if op != ':' && r.short != "" {
				t.Takes, t.Give = r.short, nil
			}
			out = append(out, t)
		}
	}
	return out
}

// find looks a term up by its name.
func find(name string) (row, bool) {
	all := rows()
	i := slices.IndexFunc(all, func(r row) bool { return r.Name == name || r.also == name })
	if i < 0 {
		return row{}, false
	}
	return all[i], true
}

// names lists the terms for which something holds.
func names(holds func(Term) bool, sign string) string {
	var out []string
	for _, t := range Terms() {
		if holds(t) {
			out = append(out, sign+t.Name)
		}
	}
	return strings.Join(out, " ")
}

// knownTerms says what there is.
func knownTerms() string {
	return "try " + names(func(Term) bool { return true }, "") + `, and "…" for text`
}

func notable() string { return "try " + names(func(t Term) bool { return t.Not }, "-") }

func (p *parser) state(_, value string) error {
	for s := range strings.SplitSeq(value, ",") {
		if s == "" {
			continue
		}
		to := &p.q.States
		if p.not {
			to = &p.q.Not.States
		}
		found := false
		for _, st := range jobs.States() {
			if begins(string(st), s) {
				found = true
				if !slices.Contains(*to, st) {
					*to = append(*to, st)
				}
			}
		}
		if !found {
			return errors.New("try " + list(jobs.States()))
		}
	}
	return nil
}

func (p *parser) kind(_, value string) error {
	i := slices.IndexFunc(client.Modalities(), func(k client.Modality) bool { return begins(string(k), value) })
	if i < 0 {
		return errors.New("try " + list(client.Modalities()))
	}
	k := client.Modalities()[i]
	if p.not {
		p.q.Not.Modalities = append(p.q.Not.Modalities, k)
	} else {
		p.q.Modality = k
	}
	return nil
}

func (p *parser) model(_, value string) error {
	if !strings.HasSuffix(value, "*") {
		value += "*"
	}
	p.put(&p.q.Model, &p.q.Not.Models, value)
	return nil
}

func (p *parser) code(_, value string) error {
	for c := range strings.SplitSeq(value, ",") {
		switch {
		case c == "":
		case p.not:
			p.q.Not.Codes = append(p.q.Not.Codes, c)
		default:
			p.q.Codes = append(p.q.Codes, c)
		}
	}
	return nil
}

func (p *parser) tag(_, value string) error {
	p.put(&p.q.Tag, &p.q.Not.Tags, value)
	return nil
}

func (p *parser) group(_, value string) error {
	p.put(&p.q.Group, &p.q.Not.Groups, value)
	return nil
}

func (p *parser) run(_, value string) error {
	p.q.Run = strings.ToLower(value)
	return nil
}

func (p *parser) profile(_, value string) error {
	p.put(&p.q.Profile, &p.q.Not.Profiles, value)
	return nil
}

func (p *parser) id(_, value string) error {
	p.q.TaskID = value
	return nil
}

// put has a value be wanted, or left out.
func (p *parser) put(to *string, not *[]string, value string) {
	if p.not {
		*not = append(*not, value)
	} else {
		*to = value
	}
}

// what is:… selects.
const (
	isFault = "fault"
	isSlow  = "slow"
	isStuck = "stuck"
	isOther = "observed"
	isLost  = "unsaved"
	isTrash = "rejected"
)

func words() []string { return []string{jobs.Star, isFault, isSlow, isStuck, isOther, isLost, isTrash} }

// is takes what a job is.
func (p *parser) is(_, value string) error {
	w, err := one(words(), value)
	switch {
	case err != nil:
		return fmt.Errorf("%w (is:%s)", err, strings.Join(words(), ", is:"))
	case w == isFault && p.not:
		p.q.Not.States = append(p.q.Not.States, Faults()...)
	case w == isFault:
		p.fault = true
	case w == jobs.Star && p.not:
		p.q.Not.Tags = append(p.q.Not.Tags, jobs.Star)
	case w == jobs.Star:
		p.q.Starred = true
	case w == isOther && p.not:
		p.q.Not.Observed = true
	case w == isOther:
		p.q.Observed = true
	case w == isTrash && p.not:
		p.q.Rejected = jobs.RejectedOut
	case w == isTrash:
		p.q.Rejected = jobs.RejectedOnly
	case p.not:
		return errors.New("only -is:" + jobs.Star + ", -is:" + isFault + " and -is:" + isOther + " leave out")
	case w == isLost:
		p.q.Unsaved = true
	case w == isSlow:
		p.q.Slow = true
	case w == isStuck:
		p.q.Stuck = true
	}
	return nil
}

// one is the one word that begins with a text.
func one(of []string, text string) (string, error) {
	var fit []string
	for _, w := range of {
		if w == strings.ToLower(text) {
			return w, nil
		}
		if begins(w, text) {
			fit = append(fit, w)
		}
	}
	switch len(fit) {
	case 1:
		return fit[0], nil
	case 0:
		return "", errors.New("try " + strings.Join(of, ", "))
	default:
		return "", errors.New(strings.Join(fit[:len(fit)-1], ", ") + " or " + fit[len(fit)-1] + "?")
	}
}

func (p *parser) age(op, value string) error {
	d, err := duration(value)
	if err != nil {
		return err
	}
	if op == "<" {
		later(&p.q.Since, p.now.Add(-d))
	} else {
		sooner(&p.q.Until, p.now.Add(-d))
	}
	return nil
}

func (p *parser) took(op, value string) error {
	d, err := duration(value)
	if err != nil {
		return err
	}
	if op == ">" {
		p.q.TookOver = d
	} else {
		p.q.TookUnder = d
	}
	return nil
}

func (p *parser) since(_, value string) error {
	from, _, err := span(value, p.now)
	if err == nil {
		later(&p.q.Since, from)
	}
	return err
}

func (p *parser) until(_, value string) error {
	_, to, err := span(value, p.now)
	if err == nil {
		sooner(&p.q.Until, to)
	}
	return err
}

func (p *parser) ended(op, value string) error {
	if op != ":" {
		d, err := duration(value)
		switch {
		case err != nil:
			return err
		case op == "<":
			later(&p.q.EndedSince, p.now.Add(-d))
		default:
			sooner(&p.q.EndedUntil, p.now.Add(-d))
		}
		return nil
	}
	from, to, err := span(value, p.now)
	if err != nil {
		return err
	}
	later(&p.q.EndedSince, from)
	if to.After(from) {
		sooner(&p.q.EndedUntil, to)
	}
	return nil
}

// later and sooner narrow a span of time.
func later(at *time.Time, t time.Time) {
	if at.Before(t) {
		*at = t
	}
}

func sooner(at *time.Time, t time.Time) {
	if at.IsZero() || t.Before(*at) {
		*at = t
	}
}

// sortAge is the name of the usual order.
const sortAge = "age"

func sorts() (out []string) {
	for _, by := range jobs.SortsBy() {
		if by == jobs.SortAge {
			by = sortAge
		}
		out = append(out, string(by))
	}
	return out
}

func (p *parser) sort(_, value string) error {
	by, down := strings.CutPrefix(value, "-")
	if by == "" {
		return nil
	}
	column, err := one(sorts(), by)
	if err == nil {
		p.q.Sort = jobs.Sort{By: jobs.SortsBy()[slices.Index(sorts(), column)], Down: down}
	}
	return err
}

func begins(s, prefix string) bool { return strings.HasPrefix(s, strings.ToLower(prefix)) }

func values[T ~string](all []T) []string {
	out := make([]string, len(all))
	for i, v := range all {
		out[i] = string(v)
	}
	return out
}

func list[T ~string](all []T) string { return strings.Join(values(all), ", ") }
