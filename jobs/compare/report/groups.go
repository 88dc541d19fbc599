package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"darkroom/client/human"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/stat"
	"darkroom/jobs/compare/vote"
)

// maxShown is how many verdicts are read without opening anything.
const maxShown = 16

// maxMatrix is of how many groups a table of all against all can be read.
const maxMatrix = 16

type verdictsView struct {
	Shown, More []sentence // of success and total time; More than are read at a glance
	Parts       []sentence // of create, queue, run and download
	Not, Few    []sentence
	Matrices    []matrix
	Beside      bool // these are small enough to stand beside the sentences
}

// sentence is a comparison: what it comes to, and what that is founded on.
type sentence struct{ Says, Because string }

// matrix is all groups against all, in one metric.
type matrix struct {
	Title string
	Rows  []matrixRow
}

type matrixRow struct {
	Number int
	Name   string
	Cells  []matrixCell
}

type matrixCell struct{ Text, Class, Tip string }

func (r *Report) verdictsView() verdictsView {
	shown, not, few := r.verdicts()
	at := slices.IndexFunc(shown, func(c stat.Comparison) bool { return c.Metric != stat.Success && c.Metric != stat.Total })
	if at < 0 {
		at = len(shown)
	}
	v := verdictsView{Shown: sentences(shown[:at]), Parts: sentences(shown[at:]), Not: sentences(not), Few: sentences(few)}
	n := min(len(v.Shown), maxShown)
	v.Shown, v.More = v.Shown[:n], v.Shown[n:]
	for _, m := range []stat.Metric{stat.Success, stat.Total} {
		if x, ok := r.matrix(m); ok {
			v.Matrices = append(v.Matrices, x)
		}
	}
	v.Beside = len(v.Matrices) > 0 && len(v.Matrices[0].Rows) <= 8
	return v
}

func sentences(list []stat.Comparison) []sentence {
	var out []sentence
	for _, c := range list {
		s := sentence{Says: c.Sentence}
		// The evidence begins at the colon after both names, which may have colons of their own.
		if at := strings.Index(c.Sentence, c.B); at >= 0 {
			at += len(c.B)
			if i := strings.Index(c.Sentence[at:], ": "); i >= 0 {
				s = sentence{c.Sentence[:at+i], c.Sentence[at+i+2:]}
			}
		}
		out = append(out, sentence{line(s.Says), line(s.Because)})
	}
	return out
}

// matrix sets all groups against all, where that shows anything and can be read.
func (r *Report) matrix(m stat.Metric) (matrix, bool) {
	names := map[string]int{}
	out := matrix{Title: "Total time", Rows: []matrixRow{}}
	words := map[stat.Verdict]matrixCell{
		stat.Better: {Text: "faster", Class: "ok"}, stat.Worse: {Text: "slower", Class: "bad"}, stat.NoDifference: {Text: "–", Class: "open"}, stat.TooFew: {Text: "?", Class: "open"},
	}
	if m == stat.Success {
		out.Title = "Success"
		words[stat.Better], words[stat.Worse] = matrixCell{Text: "more", Class: "ok"}, matrixCell{Text: "less", Class: "bad"}
	}
	for i := range r.Summary.Groups {
		if g := &r.Summary.Groups[i]; g.Cells > 0 {
			names[g.Name] = len(out.Rows)
			out.Rows = append(out.Rows, matrixRow{Number: len(out.Rows) + 1, Name: line(g.Name)})
		}
	}
	n := len(out.Rows)
	if n < 3 || n > maxMatrix {
		return matrix{}, false
	}
	for i := range out.Rows {
		out.Rows[i].Cells = make([]matrixCell, n)
	}
	other := map[stat.Verdict]stat.Verdict{stat.Better: stat.Worse, stat.Worse: stat.Better, stat.NoDifference: stat.NoDifference, stat.TooFew: stat.TooFew}
	any := false
	for _, c := range r.Summary.Pairs {
		a, ok1 := names[c.A]
		b, ok2 := names[c.B]
		if c.Metric != m || !ok1 || !ok2 {
			continue
		}
		any = any || c.Verdict == stat.Better || c.Verdict == stat.Worse
		x, y := words[c.Verdict], words[other[c.Verdict]]
		x.Tip, y.Tip = line(c.Sentence), line(c.Sentence)
		out.Rows[a].Cells[b], out.Rows[b].Cells[a] = x, y
	}
	return out, any
}

type groupRow struct {
	Name    string
	N       int
	Success told
	Rate    float64
	Bar     span
	Pass    told
	Latency told
	Mid     string // for sorting; "" for none
	Range   *span
	Source  string
	P95     string
	Errors  string
	Cannot  int
}

// told is a value with what is said of it in small.
type told struct{ Value, More string }

// span is an estimate on a common axis of 0 to 100.
type span struct {
	At, From, Width float64
	Open            bool
}

// parted parts a value from its interval.
func parted(text, at string) told {
	value, more, ok := strings.Cut(text, at)
	if !ok {
		return told{Value: text}
	}
	if at == " (" {
		more = strings.TrimSuffix(more, ")")
	} else {
		more = strings.TrimLeft(at, " ") + more
	}
	return told{value, more}
}

