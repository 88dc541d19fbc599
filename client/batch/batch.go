// Package batch makes a plan of many jobs out of one draft: its rows come from the draft, from a
// table or from lines, each is fitted to its model, checked, given its seed, and what is in the
// way is named. It sends nothing, and reads no files but wildcards; of others it looks where they lie.
package batch

import (
	"fmt"
	"io/fs"
	"math/big"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
)

// Bounds of a plan.
const (
	FirstShown  = 20 // jobs of one that is too large to be made
	maxFindings = 50
	maxNotes    = 10
	maxColumns  = 100 // of a table whose columns a person places
)

// Gateway says what becomes of a draft.
type Gateway interface {
	// FormatsFor are the formats that can create a draft, preferred first.
	FormatsFor(d client.Draft) []string
	Preview(d client.Draft, format string) (client.Preview, error)
}

// Wildcards opens the wildcard files, and returns what closes them.
type Wildcards func() (fs.FS, func(), error)

// Input is what a batch is made of. It is not changed once it is made: commands read it.
type Input struct {
	Catalog   *catalog.Catalog
	Gateway   Gateway
	Wildcards Wildcards // nil for none

	Base   client.Draft
	Format string // that is wished for
	Mode   expand.Mode
	Count  int
	Seeds  expand.SeedMode
	Master uint64 // what prompts and seeds are drawn with
	Vars   map[string]string
	Limit  int
	File   *File // nil for none
	// Blocked is what is wrong with the draft that the catalog does not know of.
	Blocked []string
}

// Job is one job as it would be sent.
type Job struct {
	Draft  client.Draft
	Format string
	Line   int // of the file, 0 for none
}

// Plan is a batch that was counted, and its jobs: all of them, or the first ones of what is too
// much.
type Plan struct {
	Count    *big.Int // nil when it could not be counted
	Jobs     []Job
	Over     error
	Findings []string // in the way of a submission
	Broken   bool     // the file is no table, or has rows that cannot be read
	Notes    []string
	Outside  []string // files that a person is to be asked about, see [Outside]
	Peek     expand.Peek
	Targets  []string // what a column can hold
	Vars     []expand.Variable
	Master   *uint64 // nil when nothing is drawn
}

// Sendable reports whether all jobs of the plan are there and nothing is in their way.
func (p *Plan) Sendable() bool { return p.Over == nil && len(p.Findings) == 0 && len(p.Jobs) > 0 }

// note adds what is worth knowing, once, up to some ten.
func (p *Plan) note(text string) {
	if len(p.Notes) < maxNotes && !slices.Contains(p.Notes, text) {
		p.Notes = append(p.Notes, text)
	}
}

// Make counts the batch and judges each job.
func (in Input) Make() Plan {
	var out Plan
	rows, err := in.rows(&out)
	if err != nil {
		out.Findings = lines(err)
		return out
	}
	out.Vars = variables(rows, in.Mode)
	in.warnOfTemplates(rows, &out)
	o := in.options(rows)
	o.Cap = in.Limit
	if in.Mode != expand.AsIs && in.Wildcards != nil {
		files, done, err := in.Wildcards()
		if err != nil {
			out.Findings = lines(fmt.Errorf("the wildcard files cannot be read: %w", err))
			return out
		}
		defer done()
		o.Wildcards = files
	}
	p, err := expand.New(o)
	if err != nil {
		out.Findings = append(lines(err), in.unset(&out, err)...)
		return out
	}
	if in.Draws() {
		out.Master = &in.Master
	}
	out.Count, out.Over = p.Count(), p.Allowed()
	for _, n := range p.Notes() {
		out.note(n)
	}
	n := in.Limit
	if out.Over != nil {
		n = FirstShown
	}
	items, err := p.First(n)
	if err != nil {
		out.Findings = lines(err)
		return out
	}
	for _, s := range in.Blocked {
		out.Findings = append(out.Findings, "the form: "+s)
	}
	in.judge(&out, items)
	if note := seedNote(p, in.Seeds); note != "" {
		out.note(note)
	}
	return out
}

