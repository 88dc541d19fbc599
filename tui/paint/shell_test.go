//go:build unix

package paint

import (
	"errors"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/paint/internal/input"
)

// probe is a model that records what it is told.
type probe struct {
	got  []tea.Msg
	view string
	cmd  tea.Cmd
}

func (p *probe) Init() tea.Cmd { return nil }
func (p *probe) View() string  { return p.view }
func (p *probe) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if msg == "panic" {
		panic("told to\x1b[2J")
	}
	p.got = append(p.got, msg)
	return p, p.cmd
}

// bench is a shell whose output goes nowhere and whose clock stands still.
type bench struct {
	*shell
	probe *probe
	clock time.Time
	timer []time.Duration
	waits bool // more input waits behind the one that is here
}

func newBench() *bench {
	b := &bench{probe: &probe{}, clock: time.Unix(1000, 0)}
	t := &Terminal{
		out:     &output{wake: make(chan struct{}, 1)},
		failure: make(chan error, 1),
		ended:   make(chan struct{}),
	}
	close(t.ended)
	b.shell = newShell(t, b.probe)
	b.now = func() time.Time { return b.clock }
	b.rests = func() bool { return !b.waits }
	b.after = func(d time.Duration, _ func()) { b.timer = append(b.timer, d) }
	return b
}

// did updates and says whether a frame was posted.
func (b *bench) did(msg tea.Msg) bool {
	b.Update(msg)
	return b.t.out.take() != nil
}

func TestRunesOfOneReadAreSingleKeys(t *testing.T) {
	b := newBench()
	require.True(t, b.did(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jjk")}))
	var keys []string
	for _, m := range b.probe.got {
		keys = append(keys, m.(tea.KeyMsg).String())
	}
	assert.Equal(t, []string{"j", "j", "k"}, keys)
	assert.Nil(t, b.t.out.take(), "one paint")
}

func TestPasteStaysWhole(t *testing.T) {
	b := newBench()
	var typed string
	b.t.in, typed = reads(t, "\x1b[200~two\nlines \xff漢\x1b[201~", func(input.Reply) {})
	require.Equal(t, "\x1b[200~1\x1b[201~", typed)
	b.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("1"), Paste: true})
	require.Len(t, b.probe.got, 1)
	got := b.probe.got[0].(tea.KeyMsg)
	assert.True(t, got.Paste)
	assert.Equal(t, "two\nlines 漢", string(got.Runes))
}

func TestCommandsOfSplitKeysAllRun(t *testing.T) {
	b := newBench()
	ran := 0
	b.probe.cmd = func() tea.Msg { ran++; return nil }
	_, cmd := b.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("abc")})
	batch, ok := cmd().(tea.BatchMsg)
	require.True(t, ok)
	for _, c := range batch {
		c()
	}
	assert.Equal(t, 3, ran)
}

// TestKeysThatWaitAreAppliedBeforeThePaint has 200 keys in one read painted twice: the first one, and
// all of them.
func TestKeysThatWaitAreAppliedBeforeThePaint(t *testing.T) {
	b := newBench()
	down := tea.KeyMsg{Type: tea.KeyDown}
	b.waits = true
	b.changes()
	require.True(t, b.did(down), "the first key at once")
	for range 198 {
		require.False(t, b.did(down))
	}
	assert.True(t, b.t.behind.Load(), "the reader is to tell when it has no more")
	assert.Equal(t, []time.Duration{inputApart}, b.timer, "one timer, if it never does")
	b.waits = false
	assert.True(t, b.did(down), "nothing waits behind the last one")
	assert.False(t, b.t.behind.Load())
	assert.Len(t, b.probe.got, 200, "none is lost")
	assert.False(t, b.did(paintMsg{}), "the timer finds nothing to do")

	b.waits = true
	require.False(t, b.did(down))
	assert.True(t, b.did(paintMsg{}), "the reader had no more, once the loop had looked")
	b.clock = b.clock.Add(inputApart)
	b.changes()
	assert.True(t, b.did(down), "keys that go on without end show all the same")
}

func TestPaintRate(t *testing.T) {
	b := newBench()
	b.changes()
	assert.True(t, b.did("news"), "the first news at once")
	assert.False(t, b.did("news"))
	assert.False(t, b.did("news"))
	assert.Equal(t, []time.Duration{paintApart}, b.timer, "one timer")
	assert.True(t, b.did(tea.KeyMsg{Type: tea.KeyUp}), "input at once")
	assert.True(t, b.did(tea.MouseMsg{}))
	b.clock = b.clock.Add(paintApart)
	assert.False(t, b.did(paintMsg{}), "the key has painted it")
	assert.NotContains(t, b.probe.got, tea.Msg(paintMsg{}))

	for range paintBurst {
		b.clock = b.clock.Add(paintApart)
		b.changes()
		require.True(t, b.did("news"), "what comes of a key shows soon")
	}
	shown := 0
	for range 1000 {
		b.clock = b.clock.Add(time.Millisecond)
		b.changes()
		if b.did("news") {
			shown++
		}
		if due := b.armed; !due.IsZero() && !due.After(b.clock) && b.did(paintMsg{}) {
			shown++
		}
	}
	assert.InDelta(t, time.Second/paintEvery, shown, 2, "what goes on is painted at a rate")

	b.clock = b.clock.Add(time.Minute)
	b.did(paintMsg{})
	b.timer = nil
	b.clock = b.clock.Add(time.Minute)
	for range 20 { // a frame that is the same takes no room
		assert.True(t, b.did("news"))
		b.clock = b.clock.Add(paintApart)
	}
	assert.Empty(t, b.timer, "no timer when nothing is pending")
}

// changes has the next frame differ.
func (b *bench) changes() { b.probe.view += "." }

func TestPanicsBecomeFailures(t *testing.T) {
	boom := func() tea.Msg { panic(errors.New("boom")) }
	for name, run := range map[string]func(*bench){
		"update":   func(b *bench) { b.Update("panic") },
		"command":  func(b *bench) { b.t.guarded(boom)() },
		"batch":    func(b *bench) { b.t.guarded(tea.Batch(boom, boom))().(tea.BatchMsg)[0]() },
		"sequence": func(b *bench) { runAll(b.t.guarded(tea.Sequence(boom, boom))()) },
	} {
		b := newBench()
		run(b)
		require.Len(t, b.t.failure, 1, name)
		var p *PanicError
		require.ErrorAs(t, <-b.t.failure, &p, name)
		assert.NotContains(t, p.Error(), "\x1b", name)
		assert.Contains(t, p.Stack, "shell_test.go", name)
	}
}

func TestCursorFollowsTheModel(t *testing.T) {
	b := newBench()
	b.inner = &pointing{}
	b.paint()
	assert.Equal(t, cursor{3, 4, true}, b.t.out.take().cursor)
}

type pointing struct{ probe }

func (*pointing) Cursor() (x, y int, shown bool) { return 3, 4, true }
