package report

import (
	"fmt"

	"darkroom/client/human"
	"darkroom/jobs/compare/stat"
)

// sheet is what each group made of each prompt, in numbers.
type sheet struct {
	Groups []string
	Rows   []sheetRow
	More   int // prompts beyond those that are listed
}

type sheetRow struct {
	ID, Text string
	Cells    []sheetCell
}

type sheetCell struct {
	Value, More string
	Class       string // "bad" where not all succeeded
	Sort        string
}

// sheet sets prompts against groups, where there are several of both and not too many to be read.
func (r *Report) sheet() *sheet {
	groups, prompts := map[string]int{}, map[string]int{}
	out := &sheet{}
	for i := range r.Summary.Groups {
		g := &r.Summary.Groups[i]
		groups[g.Name] = len(out.Groups)
		out.Groups = append(out.Groups, line(g.Name))
	}
	if len(groups) < 2 || len(groups) > maxMatrix {
		return nil
	}
	for i := range r.Run.Cells {
		p := r.Run.Cells[i].Prompt
		id := line(p.ID)
		if _, ok := prompts[id]; !ok {
			prompts[id] = len(out.Rows)
			out.Rows = append(out.Rows, sheetRow{ID: id, Text: line(p.Text), Cells: make([]sheetCell, len(groups))})
		}
	}
	if len(prompts) < 2 {
		return nil
	}
	for i := range r.Summary.Prompts {
		g := &r.Summary.Prompts[i]
		row, ok := prompts[line(g.Prompt)]
		if column, known := groups[g.Name]; ok && known {
			out.Rows[row].Cells[column] = sheetCellOf(g)
		}
	}
	out.Rows, out.More = capped(out.Rows)
	return out
}

func sheetCellOf(g *stat.Group) sheetCell {
	switch {
	case g.Success.N == 0 && g.Cells == 0 && g.Cannot > 0:
		return sheetCell{More: "cannot run"}
	case g.Success.N == 0:
		return sheetCell{}
	}
	c := sheetCell{Value: fmt.Sprintf("%d of %d", g.Success.Count, g.Success.N)}
	if g.Success.Count < g.Success.N {
		c.Class = "bad"
	}
	if t, ok := total(g); ok {
		c.More, c.Sort = human.Dur(t.Median.Value), fmt.Sprint(t.Median.Value.Seconds())
		if t.Median.MoreThan {
			c.More = "more than " + c.More
		}
	}
	return c
}
