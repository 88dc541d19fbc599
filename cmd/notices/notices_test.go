package notices

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite notices.json from the linked modules")

const program = "darkroom/cmd/darkroom"

// platforms are those whose terminals the program knows.
func platforms() []string {
	return []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64"}
}

// allowed are the licences that a module may have, each with why where it is not one of those
// that docs/CONTRIBUTING.md names.
func allowed() map[string]string {
	return map[string]string{
		"MIT": "", "BSD-2-Clause": "", "BSD-3-Clause": "", "Apache-2.0": "", "ISC": "",
		"blessing": "SQLite is in the public domain, and says so in the place of a licence",
	}
}

// linked is one package of a module, where its files are.
type linked struct{ module, version, root, dir string }

// listed asks Go which packages the program is linked with. They are downloaded where they are
// not here, as for a build.
func listed(t *testing.T) []linked {
	t.Helper()
	var all []linked
	for _, p := range platforms() {
		system, processor, _ := strings.Cut(p, "/")
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps",
			"-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", program)
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
		var says bytes.Buffer
		cmd.Stderr = &says
		out, err := cmd.Output()
		require.NoError(t, err, "%s: %s", p, &says)
		for line := range strings.Lines(string(out)) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			require.Len(t, f, 4, line)
			all = append(all, linked{f[0], f[1], f[2], f[3]})
		}
	}
	return all
}

