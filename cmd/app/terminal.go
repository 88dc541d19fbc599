package app

import (
	"context"
	"os"

	"github.com/muesli/termenv"

	"darkroom/tui/paint"
)

// Terminal is what is known of a terminal and of how the console would draw in it.
type Terminal struct {
	paint.Facts
	// Colors is how many colours the environment announces: 0, 16, 256 or 1<<24.
	Colors int
	// Pixels names the protocol by which pictures are shown as pixels; "" for none, where they are
	// drawn with characters.
	Pixels string
}

// LookAtTerminal asks a terminal about itself; see [paint.Look].
func LookAtTerminal(ctx context.Context, in, out *os.File, env func(string) string) (Terminal, error) {
	f, err := paint.Look(ctx, paint.Options{In: in, Out: out, Env: env})
	t := Terminal{Facts: f}
	switch colors(ConsoleOptions{Out: out, Env: env}) {
	case termenv.TrueColor:
		t.Colors = 1 << 24
	case termenv.ANSI256:
		t.Colors = 256
	case termenv.ANSI:
		t.Colors = 16
	}
	t.Pixels = map[paint.Protocol]string{
		paint.KittyPictures: "kitty's protocol", paint.SixelPictures: "sixels", paint.InlinePictures: "iTerm2's protocol",
	}[f.Pictures]
	return t, err
}

// Editor is the person's editor: the program and its arguments; empty for none.
func Editor(env func(string) string) []string { return editor(env) }

// CheckKey asks a gateway with GETs alone whether it takes the profile's key. The embedded one needs
// no asking. A key that is kept for another origin is not sent: the error is a
// *config.OriginError.
func CheckKey(ctx context.Context, o GatewayOptions) error {
	if o.Config.Profile.Embedded {
		return nil
	}
	o.SameKey = nil
	gw, err := OpenGateway(ctx, o)
	if err != nil {
		return err
	}
	defer gw.Close()
	if err := gw.CheckKey(); err != nil {
		return err
	}
	return gw.Client.CheckKey(ctx)
}
