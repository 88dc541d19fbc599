package report

import (
	"context"
	"crypto/sha256"
	_ "embed" // the page, its style and its script
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"strings"

	"darkroom/client/human"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/measure"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	styleText string
	//go:embed page.js
	scriptText string
)

// chunk is how many rows of a long table are drawn together: the browser skips those out of sight.
const chunk = 100

// maxRows bounds the tables of what is not as it should be; the table of trials has all.
const maxRows = 500

// maxGroups bounds the groups that are listed: a browser lays a table out as a whole.
const maxGroups = 1000

// HTML writes the page with what can be embedded.
func (r *Report) HTML(ctx context.Context, w io.Writer) error {
	file, all, _ := r.media.limits()
	return r.html(ctx, w, &shelf{file: file, all: all})
}

// WriteHTML writes the page to a path, whole or not at all, and what is too large to be in it to a
// folder beside it, "name_files" for "name.html". Both are private.
func (r *Report) WriteHTML(ctx context.Context, path string) error {
	file, all, _ := r.media.limits()
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + "_files"
	f := &folder{path: filepath.Join(filepath.Dir(path), name)}
	s := &shelf{file: file, all: all, folder: f, name: name}
	return f.replace(path, func(w io.Writer) error { return r.html(ctx, w, s) })
}

func (r *Report) html(ctx context.Context, w io.Writer, s *shelf) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	p, err := r.page(ctx, s)
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// hash is of an inline style or script, as a policy names it.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// page is what the template draws. Strings are escaped by it; the other types are made here.
type page struct {
	Policy string
	Style  template.CSS
	Script template.JS

	Title, Sub, Made string
	Figures          []figure
	Verdicts         verdictsView
	Groups           []groupRow
	MoreGroups       int
	Axis             []string // what stands below the plots of latencies
	Sheet            *sheet
	Details          []detailRow
	Routes           []routeView
	Votes            *votesView
	Baseline         *baselineView
	Checks           []checkRow
	MoreChecks       int
	Differs          []differRow
	MoreDiffers      int
	Cannot           []cannotRow
	MoreCannot       int
	Prompts          []promptView
	Hidden           int // results beyond those that are shown
	Trials           [][]trialRow
	About            []string
	Suite            string
}

// figure is one number of the run at a glance.
type figure struct{ Name, Value, Of, Class string }

type baselineView struct {
	Cells               string
	Worse, Better, Only []string
}

type checkRow struct {
	Where, Name, Text string
	Trials            []anchor
}

type differRow struct {
	Where, Field, Asked, Claimed, Delivered, Tolerance string
	Asks, Claims                                       string // verdicts
	Trials                                             []anchor
}

// anchor is a link to a result.
type anchor struct{ ID, Text string }

type trialRow struct {
	Anchor                                                                    string
	Cell                                                                      int
	Prompt, Group, Repeat, State, Class, Latency, Queue, Run, Create, Gateway string
	Sort                                                                      string
	Code, Marks                                                               string
	Bad                                                                       bool
}

type cannotRow struct {
	Cell          int
	Where, Reason string
}

func (r *Report) page(ctx context.Context, s *shelf) (*page, error) {
	p := &page{
		Style: template.CSS(styleText), Script: template.JS(scriptText), //nolint:gosec // both are embedded, and hold nothing of a run
		Title: line(r.Run.Name), Sub: line(r.sub()), Made: when(r.MadeAt), Suite: clean(r.Run.Suite),
	}
	for _, l := range r.about() {
		p.About = append(p.About, line(l))
	}
	p.Verdicts = r.verdictsView()
	groups := r.Summary.Groups[:min(len(r.Summary.Groups), maxGroups)]
	p.Groups, p.Axis = groupRows(groups)
	p.MoreGroups = len(r.Summary.Groups) - len(groups)
	p.Sheet = r.sheet()
	p.Details = details(groups)
	p.Routes = r.routes()
	if r.Votes != nil {
		p.Votes = votes(r.Votes)
	}
	p.Baseline = r.baselineView()
	checks, differs := r.failedChecks(), r.differences()
	p.Checks, p.MoreChecks = capped(r.checkRows(checks))
	p.Differs, p.MoreDiffers = capped(r.differRows(differs))
	var cannot []cannotRow
	for _, c := range r.cannot() {
		cannot = append(cannot, cannotRow{c.Number, line(c.Prompt.ID + " · " + r.group(c)), line(c.Cannot)})
	}
	p.Cannot, p.MoreCannot = capped(cannot)
	p.Figures = r.figures(checks, differs)
	p.Trials = r.trialRows()
	if err := r.gallery(ctx, p, s); err != nil {
		return nil, err
	}
	p.Policy = policy(s.folder != nil && len(s.folder.made) > 0)
	return p, nil
}

// policy lets a page do nothing but what it was made for; only with a folder beside it may it fetch anything.
func policy(beside bool) string {
	from := "data:"
	if beside {
		from = "'self' data:"
	}
	return fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; img-src %[1]s; media-src %[1]s; style-src %[2]s; script-src %[3]s", from, hash(styleText), hash(scriptText))
}

func capped[T any](rows []T) (shown []T, more int) {
	n := min(len(rows), maxRows)
	return rows[:n], len(rows) - n
}

