package compose

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/jobs"
)

// Bounds of a plan.
const (
	firstShown  = 20 // jobs that show of a batch that is too large to be made
	maxFindings = 50
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
		out.findings = findings(err)
		return out
	}
	if in.mode == expand.Random || in.seeds != expand.SeedsAsTheyAre {
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
		return expand.Lines(f.name, f.text, in.base)
	}
	t := expand.Table{Name: f.name, Text: f.text, Columns: in.columns, Base: in.base, Catalog: in.deps.Catalog, Media: reference}
	out.targets = t.Targets()
	var err error
	if out.peek, err = t.Peek(firstShown); err != nil {
		return nil, err
	}
	if in.guess(&t, out.peek.Columns) {
		if out.peek, err = t.Peek(firstShown); err != nil {
			return nil, err
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

// guess has columns that nobody placed hold the variables of their names, where prompts have
// them. It reports whether any does.
func (in planInput) guess(t *expand.Table, columns []expand.PeekColumn) bool {
	if in.mode == expand.AsIs {
		return false
	}
	guessed := false
	for _, c := range columns {
		for _, v := range []string{c.Name, variableOf(c.Name)} {
			if c.Target != "" || expand.CheckVariable(v) != nil || !asksFor(in.base.Prompt, v) && !asksFor(t.Text, v) {
				continue
			}
			if t.Columns = maps.Clone(t.Columns); t.Columns == nil {
				t.Columns = map[string]string{}
			}
			t.Columns[c.Name], guessed = "$"+v, true
			break
		}
	}
	return guessed
}

// asksFor reports whether a text has a variable.
func asksFor(text, variable string) bool {
	return strings.Contains(text, "${"+variable+"}") || strings.Contains(text, "${"+variable+":")
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

// variables are those of the rows' prompts.
func variables(rows []expand.Row, mode expand.Mode) []expand.Variable {
	if mode == expand.AsIs {
		return nil
	}
	var out []expand.Variable
	read := map[string]bool{}
	for i := range rows {
		if read[rows[i].Draft.Prompt] || len(read) == maxFindings {
			continue
		}
		read[rows[i].Draft.Prompt] = true
		t, err := expand.Parse(rows[i].Draft.Prompt)
		if err != nil {
			continue // which New tells
		}
		for _, v := range t.Variables() {
			if _, set := rows[i].Vars[v.Name]; !set && !slices.ContainsFunc(out, func(o expand.Variable) bool { return o.Name == v.Name }) {
				out = append(out, v)
			}
		}
	}
	return out
}

// warnOfTemplates says that prompts of a file read like templates and are sent as text.
func (in planInput) warnOfTemplates(rows []expand.Row, out *planMsg) {
	if in.file == nil || in.mode != expand.AsIs {
		return
	}
	for i := range rows {
		if prompt := rows[i].Draft.Prompt; mayBeTemplate(prompt) {
			if t, err := expand.Parse(prompt); err == nil && !t.Plain() {
				out.note(fmt.Sprintf("line %d reads like a template, and is sent as it stands, as are all others", rows[i].Line))
				return
			}
		}
	}
}

// formatOf is the format that a draft is sent through: the one that is wished for, else
// its model's first.
func (in planInput) formatOf(d client.Draft) string {
	return among(in.deps.Gateway.FormatsFor(d), in.format)
}

// seeded says whether a draft's format takes a seed: by the catalog, and by the request,
// which is made once for each model.
func (in planInput) seeded() func(client.Draft) bool {
	known := map[[2]string]bool{}
	return func(d client.Draft) bool {
		key := [2]string{d.Model, d.Mode}
		yes, asked := known[key]
		if asked {
			return yes
		}
		format := in.formatOf(d)
		yes = format != "" && expand.HasSeed(in.deps.Catalog, d, format)
		probe := client.Draft{Modality: d.Modality, Model: d.Model, ModelName: d.ModelName, Mode: d.Mode, Prompt: "x",
			Values: client.Values{expand.FieldSeed: json.Number("1")}}
		if p, err := in.deps.Gateway.Preview(probe, format); yes && err == nil {
			yes = !slices.ContainsFunc(p.Dropped, func(x client.Dropped) bool { return x.Field == expand.FieldSeed })
		}
		known[key] = yes
		return yes
	}
}

// judge finds the format of each job, and what blocks it; what many jobs have in common is
// told once.
func (in planInput) judge(out *planMsg, items []expand.Item) {
	formats := map[string]string{}
	told := map[string]bool{}
	for i, it := range items {
		d := it.Draft
		format, ok := formats[d.Model]
		if !ok {
			format = in.formatOf(d)
			formats[d.Model] = format
		}
		out.jobs = append(out.jobs, plannedJob{d, format, it.Line})
		for _, what := range in.blocks(d, format, out, i) {
			where := fmt.Sprintf("job %d", i+1)
			if it.Line > 0 {
				where = fmt.Sprintf("line %d", it.Line)
			}
			if in.file == nil { // it is the form's, and every job has it
				where = "the form"
			}
			if text := where + ": " + what; !told[text] && len(out.findings) < maxFindings {
				told[text] = true
				out.findings = append(out.findings, text)
			}
		}
	}
}

// blocks are what is in the way of the i-th draft; what is worth knowing of it goes into
// the notes. Of the form's own drafts, which differ by prompt and seed, Checks tells that.
func (in planInput) blocks(d client.Draft, format string, to *planMsg, i int) []string {
	if format == "" {
		return []string{"no wire format of this console creates with model " + client.CleanLine(d.Model)}
	}
	var out []string
	for _, p := range in.deps.Catalog.CheckFor(d, format) {
		switch {
		case p.Severity == catalog.Block:
			out = append(out, client.CleanLine(p.Message))
		case in.file != nil && p.Field != "format":
			to.note(client.CleanLine(p.Message))
		}
	}
	if len(out) > 0 || in.file == nil && i > 0 {
		return out
	}
	p, err := in.deps.Gateway.Preview(d, format)
	if err != nil {
		return []string{client.CleanLine(err.Error())}
	}
	for _, x := range p.Dropped {
		to.note(client.CleanLine(x.Field + " is not sent in format " + format + ": " + x.Reason))
	}
	return out
}

// seedNote says when nothing tells copies apart.
func seedNote(p *expand.Plan, seeds expand.SeedMode) string {
	switch n := p.Unseeded(); {
	case n > 0 && p.Alike():
		return "the model takes no seed in this format: copies are not told apart"
	case n > 0:
		return "the model takes no seed in this format, and gets none"
	case p.Alike() && seeds == expand.SeedFixed:
		return "copies of one prompt with one seed: nothing tells them apart"
	case p.Alike():
		return "copies of one prompt: nothing tells them apart; random seeds would"
	}
	return ""
}

// send journals n submissions of a draft; the engine sends them.
func send(in planInput) tea.Cmd {
	return func() tea.Msg {
		if in.count == 1 {
			return journal(in.deps.Jobs, []plannedJob{{draft: in.base.Clone(), format: in.format}}, nil)
		}
		p, err := expand.New(expand.Options{Rows: []expand.Row{{Draft: in.base}}, Count: in.count, Seed: in.master, Seeds: in.seeds,
			Seeded: in.seeded()})
		if err != nil {
			return submittedMsg{model: in.base.Model, err: err}
		}
		items, err := p.Items()
		if err != nil {
			return submittedMsg{model: in.base.Model, err: err}
		}
		list := make([]plannedJob, len(items))
		for i, it := range items {
			list[i] = plannedJob{draft: it.Draft, format: in.format}
		}
		var master *uint64
		if in.seeds != expand.SeedsAsTheyAre {
			master = &in.master
		}
		return journal(in.deps.Jobs, list, master)
	}
}

// sendAll journals the jobs of a plan.
func sendAll(doer jobs.Doer, list []plannedJob, master *uint64) tea.Cmd {
	return func() tea.Msg { return journal(doer, list, master) }
}

// journal writes jobs down in one step, as one group where there are several.
func journal(doer jobs.Doer, list []plannedJob, master *uint64) submittedMsg {
	out := submittedMsg{model: list[0].draft.Model, master: master}
	for i := range list {
		if list[i].draft.Model != out.model {
			out.model = "several models"
		}
	}
	if len(list) > 1 {
		id, err := uuid.NewV7()
		if err != nil {
			out.err = err
			return out
		}
		out.group = id.String()
	}
	subs := make([]jobs.Submission, len(list))
	for i := range list {
		subs[i] = jobs.Submission{Draft: list[i].draft, Format: list[i].format, Group: out.group}
	}
	ctx, cancel := context.WithTimeout(context.Background(), submitWait+time.Duration(len(list))*submitEach)
	defer cancel()
	out.ids, out.err = doer.Submit(ctx, subs)
	return out
}
