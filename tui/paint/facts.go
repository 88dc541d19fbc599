//go:build unix

package paint

import (
	"context"
	"fmt"
	"image"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"darkroom/tui/cells"
	"darkroom/tui/paint/internal/input"
	"darkroom/tui/paint/internal/tty"
)

// factsWait is how long a terminal may take to answer; behindWait, one that tmux runs in and that is
// known to answer.
const (
	factsWait  = 2 * time.Second
	behindWait = 3 * time.Second
)

// Facts are what a terminal tells of itself, and its environment of it.
type Facts struct {
	// Name is the name that it tells, with its version; "" for none.
	Name string
	// Through is the multiplexer in between: tmux, screen or "". Outer is the terminal that tmux runs
	// in, and Passes says that tmux passes sequences on to it.
	Through, Outer string
	Passes         bool
	Width, Height  int
	Cell           image.Point // in pixels, as far as it is known
	// Answers is false for a terminal that answers nothing; Dumb for one that was not asked, because
	// it would show the question.
	Answers, Dumb bool
	// Pictures is how pictures would be shown if the choice is automatic.
	Pictures Protocol
	// Kitty and Sixel say what it speaks, whether it serves or not.
	Kitty, Sixel bool
	// TrueColor says that it took a colour of 24 bits; a terminal that did not may know them all the
	// same.
	TrueColor bool
	// Widths are the characters that it draws in another number of cells than the console counts on.
	Widths []Width
}

// Width is a character that a terminal draws in another number of cells than is counted on.
type Width struct {
	Text      string
	Want, Got int
}

// relied are characters whose widths the painter relies on, one of each kind that the console draws
// or a prompt is likely to have. About emoji and the like it relies on none: see agreed.
func relied() []string {
	return []string{"─", "▀", "▚", "★", "●", "→", "…", "✓", "⠿", "Ω", "ж", "漢", "（"}
}

// Look asks a terminal about itself, and changes nothing on it. It fails with [ErrNotTerminal] where
// input or output is none. What is typed meanwhile is lost.
func Look(ctx context.Context, o Options) (Facts, error) {
	if !tty.Is(o.In) || !tty.Is(o.Out) {
		return Facts{}, ErrNotTerminal
	}
	if o.Environ == nil {
		o.Environ = os.Environ
	}
	env := environ(o.Env)
	f := Facts{Through: env.multiplexer(), Dumb: env.dumb()}
	f.Width, f.Height, _ = term.GetSize(tty.Fd(o.Out))
	if f.Dumb {
		return f, nil
	}
	saved, err := term.MakeRaw(tty.Fd(o.In))
	if err != nil {
		return f, fmt.Errorf("raw mode: %w", err)
	}
	defer func() { _ = term.Restore(tty.Fd(o.In), saved) }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	inTmux := o.Env("TMUX") != ""
	l := &looker{o: o, tmux: (&Terminal{opts: o}).tmux(), done: make(chan struct{}), kitty: make(chan struct{})}
	l.surface = surface{want: AutoPictures, tmux: inTmux, local: inTmux}
	l.in = input.New(o.In, l.replied, func() { cancel(context.Canceled) })
	if err := l.in.Start(); err != nil {
		return f, err
	}
	typed := make(chan string, 1)
	go l.collect(typed)
	err = l.ask(ctx, env)
	l.in.Stop(true)
	l.fill(&f, <-typed)
	return f, err
}

// looker asks a terminal, and takes its answers.
type looker struct {
	o    Options
	in   *input.Reader
	tmux tmux

	done, kitty chan struct{} // closed by the answer that comes last, and by that about kitty's protocol
	mu          sync.Mutex    // guards the rest
	surface     surface
	answered    bool
	trueColor   bool
	outer       string
	passes      bool
}

// collect gives what came beside answers, when the reading has ended.
func (l *looker) collect(typed chan<- string) {
	var b strings.Builder
	buf := make([]byte, 1<<10)
	for {
		n, err := l.in.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			typed <- b.String()
			return
		}
	}
}

