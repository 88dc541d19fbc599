package config

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"darkroom/client/text"
)

// SetProfile makes or changes a profile in config.yaml, and makes it the default if there is none.
// It returns the new settings. It leaves the file alone if it cannot be read, or if nothing
// changes. Whatever else a person wrote into the file, comments included, stays; if that is not
// possible, as in a file that is one {...}, the old file is kept beside it as config.yaml.old.
func SetProfile(path, name, baseURL string) (File, error) {
	if err := CheckName(name); err != nil {
		return File{}, err
	}
	baseURL, err := CheckBaseURL(baseURL)
	if err != nil {
		return File{}, err
	}
	old, f, err := readFile(path)
	if err != nil {
		return f, err
	}
	want := f
	want.Profiles = map[string]ProfileFile{}
	maps.Copy(want.Profiles, f.Profiles)
	mine := f.Profiles[name] // what else it says stays
	mine.BaseURL, mine.given = baseURL, ""
	want.Profiles[name] = mine
	if want.Profile == "" {
		want.Profile = name
	}
	if reflect.DeepEqual(f, want) {
		return f, nil
	}
	text := edited(old, f, want, name)
	if got, err := parse([]byte(text)); err == nil && reflect.DeepEqual(got, want) {
		return want, WritePrivate(path, []byte(text))
	}
	b, err := yaml.Marshal(want)
	if err != nil {
		return f, err
	}
	if err := WritePrivate(path+".old", old); err != nil {
		return f, err
	}
	return want, WritePrivate(path, b)
}

// edited is the text with the profile put in and the rest untouched. It is only an attempt: the
// caller checks that the result means what it should.
func edited(old []byte, f, want File, name string) string {
	lines := strings.Split(strings.TrimRight(string(old), "\n"), "\n")
	if len(lines) == 1 && lines[0] == "" {
		lines = nil
	}
	url := want.Profiles[name].BaseURL
	profiles := child(root(old), "profiles")
	switch first := firstKey(profiles); {
	case f.Profiles[name].BaseURL != "":
		replace(lines, child(child(profiles, name), "base_url"), url)
	case first != nil:
		at := first.GetToken().Position
		indent := strings.Repeat(" ", at.Column-1)
		added := []string{indent + name + ":", indent + "  base_url: " + scalar(url)}
		lines = append(lines[:at.Line-1:at.Line-1], append(added, lines[at.Line-1:]...)...)
	default:
		lines = append(lines, "profiles:", "  "+name+":", "    base_url: "+scalar(url))
	}
	if f.Profile != want.Profile {
		lines = append(lines, "profile: "+want.Profile)
	}
	return strings.Join(lines, "\n") + "\n"
}

// replace replaces the value of a node that is on one line.
func replace(lines []string, n ast.Node, value string) {
	if n == nil {
		return
	}
	t := n.GetToken()
	i, col := t.Position.Line-1, t.Position.Column-1
	if i < 0 || i >= len(lines) || col < 0 || col > len(lines[i]) {
		return
	}
	lines[i] = lines[i][:col] + strings.Replace(lines[i][col:], t.Value, value, 1)
}

var plain = text.Pattern(`^https?://[A-Za-z0-9._:/~-]*[A-Za-z0-9/]$`)

// scalar writes an address such that YAML reads it unchanged.
func scalar(s string) string {
	if plain().MatchString(s) {
		return s
	}
	return strconv.Quote(s)
}

// root is the top node of a file that was parsed before; nil for an empty one.
func root(b []byte) ast.Node {
	n, _ := limits().Parse(b)
	return n
}

// child is the value of a key in a mapping; nil if there is none.
func child(n ast.Node, key string) ast.Node {
	m, ok := n.(ast.MapNode)
	if !ok {
		return nil
	}
	for it := m.MapRange(); it.Next(); {
		if fmt.Sprint(it.Key()) == key {
			return it.Value()
		}
	}
	return nil
}

// firstKey is the first key in a mapping; nil if there is none.
func firstKey(n ast.Node) ast.Node {
	m, ok := n.(ast.MapNode)
	if !ok {
		return nil
	}
	it := m.MapRange()
	if !it.Next() {
		return nil
	}
	return it.Key()
}
