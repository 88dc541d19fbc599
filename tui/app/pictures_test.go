package app

import (
	"image"
	"io"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
	"darkroom/tui/paint"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
)

// blank is a canvas that is never drawn on.
type blank struct{}

func (blank) Put(*image.RGBA, int, int) (int, []string, error) { return 0, nil, paint.ErrNoPictures }
func (blank) Replace(int, *image.RGBA) error                   { return nil }
func (blank) Drop(int)                                         {}

func TestPreviewsFollowWhatTheTerminalCan(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.Send(paint.PicturesMsg{Protocol: paint.KittyPictures, Cell: image.Pt(9, 18)}) // without previews
	require.Empty(t, received[screen.TickMsg](c.one)[1:])

	previews := preview.New(preview.Options{Canvas: blank{}})
	c.m.o.Previews = previews
	th, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	st := themes.Make(th, r, false)
	for _, tt := range []struct {
		msg  paint.PicturesMsg
		want preview.Surface
	}{
		{paint.PicturesMsg{Protocol: paint.KittyPictures, Cell: image.Pt(9, 18)}, preview.Surface{Cell: image.Pt(9, 18)}},
		{paint.PicturesMsg{Protocol: paint.SixelPictures, Cell: image.Pt(8, 17)}, preview.Surface{Cell: image.Pt(8, 17), Exact: true}},
		{paint.PicturesMsg{Protocol: paint.InlinePictures, Cell: image.Pt(8, 17)}, preview.Surface{Cell: image.Pt(8, 17), Exact: true}},
		{paint.PicturesMsg{Cell: image.Pt(8, 17)}, preview.Surface{}},
	} {
		asked := len(received[screen.TickMsg](c.one))
		c.Send(tt.msg)
		require.Equal(t, tt.want, previews.Mode(st).Surface)
		require.Len(t, received[screen.TickMsg](c.one), asked+1, "the screen asks for its pictures again")
	}
	asked := len(received[screen.TickMsg](c.one))
	c.Send(tea.WindowSizeMsg{Width: 100, Height: 30})
	require.Len(t, received[screen.TickMsg](c.one), asked+1, "in the new size")
}
