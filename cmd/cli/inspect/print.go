package inspect

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
)

// printer writes what is found: everything about one id, or of many a row each as it comes, then
// totals.
type printer struct {
	o      *options
	cat    *catalog.Catalog
	ids    list
	single bool
	width  int // of the column of ids
	found  []*found
	shown  int // of those that are written in their order
	totals lookup.Totals
	told   bool // that the history was not looked at
	failed []error
	csv    *kit.CSVWriter
}

func (o *options) printer(cat *catalog.Catalog, ids list) *printer {
	p := &printer{o: o, cat: cat, ids: ids, single: len(ids.all) == 1 && ids.head == nil, found: make([]*found, len(ids.all)), width: len("ID")}
	for _, a := range ids.all {
		p.width = min(maxIDColumn, max(p.width, len(a.Value)))
	}
	if o.k.Out.Format == kit.CSV {
		p.csv = kit.NewCSV(o.k.IO.Out)
	}
	return p
}

// maxIDColumn bounds the width of the column of ids; longer ones push what follows them.
const maxIDColumn = 60

// add takes in what came of one id.
func (p *printer) add(i int, f found, err error) {
	p.found[i] = &f
	p.totals.Add(&f.result)
	if f.HistoryError != "" && !p.told {
		p.told = true
		p.o.k.IO.Tell("the history was not looked at: " + f.HistoryError)
	}
	if err != nil {
		p.failed = append(p.failed, err)
	}
	k := p.o.k
	switch {
	case p.o.raw || p.single || p.o.streams():
	case k.Out.Table():
		p.row(&f)
	case k.Out.Format == kit.CSV || k.Out.Format == kit.NDJSON:
		p.inOrder()
	}
}

// inOrder writes what has come, in order, up to the first that has not.
func (p *printer) inOrder() {
	for ; p.shown < len(p.found) && p.found[p.shown] != nil; p.shown++ {
		f := p.found[p.shown]
		if p.csv == nil {
			_ = p.o.k.Out.One(f) // the stream keeps its error
			continue
		}
		if p.shown == 0 {
			_ = p.csv.Row(append(slices.Clone(p.ids.head), p.csvHead()...))
		}
		row := slices.Clone(p.ids.all[p.shown].row)
		for len(row) < len(p.ids.head) {
			row = append(row, "")
		}
		row = append(row, f.cells()...)
		if p.o.profiles {
			row = append(row, f.knowing())
		}
		_ = p.csv.Row(row)
	}
}

// timelines reads the timeline of the one job that is shown in full; if that fails, the rest is
// shown without it.
func (p *printer) timelines(ctx context.Context, history jobs.Reader) {
	if !p.single || p.found[0] == nil || p.found[0].result.Findings.Job == nil || history == nil {
		return
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), timelineLimit)
	defer stop()
	if d, err := history.Detail(ctx, p.found[0].result.Findings.Job.ID); err == nil {
		p.found[0].Events, p.found[0].Exchanges = d.Events, d.Exchanges
	}
}

// timelineLimit bounds the reading of a timeline; a watch that was stopped shows it as well.
const timelineLimit = 5 * time.Second

// end writes what is left, and returns the error to end with.
func (p *printer) end() error {
	k := p.o.k
	switch {
	case p.o.raw:
		for _, f := range p.found {
			if len(f.body) > 0 {
				if err := k.IO.Raw(bytes.TrimRight(f.body, "\n")); err != nil {
					return err
				}
			}
		}
	case p.o.streams(): // all is there
	case p.csv != nil && len(p.found) == 0:
		return p.csv.Row(append(slices.Clone(p.ids.head), p.csvHead()...))
	case p.csv != nil || !p.single && k.Out.Format == kit.NDJSON:
		p.inOrder()
	case !k.Out.Table() && p.single:
		if err := k.Out.One(p.found[0]); err != nil {
			return err
		}
	case !k.Out.Table():
		if err := kit.List(k.Out, p.found); err != nil {
			return err
		}
	case p.single:
		if err := p.found[0].print(k.IO, p.o.times.Clock()); err != nil {
			return err
		}
	default:
		k.IO.Printf("\n%d ids: %s\n", len(p.found), p.totals.Words())
		if codes := p.totals.CodeWords(); codes != "" {
			k.IO.Printf("codes: %s\n", codes)
		}
	}
	return worst(p.failed)
}