// sub is the line below the title.
func (r *Report) sub() string {
	run := r.Run
	t := run.Tally()
	text := fmt.Sprintf("%s%s · %s, %s each · %s", run.Profile, at(run), human.Plural(t.Cells, "cell"), human.Plural(run.Repeats, "repeat"), when(run.CreatedAt))
	if run.Status != compare.Ended {
		text += " · " + string(run.Status)
	}
	return text
}

// figures are what a reader wants to know first.
func (r *Report) figures(checks []failedCheck, differs []difference) []figure {
	t, unmet, differing := r.Run.Tally(), 0, 0
	for i := range checks {
		unmet += checks[i].count()
	}
	for i := range differs {
		differing += len(differs[i].trials)
	}
	out := []figure{{"completed", human.Count(t.Done), human.Count(t.Planned), "ok"}}
	add := func(n int, name, class string) {
		if n > 0 {
			out = append(out, figure{Name: name, Value: human.Count(n), Class: class})
		}
	}
	add(t.Failed, "failed", "bad")
	add(t.Planned-t.Done-t.Failed, "missing", "open")
	add(unmet, "not as expected", "bad")
	add(differing, "not as asked or claimed", "warn")
	if r.Baseline != nil {
		add(len(r.Baseline.Regressions), "worse than the baseline", "bad")
	}
	add(t.Cannot, map[bool]string{true: "cell cannot run", false: "cells cannot run"}[t.Cannot == 1], "open")
	return out
}

func (r *Report) baselineView() *baselineView {
	b := r.Baseline
	if b == nil {
		return nil
	}
	view := &baselineView{Cells: human.Plural(b.Cells, "cell")}
	for _, f := range b.Regressions {
		view.Worse = append(view.Worse, line(f.Label+": "+f.Text))
	}
	for _, f := range b.Improvements {
		view.Better = append(view.Better, line(f.Label+": "+f.Text))
	}
	for _, l := range b.OnlyRun {
		view.Only = append(view.Only, line(l)+": not in the baseline")
	}
	for _, l := range b.OnlyBaseline {
		view.Only = append(view.Only, line(l)+": in the baseline alone")
	}
	return view
}

func (r *Report) checkRows(list []failedCheck) []checkRow {
	var out []checkRow
	for _, c := range list {
		out = append(out, checkRow{line(c.where), line(c.name), line(c.text()), r.anchors(c.trials)})
	}
	return out
}

func (r *Report) anchors(list []*compare.Trial) []anchor {
	var out []anchor
	for _, t := range list {
		out = append(out, anchor{"t" + t.Slot.String(), r.repeat(t)})
	}
	return out
}

func (r *Report) differRows(list []difference) []differRow {
	var out []differRow
	for _, d := range list {
		f := d.fact
		value := func(x compare.Fact) string {
			if !x.Known {
				return "?"
			}
			return line(strings.TrimSpace(x.Text + " " + f.Unit))
		}
		out = append(out, differRow{
			Where: line(d.cell.Prompt.ID + " · " + r.group(d.cell)), Field: strings.ReplaceAll(line(f.Field), "_", " "), Trials: r.anchors(d.trials),
			Asked: value(f.Asked), Claimed: value(f.Claimed), Delivered: value(f.Delivered), Tolerance: line(f.Tolerance), Asks: string(f.Verdict), Claims: string(f.ClaimVerdict),
		})
	}
	return out
}

// class is how a state is coloured.
func class(t *compare.Trial) string {
	switch {
	case t.OK():
		return "ok"
	case t.Ended():
		return "bad"
	default:
		return "open"
	}
}

// repeat names a trial within its cell.
func (r *Report) repeat(t *compare.Trial) string {
	text := fmt.Sprintf("%d/%d", t.Slot.Repeat, r.Run.Repeats)
	if t.Slot.Warmup {
		text = "warm-up " + fmt.Sprint(t.Slot.Repeat)
	}
	if t.Attempt > 1 {
		text += fmt.Sprintf(", attempt %d", t.Attempt)
	}
	return text
}

// marks say what is not as it should be, by name.
func marks(t *compare.Trial) []string {
	var out []string
	for _, p := range measure.Differs(t.Facts) {
		out = append(out, line(measure.Sentence(p)))
	}
	for _, c := range t.Checks {
		if c.Verdict == compare.Fail {
			out = append(out, line("not met: "+c.Name))
		}
	}
	return out
}

// known is the text of an interval, "" where nothing is known.
func known(i compare.Interval) string {
	if !i.Known() {
		return ""
	}
	return i.String()
}

func (r *Report) trialRows() [][]trialRow {
	var out [][]trialRow
	var rows []trialRow
	for _, t := range r.shown {
		c := r.cells[t.Slot.Cell]
		if c == nil {
			continue
		}
		l := t.Latency
		list := marks(t)
		row := trialRow{
			Anchor: t.Slot.String(), Cell: c.Number, Prompt: line(c.Prompt.ID), Group: line(r.group(c)), Repeat: r.repeat(t), State: state(t), Class: class(t),
			Latency: known(l.Total), Queue: known(l.Queue), Run: known(l.Run), Create: known(l.Create), Gateway: known(l.GatewayTotal),
			Code: line(strings.TrimSpace(t.Code + " " + t.Message)), Marks: strings.Join(list, "; "), Bad: class(t) == "bad" || len(list) > 0,
		}
		if l.Total.Known() {
			row.Sort = seconds(l.Total.Mid())
		}
		if rows = append(rows, row); len(rows) == chunk {
			out, rows = append(out, rows), nil
		}
	}
	if len(rows) > 0 {
		out = append(out, rows)
	}
	return out
}
