package batch

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/client/text"
)

// File is a table or lines of prompts, as text.
type File struct {
	Name    string // for messages
	Path    string // "" where it was piped in
	Text    string
	Lines   bool              // a prompt a line
	Columns map[string]string // what columns hold, see [expand.Table]
	Comma   rune              // between cells; 0: what the first line has
	Hint    string            // how columns are placed, for errors; may be empty
	// Media turns a reference in a cell into the value to send; nil leaves it as it is.
	Media func(string) (string, error)
}

func (f *File) table(base client.Draft, c *catalog.Catalog) expand.Table {
	return expand.Table{Name: f.Name, Text: f.Text, Columns: f.Columns, Comma: f.Comma, Hint: f.Hint, Base: base, Catalog: c, Media: f.Media}
}

// Rows returns the drafts of the file: the base, with the cells of one row each.
func (f *File) Rows(base client.Draft, c *catalog.Catalog) ([]expand.Row, error) {
	if f.Lines {
		return expand.Lines(f.Name, f.Text, base)
	}
	return f.table(base, c).Rows()
}

// rows returns the drafts that the batch starts from.
func (in Input) rows(out *Plan) ([]expand.Row, error) {
	f := in.File
	if f == nil {
		return []expand.Row{{Draft: in.Base}}, nil
	}
	if f.Lines {
		rows, err := f.Rows(in.Base, in.Catalog)
		out.Broken = err != nil
		return rows, err
	}
	t := f.table(in.Base, in.Catalog)
	out.Targets = t.Targets()
	if err := in.place(&t, out); err != nil {
		return nil, err
	}
	rows, err := t.Rows()
	if err != nil {
		out.Broken = true
		if out.Peek.Rows > expand.HardCap {
			err = fmt.Errorf("%w: it has %d; at most %d jobs are made of a file", err, out.Peek.Rows, expand.HardCap)
		}
		return nil, err
	}
	out.Outside = Outside(f.Path, in.Base, rows)
	for i := range rows {
		in.fit(&rows[i].Draft, out)
	}
	return rows, nil
}

// place looks at the columns of a table, and names those that have no place yet.
func (in Input) place(t *expand.Table, out *Plan) error {
	var err error
	if out.Peek, err = t.Peek(FirstShown); err != nil {
		out.Broken = true
		return err
	}
	if in.guess(t, out.Peek.Columns) {
		if out.Peek, err = t.Peek(FirstShown); err != nil {
			return err
		}
	}
	if n := len(out.Peek.Columns); n > maxColumns {
		out.Peek, out.Broken = expand.Peek{}, true
		return fmt.Errorf("%s: the table has %d columns; at most %d are placed here", client.CleanLine(t.Name), n, maxColumns)
	}
	for _, row := range out.Peek.First { // it is kept to be shown
		for i := range row {
			row[i] = text.Clip(row[i], 200)
		}
	}
	var unknown []error
	for _, c := range out.Peek.Columns {
		if c.Target == "" {
			unknown = append(unknown, fmt.Errorf("column %s: choose what it holds, or that it is passed over", client.CleanLine(text.Clip(c.Name, 60))))
		}
	}
	return expand.Together(unknown)
}

// fit fits the parts of a row that come from the base to a model of the row's own, as the form
// does: model name and mode become that model's, and values that it does not take are not sent.
func (in Input) fit(d *client.Draft, out *Plan) {
	c, base := in.Catalog, &in.Base
	x, ok := c.ModelFor(d.Modality, d.Model)
	if d.Model == base.Model || !ok {
		return
	}
	if d.ModelName == base.ModelName {
		d.ModelName = wished(x.ModelNames, d.ModelName)
	}
	if modes := x.ModeNames(); d.Mode == base.Mode && (d.Mode != "" || x.ModeRequired) {
		d.Mode = wished(modes, d.Mode)
	}
	fields := c.Fields(*d)
	for _, name := range base.Values.Names() {
		if slices.ContainsFunc(fields, func(f catalog.Field) bool { return f.Name == name }) {
			continue
		}
		delete(d.Values, name)
		out.note(client.CleanLine(name + " is not used by " + d.Model + ", and not sent to it"))
	}
}

// wished returns the wanted choice if it is in the list, else the list's first, "" for an empty
// list.
func wished(list []string, want string) string {
	switch {
	case slices.Contains(list, want):
		return want
	case len(list) > 0:
		return list[0]
	}
	return ""
}

// guess maps columns without a place to the variables of the same name, if the prompts have them.
// It reports whether it mapped any.
func (in Input) guess(t *expand.Table, columns []expand.PeekColumn) bool {
	if in.Mode == expand.AsIs {
		return false
	}
	guessed := false
	for _, c := range columns {
		for _, v := range []string{c.Name, VariableOf(c.Name)} {
			if c.Target != "" || expand.CheckVariable(v) != nil || !asksFor(in.Base.Prompt, v) && !asksFor(t.Text, v) {
				continue
			}
			if t.Columns = maps.Clone(t.Columns); t.Columns == nil {
				t.Columns = map[string]string{}
			}
			t.Columns[c.Name], guessed = "$"+v, true
			break
		}
	}
	return guessed
}

// VariableOf returns the variable that a column of this name would hold, "" if none.
func VariableOf(column string) string {
	name := strings.ToLower(strings.Join(strings.Fields(column), "_"))
	if expand.CheckVariable(name) != nil {
		return ""
	}
	return name
}

// asksFor reports whether a text uses a variable.
func asksFor(text, variable string) bool {
	return strings.Contains(text, "${"+variable+"}") || strings.Contains(text, "${"+variable+":")
}

// variables returns the variables of the rows' prompts.
func variables(rows []expand.Row, mode expand.Mode) []expand.Variable {
	if mode == expand.AsIs {
		return nil
	}
	var out []expand.Variable
	read := map[string]bool{}
	for i := range rows {
		if read[rows[i].Draft.Prompt] || len(read) == maxFindings {
			continue
		}
		read[rows[i].Draft.Prompt] = true
		t, err := expand.Parse(rows[i].Draft.Prompt)
		if err != nil {
			continue // which New tells
		}
		for _, v := range t.Variables() {
			if _, set := rows[i].Vars[v.Name]; !set && !slices.ContainsFunc(out, func(o expand.Variable) bool { return o.Name == v.Name }) {
				out = append(out, v)
			}
		}
	}
	return out
}

// warnOfTemplates warns if prompts in a file look like templates but are sent as text.
func (in Input) warnOfTemplates(rows []expand.Row, out *Plan) {
	if in.File == nil || in.Mode != expand.AsIs {
		return
	}
	for i := range rows {
		if prompt := rows[i].Draft.Prompt; MayBeTemplate(prompt) {
			if t, err := expand.Parse(prompt); err == nil && !t.Plain() {
				out.note(fmt.Sprintf("line %d reads like a template, and is sent as it stands, as are all others", rows[i].Line))
				return
			}
		}
	}
}
