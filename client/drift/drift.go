// Package drift reports what an answer of the gateway has that its interface document does not
// name: fields, types and terms. Anything that other public gateways of the kind were seen to send
// is kept apart: it is no cause for alarm. The lists are in answers.yaml.
package drift

import (
	"bytes"
	_ "embed" // answers.yaml
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"darkroom/client"
	"darkroom/client/yamlfile"
)

// Of says which answer of a format a body is.
type Of string

// The answers of a format. Error is that of all formats (GATEWAY: Errors).
const (
	Create Of = "create"
	Query  Of = "query"
	Error  Of = "error"
)

// What says which kind of thing differs from the document.
type What string

// Kinds of findings.
const (
	Field What = "field" // the document names no such field
	Type  What = "type"  // its value is of another type
	Term  What = "term"  // its value is none of the terms
)

// Finding is one thing in an answer that the document does not name. Texts of the answer are
// cleaned and bounded.
type Finding struct {
	Format string `json:"format,omitempty"`
	Of     Of     `json:"of"`
	What   What   `json:"what"`
	// Path is where it stands: "data.status", "creations[].url".
	Path string `json:"path"`
	// Got is the type received, or the term itself.
	Got string `json:"got"`
	// Want lists the types or terms that the document names; empty for a field.
	Want []string `json:"want,omitempty"`
	// Unlisted says of a type that the document does not name the field at all: Want is what other
	// gateways send in it.
	Unlisted bool `json:"unlisted,omitempty"`
	// Elsewhere says that other public gateways were seen to answer so.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Own says that it is the embedded gateway's own, see [Lists.Own].
	Own bool `json:"own,omitempty"`
}

// Bounds of what is looked at.
const (
	maxFindings = 100
	maxDepth    = 12
	maxText     = 80 // bytes of a name or a term
)

// part is what one path may hold.
type part struct{ types, terms []string }

// answer is one entry of answers.yaml.
type answer struct {
	Format    string            `yaml:"format"`
	Of        Of                `yaml:"of"`
	Sentence  string            `yaml:"sentence"`
	Named     map[string]string `yaml:"named"`
	Elsewhere map[string]string `yaml:"elsewhere"`
}

// Lists hold what the document names, and what was seen elsewhere.
type Lists struct {
	named, elsewhere map[string]part // by format, answer and path, see key
	known            map[string]bool // formats and answers that there is a list of
	sentences        map[string]string
	own              map[string]bool // what the embedded gateway adds, as named
}

//go:embed answers.yaml
var answers []byte

// Embedded returns the lists that the program was built with, read once.
func Embedded() (*Lists, error) { return embedded() }

var embedded = sync.OnceValues(func() (*Lists, error) { return load(answers) })

func load(data []byte) (*Lists, error) {
	var doc struct {
		Version int      `yaml:"version"`
		General []string `yaml:"general"`
		Answers []answer `yaml:"answers"`
		Own     []struct {
			Format string   `yaml:"format"`
			Of     Of       `yaml:"of"`
			Fields []string `yaml:"fields"`
		} `yaml:"own"`
	}
	limits := yamlfile.Limits{Bytes: 64 << 10, Line: 4 << 10, Lines: 2000, Nodes: 10_000}
	if err := limits.Decode(data, &doc, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("drift: %w", err)
	}
	l := &Lists{named: map[string]part{}, elsewhere: map[string]part{}, known: map[string]bool{}, sentences: map[string]string{}, own: map[string]bool{}}
	for _, o := range doc.Own {
		for _, path := range o.Fields {
			l.own[key(o.Format, o.Of, path)] = true
		}
	}
	for _, a := range doc.Answers {
		k := key(a.Format, a.Of, "")
		if l.known[k] {
			return nil, fmt.Errorf("drift: %s %s is there twice", a.Format, a.Of)
		}
		l.known[k], l.sentences[k] = true, a.Sentence
		for into, from := range map[*map[string]part]map[string]string{&l.named: a.Named, &l.elsewhere: a.Elsewhere} {
			for path, text := range from {
				p, err := parse(text, doc.General)
				if err != nil {
					return nil, fmt.Errorf("drift: %s %s: %s: %w", a.Format, a.Of, path, err)
				}
				(*into)[key(a.Format, a.Of, path)] = p
			}
		}
	}
	return l, nil
}

// parse reads "string|integer" and "string: term|term".
func parse(text string, general []string) (part, error) {
	types, terms, _ := strings.Cut(text, ":")
	var p part
	for t := range strings.SplitSeq(types, "|") {
		switch t = strings.TrimSpace(t); t {
		case "string", "integer", "number", "boolean", "object", "array", "any":
			p.types = append(p.types, t)
		case "state":
			p.types, p.terms = append(p.types, "string"), slices.Clone(general)
		default:
			return p, fmt.Errorf("%q is not a type", t)
		}
	}
	if terms = strings.TrimSpace(terms); terms != "" {
		p.terms = append(p.terms, strings.Split(terms, "|")...)
	}
	return p, nil
}

func key(format string, of Of, path string) string { return format + " " + string(of) + " " + path }

