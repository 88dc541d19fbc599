package app

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/tui/paint"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// pair is a console with two profiles, of which one is opened later, and one that cannot be.
type pair struct {
	*tuitest.Driver
	s          *Shells
	work, team *console
	opens      int
}

func newPair(t *testing.T, w, h int) *pair {
	t.Helper()
	p := &pair{work: newConsole(t, w, h), team: newConsole(t, w, h)}
	p.work.m.o.Profile, p.team.m.o.Profile = "work", "team"
	p.team.m.overlay = noOverlay
	p.s = NewShells(ShellsOptions{First: "work", Profiles: []Profile{
		{Name: "work", Host: "work.example"}, {Name: "team", Host: "team.example", Banner: "PROD", Color: "red", ReadOnly: true}, {Name: "broken"},
	}, Open: func(name string) (*Model, string, error) {
		p.opens++
		if name != "team" {
			return nil, "", errors.New("no such dialect")
		}
		return p.team.m, "no key is kept", nil
	}}, p.work.m)
	p.Driver = tuitest.New(t, p.s, w, h)
	return p
}

// title is the first line.
func (p *pair) title() string { line, _, _ := strings.Cut(p.View(), "\n"); return line }

func (p *pair) to(name string) {
	p.Key("alt+0")
	p.Type(name)
	p.Key("enter")
}

func TestSwitchingProfiles(t *testing.T) {
	p := newPair(t, 120, 34)
	p.Key("alt+0")
	for _, want := range []string{"● work", "work.example", "team", "PROD  red  ⊘ read-only", "broken"} {
		assert.Contains(t, p.View(), want)
	}
	p.Key("esc")
	p.to("team")
	assert.Contains(t, p.title(), "team")
	assert.Contains(t, p.View(), "no key is kept", "what is to be told of it")
	assert.Len(t, received[screen.HiddenMsg](p.work.one), 1, "the one before saves what it holds")
	assert.Contains(t, p.title(), "+work ▶5 ✗1", "what goes on there is told")

	before := len(p.work.one.got)
	p.Key("x")
	assert.Len(t, p.work.one.got, before, "keys go to the one that shows")
	p.to("work")
	assert.Equal(t, 1, p.opens, "it stays open")
	assert.Contains(t, p.title(), "work")
	assert.Len(t, received[screen.ShownMsg](p.work.one), 1)
	p.to("team")
	assert.Equal(t, 1, p.opens)
}

func TestWhatIsAskedForOpensFirst(t *testing.T) {
	work := newConsole(t, 120, 34)
	s := NewShells(ShellsOptions{First: "work", Then: screen.OpenMsg{Screen: screen.Queue, Payload: screen.JudgeRun{Run: "r1"}}}, work.m)
	tuitest.New(t, s, 120, 34)
	assert.Equal(t, []screen.JudgeRun{{Run: "r1"}}, received[screen.JudgeRun](work.two))
}

// Keys that come right after the choice are meant for what was chosen.
func TestAnOpenProfileShowsBeforeTheNextKey(t *testing.T) {
	p := newPair(t, 120, 34)
	p.to("team")
	p.to("work")
	p.Key("alt+0")
	p.Type("team")
	p.s.Update(tea.KeyMsg{Type: tea.KeyEnter}) // nothing of it has run yet
	assert.Same(t, p.team.m, p.s.all[p.s.active])
}

func TestAProfileThatCannotBeOpened(t *testing.T) {
	p := newPair(t, 120, 34)
	p.to("broken")
	assert.Contains(t, p.title(), "work")
	assert.Contains(t, p.View(), "the profile broken cannot be opened, work stays")
	assert.False(t, p.work.m.hidden)
	p.to("team")
	assert.Contains(t, p.title(), "team", "another one can be opened after that")
}

func TestWhatComesLateGoesToItsProfile(t *testing.T) {
	p := newPair(t, 120, 34)
	late := make(chan tea.Msg)
	type answer struct{ text string }
	p.work.one.reply = func(msg tea.Msg) tea.Cmd {
		if k, ok := msg.(tea.KeyMsg); ok && k.String() == "x" {
			return func() tea.Msg { return <-late }
		}
		return nil
	}
	_, cmd := p.s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x")})
	p.to("team")
	go func() { late <- answer{"of work"} }()
	var run func(tea.Msg)
	run = func(msg tea.Msg) {
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, c := range batch {
				if c != nil {
					run(c())
				}
			}
			return
		}
		p.Send(msg)
	}
	run(cmd())
	assert.Equal(t, []answer{{"of work"}}, received[answer](p.work.one))
	assert.Empty(t, received[answer](p.team.one))
}

// A profile that does not show draws nothing and wakes nobody up; it catches up when it shows.
func TestAHiddenProfileIsQuiet(t *testing.T) {
	p := newPair(t, 120, 34)
	p.to("team")
	views, news := p.work.one.views, len(received[screen.JobsMsg](p.work.one))
	p.Send(ofProfile{0, newsMsg{}})
	p.Send(tea.WindowSizeMsg{Width: 100, Height: 30})
	assert.Equal(t, views, p.work.one.views)
	assert.Len(t, received[screen.JobsMsg](p.work.one), news)
	p.work.m.counts.Flow = jobs.Flow{Until: p.work.now.Add(time.Hour)}
	p.work.m.tickDue = false
	assert.Nil(t, p.work.m.armTick())
	p.to("work")
	assert.Equal(t, 100, p.work.one.w, "the size it was told meanwhile")
	assert.Greater(t, len(received[screen.JobsMsg](p.work.one)), news)
}

