package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"darkroom/client"
	"darkroom/client/shell"
	"darkroom/client/yamlfile"
	"darkroom/jobs/store/postgres"
)

// Origins of values.
const (
	FromDefault = "default"
	FromFile    = "file"
	FromEnv     = "environment"
	FromFlag    = "flag"
)

// Value is a setting as it holds, and where it came from.
type Value struct {
	Key   string `json:"key"`
	Value string `json:"value"` // as it would be written; without passwords
	From  string `json:"from"`  // FromDefault, FromFile, FromEnv or FromFlag
	// Place is the flag, the variable, or the line of the file; "" for a default.
	Place string `json:"place,omitempty"`
	Help  string `json:"help"`
}

// Values are all settings as they hold: each key of the table once,
// and those of profiles and actions that the file names. The text of the file must be one that the
// loader takes.
func (r Request) Values(c *Config, text []byte) []Value {
	all := Settings()
	written := map[string]Value{}
	var order []string
	visit(all, root(text), nil, func(s *Setting, keys []string, e yamlfile.Entry) {
		v, err := yamlfile.Value(e.Value)
		if err != nil || v == nil {
			return
		}
		key := strings.Join(keys, ".")
		order = append(order, key)
		written[key] = Value{Key: key, Value: s.shown(v), From: FromFile, Place: fmt.Sprintf("line %d", e.Line), Help: s.Help}
	})
	var out []Value
	for _, s := range all {
		if !strings.Contains(s.Key, "*") {
			v, ok := written[s.Key]
			if !ok {
				v = Value{Key: s.Key, Value: s.Default, From: FromDefault, Help: s.Help}
			}
			if s.Key == "downloads" && !ok {
				v.Value = client.CleanLine(r.Paths.Downloads)
			}
			out = append(out, r.outranked(&s, v))
			continue
		}
		mine := "" // the place in the profile in use, for which the environment speaks, too
		if s.Env != EnvBaseURL && !c.Profile.Embedded && !IsEnv(c.Profile.Name) {
			mine = strings.Replace(s.Key, "*", c.Profile.Name, 1)
		}
		for _, key := range order {
			if found, _ := find(all, keysOf(key)); found != nil && found.Key == s.Key && key != mine {
				out = append(out, written[key])
			}
		}
		if v := r.outranked(&s, cmp.Or(written[mine], Value{Key: mine, Help: s.Help})); mine != "" && v.From != "" {
			out = append(out, v)
		}
	}
	return out
}

// outranked is a value, or the one of a flag or of the environment in its place.
func (r Request) outranked(s *Setting, v Value) Value {
	by := map[string]string{"--profile": r.Profile, "--preview": r.Preview}[s.Flag]
	if s.Flag == byFlag && r.ReadOnly {
		by = "true"
	}
	if by != "" {
		v.Value, v.From, v.Place = s.shown(by), FromFlag, s.Flag
		return v
	}
	if s.Env == "" {
		return v
	}
	if by := r.Env(s.Env); by != "" {
		v.Value, v.From, v.Place = s.shown(by), FromEnv, s.Env
	}
	return v
}

// shown is a value as it would be written, without passwords.
func (s *Setting) shown(v any) string {
	text := textOf(v)
	switch x := v.(type) {
	case []any:
		text = "[" + strings.Join(wordsOf(x), ", ") + "]"
	case map[string]any:
		text = "words of its own"
	}
	if s.secret && text != historyFile {
		text = postgres.Redact(text)
	}
	return client.CleanLine(text)
}

// visit goes through the settings of a file.
func visit(all []Setting, n ast.Node, keys []string, each func(*Setting, []string, yamlfile.Entry)) {
	entries, err := yamlfile.Entries(n)
	if err != nil {
		return
	}
	for _, e := range entries {
		at := append(slices.Clone(keys), e.Key)
		if s, within := find(all, at); s != nil {
			each(s, at, e)
		} else if within {
			visit(all, e.Value, at, each)
		}
	}
}

// keysOf parts the name of a setting: actions have dots of their own.
func keysOf(key string) []string {
	if rest, ok := strings.CutPrefix(key, "keys."); ok {
		return []string{"keys", rest}
	}
	return strings.Split(key, ".")
}

// SettingAt is the setting of a key, as profiles.work.rate; the error says which there are.
func SettingAt(key string) (*Setting, error) {
	w := walker{all: Settings()}
	keys := keysOf(key)
	s, within := find(w.all, keys)
	switch {
	case s != nil:
		return s, nil
	case within:
		return nil, fmt.Errorf("%s has settings below it: %s", key, strings.Join(w.names(keys), ", "))
	case len(keys) > 1:
		if _, ok := find(w.all, keys[:len(keys)-1]); !ok {
			return nil, fmt.Errorf("there is no setting %s; `darkroom config get` lists them", key)
		}
	}
	return nil, fmt.Errorf("%s: %w", key, w.unknown(keys))
}