// Check reports what a body has that the document does not name, in the order of its field names,
// each once. It reports nothing for a body that is not JSON or an answer without a list. Errors are
// checked against the list for all formats.
func (l *Lists) Check(format string, of Of, body []byte) []Finding {
	if of == Error {
		format = ""
	}
	if !l.known[key(format, of, "")] {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	c := check{l: l, format: format, of: of, seen: map[string]bool{}}
	c.members(v, "", 0)
	return c.out
}

// Own marks the findings about fields that the embedded gateway is known to add. It is for answers of
// that gateway alone: from any other one such a field is as new as others.
func (l *Lists) Own(all []Finding) []Finding {
	out := slices.Clone(all)
	for i := range out {
		out[i].Own = out[i].What == Field && !out[i].Elsewhere && l.own[key(out[i].Format, out[i].Of, out[i].Path)]
	}
	return out
}

// Alarm reports that neither another gateway was seen to send it nor the embedded one adds it.
func (f Finding) Alarm() bool { return !f.Elsewhere && !f.Own }

// check walks one body.
type check struct {
	l      *Lists
	format string
	of     Of
	out    []Finding
	seen   map[string]bool
}

func (c *check) add(f Finding) {
	f.Format, f.Of, f.Path = c.format, c.of, bounded(f.Path)
	k := string(f.What) + " " + f.Path + " " + f.Got
	if c.seen[k] || len(c.out) == maxFindings {
		return
	}
	c.seen[k] = true
	c.out = append(c.out, f)
}

// members checks the members of an object or a list.
func (c *check) members(v any, path string, depth int) {
	if depth == maxDepth {
		return
	}
	switch x := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(x))
		for n := range x {
			names = append(names, n)
		}
		slices.Sort(names)
		for _, n := range names {
			at := n
			if path != "" {
				at = path + "." + n
			}
			c.value(x[n], at, depth+1)
		}
	case []any:
		for _, e := range x {
			c.value(e, path+"[]", depth+1)
		}
	}
}

// value checks one value and, if the value is named, its members.
func (c *check) value(v any, path string, depth int) {
	if v == nil {
		return
	}
	k := key(c.format, c.of, path)
	named, isNamed := c.l.named[k]
	seen, isSeen := c.l.elsewhere[k]
	got := typeOf(v)
	switch {
	case isNamed && named.holds(got):
		c.term(v, path, named, seen)
	case isNamed:
		alike := isSeen && seen.holds(got)
		c.add(Finding{What: Type, Path: path, Got: got, Want: named.types, Elsewhere: alike})
		if !alike {
			return // what lies below is of another shape
		}
		named = seen // what lies below is as elsewhere
	case isSeen && seen.holds(got):
		c.add(Finding{What: Field, Path: path, Got: got, Elsewhere: true})
		named = seen
	case isSeen:
		c.add(Finding{What: Type, Path: path, Got: got, Want: seen.types, Unlisted: true})
		return
	default:
		c.add(Finding{What: Field, Path: path, Got: got})
		return
	}
	if !slices.Contains(named.types, "any") {
		c.members(v, path, depth)
	}
}

// term checks a text that may only be one of certain terms.
func (c *check) term(v any, path string, named, elsewhere part) {
	s, ok := v.(string)
	if !ok || len(named.terms) == 0 || s == "" || named.has(s) {
		return
	}
	c.add(Finding{What: Term, Path: path, Got: bounded(s), Want: named.terms, Elsewhere: elsewhere.has(s)})
}

func (p part) holds(t string) bool {
	return slices.ContainsFunc(p.types, func(x string) bool { return x == t || x == "any" || x == "number" && t == "integer" })
}

func (p part) has(term string) bool {
	return slices.ContainsFunc(p.terms, func(x string) bool { return strings.EqualFold(x, term) })
}

// typeOf is the type of a decoded value in the document's words.
func typeOf(v any) string {
	switch x := v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if strings.ContainsAny(x.String(), ".eE") {
			return "number"
		}
		return "integer"
	case []any:
		return "array"
	default:
		return "object"
	}
}

// bounded makes a name or a term from an answer fit to keep and show.
func bounded(s string) string {
	s = client.CleanLine(s)
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "") + "…"
	}
	return s
}

// Text describes the finding in one line.
func (f Finding) Text() string {
	switch f.What {
	case Type:
		if f.Unlisted {
			return fmt.Sprintf("%s is %s here (%s at other gateways); it is not listed", f.Path, typeWord(f.Got), orList(f.Want, typeWord))
		}
		return fmt.Sprintf("%s is %s here, not %s", f.Path, typeWord(f.Got), orList(f.Want, typeWord))
	case Term:
		return fmt.Sprintf("%s is %q, a term that is not listed", f.Path, f.Got)
	default:
		return fmt.Sprintf("%s (%s) is not listed", f.Path, typeWord(f.Got))
	}
}

func typeWord(t string) string {
	switch t {
	case "string":
		return "text"
	case "integer":
		return "a whole number"
	case "number":
		return "a number"
	case "boolean":
		return "true or false"
	case "array":
		return "a list"
	default:
		return "an object"
	}
}

func orList(all []string, word func(string) string) string {
	out := make([]string, len(all))
	for i, x := range all {
		out[i] = word(x)
	}
	return strings.Join(out, " or ")
}
