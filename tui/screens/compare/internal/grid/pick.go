package grid

import (
	"cmp"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/jobs/compare"
	"darkroom/tui/screens/compare/internal/say"
)

// Order is the order of the columns.
type Order int

// Orders of the columns.
const (
	AsPlanned Order = iota
	BySuccess       // the highest share of completed trials first
	ByMedian        // the shortest median latency first
	orders
)

// String is the order in words.
func (o Order) String() string {
	switch o {
	case BySuccess:
		return "by success"
	case ByMedian:
		return "by median latency"
	default:
		return "as planned"
	}
}

// view is what of a sheet shows: rows and columns in their order, and which cells are meant.
type view struct {
	order           Order
	failed, differs bool // those only
	words           []string

	rows  []line
	cols  []int
	match []bool // by cell and repeat; nil where all are meant
}

// Order is the order of the columns.
func (v *view) Order() Order { return v.order }

// Turn goes to the next order.
func (m *Model) Turn() {
	m.order = (m.order + 1) % orders
	m.anew()
}

// Filter shows the cells whose model, prompt, settings, state, code or message has all words of a text.
func (m *Model) Filter(text string) {
	m.words = strings.Fields(strings.ToLower(text))
	m.anew()
}

// FailedOnly shows the trials that failed, or all again.
func (m *Model) FailedOnly() {
	m.failed = !m.failed
	m.anew()
}

// DiffersOnly shows what was not delivered as asked for, and the rows in which models differ; or all
// again.
func (m *Model) DiffersOnly() {
	m.differs = !m.differs
	m.anew()
}

// Only reports what of the run shows.
func (m *Model) Only() (failed, differs bool) { return m.failed, m.differs }

// Bare reports whether nothing of the run shows.
func (m *Model) Bare() bool { return len(m.rows) == 0 || len(m.cols) == 0 }

// All ends every filter; false where there was none.
func (m *Model) All() bool {
	if !m.picks() {
		return false
	}
	m.failed, m.differs, m.words = false, false, nil
	m.anew()
	return true
}

func (m *Model) anew() {
	cell, repeat := m.place()
	m.refresh()
	m.seek(cell, repeat)
}

func (v *view) picks() bool { return v.failed || v.differs || len(v.words) > 0 }

// pick returns the rows and columns that have something to show, in order.
func (v *view) pick(s *sheet) (rows []line, cols []int, match []bool) {
	if s.run == nil {
		return nil, nil, nil
	}
	wanted := make([]bool, len(s.across))
	if v.picks() {
		match = make([]bool, len(s.trials))
	}
	var texts []string
	for g := range s.groups {
		if len(v.words) > 0 {
			texts = v.texts(s, g, texts[:0])
		}
		for repeat := 1; repeat <= s.repeats; repeat++ {
			l := line{g, repeat}
			if match == nil || v.pickRow(s, l, texts, match, wanted) {
				rows = append(rows, l)
			}
		}
	}
	for c := range s.across {
		if match == nil || wanted[c] {
			cols = append(cols, c)
		}
	}
	v.sort(s, cols)
	return rows, cols, match
}

// texts are what the words of the filter are looked for in, by column, but for what came of a trial.
func (v *view) texts(s *sheet, g int, out []string) []string {
	own := strings.ToLower(s.groups[g].prompt + " " + s.groups[g].text + " " + s.groups[g].settings)
	for c := range s.across {
		out = append(out, strings.ToLower(s.across[c].name+" "+s.across[c].format+" ")+own)
	}
	return out
}

// pickRow marks the cells of a row that are meant, and reports whether there are any.
func (v *view) pickRow(s *sheet, l line, texts []string, match, wanted []bool) (any bool) {
	apart := v.differs && differ(s, l)
	for c := range s.across {
		n := s.groups[l.group].cells[c]
		if n == 0 {
			continue
		}
		t := s.trialAt(l, c)
		switch {
		case v.failed && (t == nil || !t.Ended() || t.OK()):
			continue
		case v.differs && !apart && (t == nil || !say.FactsDiffer(&t.Outcome)):
			continue
		case len(v.words) > 0 && !v.has(s.cellAt(l, c), t, texts[c]):
			continue
		}
		match[(n-1)*s.repeats+l.repeat-1] = true
		wanted[c], any = true, true
	}
	return any
}

// has reports whether a cell has all words.
func (v *view) has(c *compare.Cell, t *compare.Trial, text string) bool {
	outcome := strings.ToLower(say.State(t))
	switch {
	case t != nil:
		outcome += " " + strings.ToLower(client.CleanLine(t.Code+" "+t.Message+" "+t.TaskID))
	case c.Cannot != "":
		outcome = "cannot run " + strings.ToLower(client.CleanLine(c.Cannot))
	}
	for _, w := range v.words {
		if !strings.Contains(text, w) && !strings.Contains(outcome, w) {
			return false
		}
	}
	return true
}

// differ reports whether the models of a row differ: one completed and another did not, or what was
// delivered is not the same.
func differ(s *sheet, l line) bool {
	var first *compare.Trial
	for c := range s.across {
		t := s.trialAt(l, c)
		switch {
		case t == nil || !t.Ended():
		case first == nil:
			first = t
		case t.OK() != first.OK() || !sameFacts(t.Facts, first.Facts):
			return true
		}
	}
	return false
}

func sameFacts(a, b []compare.Property) bool {
	told := func(all []compare.Property) map[string]string {
		out := map[string]string{}
		for _, p := range all {
			if p.Delivered.Known {
				out[p.Field] = p.Delivered.Text
			}
		}
		return out
	}
	x, y := told(a), told(b)
	for field, text := range x {
		if other, ok := y[field]; ok && other != text {
			return false
		}
	}
	return true
}

// sort puts columns into the order; those of equal rank stay as planned.
func (v *view) sort(s *sheet, cols []int) {
	slices.SortStableFunc(cols, func(a, b int) int {
		x, y := &s.across[a].tally, &s.across[b].tally
		switch v.order {
		case BySuccess:
			return cmp.Compare(y.rate(), x.rate())
		case ByMedian:
			return cmp.Or(cmp.Compare(rank(x.median), rank(y.median)), cmp.Compare(x.median.Mid(), y.median.Mid()))
		default:
			return 0
		}
	})
}

// rate is the share of completed trials, below 0 where none has ended.
func (t *tally) rate() float64 {
	if t.ended == 0 {
		return -1
	}
	return float64(t.ok) / float64(t.ended)
}

func rank(i compare.Interval) int {
	if i.Known() {
		return 0
	}
	return 1
}
