package suite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/text"
	"darkroom/client/yamlfile"
)

// MaxBytes bounds the file of a suite.
const MaxBytes = 512 << 10

// Limits bound the file of a suite.
func Limits() yamlfile.Limits {
	return yamlfile.Limits{Bytes: MaxBytes, Line: 16 << 10, Lines: 4000, Nodes: 50_000}
}

// Parse reads a suite. It is strict: an unknown key, a value of the wrong kind or a template that
// cannot be read is an [*expand.Error] with line and column that says what is allowed.
func Parse(name string, data []byte) (Suite, error) {
	data = []byte(strings.TrimPrefix(string(data), "\ufeff"))
	r := &reader{name: name, places: map[string]place{}}
	root, err := r.root(data)
	if err != nil {
		return Suite{}, err
	}
	all, err := r.entries(root)
	if err != nil {
		return Suite{}, err
	}
	s := New("", "")
	s.from = &origin{name: name, text: string(data), places: r.places}
	given := map[string]bool{}
	for _, e := range all {
		given[e.Key] = true
		r.mark(e.Key, e.Line, e.Column)
		read, ok := r.keys()[e.Key]
		if !ok {
			return Suite{}, r.at(e, "unknown key %q; allowed: %s", show(e.Key), strings.Join(keys(), ", "))
		}
		if err := read(&s, e); err != nil {
			return Suite{}, err
		}
	}
	for _, k := range []string{"name", "kind", "prompts", "models"} {
		if !given[k] {
			return Suite{}, &expand.Error{Name: name, Line: 1, Column: 1, Message: k + " is missing; a suite needs name, kind, prompts and models"}
		}
	}
	if err := s.together(given["seed"]); err != nil {
		return Suite{}, err
	}
	s.from.canonical = s.YAML()
	return s, nil
}

// keys are the keys of a suite in the order in which they are written.
func keys() []string {
	return []string{"name", "about", "kind", "prompts", "vars", "mode", "values", "models", "formats", "axes", "exclude", "repeats", "warmups",
		"seed", "concurrency", "timeout", "limit", "expect", "tolerance", "score"}
}

// reader reads one file.
type reader struct {
	name   string
	places map[string]place
}

func (r *reader) keys() map[string]func(*Suite, yamlfile.Entry) error {
	return map[string]func(*Suite, yamlfile.Entry) error{
		"name":    func(s *Suite, e yamlfile.Entry) error { return r.line(e, &s.Name) },
		"about":   func(s *Suite, e yamlfile.Entry) error { return r.text(e, &s.About) },
		"kind":    r.kind,
		"prompts": r.prompts,
		"vars":    r.vars,
		"mode":    func(s *Suite, e yamlfile.Entry) error { return r.line(e, &s.Mode) },
		"values":  func(s *Suite, e yamlfile.Entry) error { return r.values("values", e, &s.Values) },
		"models":  r.models,
		"formats": r.formats,
		"axes":    r.axes,
		"exclude": r.exclude,
		"repeats": func(s *Suite, e yamlfile.Entry) error { return r.whole(e, 1, MaxRepeats, &s.Repeats) },
		"warmups": func(s *Suite, e yamlfile.Entry) error { return r.whole(e, 0, MaxWarmups, &s.Warmups) },
		"seed":    r.seed,
		"concurrency": func(s *Suite, e yamlfile.Entry) error {
			return r.whole(e, 1, maxConcurrency, &s.Concurrency)
		},
		"timeout":   r.timeout,
		"limit":     func(s *Suite, e yamlfile.Entry) error { return r.whole(e, 1, MaxTrials, &s.Limit) },
		"expect":    r.expect,
		"tolerance": r.tolerance,
		"score":     r.score,
	}
}