// stopped ends early with what has come by then: for many ids with all rows, for one with nothing.
func (p *printer) stopped(cause error) error {
	if p.single {
		return cause
	}
	for i, a := range p.ids.all {
		if p.found[i] == nil {
			p.add(i, found{ID: a.Value, Problem: errStopped.Error(), Routes: []routeRow{}, result: lookup.Result{Subject: a.Subject, Err: errStopped}}, nil)
		}
	}
	p.failed = nil
	return cmp.Or(p.end(), cause)
}

// row prints one id of many, for people.
func (p *printer) row(f *found) {
	s := p.o.k.IO
	if p.shown == 0 {
		s.Printf("%-*s  %-9s  %-12s  %-8s  %s\n", p.width, "ID", "STATE", "MODEL", "ROUTE", "WHAT IT MEANS")
	}
	p.shown++
	s.Printf("%-*s  %-9s  %-12s  %-8s  %s\n", p.width, client.CleanLine(f.ID), f.result.State(), client.CleanLine(f.result.Said(inspect.KeyModel)), cmp.Or(f.Format, "-"), f.meaning(p.cat))
}

// csvHead names what -o csv adds to a table's own columns.
func (p *printer) csvHead() []string {
	head := []string{"inspected_id", "state", "raw_status", "model", "route", "error_code", "error", "meaning", "next", "created_at", "ended_at", "result_url", "request_id", "job", "problem", "result_status", "result_expires_at"}
	if p.o.profiles {
		head = append(head, "known_at")
	}
	return head
}

// cells returns what -o csv says of one id.
func (f *found) cells() []string {
	raw, url, created, ended, meaning, next := "", "", "", "", "", ""
	if f.Task != nil {
		raw, created, ended = f.Task.RawStatus, moment(f.Task.CreatedAt, f.Task.AsSent.Created), moment(f.Task.EndedAt, f.Task.AsSent.Ended)
		if len(f.Task.Assets) > 0 {
			url = f.Task.Assets[0].URL
		}
	}
	if e := f.Explanation; e != nil {
		meaning, next = e.Meaning, e.Next
	}
	status, expires := "", ""
	if len(f.Results) > 0 {
		r := f.Results[0]
		status = r.words
		if r.ExpiresAt != nil {
			expires = moment(*r.ExpiresAt, "")
		}
	}
	return []string{f.ID, f.result.State(), raw, f.result.Said(inspect.KeyModel), f.Format, f.result.Said(inspect.KeyCode), f.result.Said(inspect.KeyMessage), meaning, next, created, ended, url, f.result.Said(inspect.KeyRequestID), f.Job, f.Problem, status, expires}
}

// moment returns a time with its zone, or as it was sent if it has none.
func moment(at time.Time, sent string) string {
	if at.IsZero() {
		return sent
	}
	return at.UTC().Format(time.RFC3339)
}

// print writes what is known, for people.
func (f *found) print(s *kit.IO, clock human.Times) error {
	s.Printf("%s\n", client.CleanLine(f.ID))
	state := ""
	if f.Task == nil && f.Job != "" {
		state = f.result.State()
	}
	facts := [][2]string{{"state", state}, {"taken for", string(f.Kind)}, {"from", f.From}, {"job", f.Job}, {"task", f.TaskID}}
	for _, text := range f.Warnings {
		facts = append(facts, [2]string{"warning", "⚠ " + text})
	}
	if f.Task != nil {
		facts = append(facts, f.ofTask(clock)...)
	}
	facts = append(facts, f.judged()...)
	if err := kit.Fields(s.Out, facts); err != nil {
		return err
	}
	if err := f.profiles(s); err != nil {
		return err
	}
	if err := f.matrix(s); err != nil {
		return err
	}
	for i, r := range f.Results {
		if i == 0 {
			s.Printf("\nresults, asked without the key:\n")
		}
		s.Printf("  %s\n    %s\n", client.CleanLine(r.URL), r.words)
	}
	f.seen(s, clock)
	if err := f.timeline(s, clock); err != nil {
		return err
	}
	f.drift(s)
	f.pages(s)
	if f.Task != nil {
		s.Words("answer in words", f.Task.Text)
		s.Words("lyrics", f.Task.Lyrics)
		s.Printf("\n%s\n", kit.Pretty(f.Task.Raw))
	}
	return nil
}

// seen prints what was seen of the task under --watch.
func (f *found) seen(s *kit.IO, clock human.Times) {
	if f.Watch == nil {
		return
	}
	s.Printf("\nseen: %s\n", f.Watch.Outcome)
	for _, line := range f.Watch.Seen.Lines(clock) {
		s.Printf("  %s\n", client.CleanLine(line))
	}
}

