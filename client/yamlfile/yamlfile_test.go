package yamlfile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

func limits() Limits { return Limits{Bytes: 256 << 10, Line: 16 << 10, Lines: 5000, Nodes: 20_000} }

// laughs is ten levels of nine aliases each: 1 kB that stands for 3 billion words.
func laughs() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	return b.String()
}

func merges() string {
	var b strings.Builder
	b.WriteString("x0: &x0 {k: 1}\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&b, "x%d: &x%d {<<: [*x%d, *x%d]}\n", i, i, i-1, i-1)
	}
	return b.String()
}

// TestBombs are refused before they cost anything: the library took seconds, gigabytes or its
// whole stack for each of them.
func TestBombs(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"aliases of aliases":  {laughs(), "once its aliases are followed"},
		"merges of merges":    {merges(), "once its aliases are followed"},
		"a chain of aliases":  {chained(), "once its aliases are followed"},
		"open lists":          {"a: " + strings.Repeat("[", 200_000), "a line of"},
		"open lists in lines": {"a: " + strings.Repeat("[\n", 4_000), "brackets are open"},
		"open mappings":       {"a: " + strings.Repeat("{a: ", 4_000), "brackets are open"},
		"dashes":              {strings.Repeat("- ", 4_000) + "x", "levels in one line"},
		"questions":           {strings.Repeat("? ", 4_000) + "x", "levels in one line"},
		"tags":                {"a:\n  " + strings.Repeat("!!a ", 4_000) + "x", "levels in one line"},
		"anchors":             {"a:\n  " + strings.Repeat("&a ", 4_000) + "x", "levels in one line"},
		"very many keys":      {manyKeys(60_000), "at most 262144 bytes"},
		"many keys":           {manyKeys(6_000), "more than 5000 lines"},
		"a long line":         {"a: " + strings.Repeat("x", 20_000), "a line of 20003 bytes"},
		"two documents":       {"a: 1\n---\nb: 2\n", "more than one YAML document"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var v map[string]any
			err := limits().Decode([]byte(c.text), &v)
			runtime.ReadMemStats(&after)
			require.ErrorContains(t, err, c.says)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(48<<20), "bytes that reading it took")
		})
	}
}

func chained() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x]\n")
	for i := 1; i < 2000; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d]\n", i, i, i-1)
	}
	return b.String()
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	return b.String()
}

func TestOrdinaryFilesAreRead(t *testing.T) {
	var v struct {
		A, B map[string]int
		C    []string
	}
	require.NoError(t, limits().Decode([]byte("a: &a {x: 1}\nb: *a\nc: [x, \"[[[\"]\n"), &v, yaml.Strict()))
	require.Equal(t, map[string]int{"x": 1}, v.B)
	require.Equal(t, []string{"x", "[[["}, v.C)
	require.NoError(t, limits().Decode(nil, &v))
	require.NoError(t, limits().Decode([]byte("# nothing yet\n"), &v))
	require.Error(t, limits().Decode([]byte("d: 1\n"), &v, yaml.Strict()))
	require.Error(t, limits().Decode([]byte("a: [\n"), &v))
}

func TestReadIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.yaml")
	_, err := limits().Read(path)
	require.ErrorIs(t, err, fs.ErrNotExist)
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(1<<40)) // a hole: it takes no room
	require.NoError(t, f.Close())
	_, err = limits().Read(path)
	require.ErrorContains(t, err, "at most 262144 bytes are read")
	_, err = limits().Read("/dev/zero")
	require.ErrorContains(t, err, "at most 262144 bytes are read", "a file whose size says nothing")
}

// FuzzDecode: any text is read or refused; it never panics.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"a: &a [*a]", "<<: *x", "? a\n: b", "a: !!binary x", laughs()[:200], "- - -", "a: |\n x", "\x00", "a: [{b: c}, &x d, *x]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4<<10 {
			return
		}
		var v any
		if err := limits().Decode([]byte(s), &v); err == nil {
			_, err = limits().Parse([]byte(s))
			require.NoError(t, err)
		}
	})
}