// There is one taskbar: what a profile left in it is not what another one has to show.
func TestTheTaskbarIsOfTheProfileThatShows(t *testing.T) {
	p := newPair(t, 120, 34)
	shows := paint.TaskbarNone
	for _, c := range []*console{p.work, p.team} {
		c.m.alerts.taskbar = func(percent int) tea.Cmd {
			return func() tea.Msg { shows = percent; return nil }
		}
	}
	p.team.m.o.Jobs = counter{}
	p.Send(newsMsg{})
	assert.Equal(t, paint.TaskbarBusy, shows)
	p.to("team")
	assert.Equal(t, paint.TaskbarNone, shows, "nothing is under way there")
	p.Send(ofProfile{0, newsMsg{}})
	assert.Equal(t, paint.TaskbarNone, shows)
	p.to("work")
	assert.Equal(t, paint.TaskbarBusy, shows)
}

// What comes of an editor goes to the profile whose text it is, whichever shows by then.
func TestAnEditedTextGoesToItsProfile(t *testing.T) {
	p := newPair(t, 120, 34)
	p.work.m.o.Editor = func() []string { return []string{"beside"} }
	p.Send(editFor{to: screen.Compose, edit: screen.EditMsg{Text: "a cat"}})
	p.to("team")
	p.Send(p.work.ends(nil))
	require.Len(t, received[screen.EditedMsg](p.work.one), 1)
	assert.Equal(t, "a cat", received[screen.EditedMsg](p.work.one)[0].Text)
	assert.Empty(t, received[screen.EditedMsg](p.team.one))
}

// The terminal's focus is that of all profiles, also of one that is opened or hidden meanwhile.
func TestAllProfilesHearOfTheFocus(t *testing.T) {
	p := newPair(t, 120, 34)
	p.work.m.alerts.mine, p.team.m.alerts.mine = nil, nil
	p.Send(tea.BlurMsg{})
	p.to("team")
	assert.True(t, p.team.m.alerts.away)
	assert.Equal(t, []screen.AwayMsg{{Away: true}}, received[screen.AwayMsg](p.team.one))
	p.Send(tea.FocusMsg{})
	assert.Equal(t, []screen.AwayMsg{{Away: true}, {Away: false}}, received[screen.AwayMsg](p.work.one))
	assert.False(t, p.team.m.alerts.away)
}

// A screen that a panic left in the middle of a change keeps no other one from saving.
func TestABrokenScreenKeepsNoOtherFromSaving(t *testing.T) {
	p := newPair(t, 120, 34)
	p.to("team")
	p.work.one.flush = func() error { panic("half done\x1b[2J") }
	saved := 0
	p.team.one.flush = func() error { saved++; return nil }
	err := p.s.Flush()
	require.ErrorContains(t, err, "compose may not have saved the last changes: half done␛[2J")
	assert.Equal(t, 1, saved)
}

func TestQuittingAsksForAllProfiles(t *testing.T) {
	p := newPair(t, 120, 34)
	p.to("team")
	p.work.one.unsaved = "a sentence"
	p.Key("ctrl+q")
	assert.Contains(t, p.View(), "Profile work: a sentence")
	p.Key("s")
	p.work.one.unsaved = ""
	require.NoError(t, p.s.Flush())
}

func TestTheThemeGoesAlong(t *testing.T) {
	p := newPair(t, 120, 34)
	p.Key("ctrl+t")
	name := p.work.m.st.Name
	p.to("team")
	assert.Equal(t, name, p.team.m.st.Name)
	assert.False(t, p.team.m.o.Auto)
}

func TestWithoutAnotherProfile(t *testing.T) {
	c := newConsole(t, 120, 34)
	c.Key("alt+0")
	assert.Contains(t, c.View(), "there is no other profile")
	for _, size := range [][2]int{{80, 24}, {40, 12}} {
		p := newPair(t, size[0], size[1])
		p.to("team")
		assert.Contains(t, p.title(), "+", "that something goes on elsewhere is told even there")
	}
}

func TestTaggedLeavesTheLoopsOwnMessagesAlone(t *testing.T) {
	assert.Nil(t, tagged(1, nil))
	assert.Equal(t, tea.QuitMsg{}, tagged(1, tea.QuitMsg{}))
	assert.Equal(t, ofProfile{0, newsMsg{}}, tagged(1, ofProfile{0, newsMsg{}}), "what has a profile keeps it")
	one := func() tea.Msg { return newsMsg{} }
	batch, ok := tagged(1, tea.BatchMsg{one, nil}).(tea.BatchMsg)
	require.True(t, ok)
	require.Len(t, batch, 1)
	assert.Equal(t, ofProfile{1, newsMsg{}}, batch[0]())
	assert.NotEqual(t, ofProfile{1, nil}, tagged(1, tea.Sequence(one, one)()), "a sequence is the loop's")
}
