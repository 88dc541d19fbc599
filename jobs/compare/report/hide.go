package report

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/hide"
)

// literalRE finds the strings of a line of JSON.
var literalRE = text.Pattern(`"(?:[^"\\]|\\.)*"`)

// hideLiteral does what [hide.Paths] does to a string as JSON writes it. It looks at the text that is meant: the
// backslash of \" and \n is no part of a path, and without it the rest would not be JSON.
func hideLiteral(literal string) string {
	var s string
	if !strings.ContainsAny(literal, `/\`) || json.Unmarshal([]byte(literal), &s) != nil {
		return literal
	}
	hidden := hide.Paths(s)
	if hidden == s {
		return literal
	}
	b, err := json.Marshal(hidden)
	if err != nil {
		return literal
	}
	return string(b)
}

// maxWords bounds a line of a stranger's text on a page, maxText a text of several, in bytes.
const (
	maxWords = 2000
	maxText  = 20_000
)

// line makes a stranger's text one clean line.
func line(s string) string {
	return text.Cap(hide.Paths(client.CleanLine(text.Head(s, 2*maxWords))), maxWords)
}

// clean does so too, but keeps the lines of a text.
func clean(s string) string {
	lines := strings.Split(text.Cap(s, maxText), "\n")
	for i := range lines {
		lines[i] = line(lines[i])
	}
	return strings.Join(lines, "\n")
}

// public copies a run without the folders of this machine: of a file only its name is told. Texts are
// left to those that write them, see [hide.Paths].
func public(r *compare.Run) *compare.Run {
	out := *r
	out.Folder = ""
	out.Cells = append([]compare.Cell(nil), r.Cells...)
	for i := range out.Cells {
		c := &out.Cells[i]
		d := c.Draft.Clone()
		for name, v := range d.Values {
			d.Values[name] = named(v)
		}
		c.Draft = d
	}
	out.Trials = append([]compare.Trial(nil), r.Trials...)
	for i := range out.Trials {
		t := &out.Trials[i]
		t.Files = append([]compare.File(nil), t.Files...)
		for k := range t.Files {
			t.Files[k].Path = base(t.Files[k].Path)
		}
	}
	return &out
}

// base is the name of a path of any system.
func base(path string) string {
	return filepath.Base("/" + path[strings.LastIndexAny(path, `/\`)+1:])
}

// named leaves the folders of local references away, with whatever signs they have in them.
func named(v any) any {
	switch x := v.(type) {
	case string:
		if hide.Absolute(x) && strings.LastIndexAny(x, `/\`) > 0 && !strings.ContainsAny(x, "\r\n") {
			return base(x)
		}
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = named(x[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k := range x {
			out[k] = named(x[k])
		}
		return out
	}
	return v
}