// trueColorQuery sets a colour and asks which one is set (DECRQSS).
const (
	trueColorQuery = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[m"
	cursorQuery    = "\x1b[6n"
)

// ask sends the questions and waits for the answers. What is drawn is erased at once.
func (l *looker) ask(ctx context.Context, env environ) error {
	var b strings.Builder
	b.WriteString("\x1b[?25l")
	for _, text := range relied() {
		b.WriteString("\r" + text + cursorQuery)
	}
	b.WriteString("\r\x1b[K\x1b[?25h" + trueColorQuery)
	what := AskVersion | askPictures
	if env.takesAPC() {
		what |= askKitty
	}
	b.WriteString(queries(what))
	if _, err := l.o.Out.WriteString(b.String()); err != nil {
		return fmt.Errorf("writing to the terminal: %w", err)
	}
	if err := await(ctx, l.done, factsWait); err != nil {
		return err
	}
	return l.askBehind(ctx)
}

// askBehind asks the terminal that tmux runs in.
func (l *looker) askBehind(ctx context.Context) error {
	l.mu.Lock()
	behind := l.surface.behind()
	l.mu.Unlock()
	if !behind {
		return nil
	}
	outer, _ := l.tmux.outer()
	passes := l.tmux.passes()
	l.mu.Lock()
	l.outer, l.passes, l.surface.outer = outer, passes, outer
	l.mu.Unlock()
	if !passes || !placeholders(outer) {
		return nil
	}
	if _, err := l.o.Out.WriteString(passthrough(kittyQuery)); err != nil {
		return fmt.Errorf("writing to the terminal: %w", err)
	}
	return await(ctx, l.kitty, behindWait)
}

// await waits for an answer, which may never come.
func await(ctx context.Context, answer <-chan struct{}, most time.Duration) error {
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-answer:
	case <-t.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// replied takes an answer.
func (l *looker) replied(r input.Reply) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Kind == 'P' && tookColor(string(r.Body)) {
		l.trueColor = true
		return
	}
	msg := answer(r)
	l.surface.take(msg)
	switch msg.(type) {
	case fence:
		if !l.answered {
			l.answered = true
			close(l.done)
		}
	case kittyOK:
		select {
		case <-l.kitty:
		default:
			close(l.kitty)
		}
	}
}

// tookColor reports whether an answer to [trueColorQuery] has the colour; terminals write it with
// colons or semicolons, and some with an empty colour space.
func tookColor(body string) bool {
	body = strings.NewReplacer(";", ":", "::", ":").Replace(body)
	return strings.HasPrefix(body, "1$r") && strings.Contains(body, "48:2:1:2:3")
}

// cursorReply is where the cursor is.
var cursorReply = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\x1b\[\d{1,5};(\d{1,5})R`) })

// fill puts what was found into the facts; typed has the places of the cursor.
func (l *looker) fill(f *Facts, typed string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &l.surface
	if f.Through == "" && s.tmux { // as over ssh from within it
		f.Through = "tmux"
	}
	f.Name, f.Outer, f.Passes, f.Answers = s.name, l.outer, l.passes, l.answered
	f.Pictures, f.Kitty, f.Sixel, f.Cell, f.TrueColor = s.protocol(), s.kitty, s.sixel, s.cell, l.trueColor
	all := cursorReply().FindAllStringSubmatch(typed, -1)
	texts := relied()
	if f.Cell == (image.Point{}) {
		f.Cell = cellOf(l.o.Out)
	}
	if len(all) != len(texts) {
		return // it does not tell, or somebody typed
	}
	for i, text := range texts {
		got, err := strconv.Atoi(all[i][1])
		if want := cells.Width(text); err == nil && got-1 != want {
			f.Widths = append(f.Widths, Width{text, want, got - 1})
		}
	}
}
