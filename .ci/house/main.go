// Command house keeps packages and types small: `make lint` runs it. It fails where a type has
// more methods or a package more files than the limits say, tests aside.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// limits is how many there may be at most, by what is counted.
var limits = map[string]int{"files": 30, "methods": 60}

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
	var out []string
	for _, key := range slices.Sorted(maps.Keys(is)) {
		kind, where, _ := strings.Cut(key, " ")
		if n, most := is[key], limits[kind]; n > most {
			out = append(out, fmt.Sprintf("%s: %d %s, at most %d: cut it by idea, into a type or a package with a contract of its own", where, n, kind, most))
		}
	}
	return out, nil
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
