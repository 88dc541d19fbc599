package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	root := t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(root, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	says := func() string {
		findings, err := check(root, []string{"tui"})
		require.NoError(t, err)
		return strings.Join(findings, "\n")
	}
	write("tui/a/a.go", "package a\ntype T[K any] struct{}\n"+strings.Repeat("func (T[K]) m() {}\n", 30)+strings.Repeat("func (t *T[K]) m() {}\n", 30))
	write("tui/a/a_test.go", "package a\nfunc (t *T[K]) test() {}\n")
	write("tui/a/testdata/b.go", "no Go")
	for i := range 29 {
		write(fmt.Sprintf("tui/a/b%d.go", i), "package a\n")
	}
	assert.Empty(t, says())

	write("tui/a/c.go", "package a\nfunc (t *T[K]) more() {}\nfunc function() {}\n")
	const cut = ": cut it by idea, into a type or a package with a contract of its own"
	assert.Equal(t, "tui/a: 31 files, at most 30"+cut+"\ntui/a.T: 61 methods, at most 60"+cut, says())

	write("tui/a/c.go", "no Go")
	_, err := check(root, []string{"tui"})
	assert.ErrorContains(t, err, "c.go:1:1")
}
