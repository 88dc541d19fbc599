package create

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// firstShown is how many jobs are shown of a batch that is too large to be made.
const firstShown = 10

// plannedJob is one job of a batch as --dry-run prints it.
type plannedJob struct {
	N      int          `json:"n"`
	Line   int          `json:"line,omitempty"` // of the file of --batch
	Format string       `json:"format"`
	Draft  client.Draft `json:"draft"`
}

// plannedBatch is what --dry-run prints of a batch.
type plannedBatch struct {
	Jobs       json.Number  `json:"jobs"` // how many; Batch may have the first of them only
	Limit      int          `json:"limit"`
	ExpandSeed *uint64      `json:"expand_seed,omitempty"`
	Batch      []plannedJob `json:"batch"`
}

// batch makes many jobs of the draft, or shows them.
func (o *options) batch(ctx context.Context, gw *app.Gateway) error {
	if o.k.Out.Format == kit.Curl {
		return kit.Usage("-o curl prints one request: a batch is shown by the other formats of -o")
	}
	plan, done, err := o.plan(ctx, gw)
	if err != nil {
		return err
	}
	defer done()
	out := plannedBatch{Jobs: json.Number(plan.Count().String()), Limit: o.many.max}
	if o.many.told {
		out.ExpandSeed = &o.many.seed
	}
	for _, n := range plan.Notes() {
		o.note(n)
	}
	over := plan.Allowed()
	shown := o.many.max
	if over != nil {
		if !o.dryRun {
			return kit.UsageOf(over)
		}
		shown = firstShown
	}
	items, err := plan.First(shown)
	if err != nil {
		return kit.UsageOf(err)
	}
	if out.Batch, err = o.judge(gw, items); err != nil {
		return err
	}
	if over == nil {
		o.noteSeeds(plan)
	}
	if o.dryRun {
		return errors.Join(o.printBatch(out, plan.Count()), kit.UsageOf(over))
	}
	if err := gw.CheckKey(); err != nil {
		return err
	}
	if out.ExpandSeed != nil {
		o.note(fmt.Sprintf("%s; --expand-seed %d makes the same again", jobsWord(len(items)), *out.ExpandSeed))
	}
	return o.submitBatch(ctx, gw, out.Batch)
}

// plan counts the batch. What is to be closed after use is returned, too.
func (o *options) plan(ctx context.Context, gw *app.Gateway) (*expand.Plan, func(), error) {
	rows, err := o.rows(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i := range rows {
		if err := checkText(rows[i].Draft.Prompt); err != nil {
			return nil, nil, kit.Usage("row %d: %w", i+1, err)
		}
		o.defaults(&rows[i].Draft)
	}
	vars, err := o.many.variables()
	if err != nil {
		return nil, nil, err
	}
	o.many.chance()
	opt := expand.Options{
		Rows: rows, Mode: o.many.mode(), Count: o.many.count, Vars: vars, Cap: o.many.max,
		Seed: o.many.seed, Seeds: expand.SeedMode(o.many.seeds), Seeded: o.judgment(gw).Seeded(),
	}
	done := func() {}
	if opt.Mode != expand.AsIs {
		f, err := o.k.Folders()
		if err != nil {
			return nil, nil, err
		}
		w, err := f.Wildcards()
		if err != nil {
			return nil, nil, fmt.Errorf("the wildcard files can not be read: %w", err)
		}
		opt.Wildcards, done = w, func() { _ = w.Close() }
	}
	plan, err := expand.New(opt)
	if err != nil {
		done()
		return nil, nil, kit.UsageOf(err)
	}
	return plan, done, nil
}

// judgment says what becomes of the draft of a job.
func (o *options) judgment(gw *app.Gateway) rules.Judge {
	return rules.Judge{Catalog: o.cat, Preview: gw.Client.Preview, Format: func(d client.Draft) (string, error) {
		one := *o
		one.draft = d
		err := one.pickFormat(gw)
		return one.format, err
	}}
}

// noteSeeds says when nothing tells copies apart.
func (o *options) noteSeeds(plan *expand.Plan) {
	switch rules.SamenessOf(plan) {
	case rules.UnseededAlike:
		o.note("--seed-mode " + o.many.seeds + ": the model takes no seed in this format; its copies are not told apart")
	case rules.Unseeded:
		o.note("--seed-mode " + o.many.seeds + ": the model takes no seed in this format, and gets none")
	case rules.Alike:
		o.note("copies of the same draft are made, which nothing tells apart; --seed-mode random gives each a seed")
	}
}

// judge finds the format of each job and checks it. What is wrong with any is told, all of
// it; what is worth knowing once.
func (o *options) judge(gw *app.Gateway, items []expand.Item) ([]plannedJob, error) {
	var out []plannedJob
	var errs []error
	told := map[string]bool{}
	tell := func(text string) {
		if !told[text] {
			told[text] = true
			o.note(text)
		}
	}
	for i, it := range items {
		one := *o
		one.draft = it.Draft
		blocks, notes, err := one.judgeOne(gw)
		if err == nil && len(blocks) > 0 {
			err = errors.New(strings.Join(blocks, "; "))
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("  job %d%s: %w", i+1, ofLine(it.Line), err))
			continue
		}
		for _, n := range notes {
			tell(n)
		}
		out = append(out, plannedJob{i + 1, it.Line, one.format, it.Draft})
	}
	if len(errs) > 0 {
		return nil, kit.Usage("nothing was sent, because:\n%w", expand.Together(errs))
	}
	return out, nil
}

