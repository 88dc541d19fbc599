package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/formats"
	"darkroom/client/yamlfile"
)

// Configurable are the formats whose create endpoint the interface does not show, so that a
// profile may name one (GATEWAY: Endpoints, rules 4 and 6).
func Configurable() []string {
	var names []string
	for _, f := range formats.All() {
		if _, ok := f.(client.Configurable); ok {
			names = append(names, f.Name())
		}
	}
	return names
}

// checkCreatePath checks a profile's path for the creates of a format: the format must be one of
// Configurable, and the path one of the gateway's own.
func checkCreatePath(format, path string) error {
	if all := Configurable(); !slices.Contains(all, format) {
		for _, f := range formats.All() {
			if f.Name() == format {
				return fmt.Errorf("format %q: its create endpoint is documented and is not configured; those that are: %s", format, strings.Join(all, ", "))
			}
		}
		return fmt.Errorf("there is no format %q; those whose create path is configured: %s", client.CleanLine(format), strings.Join(all, ", "))
	}
	return client.CheckPath(path)
}

// checkProfiles checks the profiles of a file and normalizes their addresses. Errors give the
// place in the text.
func checkProfiles(b []byte, f File) error {
	tell := func(err error, keys ...string) error {
		return fmt.Errorf("%s%s: %w", placeOf(b, keys), strings.Join(keys, "."), err)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Profiles)) {
		if err := CheckName(name); err != nil {
			return tell(err, "profiles")
		}
		p := f.Profiles[name]
		var err error
		written := p.BaseURL
		if p.BaseURL, err = CheckBaseURL(written); err != nil {
			return tell(err, "profiles", name, "base_url")
		}
		if TrimNote(written) != "" {
			p.given = written
		}
		if keys, err := checkDialect(p.Dialect); err != nil {
			return tell(err, append([]string{"profiles", name, "dialect"}, keys...)...)
		}
		for _, format := range slices.Sorted(maps.Keys(p.CreatePaths)) {
			if err := checkCreatePath(format, p.CreatePaths[format]); err != nil {
				return tell(err, "profiles", name, "create_paths", client.CleanLine(format))
			}
		}
		if p.History, err = CheckHistory(p.History); err != nil {
			return tell(err, "profiles", name, "history")
		}
		if p.Color, err = checkColor(p.Color); err != nil {
			return tell(err, "profiles", name, "color")
		}
		f.Profiles[name] = p
	}
	return nil
}

// placeOf is the place of a value in the text, "[line:column] ", or "" if it cannot be
// determined.
func placeOf(b []byte, keys []string) string {
	line, column := PlaceOf(b, keys...)
	if line == 0 {
		return ""
	}
	return fmt.Sprintf("[%d:%d] ", line, column)
}

// PlaceOf is the place of a value in the text of a file, or of the nearest one around it; zeros if
// it cannot be determined.
func PlaceOf(b []byte, keys ...string) (line, column int) {
	n := root(b)
	for _, k := range keys {
		if inner := child(n, k); inner != nil {
			n = inner
		}
	}
	return yamlfile.Place(n)
}
