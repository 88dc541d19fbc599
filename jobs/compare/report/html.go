package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed" // the page, its style and its script
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"darkroom/client/disk"
	"darkroom/client/human"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/measure"
	"darkroom/jobs/compare/stat"
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

func bytesOf(b []byte) io.Reader { return bytes.NewReader(b) }

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
	s := &shelf{file: file, all: all, folder: filepath.Join(filepath.Dir(path), name), name: "./" + url.PathEscape(name)}
	return disk.Replace(path, func(f *os.File) error { return r.html(ctx, f, s) })
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

	Title, Name, Made string
	About             []string
	Verdicts          verdictsView
	Groups            []groupRow
	Axis              string // the end of the latencies' axis
	Details           []detailRow
	Votes             *votesView
	Baseline          *baselineView
	Checks            []checkRow
	Differs           []differRow
	MoreDiffers       int
	Prompts           []promptView
	Hidden            int // results beyond those that are shown
	Trials            [][]trialRow
	Cannot            []cannotRow
	Routes            []groupRow
	Suite             string
}

type verdictsView struct {
	Shown, Not, Few []string
}

type groupRow struct {
	Name    string
	N       int
	Success string
	Rate    float64
	Bar     bar
	Pass    string
	Latency string
	Mid     float64 // for sorting; -1 for none
	Range   *span
	Source  string
	P95     string
	Errors  string
	Cannot  int
}

// bar is a share with its interval, in units of 0 to 100.
type bar struct{ Value, Low, High, Width float64 }

// span is an estimate on the common axis of 0 to 100.
type span struct {
	At, From, Width float64
	Open            bool
}

type detailRow struct{ Group, Metric, Source, Median, P95, N string }

type votesView struct {
	Words []string
	Rows  []voteRow
}

type voteRow struct {
	Name               string
	Wins, Losses, Ties int
	Preferred          string
	Range              span
}

type baselineView struct {
	Cells               int
	Worse, Better, Only []string
}

type checkRow struct{ Where, Name, Text string }

type differRow struct {
	Anchor, Where, Field, Asked, Claimed, Delivered, Tolerance string
	Asks, Claims                                               string // verdicts
}

type promptView struct {
	ID, Text string
	Cards    []card
}

type card struct {
	Anchor, Group, Repeat, State, Class, Latency, Code, Message string
	Badges                                                      []string
	Clip                                                        clip
	Alt                                                         string
}

type trialRow struct {
	Anchor                                                                    string
	Cell                                                                      int
	Prompt, Group, Repeat, State, Class, Latency, Queue, Run, Create, Gateway string
	Sort                                                                      float64
	Code, Flags                                                               string
	Bad                                                                       bool
}

type cannotRow struct {
	Cell          int
	Where, Reason string
}

func (r *Report) page(ctx context.Context, s *shelf) (*page, error) {
	p := &page{
		Policy: "default-src 'none'; base-uri 'none'; form-action 'none'; img-src 'self' data:; media-src 'self' data:; style-src " + hash(styleText) + "; script-src " + hash(scriptText),
		Style:  template.CSS(styleText), Script: template.JS(scriptText), //nolint:gosec // both are embedded, and hold nothing of a run
		Title: line(r.Run.Name), Name: line(r.Run.Name), Made: when(r.MadeAt), Suite: clean(r.Run.Suite),
	}
	for _, l := range r.about() {
		p.About = append(p.About, line(l))
	}
	shown, not, few := r.verdicts()
	p.Verdicts = verdictsView{sentences(shown), sentences(not), sentences(few)}
	p.Groups, p.Axis = groupRows(r.Summary.Groups)
	if r.Run.Formats() {
		p.Routes, _ = groupRows(stat.Of(r.Run, stat.Options{By: stat.ByFormat}).Groups)
	}
	p.Details = details(r.Summary.Groups)
	r.findings(p)
	for _, c := range r.cannot() {
		p.Cannot = append(p.Cannot, cannotRow{c.Number, line(c.Prompt.ID + " · " + r.group(c)), line(c.Cannot)})
	}
	p.Trials = r.trialRows()
	return p, r.gallery(ctx, p, s)
}