func ofLine(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (line %d)", n)
}

// judgeOne chooses the format of the draft, and says what the catalog and the codec think.
func (o *options) judgeOne(gw *app.Gateway) (blocks, notes []string, err error) {
	if err := o.pickFormat(gw); err != nil {
		return nil, nil, err
	}
	v := o.judgment(gw).Check(o.draft, o.format)
	if len(v.Blocks) > 0 {
		return v.Blocks, v.Remarks, nil
	}
	p, err := gw.Client.Preview(o.draft, o.format)
	if err != nil {
		return nil, nil, err
	}
	return nil, append(v.Remarks, o.previewNotes(gw, p)...), nil
}

// printBatch prints what would be made.
func (o *options) printBatch(b plannedBatch, count *big.Int) error {
	switch {
	case o.k.Out.Format == kit.NDJSON:
		return kit.List(o.k.Out, b.Batch)
	case !o.k.Out.Table():
		return o.k.Out.One(b)
	}
	head := fmt.Sprintf("%s, limit %d", batchWord(count), b.Limit)
	if b.ExpandSeed != nil {
		head += fmt.Sprintf("; --expand-seed %d makes the same again", *b.ExpandSeed)
	}
	o.k.IO.Printf("%s\n", head)
	names, cells := batchTable(b.Batch)
	return kit.Rows(o.k.IO.Out, names, cells)
}

// batchTable is a row a job; columns in which no job has anything are left out.
func batchTable(all []plannedJob) (head []string, cells [][]string) {
	lines := slices.ContainsFunc(all, func(j plannedJob) bool { return j.Line > 0 })
	seeds := slices.ContainsFunc(all, func(j plannedJob) bool { _, ok := j.Draft.Values.Text(expand.FieldSeed); return ok })
	row := func(n, line, model, seed, prompt string) []string {
		out := []string{n}
		if lines {
			out = append(out, line)
		}
		out = append(out, model)
		if seeds {
			out = append(out, seed)
		}
		return append(out, prompt)
	}
	for _, j := range all {
		seed, _ := j.Draft.Values.Text(expand.FieldSeed)
		cells = append(cells, row(fmt.Sprint(j.N), fmt.Sprint(j.Line), j.Draft.Model, seed, kit.FirstLine(j.Draft.Prompt, 100)))
	}
	return row("N", "LINE", "MODEL", "SEED", "PROMPT"), cells
}

func batchWord(n *big.Int) string {
	if n.IsInt64() && n.Int64() == 1 {
		return "1 job"
	}
	return expand.Number(n) + " jobs in one group"
}

func jobsWord(n int) string { return batchWord(big.NewInt(int64(n))) }

// submitBatch journals all jobs in one step.
func (o *options) submitBatch(ctx context.Context, gw *app.Gateway, batch []plannedJob) error {
	subs := make([]jobs.Submission, 0, len(batch))
	for _, j := range batch {
		subs = append(subs, jobs.Submission{Draft: j.Draft, Format: j.Format})
	}
	group, err := jobs.Group(subs)
	if err != nil {
		return err
	}
	if group != "" {
		o.note("`darkroom jobs list --group " + group + "` lists them")
	}
	return o.submit(ctx, gw, subs)
}
