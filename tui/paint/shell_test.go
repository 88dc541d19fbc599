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

func TestPaintRate(t *testing.T) {
	b := newBench()
	assert.True(t, b.did("news"), "the first news at once")
	assert.False(t, b.did("news"))
	assert.False(t, b.did("news"))
	assert.Equal(t, []time.Duration{paintEvery}, b.timer, "one timer")
	assert.True(t, b.did(tea.KeyMsg{Type: tea.KeyUp}), "input at once")
	assert.True(t, b.did(tea.MouseMsg{}))

	b.clock = b.clock.Add(paintEvery)
	assert.True(t, b.did(paintMsg{}))
	assert.NotContains(t, b.probe.got, tea.Msg(paintMsg{}))
	b.clock = b.clock.Add(paintEvery / 5)
	assert.False(t, b.did("news"))
	assert.Equal(t, []time.Duration{paintEvery, paintEvery * 4 / 5}, b.timer)
	b.clock = b.clock.Add(paintEvery)
	assert.True(t, b.did(paintMsg{}))
	b.clock = b.clock.Add(time.Minute)
	assert.True(t, b.did("news"))
	assert.Len(t, b.timer, 2, "no timer when nothing is pending")
}

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
