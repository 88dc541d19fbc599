package create

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strings"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// firstShown is how many jobs are shown of a batch too large to be made.
const firstShown = 10

// plannedJob is one job of a batch as --dry-run prints it.
type plannedJob struct {
	N      int          `json:"n"`
	Line   int          `json:"line,omitempty"` // of the file of --batch
	Format string       `json:"format"`
	Draft  client.Draft `json:"draft"`
}

// plannedBatch is a batch as --dry-run prints it.
type plannedBatch struct {
	Jobs       json.Number  `json:"jobs"` // how many; Batch may have the first of them only
	Limit      int          `json:"limit"`
	ExpandSeed *uint64      `json:"expand_seed,omitempty"`
	Batch      []plannedJob `json:"batch"`
}

// planner makes many jobs from the draft that a command starts from, or shows them.
type planner struct {
	*options
	start
	judge *judge
}

func (p *planner) batch(ctx context.Context, send *sender) error {
	if p.k.Out.Format == kit.Curl {
		return kit.Usage("-o curl prints one request: a batch is shown by the other formats of -o")
	}
	seed := p.many.chance(p.mode)
	plan, done, err := p.plan(ctx, seed)
	if err != nil {
		return err
	}
	defer done()
	for _, n := range plan.Notes() {
		p.k.IO.Tell(n)
	}
	over, shown := plan.Allowed(), p.many.max
	if over != nil {
		if !p.dryRun {
			return kit.UsageOf(over)
		}
		shown = firstShown
	}
	items, err := plan.First(shown)
	if err != nil {
		return kit.UsageOf(err)
	}
	all, err := p.judge.all(items)
	if err != nil {
		return err
	}
	if over == nil {
		p.noteSeeds(plan)
	}
	if p.dryRun {
		out := plannedBatch{Jobs: json.Number(plan.Count().String()), Limit: p.many.max, ExpandSeed: seed, Batch: all}
		return errors.Join(printBatch(p.k, out, plan.Count()), kit.UsageOf(over))
	}
	if err := p.judge.gw.MayCreate(); err != nil {
		return err
	}
	if seed != nil {
		p.k.IO.Tell(fmt.Sprintf("%s; --expand-seed %d makes the same again", batchWord(big.NewInt(int64(len(items)))), *seed))
	}
	return p.submit(ctx, send, all)
}

// plan counts the batch. It also returns what must be closed after use.
func (p *planner) plan(ctx context.Context, seed *uint64) (*expand.Plan, func(), error) {
	rows, err := p.rows(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i := range rows {
		if err := checkText(rows[i].Draft.Prompt); err != nil {
			return nil, nil, kit.Usage("row %d: %w", i+1, err)
		}
		defaults(p.judge.gw.Catalog, &rows[i].Draft)
	}
	vars, err := p.many.variables(p.vars)
	if err != nil {
		return nil, nil, err
	}
	opt := expand.Options{
		Rows: rows, Mode: p.mode, Count: p.many.count, Vars: vars, Cap: p.many.max,
		Seeds: expand.SeedMode(p.many.seeds), Seeded: p.judge.rules().Seeded(),
	}
	if seed != nil {
		opt.Seed = *seed
	}
	done := func() {}
	if opt.Mode != expand.AsIs {
		f, err := p.k.Folders()
		if err != nil {
			return nil, nil, err
		}
		w, err := f.Wildcards()
		if err != nil {
			return nil, nil, fmt.Errorf("the wildcard files cannot be read: %w", err)
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

// rows are the drafts that the batch starts from.
func (p *planner) rows(ctx context.Context) ([]expand.Row, error) {
	cat := p.judge.gw.Catalog
	if p.many.file == "" {
		return []expand.Row{{Draft: p.draft}}, nil
	}
	name := "--batch"
	switch {
	case p.many.file != kit.Stdin:
		name = filepath.Base(p.many.file)
	case p.input:
		return nil, kit.Usage("standard input is asked for twice: by --batch, and for the prompt or by --body or --from")
	}
	b, err := p.k.IO.Read(ctx, "--batch", p.many.file, expand.MaxTable)
	if err != nil {
		return nil, err
	}
	text := string(b)
	if p.many.lines || strings.EqualFold(filepath.Ext(p.many.file), ".txt") && len(p.many.maps) == 0 && p.many.separator == "" {
		if p.prompted && p.mode == expand.AsIs {
			return nil, kit.Usage("the prompt is given twice: by --batch, which has one a line, and by itself")
		}
		f := rules.File{Name: name, Text: text, Lines: true}
		rows, err := f.Rows(p.draft, cat)
		return rows, kit.UsageOf(err)
	}
	f := rules.File{Name: name, Text: text, Media: localFile, Hint: " (--map COLUMN=FIELD)"}
	if f.Columns, err = p.many.columns(); err != nil {
		return nil, err
	}
	if f.Comma, err = p.many.comma(); err != nil {
		return nil, err
	}
	rows, err := f.Rows(p.draft, cat)
	if err != nil {
		return nil, kit.UsageOf(err)
	}
	table := p.many.file
	if table == kit.Stdin {
		table = ""
	}
	return rows, p.mayAttach(ctx, "--batch", p.many.file, sendsOutside, rules.Outside(table, p.draft, rows))
}

// noteSeeds says so if nothing distinguishes the copies.
func (p *planner) noteSeeds(plan *expand.Plan) {
	switch rules.SamenessOf(plan) {
	case rules.UnseededAlike:
		p.k.IO.Tell("--seed-mode " + p.many.seeds + ": the model takes no seed in this format; its copies ask for the very same thing")
	case rules.Unseeded:
		p.k.IO.Tell("--seed-mode " + p.many.seeds + ": the model takes no seed in this format, and gets none")
	case rules.Alike:
		p.k.IO.Tell("these copies ask for the very same thing; --seed-mode random gives each its own seed")
	}
}

// printBatch prints the jobs that would be made.
func printBatch(k *kit.Kit, b plannedBatch, count *big.Int) error {
	switch {
	case k.Out.Format == kit.NDJSON:
		return kit.List(k.Out, b.Batch)
	case !k.Out.Table():
		return k.Out.One(b)
	}
	head := fmt.Sprintf("%s, limit %d", batchWord(count), b.Limit)
	if b.ExpandSeed != nil {
		head += fmt.Sprintf("; --expand-seed %d makes the same again", *b.ExpandSeed)
	}
	k.IO.Printf("%s\n", head)
	names, cells := batchTable(b.Batch)
	return kit.Rows(k.IO.Out, names, cells)
}

// batchTable has a row per job; columns that are empty for all jobs are left out.
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

// submit journals all jobs in one step.
func (p *planner) submit(ctx context.Context, send *sender, batch []plannedJob) error {
	subs := make([]jobs.Submission, 0, len(batch))
	for _, j := range batch {
		subs = append(subs, jobs.Submission{Draft: j.Draft, Format: j.Format})
	}
	group, err := jobs.Group(subs)
	if err != nil {
		return err
	}
	if group != "" {
		p.k.IO.Tell("`darkroom jobs list --group " + group + "` lists them")
	}
	return send.send(ctx, p.judge.gw, subs)
}
