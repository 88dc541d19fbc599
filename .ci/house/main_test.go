package main

import (
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
	write(list, "# nothing\n")
	write("tui/a/a.go", "package a\ntype T[K any] struct{}\n"+strings.Repeat("func (T[K]) m() {}\n", 30)+strings.Repeat("func (t *T[K]) m() {}\n", 30))
	write("tui/a/a_test.go", "package a\nfunc (t *T[K]) test() {}\n")
	write("tui/a/testdata/b.go", "no Go")
	findings, err := check(root, []string{"tui"})
	require.NoError(t, err)
	assert.Empty(t, findings)

	write("tui/a/b.go", "package a\nfunc (t *T[K]) more() {}\nfunc function() {}\n")
	findings, err = check(root, []string{"tui"})
	require.NoError(t, err)
	assert.Equal(t, []string{"tui/a.T: 61 methods, at most 60: cut it by idea, into a type or a package with a contract of its own"}, findings)

	write(list, "61 methods tui/a.T # today\n")
	findings, err = check(root, []string{"tui"})
	require.NoError(t, err)
	assert.Empty(t, findings)
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		is   int
		most string // "" when nothing is excepted
		says string
	}{
		{30, "", ""},
		{31, "", "31 files, at most 30"},
		{40, "40", ""},
		{41, "40", "only gets smaller"},
		{39, "40", "lower it to 39"},
		{30, "40", "remove its line"},
	} {
		line := ""
		if c.most != "" {
			line = c.most + " files tui/a"
		}
		allowed, err := read(strings.NewReader(line))
		require.NoError(t, err)
		said := strings.Join(compare(counted{"files tui/a": c.is}, allowed), "\n")
		if c.says == "" {
			assert.Empty(t, said, c)
		}
		assert.Contains(t, said, c.says, c)
	}
	gone, err := read(strings.NewReader("61 methods tui/a.T"))
	require.NoError(t, err)
	assert.Contains(t, strings.Join(compare(counted{}, gone), ""), "remove its line")
	for _, wrong := range []string{"x files tui/a", "3 lines tui/a", "3 files"} {
		_, err := read(strings.NewReader("\n" + wrong))
		assert.ErrorContains(t, err, ":2:", wrong)
	}
}
