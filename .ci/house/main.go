// Command house keeps packages and types small: `make lint` runs it. It fails where a type has
// more methods or a package more files than the limits say, tests aside, unless over.txt lists the
// number of today; and where over.txt allows more than there is, so that a list only gets shorter.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// limits is how many there may be at most, by what is counted.
var limits = map[string]int{"files": 30, "methods": 60}

// list is where exceptions stand.
const list = ".ci/house/over.txt"

// counted is a number by what is counted and where, as "files tui/paint" or "methods client.Client".
type counted map[string]int

func main() {
	findings, err := check(".", []string{"client", "cmd", "jobs", "themes", "tui"})
	if err != nil {
		findings = append(findings, err.Error())
	}
	for _, f := range findings {
		fmt.Fprintln(os.Stderr, f)
	}
	if len(findings) > 0 {
		os.Exit(1)
	}
}

// check is what is wrong with the packages below the folders.
func check(root string, folders []string) ([]string, error) {
	is := counted{}
	for _, folder := range folders {
		if err := is.folder(root, folder); err != nil {
			return nil, err
		}
	}
	f, err := os.Open(filepath.Join(root, list))
	if err != nil {
		return nil, err
	}
	allowed, err := read(f)
	return compare(is, allowed), errors.Join(err, f.Close())
}

// folder counts what is below a folder.
func (c counted) folder(root, folder string) error {
	return filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		where, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		return c.file(path, filepath.ToSlash(where))
	})
}

// file counts a file and its methods.
func (c counted) file(path, where string) error {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	c["files "+where]++
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			c["methods "+where+"."+receiver(fn.Recv.List[0].Type)]++
		}
	}
	return nil
}

// receiver is the name of a receiver's type, without its star and its type parameters.
func receiver(x ast.Expr) string {
	switch t := x.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.ParenExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return "?"
}

// read is a list of exceptions: a number, what is counted, where; # begins a comment.
func read(r io.Reader) (counted, error) {
	c := counted{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		var most int
		var kind, where string
		if _, err := fmt.Sscanf(line, "%d %s %s", &most, &kind, &where); err != nil || limits[kind] == 0 {
			return nil, fmt.Errorf("%s:%d: a line is `<number> files|methods <where>`", list, n)
		}
		c[kind+" "+where] = most
	}
	return c, lines.Err()
}

// compare is what exceeds its limit or its exception, and each exception that allows too much.
func compare(is, allowed counted) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(is)) {
		kind, where, _ := strings.Cut(key, " ")
		n, limit := is[key], limits[kind]
		most, excepted := allowed[key]
		switch {
		case !excepted && n > limit:
			out = append(out, fmt.Sprintf("%s: %d %s, at most %d: cut it by idea, into a type or a package with a contract of its own", where, n, kind, limit))
		case excepted && n > most:
			out = append(out, fmt.Sprintf("%s: %d %s, and %s allows %d: this number only gets smaller", where, n, kind, list, most))
		case excepted && n <= limit:
			out = append(out, fmt.Sprintf("%s: %d %s, within the limit of %d: remove its line from %s", where, n, kind, limit, list))
		case excepted && n < most:
			out = append(out, fmt.Sprintf("%s: %d %s, and %s allows %d: lower it to %d", where, n, kind, list, most, n))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(allowed)) {
		if is[key] == 0 {
			out = append(out, fmt.Sprintf("%s: there is no such thing: remove its line from %s", key, list))
		}
	}
	return out
}
