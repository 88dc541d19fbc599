//go:build unix

package paint

import (
	"image/color"
	"io"
	"os"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/paint/internal/input"
)

// reads are what a reader makes of all that a terminal sends, and what was typed of it.
func reads(t *testing.T, sent string, replied func(input.Reply)) (*input.Reader, string) {
	t.Helper()
	tty, terminal, err := os.Pipe()
	require.NoError(t, err)
	r := input.New(tty, replied, func() {})
	require.NoError(t, r.Start())
	_, err = terminal.WriteString(sent)
	require.NoError(t, err)
	require.NoError(t, terminal.Close())
	typed, err := io.ReadAll(r)
	require.ErrorIs(t, err, ErrGone)
	return r, string(typed)
}

func TestRepliesBecomeMessages(t *testing.T) {
	black := color.RGBA{A: 0xff}
	for _, tt := range []struct {
		in   string
		want []tea.Msg
	}{
		{"\x1b]11;rgb:0000/0000/0000\x07", []tea.Msg{BackgroundMsg{Color: black, Dark: true}}},
		{"\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\", []tea.Msg{BackgroundMsg{Color: color.RGBA{0xfd, 0xf6, 0xe3, 0xff}}}},
		{"\x1b]11;nonsense\x07\x1b]10;rgb:0/0/0\x07", nil},
		{"\x1bP>|XTerm(379)\x1b\\", []tea.Msg{VersionMsg{"XTerm(379)"}}},
		{"\x1b[6;20;10t\x1b[6;0;10t\x1b[6;1t\x1b[8;1;1t", []tea.Msg{cellSize{X: 10, Y: 20}}},
		{"\x1b_Gi=31;OK\x1b\\\x1b[?62c", []tea.Msg{kittyOK{}, fence{}}},
		{"\x1b_Gi=31;ENOENT\x1b\\\x1b[?62;4c", []tea.Msg{fence{sixel: true}}},
		{"\x1b[?1;0;256S\x1b[?1;3;0S\x1b[?1;0;S", []tea.Msg{registers(256)}},
		{"\x1b[I\x1b[O", []tea.Msg{tea.FocusMsg{}, tea.BlurMsg{}}},
	} {
		var got []tea.Msg
		_, typed := reads(t, tt.in, func(r input.Reply) {
			if m := answer(r); m != nil {
				got = append(got, m)
			}
		})
		assert.Empty(t, typed)
		assert.Equal(t, tt.want, got, "%q", tt.in)
	}
}
