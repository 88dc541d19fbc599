package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"darkroom/cmd/app"
	"darkroom/cmd/config"
)

// The size that the console needs, and the one from which everything has its place.
const (
	leastWidth, leastHeight = 40, 12
	roomyWidth, roomyHeight = 80, 24
)

// terminal looks at the terminal that the command runs in, even where its output is redirected.
func (x *examiner) terminal(ctx context.Context) {
	s := x.k.IO
	out := s.Tty
	if out == nil {
		out = s.TtyErr
	}
	if out == nil || s.TtyIn == nil {
		x.add("terminal", Better, "there is none here, so colours, pictures, size and characters were not checked", "run `darkroom doctor` in the terminal you work in; commands need none")
		return
	}
	t, err := look(ctx, s.TtyIn, out, s.Env)
	if err != nil && ctx.Err() == nil {
		x.add("terminal", Broken, err.Error(), "try another terminal")
		return
	}
	if t.Dumb {
		x.add("terminal", Broken, fmt.Sprintf("TERM=%s cannot place text on the screen, which the console needs", s.Env("TERM")), "use a terminal that sets TERM, as xterm-256color; commands do without one")
		return
	}
	x.name(t)
	x.size(t)
	x.colors(t)
	x.tmux(t)
	x.pictures(t)
	x.characters(t)
}

// look is app.LookAtTerminal, and an interruption by a key ends the command.
func look(ctx context.Context, in, out *os.File, env func(string) string) (app.Terminal, error) {
	t, err := app.LookAtTerminal(ctx, in, out, env)
	if errors.Is(err, context.Canceled) {
		return t, errors.New("it was interrupted")
	}
	return t, err
}

func (x *examiner) name(t app.Terminal) {
	name := t.Name
	switch {
	case !t.Answers:
		x.add("terminal", Better, "it answers no questions (TERM="+x.k.IO.Env("TERM")+")", "pictures are drawn with characters; `--preview sixel` or `preview:` in the settings chooses by hand")
		return
	case name == "":
		name = "it does not tell its name (TERM=" + x.k.IO.Env("TERM") + ")"
	case t.Outer != "":
		name += " in " + t.Outer
	}
	x.add("terminal", OK, name, "")
}

func (x *examiner) size(t app.Terminal) {
	found := fmt.Sprintf("%d columns, %d rows", t.Width, t.Height)
	if t.Cell.X > 0 {
		found += fmt.Sprintf("; a cell has %dx%d pixels", t.Cell.X, t.Cell.Y)
	}
	switch {
	case t.Width < leastWidth || t.Height < leastHeight:
		x.add("size", Broken, found, fmt.Sprintf("make the window at least %dx%d", leastWidth, leastHeight))
	case t.Width < roomyWidth || t.Height < roomyHeight:
		x.add("size", Better, found, fmt.Sprintf("from %dx%d on, panes stand side by side", roomyWidth, roomyHeight))
	default:
		x.add("size", OK, found, "")
	}
}

func (x *examiner) colors(t app.Terminal) {
	const ask = "if the terminal can do more, say so: `export COLORTERM=truecolor`"
	switch {
	case x.k.IO.Env("NO_COLOR") != "":
		x.add("colours", OK, "none, as NO_COLOR says", "")
	case t.Colors == 1<<24:
		x.add("colours", OK, "16 million", "")
	case t.TrueColor:
		x.add("colours", Better, fmt.Sprintf("%s by what the environment says, and the terminal takes 16 million", count(t.Colors)), "`export COLORTERM=truecolor` in the shell's settings")
	case t.Colors == 0:
		x.add("colours", Better, "none: TERM="+x.k.IO.Env("TERM"), ask)
	default:
		x.add("colours", Better, count(t.Colors), ask)
	}
}

func count(colors int) string {
	if colors == 0 {
		return "no colours"
	}
	return fmt.Sprintf("%d colours", colors)
}

func (x *examiner) tmux(t app.Terminal) {
	switch {
	case t.Through == "screen":
		x.add("multiplexer", Better, "screen: no pixels, and notifications ring the bell", "tmux passes both on")
	case t.Through != "tmux":
	case t.Outer == "":
		x.add("tmux", Better, "it does not say which terminal it runs in, so pictures are drawn with characters", "where tmux runs on another machine, run darkroom beside it for pixels")
	case !t.Passes:
		x.add("tmux", Better, "it passes nothing on to "+t.Outer+": no kitty pictures, and notifications ring the bell", "`tmux set -g allow-passthrough on`, and the same line (without tmux) in ~/.tmux.conf")
	default:
		x.add("tmux", OK, "passes pictures and notifications on (allow-passthrough)", "")
	}
}

func (x *examiner) pictures(t app.Terminal) {
	chosen := config.PreviewAuto
	if x.failed == nil && x.c.Preview != "" {
		chosen = x.c.Preview
	}
	switch {
	case chosen != config.PreviewAuto:
		x.add("pictures", OK, fmt.Sprintf("%s, as you chose; auto would be %s", chosen, drawn(t)), "")
	case t.Pixels != "":
		x.add("pictures", OK, "pixels, by "+t.Pixels, "")
	case t.Through == "tmux" && !t.Passes:
		x.add("pictures", Better, drawn(t), "see tmux")
	case t.Sixel && t.Cell.X == 0:
		x.add("pictures", Better, drawn(t)+": it knows sixels and does not tell the size of its cells", "docs/PREVIEW.md lists terminals that tell")
	case t.Kitty || t.Sixel:
		x.add("pictures", Better, drawn(t)+": what it knows of pixels is not enough", "docs/PREVIEW.md lists terminals that show pixels")
	default:
		x.add("pictures", Better, drawn(t), "kitty, Ghostty, WezTerm, iTerm2 and foot, among others, show pixels: docs/PREVIEW.md")
	}
}

func drawn(t app.Terminal) string {
	if t.Pixels != "" {
		return "pixels, by " + t.Pixels
	}
	if t.Colors == 0 {
		return "characters without colours"
	}
	return "blocks of characters"
}

func (x *examiner) characters(t app.Terminal) {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = x.k.IO.Env(name); locale != "" {
			break
		}
	}
	up := strings.ToUpper(strings.ReplaceAll(locale, "-", ""))
	var odd []string
	for _, w := range t.Widths {
		odd = append(odd, fmt.Sprintf("%s takes %d cells, not %d", w.Text, w.Got, w.Want))
	}
	switch {
	case len(odd) > 0:
		x.add("characters", Better, strings.Join(odd, "; ")+": frames may stand askew", "in the terminal's settings, have characters of ambiguous width narrow, and UTF-8 as the encoding")
	case locale != "" && !strings.Contains(up, "UTF8"):
		x.add("characters", Better, "the locale is "+locale+", without UTF-8", "`export LANG=C.UTF-8`")
	case t.Answers:
		x.add("characters", OK, "lines, blocks, signs and CJK are as wide as the console counts", "")
	}
}
