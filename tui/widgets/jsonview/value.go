package jsonview

import (
	"encoding/json"

	"darkroom/client/jsonquery"
)

// ParseWhole is [Parse] for a document that is read, not glanced at: texts that somebody wrote are
// there at length.
func ParseWhole(body []byte, clean func(string) string) Doc { return parse(body, clean, maxProse) }

// ParseText makes a document of a text, whatever is in it.
func ParseText(body []byte, clean func(string) string) Doc { return textDoc(body, clean) }

// Path is where the value of a line stands, as jq writes it; "" in a text that is no JSON.
func (d Doc) Path(i int) string {
	if !d.JSON || i < 0 || i >= len(d.lines) {
		return ""
	}
	l := d.lines[i].place
	if l.parent < 0 {
		return jsonquery.Root
	}
	path := d.Path(l.parent)
	if l.nameTo == 0 {
		return jsonquery.Item(path, l.item)
	}
	var name string
	_ = json.Unmarshal(d.src[l.nameAt:l.nameTo], &name) // the parser has read it
	return jsonquery.Member(path, name)
}

// Value is the value of a line as it came, never shortened: a text without its quotation marks, an
// object or a list from its first line as from its last.
func (d Doc) Value(i int) string {
	if i < 0 || i >= len(d.lines) {
		return ""
	}
	l := d.lines[i].place
	if l.to < 0 {
		l.to = len(d.src)
	}
	raw := d.src[l.at:l.to]
	var s string
	if d.JSON && len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
