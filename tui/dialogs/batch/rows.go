package batch

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/client/human"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
)

// Rows of the dialog beside those of columns and variables.
const (
	rowMode    = "mode"
	rowCount   = "count"
	rowSeeds   = "seeds"
	rowMaster  = "master"
	rowLimit   = "limit"
	rowFile    = "file"
	rowShape   = "shape"
	rowSend    = "send"
	rowColumn  = "column." // + its index
	rowVar     = "var."    // + the name of a variable, see varRow
	buttonSend = "send"
	buttonBack = "back"

	shapeTable = "table"
	shapeLines = "lines"

	// passOver stands for a column that is skipped, unplaced for one not assigned yet.
	passOver = "-"
	unplaced = "?"
)

// zoneForm begins the zones of the rows, zoneJob those of the list.
const (
	zoneForm = "compose-batch/"
	zoneJob  = "compose-job/"
)

// asIs is the label of the seed mode that changes nothing.
const asIs = "as they are"

func seedName(s expand.SeedMode) string {
	switch s {
	case expand.SeedsAsTheyAre:
		return asIs
	case expand.SeedCount:
		return "counting"
	}
	return string(s)
}

func seedMode(name string) expand.SeedMode {
	for _, s := range append(expand.SeedModes(), expand.SeedsAsTheyAre) {
		if seedName(s) == name {
			return s
		}
	}
	return expand.SeedsAsTheyAre
}

func shapeOf(lines bool) string {
	if lines {
		return shapeLines
	}
	return shapeTable
}

func promptModes() []form.Option {
	var out []form.Option
	for _, p := range []rules.PromptMode{rules.AsText, rules.EveryPrompt, rules.SomePrompts} {
		out = append(out, form.Option{Value: string(p), Label: p.Label()})
	}
	return out
}

// varRow is the row of a variable, whose name may have letters that an ID may not.
func varRow(name string) string { return rowVar + hex.EncodeToString([]byte(name)) }

// varOf is the variable of a row.
func varOf(id string) string {
	b, err := hex.DecodeString(strings.TrimPrefix(id, rowVar))
	if err != nil {
		return ""
	}
	return string(b)
}

// rows makes the rows of the dialog for its present state.
func (d *Dialog) rows() {
	var out []form.Field
	if d.o.Kind == OfFile {
		out = append(out, form.Field{ID: rowFile, Label: "File", Kind: form.Text, Hint: "path of a .csv, .tsv or .txt"})
		if d.o.Memory.file.have {
			out = append(out, form.Field{ID: rowShape, Label: "Holds", Kind: form.Choice, Options: []form.Option{
				{Value: shapeTable, Label: "a table"}, {Value: shapeLines, Label: "one prompt per line"}}})
		}
		out = append(out, d.columnRows()...)
	}
	mode := rules.PromptMode(d.form.Text(rowMode))
	if d.o.saysMode() {
		out = append(out, form.Field{ID: rowMode, Label: "Prompt", Kind: form.Choice, Options: promptModes()})
	}
	for _, v := range d.plan.Vars {
		f := form.Field{ID: varRow(v.Name), Label: client.CleanLine("${" + v.Name + "}"), Kind: form.Text, Hint: "its value; may be a template"}
		if v.HasDefault {
			f.Hint = client.CleanLine(v.Default)
		}
		out = append(out, f)
	}
	copies := form.Field{ID: rowCount, Label: "Copies", Kind: form.Text, Hint: "1", Unit: "of each prompt"}
	if mode == rules.SomePrompts {
		copies.Label, copies.Unit = "Prompts", "drawn"
		if d.o.Kind == OfFile {
			copies.Unit = "drawn for each row"
		}
	}
	out = append(out, copies, form.Field{ID: rowSeeds, Label: "Seeds", Kind: form.Choice, Options: seedOptions()})
	drawn := rules.Input{Base: d.o.Form.Draft, Mode: mode.Expand(), Seeds: seedMode(d.form.Text(rowSeeds))}
	if d.o.Kind == OfFile && drawn.Seeds != expand.SeedsAsTheyAre || drawn.Draws() {
		f := form.Field{ID: rowMaster, Label: "Drawn with", Kind: form.Text, Detail: "the same number repeats it"}
		if k := d.commands.Key(actDraw); k != "" {
			f.Detail = k + " another; " + f.Detail
		}
		out = append(out, f)
	}
	if d.plan.Over != nil || d.form.Text(rowLimit) != strconv.Itoa(expand.Cap) || d.form.Focused() == rowLimit {
		out = append(out, form.Field{ID: rowLimit, Label: "Limit", Kind: form.Text, Unit: "jobs", Detail: fmt.Sprintf("up to %d", expand.HardCap)})
	}
	out = append(out, form.Field{ID: rowSend, Kind: form.Buttons, Options: []form.Option{
		{Value: buttonSend, Label: d.sendLabel()}, {Value: buttonBack, Label: "Back"}}})
	d.form.SetFields(out)
	d.form.Blur(d.walking())
}