// timeline prints what happened when to the job of the history or of a bundle.
func (f *found) timeline(s *kit.IO, clock human.Times) error {
	if len(f.Events) == 0 {
		return nil
	}
	s.Printf("\n")
	return follow.Timeline(s, clock, f.Events, f.Exchanges)
}

// drift prints what is not as the interface has it; what other gateways send as well is only
// counted.
func (f *found) drift(s *kit.IO) {
	alarms := inspect.Alarms(f.Drift)
	own := 0
	for _, x := range f.Drift {
		if x.Own {
			own++
		}
	}
	if n := len(f.Drift) - len(alarms) - own; n > 0 {
		s.Printf("\n%s from the interface, as other gateways have them, too (-o json lists them)\n", human.Plural(n, "difference"))
	}
	if own > 0 {
		s.Printf("\n%s from the interface, which are the embedded gateway's own\n", human.Plural(own, "difference"))
	}
	if len(alarms) > 0 {
		s.Printf("\nnot as the interface has it:\n")
	}
	for _, x := range alarms {
		s.Printf("  %s: %s\n", x.Format, x.Text())
	}
}

// matrix prints what each route said, or why it was not asked.
func (f *found) matrix(s *kit.IO) error {
	if len(f.Routes) == 0 {
		return nil
	}
	var (
		cells   [][]string
		why     []string // in their order
		skipped = map[string][]string{}
	)
	for _, r := range f.Routes {
		if r.Skipped != "" {
			if skipped[r.Skipped] == nil {
				why = append(why, r.Skipped)
			}
			skipped[r.Skipped] = append(skipped[r.Skipped], strings.TrimSpace(r.Profile+" "+r.Format))
			continue
		}
		status := "-" // no answer at all
		if r.HTTP != 0 {
			status = strconv.Itoa(r.HTTP)
		}
		cells = append(cells, []string{strings.TrimSpace(r.Profile + " " + r.Format), r.Path, status, fmt.Sprintf("%d ms", r.LatencyMS), cmp.Or(r.Error, r.Status, "no state")})
	}
	s.Printf("\n")
	if err := kit.Rows(s.Out, []string{"ROUTE", "PATH", "HTTP", "TOOK", "SAID"}, cells); err != nil {
		return err
	}
	for _, w := range why {
		s.Printf("not asked, since %s: %s\n", w, strings.Join(skipped[w], ", "))
	}
	return nil
}

// ofTask returns the state and the facts of the task, each with who says so if two routes differ.
func (f *found) ofTask(clock human.Times) [][2]string {
	t := f.Task.Task
	raw := "no term in the answer"
	if t.RawStatus != "" {
		raw = "raw: " + t.RawStatus
	}
	out := [][2]string{{"state", fmt.Sprintf("%s (%s)", t.Status, raw)}, {"format", f.Format}}
	if t.Progress >= 0 {
		out = append(out, [2]string{"progress", fmt.Sprintf("%.0f %%", t.Progress)})
	}
	for _, fact := range f.Facts {
		if fact.Key == inspect.KeyRequestID || fact.Key == inspect.KeyCode && f.result.Said(inspect.KeyMessage) != "" {
			continue // in the matrix; beside the message
		}
		for i, s := range fact.Said {
			text, label := s.Text, string(fact.Key)
			switch {
			case s.AsSent:
				text += " (" + human.AsSent + ")"
			case !s.At.IsZero():
				text = clock.WithAge(s.At)
			case fact.Key == inspect.KeyMessage && i == 0:
				text = strings.TrimSpace(f.result.Said(inspect.KeyCode) + " " + text)
			}
			if len(fact.Said) > 1 || s.By[0] != f.Format {
				text += " (" + strings.Join(s.By, ", ") + ")"
			}
			if i > 0 {
				label = ""
			}
			out = append(out, [2]string{label, text})
		}
	}
	for _, a := range t.Assets {
		out = append(out, [2]string{string(a.Kind), cmp.Or(a.URL, "at the content path")})
	}
	return out
}

// explained returns the rows of what the error means.
func (f *found) explained() [][2]string {
	e := f.Explanation
	if e == nil {
		return nil
	}
	if !e.Listed {
		return [][2]string{{"means", inspect.Unlisted}}
	}
	return [][2]string{{"means", e.Meaning + " (" + e.Source + ")"}, {"fault", e.whose}, {"try again", e.again}, {"field", e.Field}}
}
