// Package batch plans many jobs from one draft. The rows come from the draft, a table or lines of
// text; each is fitted to its model, checked and given its seed, and all obstacles are named. It
// sends nothing and reads no files except wildcards; of other files it only checks where they are.
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

// Gateway tells how a draft would be sent.
type Gateway interface {
	// FormatsFor are the formats that can create a draft, preferred first.
	FormatsFor(d client.Draft) []string
	Preview(d client.Draft, format string) (client.Preview, error)
}

// Wildcards opens the wildcard files and returns a function that closes them.
type Wildcards func() (fs.FS, func(), error)

// Input describes a batch. It must not change once made: commands read it.
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
	// Blocked are the draft's problems that the catalog does not know about.
	Blocked []string
}

// Job is one job as it would be sent.
type Job struct {
	Draft  client.Draft
	Format string
	Line   int // of the file, 0 for none
}

// Plan is a counted batch with its jobs: all of them, or the first ones if there are too many.
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

// Sendable reports whether all jobs of the plan are there and nothing blocks them.
func (p *Plan) Sendable() bool { return p.Over == nil && len(p.Findings) == 0 && len(p.Jobs) > 0 }

// note adds a remark, once, up to some ten.
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

// Copies returns the jobs of the draft as it is, Count of them in its own format, and the seed that
// their seeds were drawn with, nil if none were drawn.
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

// Draws reports whether anything is drawn. Seeds that begin with the draft's own are not drawn.
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

// SeedsOf returns the seed mode of plain copies of a draft: they count up from its seed if that is
// a whole number.
func SeedsOf(d client.Draft) expand.SeedMode {
	s, ok := d.Values.Text(expand.FieldSeed)
	s = strings.TrimPrefix(strings.TrimSpace(s), "-")
	if ok && s != "" && strings.Trim(s, "0123456789") == "" {
		return expand.SeedCount
	}
	return expand.SeedsAsTheyAre
}

// lines splits an error, which may join several, into lines.
func lines(err error) []string {
	var out []string
	for s := range strings.SplitSeq(err.Error(), "\n") {
		out = append(out, client.CleanLine(s))
	}
	return out
}

// unset names the variables without a value that an error leaves out because it stops at the first
// mistake.
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

// Sameness says whether copies can be told apart.
type Sameness int

// The results of [SamenessOf].
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

// seedNote warns if nothing tells copies apart.
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