// clean keeps the lines of a text.
func clean(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = line(lines[i])
	}
	return strings.Join(lines, "\n")
}

func sentences(list []stat.Comparison) []string {
	var out []string
	for _, c := range list {
		out = append(out, line(c.Sentence))
	}
	return out
}

// groupRows puts the latencies of groups on one axis.
func groupRows(groups []stat.Group) (rows []groupRow, axis string) {
	most := 0.0
	for i := range groups {
		if t, ok := total(&groups[i]); ok {
			most = max(most, t.Median.Value.Seconds(), t.Median.Least.Seconds())
			if !t.Median.Open {
				most = max(most, t.Median.Most.Seconds())
			}
		}
	}
	for i := range groups {
		g := &groups[i]
		row := groupRow{
			Name: line(g.Name), N: g.Success.N, Success: g.Success.String(), Rate: g.Success.Value, Pass: pass(g.Pass), Errors: line(codes(g.Errors)), Mid: -1, Cannot: g.Cannot,
			Bar: bar{Value: 100 * g.Success.Value, Low: 100 * g.Success.Low, High: 100 * g.Success.High, Width: 100 * (g.Success.High - g.Success.Low)},
		}
		if t, ok := total(g); ok {
			row.Latency, row.Mid, row.Source = t.Median.String(), t.Median.Value.Seconds(), source(t.Source)
			if t.P95 != nil {
				row.P95 = t.P95.String()
			}
			if most > 0 {
				row.Range = onAxis(t.Median, most)
			}
		}
		rows = append(rows, row)
	}
	if most > 0 {
		axis = fmt.Sprintf("0 to %.1f s", most)
	}
	return rows, axis
}

func onAxis(e stat.Estimate, most float64) *span {
	from, to := 100*e.Least.Seconds()/most, 100.0
	if !e.Open {
		to = 100 * e.Most.Seconds() / most
	}
	return &span{At: 100 * e.Value.Seconds() / most, From: from, Width: max(0.5, to-from), Open: e.Open}
}

func source(s compare.Source) string {
	switch s {
	case compare.Stamped:
		return "gateway's stamps"
	case compare.Polled:
		return "polls"
	default:
		return "measured here"
	}
}

func details(groups []stat.Group) []detailRow {
	var out []detailRow
	for i := range groups {
		for _, t := range groups[i].Times {
			row := detailRow{Group: line(groups[i].Name), Metric: string(t.Metric), Source: source(t.Source), Median: t.Median.String(), N: fmt.Sprint(t.N)}
			if t.Censored > 0 {
				row.N += fmt.Sprintf(" (%d timed out)", t.Censored)
			}
			if t.P95 != nil {
				row.P95 = t.P95.String()
			}
			out = append(out, row)
		}
	}
	return out
}

// maxDiffers bounds the table of what differs; the trials' table has all.
const maxDiffers = 500

// findings are votes, the baseline, expectations and what differs.
func (r *Report) findings(p *page) {
	if v := r.Votes; v != nil {
		p.Votes = votes(v.Words(), v.Ranking.Items)
	}
	if b := r.Baseline; b != nil {
		view := &baselineView{Cells: b.Cells}
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
		p.Baseline = view
	}
	for _, c := range r.failedChecks() {
		p.Checks = append(p.Checks, checkRow{line(c.Where), line(c.Check.Name), line(c.Check.Text)})
	}
	all := r.differences()
	p.MoreDiffers = max(0, len(all)-maxDiffers)
	for _, d := range all[:min(len(all), maxDiffers)] {
		f := d.fact
		value := func(x compare.Fact) string {
			if !x.Known {
				return "?"
			}
			return line(strings.TrimSpace(x.Text + " " + f.Unit))
		}
		p.Differs = append(p.Differs, differRow{
			Anchor: "t" + d.trial.Slot.String(), Where: line(d.cell.Prompt.ID + " · " + r.group(d.cell) + " · " + d.trial.Slot.String()), Field: strings.ReplaceAll(line(f.Field), "_", " "),
			Asked: value(f.Asked), Claimed: value(f.Claimed), Delivered: value(f.Delivered), Tolerance: line(f.Tolerance), Asks: string(f.Verdict), Claims: string(f.ClaimVerdict),
		})
	}
}

