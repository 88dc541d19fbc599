//go:build unix

package paint

import (
	"image"
	"os"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"

	"darkroom/tui/paint/internal/input"
	"darkroom/tui/paint/internal/tty"
)

// askTerminal sends the questions. It waits for no answer.
func (t *Terminal) askTerminal() {
	ask := t.opts.Ask
	pictures := t.wanted()
	if pictures != NoPictures {
		ask |= askPictures
		t.measure()
		t.tellPictures() // what the person chose needs no answer
	}
	if pictures == AutoPictures && t.env().takesAPC() {
		ask |= askKitty
	}
	text := queries(ask)
	if text == "" || t.env().dumb() || !t.out.acquire(leaveWait) {
		return
	}
	defer t.out.release()
	if t.out.active && len(t.out.rest) == 0 {
		t.in.Expect()
		_ = t.out.say(text, leaveWait)
	}
}

// wanted is the protocol that was asked for.
func (t *Terminal) wanted() Protocol {
	t.looks.Lock()
	defer t.looks.Unlock()
	return t.surface.want
}

// SetPictures has pictures shown by another protocol from now on. The terminal is asked anew for what
// has to be known for it.
func (t *Terminal) SetPictures(p Protocol) tea.Cmd {
	return func() tea.Msg {
		t.looks.Lock()
		same := t.surface.want == p
		t.surface.want = p
		t.looks.Unlock()
		if !same {
			t.tellPictures()
			t.askTerminal()
		}
		return nil
	}
}

// replied takes an answer of the terminal. It must not wait: the reader calls it.
func (t *Terminal) replied(r input.Reply) {
	msg := answer(r)
	if msg == nil {
		return
	}
	t.looks.Lock()
	t.surface.take(msg)
	behind := t.surface.behind()
	t.looks.Unlock()
	switch msg.(type) {
	case VersionMsg:
		t.tellPictures()
		if behind {
			t.Go(t.askBehind)
		}
		if t.opts.Ask&AskVersion == 0 {
			return
		}
	case kittyOK:
		if behind { // else the fence is still to come
			t.in.Answered()
		}
		t.tellPictures()
		return
	case fence:
		if !behind { // else the terminal behind tmux answers later
			t.in.Answered()
		}
		t.tellPictures()
		return
	case cellSize, registers:
		t.tellPictures()
		return
	}
	t.deliver(msg)
}

// askBehind asks the terminal that tmux runs in. Tmux hands nothing on unless it is
// configured to (allow-passthrough), and answers most questions itself; it knows the
// terminal's name.
func (t *Terminal) askBehind() {
	name, err := t.tmux().outer()
	if err != nil {
		return
	}
	t.looks.Lock()
	t.surface.outer = name
	known := placeholders(t.surface.outer)
	t.looks.Unlock()
	if !known || !t.out.acquire(leaveWait) {
		t.in.Answered()
		return
	}
	defer t.out.release()
	if t.out.active && len(t.out.rest) == 0 {
		t.in.Expect()
		_ = t.out.say(passthrough(kittyQuery), leaveWait)
	}
}

// measure takes the size of the cells as the kernel knows it: it follows the font.
func (t *Terminal) measure() {
	cell := cellOf(t.tty)
	if cell == (image.Point{}) {
		return
	}
	t.looks.Lock()
	t.surface.cell = cell
	t.looks.Unlock()
	t.tellPictures()
}

// cellOf is the size of a terminal's cells in pixels as the kernel knows it; zero if it does not.
func cellOf(terminal *os.File) image.Point {
	size, err := unix.IoctlGetWinsize(tty.Fd(terminal), unix.TIOCGWINSZ)
	if err != nil || min(size.Xpixel, size.Ypixel, size.Col, size.Row) == 0 {
		return image.Point{}
	}
	return image.Pt(int(size.Xpixel/size.Col), int(size.Ypixel/size.Row))
}

// tellPictures tells the program how pictures can be shown, if that has changed.
func (t *Terminal) tellPictures() {
	t.looks.Lock()
	defer t.looks.Unlock()
	msg := t.surface.message()
	t.out.pics.set(&t.surface)
	if msg.Protocol == NoPictures && t.told.Protocol == NoPictures || msg == t.told {
		return
	}
	t.told = msg
	if msg.Protocol == KittyPictures {
		t.guard.Load().tell("pictures")
	}
	t.deliver(msg)
}

// Put takes an opaque picture that shall fill cols x rows cells, and returns its number and the
// lines of cells that show it: a frame with these lines shows the picture. If [Protocol.Exact]
// holds, the picture must be exactly as large as the cells ([PicturesMsg]), and must not be changed
// afterwards; kitty scales it. Put takes as long as compressing the picture, and does not wait for
// the terminal. It fails with [ErrNoPictures] or [ErrTooManyPictures].
func (t *Terminal) Put(img *image.RGBA, cols, rows int) (number int, lines []string, err error) {
	return t.out.pics.put(img, cols, rows)
}

// Replace gives a picture's number other pixels, such as the next frame of a video: its cells show
// them from then on, and the frame need not change. If [Protocol.Exact] holds, they must be exactly
// as large as the cells. Replace takes as long as compressing them, and does not wait for the
// terminal, which gets only the newest pixels. It fails with [ErrNoPictures] if there is no such
// picture any more.
func (t *Terminal) Replace(number int, img *image.RGBA) error {
	err := t.out.pics.replace(number, img)
	t.out.signal()
	return err
}

// Drop forgets a picture. Its cells are blanks from then on.
func (t *Terminal) Drop(number int) {
	t.out.pics.drop(number)
	t.out.signal()
}