func seedOptions() []form.Option {
	out := []form.Option{{Value: asIs}}
	for _, s := range expand.SeedModes() {
		out = append(out, form.Option{Value: seedName(s)})
	}
	return out
}

func (d *Dialog) sendLabel() string {
	label := "Submit"
	if d.fresh() && d.plan.Sendable() {
		label += " " + human.Plural(len(d.plan.Jobs), "job")
	}
	if d.sending {
		return "submitting …"
	}
	return strings.TrimSpace(label + " " + d.commands.Key(Submits))
}

// columnRows are one row for each column of the table: its assignment, and a sample of its
// content.
func (d *Dialog) columnRows() []form.Field {
	p := &d.plan.Peek
	if d.o.Memory.file.lines || !d.o.Memory.file.have {
		return nil
	}
	out := make([]form.Field, 0, len(p.Columns))
	for i, c := range p.Columns {
		f := form.Field{ID: rowColumn + strconv.Itoa(i), Label: widgets.Truncate(client.CleanLine(c.Name), 18), Kind: form.Pick, Detail: sample(p.First, i)}
		f.Options = d.columnOptions(f.ID)
		if c.Target == "" {
			f.Mark, f.Note = form.Bad, "not placed yet"
		}
		out = append(out, f)
	}
	return out
}

// columnOptions are what a column can hold.
func (d *Dialog) columnOptions(id string) []form.Option {
	p := &d.plan
	out := []form.Option{{Value: unplaced, Label: "choose"}, {Value: passOver, Label: "passed over"}}
	i, err := strconv.Atoi(strings.TrimPrefix(id, rowColumn))
	if err != nil || i >= len(p.Peek.Columns) {
		return out
	}
	c := p.Peek.Columns[i]
	names := slices.Clone(p.Targets)
	if v := rules.VariableOf(c.Name); v != "" {
		names = append(names, "$"+v)
	}
	if c.Target != "" && c.Target != passOver && !slices.Contains(names, c.Target) {
		names = append(names, c.Target)
	}
	for _, n := range names {
		out = append(out, form.Option{Value: n})
	}
	return out
}

// explainRow says what the focused row of the dialog is for.
func (d *Dialog) explainRow() string {
	id := d.form.Focused()
	switch {
	case d.walking():
		return "a job as it is sent; " + d.walkSays()
	case id == rowFile:
		return "a table with one draft per row, or one prompt per line; it is read when you go on, " + d.commands.Key(actRead) + " reads it again"
	case id == rowShape:
		return "a table's first line names its columns; in a text file each line is a prompt"
	case id == rowMode:
		return explainMode(d.mode())
	case id == rowCount:
		return fmt.Sprintf("1 to %d; at most the limit of %s jobs is sent", expand.HardCap, d.form.Text(rowLimit))
	case id == rowSeeds:
		return explainSeeds(seedMode(d.form.Text(rowSeeds)))
	case id == rowMaster:
		s := "random prompts and seeds follow from this number, the same on every machine"
		if d.o.Last != nil {
			s = fmt.Sprintf("the last batch was drawn with %d; the same number repeats it", *d.o.Last)
		}
		return s
	case id == rowLimit:
		return fmt.Sprintf("nothing is sent above it; %d unless you say more, up to %d", expand.Cap, expand.HardCap)
	case strings.HasPrefix(id, rowColumn):
		return "what it holds: ←→ step, enter finds; $name is a variable of the prompt"
	case strings.HasPrefix(id, rowVar):
		return "the variable has one value within a prompt; a table's cells go before it"
	}
	return "all jobs are written down in one step, as one group, and then sent"
}

func explainMode(p rules.PromptMode) string {
	switch p {
	case rules.EveryPrompt:
		return "{a|b}, ${name} and __file__ are filled in, every combination; a backslash before { } | __ ${ makes it text"
	case rules.SomePrompts:
		return "{a|b}, ${name} and __file__ are filled in, at random, as many as you say; none comes twice before all had a turn"
	}
	return "sent exactly as written, braces and all"
}

func explainSeeds(s expand.SeedMode) string {
	switch s {
	case expand.SeedFixed:
		return "all share the form's seed, or one drawn for them"
	case expand.SeedRandom:
		return "each job gets its own seed and keeps it"
	case expand.SeedCount:
		return "counts up from the form's seed, or from one drawn for each row"
	}
	return "the seed of the form, or none"
}
