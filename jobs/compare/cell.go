// Package compare holds the values of the tester's bench: what is compared (cells), what came of it
// (trials), and a whole run of both. It is pure. The packages below it make these values and work
// with them: suite and plan say what is compared, run sends and keeps it, measure, check and stat
// judge it, vote lets people judge, baseline compares two runs, and report writes them down.
package compare

import (
	"fmt"
	"strconv"
	"strings"

	"darkroom/client"
)

// Cell is what is compared: one prompt through one model and format with one set of settings. All its
// repeats send the same, but for the seed where the suite draws one for each.
type Cell struct {
	// Number counts the cells of a run from 1, in the order of the suite.
	Number int `json:"cell"`
	// Hash is of all that the gateway is sent except the seed that a repeat draws, hex; two cells of
	// equal hash, of whatever runs, ask for the same.
	Hash string `json:"hash"`

	Prompt    Prompt    `json:"prompt"`
	Model     string    `json:"model"`
	ModelName string    `json:"model_name,omitempty"`
	Mode      string    `json:"mode,omitempty"`
	Format    string    `json:"format"`
	Settings  []Setting `json:"settings,omitempty"` // of the suite's axes, in their order

	// Draft is what is sent, but for the seed of a repeat.
	Draft client.Draft `json:"draft"`
	// Seeds says which seed is put into the draft: "each" is one for each repeat, the same in all
	// cells, "same" one for the run, "" none. See plan.SeedOf.
	Seeds string `json:"seeds,omitempty"`
	// Cannot says why the cell cannot run, "" for one that can. Nothing else is sent in its place.
	Cannot string `json:"cannot,omitempty"`
	// Notes are what the catalog warns of, in plain words.
	Notes []string `json:"notes,omitempty"`
}

// Prompt is one of a suite's prompts, made of its templates.
type Prompt struct {
	ID   string `json:"id"` // as the suite names it, or "p1", "p2"; of a template's prompts "p1.1", "p1.2"
	Text string `json:"text"`
}

// Setting is the value of one axis: the canonical name of a field, and its text.
type Setting struct {
	Field string `json:"field"`
	Value string `json:"value"` // "" where the axis leaves the field unset
}

// Group names what a cell is a sample of: model, model_name, format and settings, without the
// prompt. Cells of equal group are pooled by default. withFormat is false where all cells of a run
// have one format, whose name would only be noise.
func (c *Cell) Group(withFormat bool) string {
	parts := []string{c.Model}
	if c.ModelName != "" {
		parts = append(parts, c.ModelName)
	}
	if withFormat {
		parts = append(parts, c.Format)
	}
	for _, s := range c.Settings {
		parts = append(parts, s.String())
	}
	return client.CleanLine(strings.Join(parts, " · "))
}

func (s Setting) String() string {
	if s.Value == "" {
		return s.Field + " unset"
	}
	return s.Field + " " + s.Value
}

// Slot is the place of a trial in a run: one repeat of a cell.
type Slot struct {
	Cell   int  `json:"cell"`
	Repeat int  `json:"repeat"`           // from 1; warm-ups are counted apart, from 1, too
	Warmup bool `json:"warmup,omitempty"` // is sent before the others and not counted
}

// String is the text of a slot, as a job carries it: "12.3", of a warm-up "12.w1".
func (s Slot) String() string {
	w := ""
	if s.Warmup {
		w = "w"
	}
	return fmt.Sprintf("%d.%s%d", s.Cell, w, s.Repeat)
}

// ParseSlot reads the text of a slot.
func ParseSlot(text string) (Slot, error) {
	cell, repeat, ok := strings.Cut(text, ".")
	repeat, warmup := strings.CutPrefix(repeat, "w")
	c, err1 := strconv.Atoi(cell)
	r, err2 := strconv.Atoi(repeat)
	s := Slot{Cell: c, Repeat: r, Warmup: warmup}
	if !ok || err1 != nil || err2 != nil || c < 1 || r < 1 || s.String() != text {
		return Slot{}, fmt.Errorf("%q is not a slot of a run: it is a cell and a repeat, as 12.3, or a warm-up, as 12.w1", client.CleanLine(text))
	}
	return s, nil
}