// value is a text as a value of the setting's kind; a text that is none stays one, and fails the
// check.
func (s *Setting) value(text string) any {
	switch s.Kind {
	case Bool:
		if text == "true" || text == "false" {
			return text == "true"
		}
	case Number:
		if n, err := strconv.ParseFloat(text, 64); err == nil && json.Valid([]byte(text)) {
			return json.Number(strconv.FormatFloat(n, 'f', -1, 64))
		}
	case Words:
		return parted(text)
	}
	return text
}

// parted are the words of a text: a YAML list, or words as a shell parts them.
func parted(text string) any {
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		if n, err := limits().Parse([]byte(text)); err == nil {
			if v, err := yamlfile.Value(n); err == nil {
				return wordsOf(v)
			}
		}
	}
	words, whole := shell.Words(text)
	if !whole {
		return text
	}
	return words
}

// Change is one change of config.yaml.
type Change struct {
	Key string
	// Text is the value as a person writes it, Words a list in its place, if there is one. Unset takes
	// the setting out, so that its default holds.
	Text  string
	Words []string
	Unset bool
}

// Write makes changes to config.yaml at once, with comments and order kept, and none of them if a value
// or what would come of them is wrong, also by the caller's word, which may be nil. It reports whether
// the file is another one then.
func Write(path string, changes []Change, also func(File) error) (changed bool, err error) {
	old, _, err := readFile(path)
	if err != nil {
		return false, err
	}
	b := old
	for _, c := range changes {
		if b, err = c.in(b); errors.Is(err, yamlfile.ErrInPlace) {
			return false, fmt.Errorf("%s: %s: %w (`darkroom config edit`)", path, c.Key, err)
		}
		if err != nil {
			return false, err
		}
	}
	if bytes.Equal(b, old) {
		return false, nil
	}
	f, err := parse(b)
	if err == nil && also != nil {
		err = also(f)
	}
	if err != nil {
		return false, fmt.Errorf("nothing was written: %w", err)
	}
	return true, WritePrivate(path, b)
}

// in makes the change in the text of a file.
func (c Change) in(b []byte) ([]byte, error) {
	s, err := SettingAt(c.Key)
	if err != nil {
		return nil, err
	}
	if c.Unset {
		if s.Required {
			return nil, fmt.Errorf("%s: a profile needs it; `darkroom config set` changes it", c.Key)
		}
		return limits().Unset(b, keysOf(c.Key))
	}
	v := any(c.Words)
	if c.Words == nil {
		if err := s.CheckText(c.Text); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Key, err)
		}
		v = s.value(c.Text)
	}
	return limits().Set(b, keysOf(c.Key), v)
}

// CheckText says what is wrong with a value as a person writes it; nil for nothing.
func (s *Setting) CheckText(text string) error {
	if s.Kind == Wording {
		if err := CheckDialectName(text); err != nil {
			return err
		}
	}
	v := s.value(text)
	if words, ok := v.([]string); ok {
		list := []any{}
		for _, w := range words {
			list = append(list, w)
		}
		v = list
	}
	return s.Check(v)
}

// Set writes one setting into config.yaml, as [Write] does. It returns the line that the value is in.
func Set(path, key, text string, also func(File) error) (line int, err error) {
	if _, err = Write(path, []Change{{Key: key, Text: text}}, also); err != nil {
		return 0, err
	}
	b, _, err := readFile(path)
	visit(Settings(), root(b), nil, func(_ *Setting, keys []string, e yamlfile.Entry) {
		if strings.Join(keys, ".") == key {
			line = e.Line
		}
	})
	return line, err
}

// Unset takes one setting out of config.yaml, as [Write] does, and says whether it stood there.
func Unset(path, key string, also func(File) error) (stood bool, err error) {
	return Write(path, []Change{{Key: key, Unset: true}}, also)
}

// Replace puts a text in the place of config.yaml, if it is right and the file is still the one that
// was read: the errors are those of [Lint], or ErrMoved.
func Replace(path string, was, text []byte) []error {
	if all := Lint(text); len(all) > 0 {
		return all
	}
	if now, err := limits().Read(path); err == nil && string(now) != string(was) {
		return []error{ErrMoved}
	}
	if err := WritePrivate(path, text); err != nil {
		return []error{err}
	}
	return nil
}

// ErrMoved means that the settings were written by somebody else meanwhile.
var ErrMoved = errors.New("the settings were changed by another program meanwhile")