func (in Input) options(rows []expand.Row) expand.Options {
	return expand.Options{Rows: rows, Mode: in.Mode, Count: in.Count, Vars: in.Vars, Seed: in.Master, Seeds: in.Seeds,
		Seeded: in.judgment().Seeded()}
}

// Copies are the jobs of the draft as it is, Count of them in its own format, and what their
// seeds were drawn with, nil when they were not.
func (in Input) Copies() ([]Job, *uint64, error) {
	if in.Count == 1 {
		return []Job{{Draft: in.Base.Clone(), Format: in.Format}}, nil, nil
	}
	p, err := expand.New(in.options([]expand.Row{{Draft: in.Base}}))
	if err != nil {
		return nil, nil, err
	}
	items, err := p.Items()
	if err != nil {
		return nil, nil, err
	}
	out := make([]Job, len(items))
	for i, it := range items {
		out[i] = Job{Draft: it.Draft, Format: in.Format}
	}
	if in.Draws() {
		return out, &in.Master, nil
	}
	return out, nil, nil
}

// Draws reports whether anything is drawn: seeds that begin with the draft's own are not.
func (in Input) Draws() bool {
	switch {
	case in.Mode == expand.Random, in.Seeds == expand.SeedRandom:
		return true
	case in.Seeds == expand.SeedsAsTheyAre:
		return false
	}
	own, ok := in.Base.Values.Text(expand.FieldSeed)
	return in.File != nil || !ok || strings.TrimSpace(own) == ""
}

// SeedsOf is the seed mode of plain copies of a draft: they count up from its seed where that is
// a whole number.
func SeedsOf(d client.Draft) expand.SeedMode {
	s, ok := d.Values.Text(expand.FieldSeed)
	s = strings.TrimPrefix(strings.TrimSpace(s), "-")
	if ok && s != "" && strings.Trim(s, "0123456789") == "" {
		return expand.SeedCount
	}
	return expand.SeedsAsTheyAre
}

// lines are those of an error, which may join many.
func lines(err error) []string {
	var out []string
	for s := range strings.SplitSeq(err.Error(), "\n") {
		out = append(out, client.CleanLine(s))
	}
	return out
}

// unset names the variables without a value that an error, which ends at the first mistake, does
// not tell of.
func (in Input) unset(out *Plan, err error) []string {
	var names []string
	for _, v := range out.Vars {
		_, given := in.Vars[v.Name]
		if name := "${" + v.Name + "}"; !v.HasDefault && !given && !strings.Contains(err.Error(), name) {
			names = append(names, client.CleanLine(name)+" has no value")
		}
	}
	return names
}

// Sameness is what tells copies apart, or does not.
type Sameness int

// What [SamenessOf] finds.
const (
	Apart         Sameness = iota
	Unseeded               // seeds were asked for, and some model takes none
	UnseededAlike          // so that copies are the same
	Alike                  // copies are the same: no seeds were asked for, or one for all
)

// SamenessOf says whether the jobs of a plan differ.
func SamenessOf(p *expand.Plan) Sameness {
	switch n := p.Unseeded(); {
	case n > 0 && p.Alike():
		return UnseededAlike
	case n > 0:
		return Unseeded
	case p.Alike():
		return Alike
	}
	return Apart
}

// seedNote says when nothing tells copies apart.
func seedNote(p *expand.Plan, seeds expand.SeedMode) string {
	switch SamenessOf(p) {
	case UnseededAlike:
		return "the model takes no seed in this format: copies are not told apart"
	case Unseeded:
		return "the model takes no seed in this format, and gets none"
	case Alike:
		if seeds == expand.SeedFixed {
			return "copies of one prompt with one seed: nothing tells them apart"
		}
		return "copies of one prompt: nothing tells them apart; random seeds would"
	default:
		return ""
	}
}
