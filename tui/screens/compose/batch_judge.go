package compose

import (
	"encoding/json"
	"fmt"
	"slices"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
)

// formatOf is the format that a draft is sent through: the one that is wished for, else
// its model's first.
func (in planInput) formatOf(d client.Draft) string {
	ways := in.deps.Gateway.FormatsFor(d)
	if len(ways) == 0 && d.Model == in.base.Model && in.deps.Catalog.Unlisted(d.Modality, d.Model) {
		return in.format // which was chosen in the form
	}
	return among(ways, in.format)
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
	for _, p := range in.deps.Catalog.CheckTried(d, format) {
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
