package grid

import (
	"slices"
	"time"

	"darkroom/client"
	"darkroom/jobs/compare"
	"darkroom/tui/screens/compare/internal/say"
)

// sheet is a run laid out: which cell stands in which row and column. It is made anew with the news of
// a run, in one pass over its cells and trials.
type sheet struct {
	run      *compare.Run
	repeats  int
	across   []column
	groups   []group
	where    []spot           // of each cell
	trials   []*compare.Trial // the newest of each cell and repeat
	formats  bool
	stamped  bool // of each that completed the gateway's stamps tell the total more closely than polls
	measured bool // each that completed was measured here, around one request
}

// spot is where a cell stands.
type spot struct{ group, col int }

// column is a model, through one format where the run has several.
type column struct {
	name, format string
	tally
}

// tally is what came of the trials of a column that count, which are the first at their slots.
type tally struct {
	sent, ended, ok int
	median          compare.Interval // of those that completed
}

// group is a prompt with its settings: as many rows as there are repeats.
type group struct {
	prompt, text, settings string
	cells                  []int // number of the cell in each column, 0 for none
}

// line is a row of the sheet.
type line struct{ group, repeat int }

type columnKey struct{ model, name, format string }

type groupKey struct{ prompt, text, settings string }

func newSheet(r *compare.Run, names say.Names) sheet {
	if r == nil {
		return sheet{}
	}
	s := sheet{run: r, repeats: max(1, r.Repeats), formats: r.Formats(), where: make([]spot, len(r.Cells))}
	cols, groups := map[columnKey]int{}, map[groupKey]int{}
	for i := range r.Cells {
		c := &r.Cells[i]
		ck := columnKey{c.Model, c.ModelName, c.Format}
		if !s.formats {
			ck.format = ""
		}
		col, ok := cols[ck]
		if !ok {
			col = len(s.across)
			cols[ck] = col
			s.across = append(s.across, column{name: say.Model(c), format: client.CleanLine(c.Format)})
		}
		gk := groupKey{c.Prompt.ID, c.Prompt.Text, names.Settings(c)}
		g, ok := groups[gk]
		if !ok {
			g = len(s.groups)
			groups[gk] = g
			s.groups = append(s.groups, group{prompt: client.CleanLine(gk.prompt), text: client.CleanLine(gk.text), settings: gk.settings})
		}
		s.where[i] = spot{g, col}
	}
	for i := range s.groups {
		s.groups[i].cells = make([]int, len(s.across))
	}
	for i, at := range s.where {
		s.groups[at.group].cells[at.col] = i + 1
	}
	s.fill()
	return s
}

// fill puts the newest trials into their places, and sums the columns up.
func (s *sheet) fill() {
	s.trials = make([]*compare.Trial, len(s.run.Cells)*s.repeats)
	for i := range s.run.Trials {
		t := &s.run.Trials[i]
		if t.Slot.Warmup || s.run.Cell(t.Slot.Cell) == nil || t.Slot.Repeat < 1 || t.Slot.Repeat > s.repeats {
			continue
		}
		at := (t.Slot.Cell-1)*s.repeats + t.Slot.Repeat - 1
		if old := s.trials[at]; old == nil || t.Attempt >= old.Attempt {
			s.trials[at] = t
		}
	}
	s.stamped, s.measured = true, true
	for _, t := range s.trials {
		if t != nil && t.OK() {
			s.stamped = s.stamped && say.Narrower(&t.Latency)
			s.measured = s.measured && t.Latency.Total.Source == compare.Measured
		}
	}
	took := make([][]compare.Interval, len(s.across))
	for _, t := range s.run.Counted() {
		if s.run.Cell(t.Slot.Cell) == nil || t.Slot.Repeat > s.repeats {
			continue
		}
		at := s.where[t.Slot.Cell-1].col
		c := &s.across[at]
		c.sent++
		if t.Ended() {
			c.ended++
		}
		if t.OK() {
			c.ok++
			took[at] = append(took[at], s.total(t))
		}
	}
	for i := range s.across {
		s.across[i].median = median(took[i])
	}
}

// total is the latency that columns are compared by, by one clock for all.
func (s *sheet) total(t *compare.Trial) compare.Interval {
	if s.stamped {
		return t.Latency.GatewayTotal
	}
	return t.Latency.Total
}

// median bounds the median of durations that are known as intervals: it lies between the median of
// their least and that of their most values.
func median(all []compare.Interval) compare.Interval {
	var least, most []time.Duration
	out := compare.Interval{}
	for _, i := range all {
		if !i.Known() || i.Open {
			continue
		}
		out.Source = i.Source
		least, most = append(least, i.Least), append(most, i.Most)
	}
	out.Least, out.Most = middle(least), middle(most)
	return out
}

func middle(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	if n := len(d); n%2 == 0 {
		return (d[n/2-1] + d[n/2]) / 2
	}
	return d[len(d)/2]
}

// cellAt is the cell of a row and a column, nil for none.
func (s *sheet) cellAt(l line, col int) *compare.Cell {
	return s.run.Cell(s.groups[l.group].cells[col])
}

// trialAt is the newest trial of a row and a column, nil for none.
func (s *sheet) trialAt(l line, col int) *compare.Trial {
	n := s.groups[l.group].cells[col]
	if n == 0 {
		return nil
	}
	return s.trials[(n-1)*s.repeats+l.repeat-1]
}
