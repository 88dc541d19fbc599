package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
)

// Judge checks single drafts.
type Judge struct {
	Catalog *catalog.Catalog
	// Format returns the format for sending a draft, or why there is none.
	Format  func(client.Draft) (string, error)
	Preview func(d client.Draft, format string) (client.Preview, error)
}

// Verdict is the judgement on a draft: Blocks prevent sending it, Remarks are worth knowing.
type Verdict struct {
	Blocks, Remarks []string
}

// Check asks the catalog about a draft in a format. It leaves out remarks about the format itself:
// the preview's notes, which are about this very gateway, say more.
func (j Judge) Check(d client.Draft, format string) (v Verdict) {
	for _, p := range j.Catalog.CheckTried(d, format) {
		switch {
		case p.Severity == catalog.Block:
			v.Blocks = append(v.Blocks, client.CleanLine(p.Message))
		case p.Field != "format":
			v.Remarks = append(v.Remarks, client.CleanLine(p.Message))
		}
	}
	return v
}

// Seeded returns a test for whether a draft's format takes a seed, by the catalog and by the
// request, which is made once for each model and mode.
func (j Judge) Seeded() func(client.Draft) bool {
	known := map[[2]string]bool{}
	return func(d client.Draft) bool {
		key := [2]string{d.Model, d.Mode}
		yes, asked := known[key]
		if !asked {
			yes = j.takesSeed(d)
			known[key] = yes
		}
		return yes
	}
}

func (j Judge) takesSeed(d client.Draft) bool {
	format, err := j.Format(d)
	if err != nil || !expand.HasSeed(j.Catalog, d, format) { // the error is reported when the job is judged
		return false
	}
	probe := client.Draft{Modality: d.Modality, Model: d.Model, ModelName: d.ModelName, Mode: d.Mode, Prompt: "x",
		Values: client.Values{expand.FieldSeed: json.Number("1")}}
	p, err := j.Preview(probe, format)
	return err != nil || !slices.ContainsFunc(p.Dropped, func(x client.Dropped) bool { return x.Field == expand.FieldSeed })
}

func (in Input) judgment() Judge {
	return Judge{Catalog: in.Catalog, Format: in.format, Preview: in.Gateway.Preview}
}

// format returns the chosen format, else the model's first.
func (in Input) format(d client.Draft) (string, error) {
	ways := in.Gateway.FormatsFor(d)
	if len(ways) == 0 && in.Format != "" && d.Model == in.Base.Model && in.Catalog.Unlisted(d.Modality, d.Model) {
		return in.Format, nil // which was chosen in the form
	}
	if f := wished(ways, in.Format); f != "" {
		return f, nil
	}
	return "", errors.New("no wire format of this console creates with model " + client.CleanLine(d.Model))
}

// judge finds the format of each job and whatever blocks it; a finding that many jobs share is
// reported once.
func (in Input) judge(out *Plan, items []expand.Item) {
	type way struct {
		format string
		err    error
	}
	ways := map[string]way{}
	told := map[string]bool{}
	for i, it := range items {
		w, ok := ways[it.Draft.Model]
		if !ok {
			w.format, w.err = in.format(it.Draft)
			ways[it.Draft.Model] = w
		}
		out.Jobs = append(out.Jobs, Job{it.Draft, w.format, it.Line})
		var blocks []string
		if w.err != nil {
			blocks = []string{w.err.Error()}
		} else {
			blocks = in.blocks(it.Draft, w.format, out, i)
		}
		for _, what := range blocks {
			where := fmt.Sprintf("job %d", i+1)
			if it.Line > 0 {
				where = fmt.Sprintf("line %d", it.Line)
			}
			if in.File == nil { // it is the form's, and every job has it
				where = "the form"
			}
			if text := where + ": " + what; !told[text] && len(out.Findings) < maxFindings {
				told[text] = true
				out.Findings = append(out.Findings, text)
			}
		}
	}
}

// blocks returns whatever blocks the i-th draft, and adds remarks to the notes. For the form's own
// drafts, which differ only by prompt and seed, the form shows these itself.
func (in Input) blocks(d client.Draft, format string, to *Plan, i int) []string {
	v := in.judgment().Check(d, format)
	if in.File != nil {
		for _, r := range v.Remarks {
			to.note(r)
		}
	}
	if len(v.Blocks) > 0 || in.File == nil && i > 0 {
		return v.Blocks
	}
	p, err := in.Gateway.Preview(d, format)
	if err != nil {
		return []string{client.CleanLine(err.Error())}
	}
	for _, x := range p.Dropped {
		to.note(client.CleanLine(x.Field + " is not sent in format " + format + ": " + x.Reason))
	}
	return nil
}
