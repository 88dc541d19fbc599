package compose

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/expand"
)

// guess has columns that nobody placed hold the variables of their names, where prompts have
// them. It reports whether any does.
func (in planInput) guess(t *expand.Table, columns []expand.PeekColumn) bool {
	if in.mode == expand.AsIs {
		return false
	}
	guessed := false
	for _, c := range columns {
		for _, v := range []string{c.Name, variableOf(c.Name)} {
			if c.Target != "" || expand.CheckVariable(v) != nil || !asksFor(in.base.Prompt, v) && !asksFor(t.Text, v) {
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

// asksFor reports whether a text has a variable.
func asksFor(text, variable string) bool {
	return strings.Contains(text, "${"+variable+"}") || strings.Contains(text, "${"+variable+":")
}

// variables are those of the rows' prompts.
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

// unset names the variables without a value that an error, which ends at the first
// mistake, does not tell of.
func (in planInput) unset(out *planMsg, err error) []string {
	var names []string
	for _, v := range out.vars {
		_, given := in.vars[v.Name]
		if name := "${" + v.Name + "}"; !v.HasDefault && !given && !strings.Contains(err.Error(), name) {
			names = append(names, client.CleanLine(name)+" has no value")
		}
	}
	return names
}

// warnOfTemplates says that prompts of a file read like templates and are sent as text.
func (in planInput) warnOfTemplates(rows []expand.Row, out *planMsg) {
	if in.file == nil || in.mode != expand.AsIs {
		return
	}
	for i := range rows {
		if prompt := rows[i].Draft.Prompt; mayBeTemplate(prompt) {
			if t, err := expand.Parse(prompt); err == nil && !t.Plain() {
				out.note(fmt.Sprintf("line %d reads like a template, and is sent as it stands, as are all others", rows[i].Line))
				return
			}
		}
	}
}