// root is the top of the file.
func (r *reader) root(data []byte) (ast.Node, error) {
	fail := func(line, column int, format string, args ...any) error {
		return &expand.Error{Name: r.name, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
	}
	if len(data) <= MaxBytes { // else the size is what is wrong
		line, column := 1, 1
		for at := 0; at < len(data); {
			c, n := utf8.DecodeRune(data[at:])
			switch {
			case c == utf8.RuneError && n == 1:
				return nil, fail(line, column, "the text is not UTF-8")
			case c == '\n':
				line, column = line+1, 0
			case unicode.IsControl(c) && c != '\r' && c != '\t':
				return nil, fail(line, column, "a control character (U+%04X) is in the way", c)
			}
			at, column = at+n, column+1
		}
	}
	root, err := Limits().Parse(data)
	switch {
	case err != nil:
		return nil, r.fromYAML(err)
	case root == nil:
		return nil, fail(0, 0, "the file is empty; a suite begins with its name, as name: kites")
	}
	return root, nil
}

func (r *reader) fromYAML(err error) error {
	e := yamlfile.Explain(err)
	return &expand.Error{Name: r.name, Line: e.Line, Column: e.Column, Message: client.CleanLine(e.Message)}
}

func (r *reader) at(e yamlfile.Entry, format string, args ...any) error {
	return &expand.Error{Name: r.name, Line: e.Line, Column: e.Column, Message: client.CleanLine(fmt.Sprintf(format, args...))}
}

// node makes an error at a node, or at its key where it is unknown.
func (r *reader) node(n ast.Node, e yamlfile.Entry, format string, args ...any) error {
	if line, column := yamlfile.Place(n); line > 0 {
		e.Line, e.Column = line, column
	}
	return r.at(e, format, args...)
}

func (r *reader) mark(key string, line, column int) { r.places[key] = place{line, column} }

// markNode remembers the place of a node, or of its key.
func (r *reader) markNode(key string, n ast.Node, e yamlfile.Entry) {
	if line, column := yamlfile.Place(n); line > 0 {
		e.Line, e.Column = line, column
	}
	r.mark(key, e.Line, e.Column)
}

func (r *reader) entries(n ast.Node) ([]yamlfile.Entry, error) {
	all, err := yamlfile.Entries(n)
	if err != nil {
		return nil, r.fromYAML(err)
	}
	return all, nil
}

func (r *reader) value(n ast.Node) (any, error) {
	v, err := yamlfile.Value(n)
	if err != nil {
		return nil, r.fromYAML(err)
	}
	return v, nil
}

// items are the items of a list that has any, and not too many.
func (r *reader) items(e yamlfile.Entry, as string, most int) ([]ast.Node, error) {
	items, ok := yamlfile.Items(e.Value)
	switch {
	case !ok || len(items) == 0:
		return nil, r.at(e, "%s is a list, as %s", e.Key, as)
	case len(items) > most:
		return nil, r.at(e, "%s has %d items; at most %d", e.Key, len(items), most)
	}
	return items, nil
}

// scalarText is a plain value as text.
func scalarText(v any) (string, bool) { return client.Values{"": v}.Text("") }

// text reads any text.
func (r *reader) text(e yamlfile.Entry, to *string) error {
	v, err := r.value(e.Value)
	if err != nil {
		return err
	}
	s, ok := scalarText(v)
	if !ok {
		return r.at(e, "%s must be text", e.Key)
	}
	*to = s
	return nil
}

// line reads a short text of one line.
func (r *reader) line(e yamlfile.Entry, to *string) error {
	if err := r.text(e, to); err != nil {
		return err
	}
	if !isName(*to) {
		return r.at(e, "%s must be one line of 1 to %d characters", e.Key, maxName)
	}
	return nil
}

func isName(s string) bool {
	return strings.TrimSpace(s) == s && s != "" && utf8.RuneCountInString(s) <= maxName && client.CleanLine(s) == s
}

func (r *reader) whole(e yamlfile.Entry, least, most int, to *int) error {
	v, err := r.value(e.Value)
	if err != nil {
		return err
	}
	s, _ := scalarText(v)
	n, err := strconv.Atoi(s)
	if err != nil || n < least || n > most {
		return r.at(e, "%s: a whole number from %d to %d is needed", e.Key, least, most)
	}
	*to = n
	return nil
}

func (r *reader) kind(s *Suite, e yamlfile.Entry) error {
	v, err := r.value(e.Value)
	if err != nil {
		return err
	}
	k, _ := v.(string)
	if s.Kind = client.Modality(k); !slices.Contains(client.Modalities(), s.Kind) {
		return r.at(e, "kind %q: allowed are video, image, music, speech, chat", show(k))
	}
	return nil
}

func (r *reader) values(key string, e yamlfile.Entry, to *client.Values) error {
	all, err := r.entries(e.Value)
	if err != nil {
		return err
	}
	for _, x := range all {
		v, err := r.value(x.Value)
		switch {
		case err != nil:
			return err
		case v == nil:
			return r.at(x, "%s has no value; leave the line out to leave the field unset", show(x.Key))
		case ownKey(x.Key) != "":
			return r.at(x, "%s is not a value: %s", x.Key, ownKey(x.Key))
		}
		if *to == nil {
			*to = client.Values{}
		}
		(*to)[x.Key] = v
		r.mark(key+"."+x.Key, x.Line, x.Column)
	}
	return nil
}

// ownKey says where a suite has what is no value, "" for what is one.
func ownKey(field string) string {
	switch field {
	case client.FieldModel, client.FieldModelName:
		return "a suite has models: for it"
	case client.FieldPrompt:
		return "a suite has prompts: for it"
	case client.FieldMode, expand.FieldSeed:
		return "a suite has " + field + ": for it"
	case "format":
		return "a suite has formats: for it"
	case client.FieldExternalTaskID:
		return "it names one task, and a suite makes many"
	}
	return ""
}

func (r *reader) vars(s *Suite, e yamlfile.Entry) error {
	all, err := r.entries(e.Value)
	if err != nil {
		return err
	}
	s.Vars = map[string]string{}
	for _, x := range all {
		var v string
		if err := expand.CheckVariable(x.Key); err != nil {
			return r.at(x, "%v", err)
		}
		if err := r.text(x, &v); err != nil {
			return err
		}
		if _, err := expand.Parse(v); err != nil {
			return r.at(x, "%s: %s", x.Key, inTemplate(err))
		}
		s.Vars[x.Key] = v
		r.mark("vars."+x.Key, x.Line, x.Column)
	}
	return nil
}

// inTemplate is a mistake in a template without the name of the file that it does not have.
func inTemplate(err error) string {
	return strings.TrimPrefix(err.Error(), "prompt:")
}

func (r *reader) seed(s *Suite, e yamlfile.Entry) error {
	v, err := r.value(e.Value)
	if err != nil {
		return err
	}
	s.Seed, _ = scalarText(v)
	if !slices.Contains([]string{SeedEach, SeedSame, SeedNone}, s.Seed) && !isSeed(s.Seed) {
		return r.at(e, "seed: allowed are each (one for each repeat), same (one for the run), none, or a whole number")
	}
	return nil
}

func isSeed(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits != "" && len(digits) <= 20 && strings.Trim(digits, "0123456789") == "" && (digits == "0" || digits[0] != '0') && s != "-0"
}

func (r *reader) timeout(s *Suite, e yamlfile.Entry) error {
	v, err := r.value(e.Value)
	if err != nil {
		return err
	}
	t, _ := v.(string)
	s.Timeout, err = time.ParseDuration(t)
	if err != nil || s.Timeout < time.Second || s.Timeout > maxTimeout {
		return r.at(e, "timeout: a time with its unit is needed, as 90s or 10m, from 1s to 24h")
	}
	return nil
}

func show(s string) string { return client.CleanLine(text.Clip(s, 60)) }

// number reads a plain number that is no text.
func number(s string) (float64, bool) {
	f, err := json.Number(s).Float64()
	return f, err == nil && json.Valid([]byte(s))
}
