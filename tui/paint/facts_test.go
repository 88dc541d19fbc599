package paint

import (
	"context"
	"image"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/paint/internal/tty"
)

// terminalThat plays a terminal on a pty: it answers with text once it was asked for its
// attributes, which come last.
func terminalThat(t *testing.T, answers string) (slave *os.File) {
	t.Helper()
	master, slave, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(master, &pty.Winsize{Cols: 120, Rows: 34}))
	t.Cleanup(func() { _, _ = slave.Close(), master.Close() })
	go func() {
		var seen strings.Builder
		buf := make([]byte, 1<<10)
		for {
			n, err := master.Read(buf)
			if err != nil {
				return
			}
			seen.Write(buf[:n])
			if strings.HasSuffix(seen.String(), "\x1b[c") {
				_, _ = master.WriteString(answers)
			}
		}
	}()
	return slave
}

// places are answers to the questions where the cursor is, as for characters of these widths.
func places(wide map[string]int) string {
	var b strings.Builder
	for _, text := range relied() {
		n, ok := wide[text]
		if !ok {
			n = 1
		}
		b.WriteString("\x1b[1;" + string(rune('1'+n)) + "R")
	}
	return b.String()
}

func TestLook(t *testing.T) {
	t.Parallel()
	cjk := map[string]int{"漢": 2, "（": 2}
	for name, tt := range map[string]struct {
		answers string
		want    Facts
	}{
		"kitty": {
			places(cjk) + "\x1bP1$r48:2:1:2:3m\x1b\\\x1bP>|kitty(0.41.1)\x1b\\\x1b[6;20;10t\x1b_Gi=31;OK\x1b\\\x1b[?62;c",
			Facts{Name: "kitty(0.41.1)", Answers: true, Kitty: true, TrueColor: true, Pictures: KittyPictures, Cell: image.Pt(10, 20)},
		},
		"one with wide stars, and keys that are typed": {
			places(map[string]int{"漢": 2, "（": 2, "★": 2}) + "xy\x1bP0$r\x1b\\\x1b[?1;4c",
			Facts{Answers: true, Sixel: true, Widths: []Width{{"★", 1, 2}}},
		},
		"one that does not tell where the cursor is": {"\x1bP>|odd\x1b\\\x1b[?1;2c", Facts{Name: "odd", Answers: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			slave := terminalThat(t, tt.answers)
			before := tty.Modes(slave)
			f, err := Look(t.Context(), Options{In: slave, Out: slave, Env: func(k string) string { return map[string]string{"TERM": "xterm-256color"}[k] }})
			require.NoError(t, err)
			tt.want.Width, tt.want.Height = 120, 34
			assert.Equal(t, tt.want, f)
			assert.Equal(t, before, tty.Modes(slave), "given back as it was")
		})
	}
}

func TestLookEndsWithoutAnswers(t *testing.T) {
	t.Parallel()
	slave := terminalThat(t, "\x03")
	_, err := Look(t.Context(), Options{In: slave, Out: slave, Env: func(string) string { return "xterm" }})
	require.ErrorIs(t, err, context.Canceled, "ctrl+c ends it")

	f, err := Look(t.Context(), Options{In: slave, Out: slave, Env: func(string) string { return "" }})
	require.NoError(t, err)
	assert.True(t, f.Dumb, "one that would show the questions is not asked")

	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer func() { _, _ = r.Close(), w.Close() }()
	_, err = Look(t.Context(), Options{In: r, Out: w, Env: os.Getenv})
	require.ErrorIs(t, err, ErrNotTerminal)
}

func TestTookColor(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		"1$r48:2:1:2:3m": true, "1$r0;48:2::1:2:3m": true, "1$r48;2;1;2;3m": true,
		"1$r48:5:16m": false, "0$r": false, "1$rm": false, ">|48:2:1:2:3": false,
	} {
		assert.Equal(t, want, tookColor(body), body)
	}
}
