package report

import (
	"context"
	"fmt"

	"darkroom/client/human"
	"darkroom/jobs/compare"
)

// maxColumns is how many results stand side by side in columns of their own; of more they flow.
const maxColumns = 8

type promptView struct {
	ID, Text string
	Anchor   string
	Strips   []strip
}

// strip is what is to be compared: the results of one prompt and repeat, of all groups, or of one group
// through all formats.
type strip struct {
	Name  string
	Class string // of its columns
	Cards []card
}

type card struct {
	Anchor, Group, State, Class, Latency, Code, Message string
	Marks                                               []string
	Badge                                               string
	Clip                                                clip
	Alt                                                 string
}

// place is where a trial is shown: the strip of its prompt, and the column there.
type place struct {
	prompt compare.Prompt
	row    string
	column string
}

// place of a cell: with several formats, one group's stand side by side.
func (r *Report) place(c *compare.Cell, repeat int) place {
	name := fmt.Sprintf("repeat %d", repeat)
	if r.Run.Repeats == 1 {
		name = ""
	}
	if !r.formats {
		return place{c.Prompt, name, c.Group(false)}
	}
	row := c.Group(false)
	if name != "" {
		row += " · " + name
	}
	return place{c.Prompt, row, c.Format}
}

// gallery shows the results side by side, by prompt; warm-ups are not shown.
func (r *Report) gallery(ctx context.Context, p *page, s *shelf) error {
	columns := r.columns()
	_, _, show := r.media.limits()
	trials := map[compare.Slot]*compare.Trial{}
	for _, t := range r.shown {
		if !t.Slot.Warmup {
			trials[t.Slot] = t
		}
	}
	prompts, strips := map[compare.Prompt]int{}, map[place]int{}
	for repeat := 1; repeat <= max(1, r.Run.Repeats); repeat++ {
		for i := range r.Run.Cells {
			c := &r.Run.Cells[i]
			t := trials[compare.Slot{Cell: c.Number, Repeat: repeat}]
			if t == nil && (c.Cannot == "" || repeat > 1 && len(columns) > maxColumns) {
				continue
			}
			if show <= 0 {
				if t != nil {
					p.Hidden++
				}
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			show--
			at, ok := prompts[c.Prompt]
			if !ok {
				at = len(p.Prompts)
				prompts[c.Prompt] = at
				p.Prompts = append(p.Prompts, promptView{ID: line(c.Prompt.ID), Text: clean(c.Prompt.Text), Anchor: fmt.Sprintf("p%d", at+1)})
			}
			x, err := r.card(c, t, repeat, s)
			if err != nil {
				return err
			}
			r.lay(&p.Prompts[at], strips, columns, r.place(c, repeat), x)
		}
	}
	return nil
}

// lay puts a card into its strip and column.
func (r *Report) lay(p *promptView, strips map[place]int, columns map[string]int, at place, x card) {
	key := place{prompt: at.prompt, row: at.row}
	i, ok := strips[key]
	if !ok {
		i = len(p.Strips)
		strips[key] = i
		st := strip{Name: line(at.row), Class: "many"}
		if n := len(columns); n <= maxColumns {
			st.Class, st.Cards = fmt.Sprintf("c%d", n), make([]card, n)
		}
		p.Strips = append(p.Strips, st)
	}
	st := &p.Strips[i]
	if len(columns) > maxColumns {
		st.Cards = append(st.Cards, x)
		return
	}
	st.Cards[columns[at.column]] = x
}

// columns are what stands side by side, in the order of the run.
func (r *Report) columns() map[string]int {
	out := map[string]int{}
	for i := range r.Run.Cells {
		c := r.place(&r.Run.Cells[i], 1).column
		if _, ok := out[c]; !ok {
			out[c] = len(out)
		}
	}
	return out
}

func (r *Report) card(c *compare.Cell, t *compare.Trial, repeat int, s *shelf) (card, error) {
	group := line(r.group(c))
	if t == nil {
		x := card{Group: group, State: "cannot run", Class: "none"}
		if repeat == 1 {
			x.Clip.Note = line(c.Cannot)
		}
		return x, nil
	}
	x := card{
		Anchor: "t" + t.Slot.String(), Group: group, State: state(t), Class: class(t), Latency: known(t.Latency.Total),
		Code: line(t.Code), Message: line(t.Message), Marks: marks(t), Alt: "Result of " + group + ", " + r.repeat(t) + ", prompt " + line(c.Prompt.ID),
	}
	if t.Attempt > 1 {
		x.Badge = fmt.Sprintf("attempt %d", t.Attempt)
	}
	k := key{t.Slot, t.Attempt}
	files := r.media.results[k]
	if len(files) == 0 {
		if t.OK() {
			x.Clip.Note = "no file is here"
		}
		return x, nil
	}
	if len(files) > 1 {
		x.Badge = "first of " + human.Plural(len(files), "file")
	}
	var err error
	if x.Clip, err = s.put(t.Slot, files[0]); err != nil || x.Clip.Class != "video" || r.media.covers[k] == "" {
		return x, err
	}
	cover, err := s.put(t.Slot, r.media.covers[k])
	if cover.Class == "image" {
		x.Clip.Poster = cover.URL
	}
	return x, err
}
