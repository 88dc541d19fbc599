package app

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/themes"
)

// TestFlushOfAConsoleThatHangs: what can be saved is; what hangs as well, or breaks, ends nothing.
func TestFlushOfAConsoleThatHangs(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	require.NoError(t, within(time.Hour, func() error { return nil }, errHungFlush))
	require.Equal(t, full, within(time.Hour, func() error { return full }, errHungFlush))
	require.Equal(t, errHungFlush, within(time.Hour, func() error { panic("in the middle of a change") }, errHungFlush))
	never := make(chan struct{})
	defer close(never)
	require.Equal(t, errHungFlush, within(time.Millisecond, func() error { <-never; return nil }, errHungFlush))
}

// TestAThemeWithAMistakeKeepsNobodyFromWorking: nor one that there is not, nor a folder that cannot be
// read.
func TestAThemeWithAMistakeKeepsNobodyFromWorking(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"mine.yaml", "dark.yaml"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("name: [\n"), 0o600))
	}
	for chosen, told := range map[string]int{"auto": 1, "mine": 2, "nope": 2, "paper": 0} {
		o := ConsoleOptions{Plain: true, Env: func(string) string { return "" }}
		o.Config.Theme = chosen
		l, err := themes.Open(dir)
		require.NoError(t, err)
		s := &seats{dress: dresser(o), untold: errors.New("the folder cannot be read")}
		s.theme = func(name string) (*themes.Styles, error) { return s.dress(l, name) }
		var said []string
		st, auto, err := s.styles(o, func(text string) { said = append(said, text) })
		require.NoError(t, err)
		require.Len(t, said, 1+told, chosen)
		require.Equal(t, chosen != "paper", auto)
		require.Equal(t, map[bool]string{true: themes.Dark, false: themes.Paper}[auto], st.Name)
		_, _, err = s.styles(o, func(text string) { require.NotContains(t, text, "folder") })
		require.NoError(t, err)
	}
}
