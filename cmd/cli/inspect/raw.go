package inspect

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/bodies"
)

// rawness is what is printed of bodies in place of all else.
type rawness struct {
	raw  bool
	jq   kit.JQ
	diff string
}

func (r *rawness) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&r.raw, "raw", false, "print the body of the answer and nothing else (with --format also of one that names no task)")
	f.Var(&r.jq, "jq", "print what this filter in the language of jq makes of that body")
	f.StringVar(&r.diff, "diff", "", "print what changed from the first of two `BODIES` to the second: numbers, as darkroom jobs bodies lists them, or formats for what their routes answer now, as 2,videos")
	cmd.MarkFlagsMutuallyExclusive("diff", "jq")
	cmd.MarkFlagsMutuallyExclusive("diff", "raw")
}

// check refuses what does not go together, and keeps the rest quiet.
func (r *rawness) check(ids int) error {
	if r.diff != "" && strings.Count(r.diff, ",") != 1 {
		return kit.Usage("--diff takes two bodies, as 1,2 or 5,videos")
	}
	if r.diff != "" && ids != 1 {
		return kit.Usage("--diff compares bodies of one id")
	}
	r.raw = r.raw || r.jq.Given() || r.diff != ""
	return nil
}

// finish ends the output, with what was asked of bodies.
func (o *options) finish(ctx context.Context, history jobs.Reader, p *printer) error {
	switch {
	case o.diff != "":
		return o.printDiff(ctx, history, p.found[0])
	case o.jq.Given():
		for _, f := range p.found {
			if len(f.body) == 0 {
				continue
			}
			if err := o.jq.Print(ctx, o.k, &bodies.Body{Name: f.ID, Body: f.body}); err != nil {
				return err
			}
		}
		return worst(p.failed)
	default:
		return p.end()
	}
}

// printDiff compares two bodies of an id: those that the history kept, and those of now.
func (o *options) printDiff(ctx context.Context, history jobs.Reader, f *found) error {
	var all []bodies.Body
	if r, ok := history.(jobs.Recorder); ok && f.Job != "" {
		rec, err := r.Record(ctx, f.Job)
		if err != nil {
			return err
		}
		all = bodies.Of(&rec)
	}
	all = append(all, bodies.Now(&f.result.Findings)...)
	a, b, _ := strings.Cut(o.diff, ",")
	was, err := bodies.Pick(all, strings.TrimSpace(a))
	if err != nil {
		return kit.NotFound("--diff: %w", err)
	}
	is, err := bodies.Pick(all, strings.TrimSpace(b))
	if err != nil {
		return kit.NotFound("--diff: %w", err)
	}
	return o.k.Changes(&was, &is)
}

// pages tells of the web pages that came in place of answers, each once.
func (f *found) pages(s *kit.IO) {
	var bodies []string
	by := map[string][]string{} // formats
	for i := range f.result.Findings.Routes {
		r := &f.result.Findings.Routes[i]
		if _, page := client.ReadPage(r.Body); !page || r.Local {
			continue
		}
		b := string(r.Body)
		if by[b] == nil {
			bodies = append(bodies, b)
		}
		by[b] = append(by[b], client.CleanLine(r.Format))
	}
	for _, b := range bodies {
		p, _ := client.ReadPage([]byte(b))
		s.Printf("\n%s answered with %s\n", strings.Join(by[b], ", "), kit.PageTitle(p))
		for n, l := range p.Lines {
			if n == maxPageLines {
				s.Printf("  … (--raw --format %s prints all)\n", by[b][0])
				break
			}
			s.Printf("  %s\n", l)
		}
	}
}

// maxPageLines is how much of a web page is printed.
const maxPageLines = 20