// groupRows puts the latencies of groups on one axis.
func groupRows(groups []stat.Group) (rows []groupRow, axis []string) {
	end := axisEnd(groups)
	for i := range groups {
		g := &groups[i]
		row := groupRow{
			Name: line(g.Name), N: g.Success.N, Success: parted(g.Success.String(), " ("), Rate: g.Success.Value, Pass: passed(g.Pass), Errors: line(codes(g.Errors)), Cannot: g.Cannot,
			Bar: span{At: 100 * g.Success.Value, From: 100 * g.Success.Low, Width: 100 * (g.Success.High - g.Success.Low)},
		}
		if t, ok := total(g); ok {
			row.Latency, row.Mid, row.Source = parted(t.Median.String(), " ["), fmt.Sprint(t.Median.Value.Seconds()), source(t.Source)
			if t.P95 != nil {
				row.P95 = t.P95.String()
			}
			if end > 0 {
				row.Range = onAxis(t.Median, end)
			}
		}
		rows = append(rows, row)
	}
	if end > 0 {
		axis = []string{"0", human.Dur(end / 2), human.Dur(end)}
	}
	return rows, axis
}

// axisEnd is a round number that no median is above, nor the known end of its interval.
func axisEnd(groups []stat.Group) time.Duration {
	most := time.Duration(0)
	for i := range groups {
		if t, ok := total(&groups[i]); ok {
			most = max(most, t.Median.Value, t.Median.Least)
			if !t.Median.Open {
				most = max(most, t.Median.Most)
			}
		}
	}
	if most <= 0 {
		return 0
	}
	s := most.Seconds()
	unit := math.Pow(10, math.Floor(math.Log10(s)))
	for _, k := range []float64{1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10} {
		if s <= k*unit*(1+1e-9) {
			return time.Duration(k * unit * float64(time.Second))
		}
	}
	return most
}

func onAxis(e stat.Estimate, end time.Duration) *span {
	part := func(d time.Duration) float64 { return 100 * d.Seconds() / end.Seconds() }
	if e.Coverage == 0 { // no interval
		return &span{At: part(e.Value), From: part(e.Value)}
	}
	from, to := part(e.Least), 100.0
	if !e.Open {
		to = part(e.Most)
	}
	return &span{At: part(e.Value), From: from, Width: max(0, to-from), Open: e.Open}
}

func passed(p stat.Pass) told {
	if p.Cells == 0 {
		return told{}
	}
	return told{human.Percent(p.Value), "of " + human.Plural(p.Cells, "cell")}
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

type detailRow struct {
	Group, Metric, Source string
	N, Censored           int
	Median                told
	Sort                  string
	P95                   string
}

func details(groups []stat.Group) []detailRow {
	var out []detailRow
	for i := range groups {
		for _, t := range groups[i].Times {
			row := detailRow{
				Group: line(groups[i].Name), Metric: string(t.Metric), Source: source(t.Source), Median: parted(t.Median.String(), " ["), Sort: fmt.Sprint(t.Median.Value.Seconds()),
				N: t.N, Censored: t.Censored,
			}
			if t.Within > 0 {
				row.Source += ", within " + human.Dur(t.Within)
			}
			if t.P95 != nil {
				row.P95 = t.P95.String()
			}
			out = append(out, row)
		}
	}
	return out
}

type votesView struct {
	Words  []string
	Scales []voteScale
	Pairs  []vote.Tally
	Notes  []voteNote
}

// voteScale are groups that can be ranked against one another.
type voteScale struct{ Rows []voteRow }

type voteRow struct {
	Place              int
	Name               string
	Wins, Losses, Ties int
	Preferred          string
	Interval           string
	Range              span
	Stars              string
}

type voteNote struct{ Judge, Of, Text string }

// odds turns a strength into how often such a group is preferred to the average, in per cent.
func odds(strength float64) float64 { return 100 / (1 + math.Exp(-strength)) }

func votes(v *vote.Result) *votesView {
	out := &votesView{}
	for _, w := range v.Words() {
		out.Words = append(out.Words, line(w))
	}
	stars := map[string]string{}
	for _, x := range v.Ratings {
		stars[x.Group] = fmt.Sprintf("%.1f of 5 (%d)", x.Mean, x.N)
	}
	for _, x := range v.Ranking.Items {
		for len(out.Scales) <= x.Island {
			out.Scales = append(out.Scales, voteScale{})
		}
		s := &out.Scales[x.Island]
		low, high := odds(x.Low), odds(x.High)
		s.Rows = append(s.Rows, voteRow{
			Place: len(s.Rows) + 1, Name: line(x.Name), Wins: x.Wins, Losses: x.Losses, Ties: x.Ties, Stars: stars[x.Name],
			Preferred: fmt.Sprintf("%.0f %%", 100*x.Preferred), Interval: fmt.Sprintf("[%.0f %%, %.0f %%]", low, high),
			Range: span{At: 100 * x.Preferred, From: low, Width: high - low},
		})
	}
	for _, p := range v.Pairs {
		p.A, p.B = line(p.A), line(p.B)
		out.Pairs = append(out.Pairs, p)
	}
	for _, x := range v.Remarks {
		of := x.Group
		if of == "" {
			of = x.Pair
		}
		out.Notes = append(out.Notes, voteNote{line(x.Judge), line(of), line(x.Text)})
	}
	return out
}
