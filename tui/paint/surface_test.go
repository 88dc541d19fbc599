package paint

import (
	"image"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
)

func TestProtocolFollowsTheAnswers(t *testing.T) {
	cell := cellSize{X: 9, Y: 18}
	for _, tt := range []struct {
		name    string
		want    Protocol
		answers []tea.Msg
		outer   string // the terminal behind tmux
		got     Protocol
	}{
		{"kitty", AutoPictures, []tea.Msg{VersionMsg{"kitty(0.41.1)"}, cell, kittyOK{}, fence{}}, "", KittyPictures},
		{"kitty before placeholders", AutoPictures, []tea.Msg{VersionMsg{"kitty(0.27.1)"}, cell, kittyOK{}, fence{}}, "", NoPictures},
		{"ghostty", AutoPictures, []tea.Msg{VersionMsg{"ghostty 1.2.0"}, kittyOK{}, fence{}}, "", KittyPictures},
		{"its protocol without placeholders, and sixel", AutoPictures, []tea.Msg{VersionMsg{"contour 0.5"}, cell, kittyOK{}, fence{sixel: true}}, "", SixelPictures},
		{"pixels that stay under text", AutoPictures, []tea.Msg{VersionMsg{"Konsole 22.12.3"}, cell, kittyOK{}, fence{sixel: true}}, "", NoPictures},
		{"the same, chosen", SixelPictures, []tea.Msg{VersionMsg{"Konsole 22.12.3"}, cell, fence{sixel: true}}, "", SixelPictures},
		{"sixel", AutoPictures, []tea.Msg{VersionMsg{"XTerm(379)"}, cell, fence{sixel: true}}, "", SixelPictures},
		{"sixel, cells unknown", AutoPictures, []tea.Msg{fence{sixel: true}}, "", NoPictures},
		{"neither", AutoPictures, []tea.Msg{VersionMsg{"VTE(7600)"}, cell, fence{}}, "", NoPictures},
		{"no answer", AutoPictures, nil, "", NoPictures},
		{"tmux in kitty", AutoPictures, []tea.Msg{VersionMsg{"tmux 3.4"}, fence{}, kittyOK{}}, "kitty(0.41.1) xterm-kitty", KittyPictures},
		{"tmux that hands nothing on", AutoPictures, []tea.Msg{VersionMsg{"tmux 3.4"}, fence{}}, "kitty(0.41.1) xterm-kitty", NoPictures},
		{"tmux in another", AutoPictures, []tea.Msg{VersionMsg{"tmux 3.4"}, fence{}, kittyOK{}}, "WezTerm 2024 xterm-256color", NoPictures},
		{"tmux with sixel", AutoPictures, []tea.Msg{VersionMsg{"tmux 3.4"}, cell, fence{sixel: true}}, "foot(1.16) foot", SixelPictures},
		{"iTerm2", AutoPictures, []tea.Msg{VersionMsg{"iTerm2 3.5.10"}, fence{sixel: true}}, "", InlinePictures},
		{"WezTerm", AutoPictures, []tea.Msg{VersionMsg{"WezTerm 20240203-110809-5046fc22"}, cell, kittyOK{}, fence{sixel: true}}, "", InlinePictures},
		{"mintty", AutoPictures, []tea.Msg{VersionMsg{"mintty 3.7.0"}, fence{}}, "", InlinePictures},
		{"tmux in iTerm2", AutoPictures, []tea.Msg{VersionMsg{"tmux 3.4"}, fence{}}, "iTerm2 3.5.10 xterm-256color", NoPictures},
		{"iTerm2's chosen", InlinePictures, nil, "", InlinePictures},
		{"iTerm2's chosen in tmux", InlinePictures, []tea.Msg{VersionMsg{"tmux 3.4"}, fence{}}, "", NoPictures},
		{"chosen", KittyPictures, nil, "", KittyPictures},
		{"sixel chosen", SixelPictures, []tea.Msg{cell}, "", SixelPictures},
		{"sixel chosen, cells unknown", SixelPictures, nil, "", NoPictures},
	} {
		s := surface{want: tt.want, outer: tt.outer}
		for _, m := range tt.answers {
			s.take(m)
		}
		assert.Equal(t, tt.got, s.protocol(), tt.name)
	}
	s := surface{want: KittyPictures}
	assert.Equal(t, image.Pt(10, 20), s.message().Cell, "a likely one")
	s.take(cell)
	assert.Equal(t, image.Pt(9, 18), s.message().Cell)
}