func votes(words []string, items []stat.Ranked) *votesView {
	v := &votesView{}
	for _, w := range words {
		v.Words = append(v.Words, line(w))
	}
	low, high := 0.0, 0.0
	for _, x := range items {
		low, high = min(low, x.Low, x.Strength), max(high, x.High, x.Strength)
	}
	for _, x := range items {
		row := voteRow{Name: line(x.Name), Wins: x.Wins, Losses: x.Losses, Ties: x.Ties, Preferred: fmt.Sprintf("%.0f %%", 100*x.Preferred)}
		if w := high - low; w > 0 {
			row.Range = span{At: 100 * (x.Strength - low) / w, From: 100 * (x.Low - low) / w, Width: max(0.5, 100*(x.High-x.Low)/w)}
		}
		v.Rows = append(v.Rows, row)
	}
	return v
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

func badges(t *compare.Trial) []string {
	var out []string
	if d := measure.Differs(t.Facts); len(d) > 0 {
		out = append(out, human.Plural(len(d), "difference"))
	}
	n := 0
	for _, c := range t.Checks {
		if c.Verdict == compare.Fail {
			n++
		}
	}
	if n > 0 {
		out = append(out, fmt.Sprintf("%d not as expected", n))
	}
	return out
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
		known := func(i compare.Interval) string {
			if !i.Known() {
				return ""
			}
			return i.String()
		}
		marks := badges(t)
		row := trialRow{
			Anchor: t.Slot.String(), Cell: c.Number, Prompt: line(c.Prompt.ID), Group: line(r.group(c)), Repeat: r.repeat(t), State: state(t), Class: class(t),
			Latency: known(l.Total), Queue: known(l.Queue), Run: known(l.Run), Create: known(l.Create), Gateway: known(l.GatewayTotal),
			Sort: l.Total.Mid().Seconds(), Code: line(strings.TrimSpace(t.Code + " " + t.Message)), Flags: strings.Join(marks, ", "),
			Bad: class(t) == "bad" || len(marks) > 0,
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

// gallery shows the results side by side, by prompt; warm-ups are not shown.
func (r *Report) gallery(ctx context.Context, p *page, s *shelf) error {
	_, _, show := r.media.limits()
	byPrompt := map[compare.Prompt]int{}
	for _, t := range r.shown {
		c := r.cells[t.Slot.Cell]
		if c == nil || t.Slot.Warmup {
			continue
		}
		if show == 0 {
			p.Hidden++
			continue
		}
		show--
		if err := ctx.Err(); err != nil {
			return err
		}
		at, ok := byPrompt[c.Prompt]
		if !ok {
			at = len(p.Prompts)
			byPrompt[c.Prompt] = at
			p.Prompts = append(p.Prompts, promptView{ID: line(c.Prompt.ID), Text: clean(c.Prompt.Text)})
		}
		x := card{
			Anchor: "t" + t.Slot.String(), Group: line(r.group(c)), Repeat: r.repeat(t), State: state(t), Class: class(t), Latency: t.Latency.Total.String(),
			Code: line(t.Code), Message: line(t.Message), Badges: badges(t), Alt: line("Result of " + r.group(c) + ", " + r.repeat(t)),
		}
		if files := r.media.paths[key{t.Slot, t.Attempt}]; len(files) > 0 {
			x.Clip = s.put(t.Slot, files[0])
		} else if t.OK() {
			x.Clip.Note = "no file is here"
		}
		p.Prompts[at].Cards = append(p.Prompts[at].Cards, x)
	}
	return nil
}
