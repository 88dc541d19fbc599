package wire

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// members are the members of a JSON object, in their order. Each raw value is a slice of the body
// that it was read from.
type members struct {
	list  []member
	index map[string]int // only for objects with many; names to places in list
}

type member struct {
	name  string
	raw   json.RawMessage
	taken bool // somebody read it
}

// fewMembers is how many members are searched faster in order than by an index.
const fewMembers = 24

// at is the place of a member; -1 for none.
func (m *members) at(name string) int {
	if m.index != nil {
		if i, ok := m.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range m.list {
		if m.list[i].name == name {
			return i
		}
	}
	return -1
}

// get is the value of a member as it stands; nil when it is not there.
func (m *members) get(name string) json.RawMessage {
	if i := m.at(name); i >= 0 {
		return m.list[i].raw
	}
	return nil
}

// take marks a member as read, if there is one.
func (m *members) take(name string) {
	if i := m.at(name); i >= 0 {
		m.list[i].taken = true
	}
}

// set gives a member a value. Of two with one name the last one counts, as elsewhere.
func (m *members) set(name string, raw json.RawMessage) {
	if i := m.at(name); i >= 0 {
		m.list[i].raw = raw
		return
	}
	m.list = append(m.list, member{name: name, raw: raw})
	switch n := len(m.list); {
	case m.index != nil:
		m.index[name] = n - 1
	case n > fewMembers:
		m.index = make(map[string]int, 2*n)
		for i := range m.list {
			m.index[m.list[i].name] = i
		}
	}
}

// split reads the members of an object, which must be valid JSON.
func split(b []byte) members {
	m := members{list: make([]member, 0, 8)}
	for i := skipSpace(b, 1); b[i] != '}'; {
		end := skipValue(b, i)
		name := unquote(b[i:end])
		i = skipSpace(b, skipSpace(b, end)+1) // the colon
		end = skipValue(b, i)
		m.set(name, b[i:end:end])
		if i = skipSpace(b, end); b[i] == ',' {
			i = skipSpace(b, i+1)
		}
	}
	return m
}

func skipSpace(b []byte, i int) int {
	for b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r' {
		i++
	}
	return i
}

// skipValue returns where the valid JSON value that begins at i ends.
func skipValue(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
			if depth < 0 { // of the object around a number or word
				return i
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// unquote is the text of a JSON string; "" for what is none.
func unquote(raw []byte) string {
	if n := len(raw); n >= 2 && raw[0] == '"' && raw[n-1] == '"' {
		s := string(raw[1 : n-1])
		if strings.IndexByte(s, '\\') < 0 && strings.IndexByte(s, '"') < 0 && utf8.ValidString(s) {
			return s
		}
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
