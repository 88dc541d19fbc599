package catalog_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listed is one line of testdata/sentences.txt.
type listed struct {
	id, says, where string
	line            int
}

func readList(t *testing.T) []listed {
	t.Helper()
	text, err := os.ReadFile("testdata/sentences.txt")
	require.NoError(t, err)
	var out []listed
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, "|")
		require.True(t, len(parts) == 2 || len(parts) == 3, "line %d", i+1)
		l := listed{id: strings.TrimSpace(parts[0]), says: strings.TrimSpace(parts[1]), line: i + 1}
		if len(parts) == 3 {
			l.where = strings.TrimSpace(parts[2])
		}
		out = append(out, l)
	}
	return out
}

// TestEverySentenceHasACase fails when a sentence of the list has no case here and no test
// elsewhere, when a test that it names is gone, and when a case carries an id that the
// list does not have.
func TestEverySentenceHasACase(t *testing.T) {
	cases := map[string]int{}
	for _, s := range sentences() {
		assert.NotEmpty(t, s.says, s.id)
		cases[s.id]++
	}
	known := map[string]bool{}
	for _, l := range readList(t) {
		assert.False(t, known[l.id], "line %d: %s is there twice", l.line, l.id)
		assert.NotEmpty(t, l.says, "line %d", l.line)
		known[l.id] = true
		reason, untestable := strings.CutPrefix(l.where, "none:")
		switch {
		case untestable:
			assert.NotEmpty(t, strings.TrimSpace(reason), "line %d: %s says no reason", l.line, l.id)
			assert.Zero(t, cases[l.id], "line %d: %s has cases and says that it can have none", l.line, l.id)
		case l.where != "":
			for name := range strings.SplitSeq(l.where, ",") {
				assert.True(t, hasFunction(t, strings.TrimSpace(name)), "line %d: %s: there is no test %s", l.line, l.id, name)
			}
		default:
			assert.NotZero(t, cases[l.id], "line %d: no case has the id %s (%s)", l.line, l.id, l.says)
		}
	}
	for id := range cases {
		assert.True(t, known[id], "%s is in no line of the list", id)
	}
}

// TestSidesOfASentence: a hard limit stands on both sides, refused and let through, so
// that a rule that refuses everything would not pass.
func TestSidesOfASentence(t *testing.T) {
	refuses, passes := map[string]bool{}, map[string]bool{}
	for _, s := range sentences() {
		blocked := false
		for _, f := range s.finds {
			blocked = blocked || strings.HasPrefix(f, "block ")
		}
		refuses[s.id] = refuses[s.id] || blocked
		passes[s.id] = passes[s.id] || !blocked
	}
	for _, l := range readList(t) {
		if strings.HasPrefix(l.id, "modes.1.") || strings.HasPrefix(l.id, "modes.2.") || strings.HasSuffix(l.says, "hard") && l.id != "limits.vidu-images" {
			assert.True(t, refuses[l.id] && passes[l.id], "%s stands on one side only", l.id)
		}
	}
}

// hasFunction looks for folder.Name in the tests of a folder of the module.
func hasFunction(t *testing.T, name string) bool {
	t.Helper()
	i := strings.LastIndex(name, ".")
	require.Positive(t, i, name)
	if !strings.HasPrefix(name[i+1:], "Test") {
		return false
	}
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(name[:i]), "*_test.go"))
	require.NoError(t, err)
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // another test says so
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name[i+1:] {
				return true
			}
		}
	}
	return false
}
