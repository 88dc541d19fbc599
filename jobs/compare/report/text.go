package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"darkroom/client/human"
	"darkroom/client/text"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/hide"
	"darkroom/jobs/compare/measure"
	"darkroom/jobs/compare/stat"
)

// CSV writes a row for each trial, the newest attempt at each slot, and one for each cell that could
// not run. No cell is a formula. Latencies are in seconds, as bounds.
func (r *Report) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	row := func(cells ...string) error {
		for i := range cells {
			cells[i] = text.Cell(hide.Paths(cells[i]))
		}
		return out.Write(cells)
	}
	head := []string{"run", "cell", "repeat", "warmup", "attempt", "prompt_id", "prompt", "model", "model_name", "mode", "format", "settings", "seed",
		"state", "code", "message", "job", "task_id", "sent_at", "ended_at"}
	for _, n := range []string{"create", "queue", "run", "total", "download", "gateway_total"} {
		head = append(head, n+"_least_s", n+"_most_s")
	}
	head = append(head, "differs", "checks_failed", "files")
	if err := row(head...); err != nil {
		return err
	}
	for _, t := range r.shown {
		c := r.cells[t.Slot.Cell]
		if c == nil {
			continue
		}
		if err := row(r.trialRow(c, t)...); err != nil {
			return err
		}
	}
	for i := range r.Run.Cells {
		if c := &r.Run.Cells[i]; c.Cannot != "" {
			cells := make([]string, len(head))
			copy(cells, []string{r.Run.ID, strconv.Itoa(c.Number), "", "", "", c.Prompt.ID, c.Prompt.Text, c.Model, c.ModelName, c.Mode, c.Format, settings(c), "", "cannot run", "", c.Cannot})
			if err := row(cells...); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

func (r *Report) trialRow(c *compare.Cell, t *compare.Trial) []string {
	cells := []string{
		r.Run.ID, strconv.Itoa(c.Number), strconv.Itoa(t.Slot.Repeat), strconv.FormatBool(t.Slot.Warmup), strconv.Itoa(t.Attempt),
		c.Prompt.ID, c.Prompt.Text, c.Model, c.ModelName, c.Mode, c.Format, settings(c), t.Seed,
		state(t), t.Code, t.Message, t.JobID, t.TaskID, stamp(t.SentAt), stamp(t.EndedAt),
	}
	l := t.Latency
	for _, i := range []compare.Interval{l.Create, l.Queue, l.Run, l.Total, l.Download, l.GatewayTotal} {
		least, most := "", ""
		if i.Known() {
			least = seconds(i.Least)
			if !i.Open {
				most = seconds(i.Most)
			}
		}
		cells = append(cells, least, most)
	}
	var differs, failed, files []string
	for _, p := range measure.Differs(t.Facts) {
		differs = append(differs, measure.Sentence(p))
	}
	for _, x := range t.Checks {
		if x.Verdict == compare.Fail {
			failed = append(failed, x.Name)
		}
	}
	for _, f := range t.Files {
		files = append(files, f.Path)
	}
	return append(cells, strings.Join(differs, "; "), strings.Join(failed, "; "), strings.Join(files, "; "))
}

func settings(c *compare.Cell) string {
	var parts []string
	for _, s := range c.Settings {
		parts = append(parts, s.String())
	}
	return strings.Join(parts, ", ")
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }

// Markdown writes what fits into a comment or a page of a wiki: the verdicts, the groups, what differs
// and what failed.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", escaped(r.Run.Name))
	for _, l := range r.about() {
		fmt.Fprintf(&b, "- %s\n", escaped(l))
	}
	r.markVerdicts(&b)
	r.markGroups(&b)
	if r.Votes != nil {
		b.WriteString("\n## Votes\n\n")
		for _, l := range r.Votes.Words() {
			fmt.Fprintf(&b, "- %s\n", escaped(l))
		}
		for i, x := range r.Votes.Ranking.Items {
			fmt.Fprintf(&b, "%d. %s: preferred to the average in %.0f %%, %d won, %d lost, %d tied\n", i+1, escaped(x.Name), 100*x.Preferred, x.Wins, x.Losses, x.Ties)
		}
	}
	if r.Baseline != nil {
		fmt.Fprintf(&b, "\n## Against the baseline\n\n%s compared.\n\n", human.Plural(r.Baseline.Cells, "cell"))
		for _, f := range r.Baseline.Regressions {
			fmt.Fprintf(&b, "- **worse**: %s: %s\n", escaped(f.Label), escaped(f.Text))
		}
		for _, f := range r.Baseline.Improvements {
			fmt.Fprintf(&b, "- better: %s: %s\n", escaped(f.Label), escaped(f.Text))
		}
	}
	list := func(title string, n int, at func(i int) string) {
		if n == 0 {
			return
		}
		fmt.Fprintf(&b, "\n## %s\n\n", title)
		for i := range min(n, maxListed) {
			fmt.Fprintf(&b, "- %s\n", escaped(at(i)))
		}
		if n > maxListed {
			fmt.Fprintf(&b, "- and %d more\n", n-maxListed)
		}
	}
	failed, differs := r.failedChecks(), r.differences()
	list("Not as expected", len(failed), func(i int) string {
		c := &failed[i]
		where := c.where
		if len(c.trials) > 0 {
			where += " (" + r.repeats(c.trials) + ")"
		}
		return where + ": " + c.name + ": " + c.text()
	})
	list("Not as asked for, or not as claimed", len(differs), func(i int) string {
		d := differs[i]
		return d.cell.Prompt.ID + " · " + r.group(d.cell) + " (" + r.repeats(d.trials) + "): " + measure.Sentence(d.fact)
	})
	cannot := r.cannot()
	list("Could not run", len(cannot), func(i int) string { return cannot[i].Prompt.ID + " · " + r.group(cannot[i]) + ": " + cannot[i].Cannot })
	_, err := io.WriteString(w, b.String())
	return err
}

// maxListed bounds the lists of a Markdown report.
const maxListed = 50

func (r *Report) cannot() []*compare.Cell {
	var out []*compare.Cell
	for i := range r.Run.Cells {
		if r.Run.Cells[i].Cannot != "" {
			out = append(out, &r.Run.Cells[i])
		}
	}
	return out
}

// about are the lines that say what was run.
func (r *Report) about() []string {
	t, run := r.Run.Tally(), r.Run
	out := []string{
		fmt.Sprintf("Run %s, %s to %s, profile %s%s", run.ID, when(run.CreatedAt), when(run.EndedAt), run.Profile, at(run)),
		fmt.Sprintf("%s of %s, %s each: %d completed, %d failed, %d missing", human.Plural(t.Planned, "trial"), human.Plural(t.Cells-t.Cannot, "cell"), human.Plural(run.Repeats, "repeat"), t.Done, t.Failed, t.Planned-t.Done-t.Failed),
		fmt.Sprintf("Shuffled within blocks of one repeat of every cell, seed %d; up to %d in flight", run.Seed, max(1, run.Concurrency)),
	}
	if run.Warmups > 0 {
		out = append(out, human.Plural(run.Warmups, "warm-up")+" a cell, sent before and not counted")
	}
	if t.Cannot > 0 {
		out = append(out, human.Plural(t.Cannot, "cell")+" could not run")
	}
	return append(out, r.Summary.Notes...)
}

// at says which gateway it was, unless the profile's name does.
func at(run *compare.Run) string {
	if run.Host == "" || strings.Contains(run.Profile, run.Host) {
		return ""
	}
	return " at " + run.Host
}

func when(t time.Time) string {
	if t.IsZero() {
		return "(not over)"
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

func (r *Report) markVerdicts(b *strings.Builder) {
	shown, not, few := r.verdicts()
	b.WriteString("\n## What the numbers show\n\n")
	for _, c := range shown {
		fmt.Fprintf(b, "- %s\n", escaped(c.Sentence))
	}
	if len(shown) == 0 {
		b.WriteString("- No difference is shown.\n")
	}
	fmt.Fprintf(b, "- %s without a difference shown, %d with too few trials for one.\n", human.Plural(len(not), "comparison"), len(few))
}

func (r *Report) markGroups(b *strings.Builder) {
	b.WriteString("\n| Group | n | Success (95 %) | All repeats | Median latency (95 %) | p95 | Errors |\n|---|--:|---|---|---|---|---|\n")
	for i := range r.Summary.Groups {
		g := &r.Summary.Groups[i]
		success, latency, p95 := "", "", ""
		if g.Success.N > 0 {
			success = g.Success.String()
		}
		if t, ok := total(g); ok {
			latency = t.Median.String()
			if t.P95 != nil {
				p95 = t.P95.String()
			}
		}
		fmt.Fprintf(b, "| %s | %d | %s | %s | %s | %s | %s |\n", escaped(g.Name), g.Success.N, escaped(success), pass(g.Pass), escaped(latency), escaped(p95), escaped(codes(g.Errors)))
	}
}

func pass(p stat.Pass) string {
	if p.Cells == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %% of %s (%d×)", 100*p.Value, human.Plural(p.Cells, "cell"), p.N)
}

func codes(list []stat.Code) string {
	var parts []string
	for _, c := range list {
		parts = append(parts, fmt.Sprintf("%s %d×", c.Code, c.Count))
	}
	return strings.Join(parts, ", ")
}

// wwwRE finds what Markdown makes a link of without a scheme.
var wwwRE = text.Pattern(`(?i)(www)\.`)

// escaped makes a text of a stranger plain words in Markdown and in the HTML that it becomes.
func escaped(s string) string {
	s = line(s)
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '\\', '`', '*', '_', '{', '}', '[', ']', '<', '>', '(', ')', '#', '+', '!', '|', '~', '&':
			if r == '<' || r == '>' || r == '&' {
				b.WriteString(map[rune]string{'<': "&lt;", '>': "&gt;", '&': "&amp;"}[r])
				continue
			}
			if r == '(' || r == ')' || r == '+' || r == '!' {
				b.WriteRune(r)
				continue
			}
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	out := b.String()
	// A bare address would be a link.
	return wwwRE().ReplaceAllString(strings.ReplaceAll(out, "://", ":&#47;&#47;"), "${1}&#46;")
}
