package expand

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"math/big"

	"darkroom/client"
)

// HardCap is the most jobs that any cap may allow, Cap the default.
const (
	HardCap = 2000
	Cap     = 200
)

// Mode says how prompts are expanded.
type Mode string

// The modes. Without one, prompts are not templates and are sent as they are.
const (
	AsIs   Mode = ""
	Every  Mode = "all"
	Random Mode = "random"
)

// modes returns the modes that treat prompts as templates.
func modes() []Mode { return []Mode{Every, Random} }

// Row is a draft to start from, such as a line of a table.
type Row struct {
	Draft client.Draft
	// Vars are values of variables; they override those of the plan.
	Vars map[string]string
	// Line is the row's line in its file; 0 for none.
	Line int
}

// Options describe a plan.
type Options struct {
	Rows []Row
	Mode Mode
	// Count is the number of copies of each prompt; with Random, the number of prompts drawn per
	// row. 0 means 1.
	Count int
	// Vars are values of variables, which are templates themselves.
	Vars map[string]string
	// Wildcards is the folder of wildcard files; nil for none.
	Wildcards fs.FS
	// Seed is the seed for drawing Random prompts and new seeds.
	Seed  uint64
	Seeds SeedMode
	// Seeded reports whether a draft's model takes a seed in the format used to send it. nil: none
	// does.
	Seeded func(client.Draft) bool
	// Cap is the most jobs that may be made, 1 to HardCap; 0 is Cap.
	Cap int
}

// Item is one job to be made.
type Item struct {
	Draft client.Draft
	Line  int // of the file; 0 for none
	Row   int // index in Options.Rows
	Copy  int // of the same prompt, from 0
}

// Plan is a batch that is counted but not yet made. It is safe for concurrent use.
type Plan struct {
	o      Options
	rows   []*Expansion // nil where the prompt is sent as it is
	seeded []bool
	notes  []string
	count  *big.Int
}

// TooManyError refuses a batch above its cap.
type TooManyError struct {
	Count *big.Int
	Cap   int
}

func (e *TooManyError) Error() string {
	s := fmt.Sprintf("the batch has %s jobs; at most %d are made", Number(e.Count), e.Cap)
	if e.Cap < HardCap {
		return s + fmt.Sprintf(" (the limit can be raised up to %d); fewer alternatives, or a random choice of them, make fewer", HardCap)
	}
	return s + "; fewer alternatives, or a random choice of them, make fewer"
}

// Number writes a number for people; of a large one, only the magnitude.
func Number(n *big.Int) string {
	s := n.String()
	if len(s) <= 15 {
		return s
	}
	return fmt.Sprintf("some %c.%c x 10^%d", s[0], s[1], len(s)-1)
}

// New parses all templates and counts the jobs. Mistakes of all rows are reported together, each
// with its line.
func New(o Options) (*Plan, error) {
	if o.Count == 0 {
		o.Count = 1
	}
	if o.Cap == 0 {
		o.Cap = Cap
	}
	switch {
	case o.Cap < 1 || o.Cap > HardCap:
		return nil, fmt.Errorf("a limit of %d jobs: 1 to %d are allowed", o.Cap, HardCap)
	case o.Count < 1 || o.Count > HardCap:
		return nil, fmt.Errorf("%d copies: 1 to %d are allowed", o.Count, HardCap)
	case len(o.Rows) > HardCap: // each is a job at least
		return nil, &TooManyError{big.NewInt(int64(len(o.Rows))), o.Cap}
	}
	p := &Plan{o: o, rows: make([]*Expansion, len(o.Rows)), seeded: make([]bool, len(o.Rows)), count: new(big.Int)}
	lib := NewLibrary(o.Wildcards)
	var errs []error
	for i, r := range o.Rows {
		x, err := p.expansion(r, lib)
		if err != nil {
			errs = append(errs, inLine(r.Line, err))
			continue
		}
		p.rows[i], p.seeded[i] = x, o.Seeds != SeedsAsTheyAre && o.Seeded != nil && o.Seeded(r.Draft)
		if err := checkSeed(o.Seeds, r.Draft, p.seeded[i]); err != nil {
			errs = append(errs, inLine(r.Line, err))
		}
		p.count.Add(p.count, p.jobs(i))
	}
	if len(errs) > 0 {
		return nil, Together(errs)
	}
	return p, nil
}