// telling are the names of files that tell under what terms something may be used. The
// exception is about a picture that no program has.
var (
	telling  = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright|notice|patents)([-._].*)?$`)
	sources  = regexp.MustCompile(`(?i)\.(go|s|c|h)$`)
	pictures = regexp.MustCompile(`(?i)-LOGO$`)
)

// textsOf reads what tells of terms in a folder of a module.
func textsOf(t *testing.T, root, dir string) []Text {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var texts []Text
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !telling.MatchString(name) || sources.MatchString(name) || pictures.MatchString(name) {
			continue
		}
		path := filepath.Join(dir, name)
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		file, err := filepath.Rel(root, path)
		require.NoError(t, err)
		texts = append(texts, Text{File: filepath.ToSlash(file), Text: strings.ReplaceAll(string(b), "\r\n", "\n")})
	}
	return texts
}

// collect makes the notices: of each module those of its root, and of each folder on the way to
// a package that is linked.
func collect(t *testing.T) []Notice {
	t.Helper()
	root := goRoot(t)
	all := map[string]*Notice{std: {Module: std, Texts: textsOf(t, root, root)}}
	seen := map[string]bool{}
	for _, p := range listed(t) {
		n := all[p.module]
		if n == nil {
			n = &Notice{Module: p.module, Version: p.version}
			all[p.module] = n
		}
		for dir := p.dir; !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			n.Texts = append(n.Texts, textsOf(t, p.root, dir)...)
			if dir == p.root {
				break
			}
		}
	}
	var out []Notice
	for _, n := range all {
		slices.SortFunc(n.Texts, func(a, b Text) int { return strings.Compare(a.File, b.File) })
		n.Licence = strings.Join(licencesOf(*n), " AND ")
		out = append(out, *n)
	}
	slices.SortFunc(out, func(a, b Notice) int { return strings.Compare(a.Module, b.Module) })
	return out
}

func goRoot(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// read are files that a person has read because they tell of more than is linked, at one
// version: the next one is to be read again. They are kept whole all the same.
func read() map[string]string {
	return map[string]string{
		"modernc.org/sqlite v1.61.1 LICENSE-3RD-PARTY.md": "its MPL-2.0 is of a module that is compiled into nothing; what is linked has notices of its own here",
	}
}

// licencesOf names the licences of a module's texts, each once. A grant of patents and a notice
// go with a licence and are none.
func licencesOf(n Notice) []string {
	var all []string
	for _, x := range n.Texts {
		if _, ok := read()[n.Module+" "+n.Version+" "+x.File]; ok {
			continue
		}
		if name := strings.ToLower(x.File); strings.HasPrefix(name, "patents") || strings.HasPrefix(name, "notice") {
			continue
		}
		for _, id := range identify(x.Text) {
			if !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
	}
	slices.Sort(all)
	return all
}

// identify names the licences that a text holds by sentences that only they have.
func identify(text string) []string {
	words := strings.ToLower(strings.Join(strings.Fields(text), " "))
	has := func(s string) bool { return strings.Contains(words, s) }
	var ids []string
	for _, l := range []struct {
		id    string
		holds bool
	}{
		{"MIT", has("permission is hereby granted, free of charge")},
		{"Apache-2.0", has("apache license version 2.0")},
		{"BSD-3-Clause", has("redistribution and use in source and binary forms") && has("endorse or promote")},
		{"BSD-2-Clause", has("redistribution and use in source and binary forms") && !has("endorse or promote")},
		{"ISC", has("distribute this software for any purpose with or without fee")},
		{"blessing", has("may you do good and not evil") || has("dedicated to the public domain")},
		{"MPL", has("mozilla public license")},
		{"GPL", has("gnu general public") || has("gnu lesser general") || has("gnu library general") || has("gnu affero")},
		{"EPL", has("eclipse public license")},
		{"CDDL", has("common development and distribution license")},
	} {
		if l.holds {
			ids = append(ids, l.id)
		}
	}
	if ids == nil {
		return []string{"unknown"}
	}
	return ids
}

// TestNoticesAreCurrent fails when notices.json is not what is linked; "make notices" runs it
// with -update.
func TestNoticesAreCurrent(t *testing.T) {
	want := collect(t)
	if *update {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", " ")
		require.NoError(t, enc.Encode(want))
		require.NoError(t, os.WriteFile("notices.json", b.Bytes(), 0o600))
		return
	}
	got, err := All()
	require.NoError(t, err)
	// Go's own licence is of whose toolchain it is, and not beside every toolchain.
	isStd := func(n Notice) bool { return n.Module == std }
	want, got = slices.DeleteFunc(want, isStd), slices.DeleteFunc(got, isStd)
	names := func(all []Notice) (out []string) {
		for _, n := range all {
			out = append(out, n.Module+" "+n.Version+" "+n.Licence)
		}
		return out
	}
	require.Equal(t, names(want), names(got), "notices.json is stale: run make notices")
	for i := range want {
		require.Equal(t, want[i].Texts, got[i].Texts, "notices.json is stale: run make notices")
	}
}

// TestLicencesAreAllowed: of every module, and of every file of it.
func TestLicencesAreAllowed(t *testing.T) {
	t.Parallel()
	all, err := All()
	require.NoError(t, err)
	for _, n := range all {
		require.NotEmpty(t, n.Licence, n.Module)
		for id := range strings.SplitSeq(n.Licence, " AND ") {
			require.Contains(t, allowed(), id, "%s %s", n.Module, n.Version)
		}
		require.Equal(t, strings.Join(licencesOf(n), " AND "), n.Licence, n.Module)
	}
	i := slices.IndexFunc(all, func(n Notice) bool { return n.Module == std })
	require.Equal(t, "BSD-3-Clause", all[i].Licence)
	require.Equal(t, runtime.Version(), all[i].Version)
}

// TestIdentify: what is not allowed, or not known, is not taken for something else.
func TestIdentify(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Permission is hereby granted,\n  free of charge, to any person":                                               "MIT",
		"Redistribution and use in source and binary forms are permitted.":                                             "BSD-2-Clause",
		"Redistribution and use in source\nand binary forms ... used to endorse or promote products":                   "BSD-3-Clause",
		"  Apache License\n  Version 2.0, January 2004":                                                                "Apache-2.0",
		"distribute this software for any purpose with or without fee is hereby granted":                               "ISC",
		"Mozilla Public License Version 2.0":                                                                           "MPL",
		"GNU GENERAL PUBLIC LICENSE Version 3":                                                                         "GPL",
		"All rights reserved.":                                                                                         "unknown",
		"Permission is hereby granted, free of charge, to any person. Parts: under the GNU Lesser General Public.\n\n": "MIT GPL",
	} {
		require.Equal(t, want, strings.Join(identify(text), " "), text)
	}
	for _, id := range []string{"MPL", "GPL", "EPL", "CDDL", "unknown"} {
		require.NotContains(t, allowed(), id)
	}
}
