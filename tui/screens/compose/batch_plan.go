package compose

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/client/media"
)

// Bounds of a plan.
const (
	firstShown  = 20 // jobs that show of a batch that is too large to be made
	maxFindings = 50
	maxColumns  = 100 // of a table that are placed here
)

// planInput is what a batch is made of. It is not changed once it is made: commands read it.
type planInput struct {
	gen     uint64
	deps    *Deps
	base    client.Draft
	format  string // that is wished for
	mode    expand.Mode
	count   int
	seeds   expand.SeedMode
	master  uint64
	vars    map[string]string
	limit   int
	file    *batchFile // nil for none
	columns map[string]string
	blocked []string // what is wrong with the form itself
}

// plannedJob is one job as it would be sent.
type plannedJob struct {
	draft  client.Draft
	format string
	line   int // of the file, 0 for none
}

// planMsg is a batch that was counted, and its jobs: all of them, or the first ones of
// what is too much.
type planMsg struct {
	gen      uint64
	count    *big.Int // nil when it could not be counted
	jobs     []plannedJob
	over     error
	findings []string // in the way of a submission
	broken   bool     // the file is no table, or has rows that can not be read
	notes    []string
	peek     expand.Peek
	targets  []string // what a column can hold
	vars     []expand.Variable
	master   *uint64 // nil when nothing is drawn
}

// sendable reports whether all jobs of the plan are there and nothing is in their way.
func (p *planMsg) sendable() bool { return p.over == nil && len(p.findings) == 0 && len(p.jobs) > 0 }

// plan counts a batch, and judges each job.
func plan(in planInput) tea.Cmd {
	return func() tea.Msg { return in.make() }
}

func (in planInput) make() planMsg {
	out := planMsg{gen: in.gen}
	rows, err := in.rows(&out)
	if err != nil {
		out.findings = findings(err)
		return out
	}
	out.vars = variables(rows, in.mode)
	in.warnOfTemplates(rows, &out)
	o := expand.Options{Rows: rows, Mode: in.mode, Count: in.count, Vars: in.vars, Seed: in.master, Seeds: in.seeds,
		Seeded: in.seeded(), Cap: in.limit}
	if in.mode != expand.AsIs {
		files, done, err := openWildcards(in.deps.Shelf)
		if err != nil {
			out.findings = findings(fmt.Errorf("the wildcard files can not be read: %w", err))
			return out
		}
		defer done()
		o.Wildcards = files
	}
	p, err := expand.New(o)
	if err != nil {
		out.findings = append(findings(err), in.unset(&out, err)...)
		return out
	}
	if in.draws() {
		out.master = &in.master
	}
	out.count, out.over = p.Count(), p.Allowed()
	for _, n := range p.Notes() {
		out.note(n)
	}
	n := in.limit
	if out.over != nil {
		n = firstShown
	}
	items, err := p.First(n)
	if err != nil {
		out.findings = findings(err)
		return out
	}
	for _, s := range in.blocked {
		out.findings = append(out.findings, "the form: "+s)
	}
	in.judge(&out, items)
	if note := seedNote(p, in.seeds); note != "" {
		out.note(note)
	}
	return out
}

// draws reports whether anything is drawn: seeds that begin with the form's own are not.
func (in planInput) draws() bool {
	switch {
	case in.mode == expand.Random, in.seeds == expand.SeedRandom:
		return true
	case in.seeds == expand.SeedsAsTheyAre:
		return false
	}
	own, ok := in.base.Values.Text(expand.FieldSeed)
	return in.file != nil || !ok || strings.TrimSpace(own) == ""
}

// findings are the lines of an error, which may join many.
func findings(err error) []string {
	var out []string
	for s := range strings.SplitSeq(err.Error(), "\n") {
		out = append(out, client.CleanLine(s))
	}
	return out
}

// rows are the drafts that the batch begins with.
func (in planInput) rows(out *planMsg) ([]expand.Row, error) {
	f := in.file
	if f == nil {
		return []expand.Row{{Draft: in.base}}, nil
	}
	if f.lines {
		rows, err := expand.Lines(f.name, f.text, in.base)
		out.broken = err != nil
		return rows, err
	}
	t := expand.Table{Name: f.name, Text: f.text, Columns: in.columns, Base: in.base, Catalog: in.deps.Catalog, Media: media.Reference}
	out.targets = t.Targets()
	var err error
	if out.peek, err = t.Peek(firstShown); err != nil {
		out.broken = true
		return nil, err
	}
	if in.guess(&t, out.peek.Columns) {
		if out.peek, err = t.Peek(firstShown); err != nil {
			return nil, err
		}
	}
	if n := len(out.peek.Columns); n > maxColumns {
		out.peek, out.broken = expand.Peek{}, true
		return nil, fmt.Errorf("%s: the table has %d columns; at most %d are placed here", client.CleanLine(f.name), n, maxColumns)
	}
	for _, row := range out.peek.First { // it is kept to be shown
		for i := range row {
			row[i] = clipped(row[i], 200)
		}
	}
	var unknown []error
	for _, c := range out.peek.Columns {
		if c.Target == "" {
			unknown = append(unknown, fmt.Errorf("column %s: choose what it holds, or that it is passed over", client.CleanLine(clipped(c.Name, 60))))
		}
	}
	if len(unknown) > 0 {
		return nil, expand.Together(unknown)
	}
	rows, err := t.Rows()
	if err != nil {
		out.broken = true
		if out.peek.Rows > expand.HardCap {
			err = fmt.Errorf("%w: it has %d; at most %d jobs are made of a file", err, out.peek.Rows, expand.HardCap)
		}
		return nil, err
	}
	for i := range rows {
		in.settle(&rows[i].Draft, out)
	}
	return rows, nil
}

// settle fits what a row has of the form to a model of its own, as the form does: model
// name and mode are that model's, and values that it does not take are not sent.
func (in planInput) settle(d *client.Draft, out *planMsg) {
	c, base := in.deps.Catalog, &in.base
	x, ok := c.ModelFor(d.Modality, d.Model)
	if d.Model == base.Model || !ok {
		return
	}
	if d.ModelName == base.ModelName {
		d.ModelName = among(x.ModelNames, d.ModelName)
	}
	if modes := x.ModeNames(); d.Mode == base.Mode && (d.Mode != "" || x.ModeRequired) {
		d.Mode = among(modes, d.Mode)
	}
	fields := c.Fields(*d)
	for _, name := range base.Values.Names() {
		if slices.ContainsFunc(fields, func(f catalog.Field) bool { return f.Name == name }) {
			continue
		}
		delete(d.Values, name)
		out.note(client.CleanLine(name + " is not used by " + d.Model + ", and not sent to it"))
	}
}

// note adds what is worth knowing, once, up to some ten.
func (p *planMsg) note(text string) {
	if len(p.notes) < 10 && !slices.Contains(p.notes, text) {
		p.notes = append(p.notes, text)
	}
}