func (p *Plan) expansion(r Row, lib *Library) (*Expansion, error) {
	if p.o.Mode == AsIs {
		return nil, nil
	}
	t, err := Parse(r.Draft.Prompt)
	if err != nil {
		return nil, err
	}
	for _, n := range t.notes {
		if len(p.notes) < maxNotes {
			p.notes = append(p.notes, n)
		}
	}
	vars := p.o.Vars
	if len(r.Vars) > 0 {
		vars = maps.Clone(p.o.Vars)
		if vars == nil {
			vars = map[string]string{}
		}
		maps.Copy(vars, r.Vars)
	}
	return t.Bind(vars, lib)
}

// jobs is the number of jobs a row makes.
func (p *Plan) jobs(row int) *big.Int {
	n := big.NewInt(int64(p.o.Count))
	if p.o.Mode == Every {
		n.Mul(n, p.rows[row].root.count)
	}
	return n
}

// Count is the number of jobs the plan makes, whatever the cap.
func (p *Plan) Count() *big.Int { return new(big.Int).Set(p.count) }

// Notes returns the first few likely slips in the templates.
func (p *Plan) Notes() []string { return p.notes }

// Allowed returns a [*TooManyError] if the plan makes more jobs than the cap allows.
func (p *Plan) Allowed() error {
	if p.count.Cmp(big.NewInt(int64(p.o.Cap))) > 0 {
		return &TooManyError{p.Count(), p.o.Cap}
	}
	return nil
}

// First returns the first n jobs, or all if there are fewer. It makes no others and ignores the
// cap: it shows the beginning of a batch that may be too large.
func (p *Plan) First(n int) ([]Item, error) {
	var out []Item
	for it, err := range p.items() {
		if len(out) >= n {
			break
		}
		if err != nil {
			return out, err
		}
		out = append(out, it)
	}
	return out, nil
}

// Items returns all jobs, or a [*TooManyError].
func (p *Plan) Items() ([]Item, error) {
	if err := p.Allowed(); err != nil {
		return nil, err
	}
	return p.First(p.o.Cap)
}

// items makes the jobs one by one: by row, then by prompt, then by copy.
func (p *Plan) items() iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		seeds := newSeeder(p.o)
		for i, r := range p.o.Rows {
			n := 0 // within the row
			for prompt, err := range p.prompts(i) {
				if err != nil {
					yield(Item{}, inLine(r.Line, err))
					return
				}
				copies := p.o.Count
				if p.o.Mode == Random {
					copies = 1
				}
				for c := range copies {
					it := Item{Draft: r.Draft.Clone(), Line: r.Line, Row: i, Copy: c}
					it.Draft.Prompt = prompt
					if p.seeded[i] {
						seeds.put(&it.Draft, n)
					}
					n++
					if !yield(it, nil) {
						return
					}
				}
			}
		}
	}
}

// prompts returns the prompts of a row.
func (p *Plan) prompts(row int) iter.Seq2[string, error] {
	x := p.rows[row]
	switch p.o.Mode {
	case Every:
		return x.all()
	case Random:
		return x.draw(p.o.Count, p.o.Seed, uint64(row))
	default:
		return func(yield func(string, error) bool) { yield(p.o.Rows[row].Draft.Prompt, nil) }
	}
}

// maxErrors bounds how many mistakes are reported at once.
const maxErrors = 50

// Together joins the first fifty mistakes, one per line.
func Together(errs []error) error {
	if len(errs) > maxErrors {
		errs = append(errs[:maxErrors:maxErrors], fmt.Errorf("and %d more", len(errs)-maxErrors))
	}
	return errors.Join(errs...)
}

func inLine(line int, err error) error {
	if line == 0 {
		return err
	}
	return fmt.Errorf("line %d: %w", line, err)
}
