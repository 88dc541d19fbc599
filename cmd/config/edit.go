package config

import (
	"fmt"
	"maps"
	"reflect"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// SetProfile makes or changes a profile in config.yaml, and makes it the default if there is none.
// It returns the new settings. It leaves the file alone if it cannot be read, or if nothing
// changes. Whatever else a person wrote into the file, comments included, stays; if that is not
// possible, as where something stands behind its end, the old file is kept beside it as
// config.yaml.old.
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
	text, err := limits().Set(old, []string{"profiles", name, "base_url"}, baseURL)
	if err == nil && f.Profile == "" {
		text, err = limits().Set(text, []string{"profile"}, name)
	}
	if err == nil {
		if got, err := parse(text); err == nil && reflect.DeepEqual(got, want) {
			return want, WritePrivate(path, text)
		}
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
