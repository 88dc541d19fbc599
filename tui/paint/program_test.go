package paint

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	_ "darkroom/tui/paint/nobg"
	tea "github.com/charmbracelet/bubbletea"
)

// programEnv makes the test binary be the program that the tests run in a pty.
const programEnv = "PAINT_TEST_PROGRAM"

// picturesEnv has the program ask about pictures.
const picturesEnv = "PAINT_TEST_PICTURES"

func TestMain(m *testing.M) {
	if os.Getenv(programEnv) != "" {
		os.Exit(program())
	}
	if signal.Ignored(syscall.SIGHUP) { // as under nohup: what we start would ignore it, too
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	os.Exit(m.Run())
}

// program runs actor on the terminal it was started on.
func program() int {
	o := Options{Mouse: true, Title: "actor", Ask: AskBackground | AskVersion,
		Environ: func() []string { return append(os.Environ(), "HOME=/cleaned") }}
	if os.Getenv(picturesEnv) != "" {
		o.Ask, o.Pictures = 0, AutoPictures
	}
	t, err := Open(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	final, err := t.Run(ctx, actor{t: t, cancel: cancel})
	var signal *SignalError
	switch {
	case errors.As(err, &signal):
		if errors.As(err, new(*HungError)) {
			_, _ = fmt.Fprintln(os.Stdout, "hung")
		}
		return 128 + int(signal.Signal)
	case err != nil:
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	_, _ = fmt.Fprintln(os.Stdout, "keys:", final.(actor).keys)
	return 0
}

// hostile is what a panic may carry: it must not reach the terminal as it is.
const hostile = "boom\x1b]52;c;AAAA\x07"

// actor does what keys tell it to. Its view shows what it was told, so that
// tests can wait for it.
type actor struct {
	t         *Terminal
	cancel    func()
	w, h      int
	keys, bg  string
	state     string
	flood     int
	panicView bool
	hangView  bool
	picture   []string
}

type editedMsg struct{ err error }

func (a actor) Init() tea.Cmd { return nil }

func (a actor) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.w, a.h = msg.Width, msg.Height
	case BackgroundMsg:
		a.bg = fmt.Sprint("dark=", msg.Dark)
	case tea.FocusMsg:
		a.state = "focused"
	case PicturesMsg:
		a.state = fmt.Sprintf("pictures:%d,%dx%d", msg.Protocol, msg.Cell.X, msg.Cell.Y)
	case editedMsg:
		a.state = fmt.Sprint("edited:", msg.err)
	case tea.MouseMsg: // each is painted, as all input is
		if a.flood--; a.flood > 0 {
			return a, func() tea.Msg { return tea.MouseMsg{} }
		}
		_, _ = os.NewFile(3, "told").WriteString("flooded")
	case tea.KeyMsg:
		a.keys += msg.String()
		return a.key(msg)
	}
	return a, nil
}

func (a actor) key(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	boom := func() tea.Msg { panic(hostile) }
	switch msg.String() {
	case "q":
		return a, tea.Quit
	case "u":
		panic(hostile)
	case "w":
		a.panicView = true
	case "c":
		return a, boom
	case "b":
		return a, tea.Batch(boom, nil, boom)
	case "s":
		return a, tea.Sequence(boom, boom)
	case "g":
		a.t.Go(func() { boom() })
	case "f":
		go boom()
	case "x":
		os.Exit(3)
	case "p":
		_, _ = os.Stdout.WriteString("stray\x1b[2Jprint\n")
	case "h":
		if a.t.guard.Load() != nil {
			a.state = "guarded"
		}
	case "e":
		cmd := exec.Command("/bin/sh", "-c", `stty -g; printf 'EDITOR '; read line; echo "got:$line"; echo "home:$HOME"; exit 4`)
		return a, Exec(cmd, func(err error) tea.Msg { return editedMsg{err} })
	case "l":
		a.flood = 2000
		return a, func() tea.Msg { return tea.MouseMsg{} }
	case "K":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "P":
		_, lines, err := a.t.Put(image.NewRGBA(image.Rect(0, 0, 20, 20)), 2, 1)
		a.picture, a.state = lines, fmt.Sprint("put:", err)
	case "D":
		hang()
	case "V":
		a.hangView = true
	case "C":
		a.cancel()
	case "ctrl+z":
		return a, Suspend()
	case "Z":
		return a, func() tea.Msg { return tea.SuspendMsg{} }
	}
	return a, nil
}

// hang is an Update or a View that never comes back.
func hang() {
	_, _ = os.NewFile(3, "told").WriteString("hangs")
	select {}
}

func (a actor) View() string {
	if a.hangView {
		hang()
	}
	if a.panicView {
		panic(hostile)
	}
	view := fmt.Sprintf("%dx%d <%s> %s %s", a.w, a.h, a.keys, a.bg, a.state)
	for _, l := range a.picture {
		view += "\n" + l
	}
	if a.flood > 0 {
		row := strings.Repeat(fmt.Sprint(a.flood, " "), a.w/5)
		view += strings.Repeat("\n"+row, max(a.h-1, 0))
	}
	return view
}
