package app

import (
	"errors"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
	"darkroom/tui/paint"
	"darkroom/tui/screen"
)

// coloured is a console whose styles are not plain, and what was kept of its themes.
func coloured(t *testing.T, w, h int) (c *console, kept *[]string) {
	t.Helper()
	c, kept = newConsole(t, w, h), &[]string{}
	plain := c.m.o.Theme
	c.m.o.Theme = func(name string) (*themes.Styles, error) {
		if name == "mine" {
			return nil, errors.New(`theme "mine": [3:5] no colour`)
		}
		st, err := plain(name)
		if err == nil {
			st.Plain = false
		}
		return st, err
	}
	c.m.o.KeepTheme = func(name string) (string, error) {
		*kept = append(*kept, name)
		return "", nil
	}
	c.m.o.Themes = append(themes.Names(), "mine")
	st, err := c.m.o.Theme(themes.Dark)
	require.NoError(t, err)
	wear(c.m, st)
	return c, kept
}

func TestThemesAreShownWhileOneIsChosen(t *testing.T) {
	c, kept := coloured(t, 120, 34)
	c.Send(screen.ThemesMsg{})
	require.NotNil(t, c.m.themes)
	c.Key("down", "down")
	assert.Equal(t, themes.Light, c.one.st.Name, "on the whole console at once")
	c.Key("end")
	assert.Contains(t, c.View(), "line 3, column 5: no colour", "a theme with a mistake says where")
	c.Key("esc")
	assert.Equal(t, themes.Dark, c.one.st.Name)
	assert.Empty(t, *kept)
	assert.Nil(t, c.m.themes)

	c.Key("ctrl+p")
	c.Type("Choose a theme\n")
	c.Type("safel")
	c.Key("enter")
	assert.Equal(t, themes.Safelight, c.one.st.Name)
	assert.Equal(t, []string{themes.Safelight}, *kept)
	assert.False(t, c.m.o.Auto)
	c.Send(screen.ThemesMsg{})
	c.Type("mine\n")
	assert.NotNil(t, c.m.themes, "it cannot be taken")
	c.Key("esc")
	c.Send(screen.ThemesMsg{})
	c.Key("home", "enter")
	assert.Equal(t, "auto", (*kept)[1])
	assert.True(t, c.m.o.Auto)
	assert.Equal(t, themes.Dark, c.one.st.Name)
}

func TestTheChoiceOfAThemeAtEachSize(t *testing.T) {
	for _, s := range [][2]int{{40, 12}, {80, 24}, {120, 34}, {200, 60}} {
		c, _ := coloured(t, s[0], s[1])
		c.Send(paint.BackgroundMsg{Dark: true}, screen.ThemesMsg{})
		c.Golden("themes-" + map[int]string{40: "40x12", 80: "80x24", 120: "120x34", 200: "200x60"}[s[0]])
	}
}

// ruling are settings that change when the test says so.
type ruling struct {
	next  chan Applied
	looks int
}

func (r *ruling) Next() (Applied, bool) { a, ok := <-r.next; return a, ok }
func (r *ruling) Look()                 { r.looks++ }

func TestShellsFollowTheSettings(t *testing.T) {
	c := newConsole(t, 120, 34)
	r := &ruling{next: make(chan Applied, 1)}
	s := NewShells(ShellsOptions{First: "sandbox", Profiles: []Profile{{Name: "sandbox"}}, Settings: r}, c.m)
	run := func(msg tea.Msg) { _, _ = s.Update(msg) }
	changed, errs := Keys().Override(map[string][]string{"app.help": {"f20"}})
	require.Empty(t, errs)
	run(Applied{Keys: changed, Theme: themes.Light, Profiles: []Profile{{Name: "sandbox", Banner: "MINE"}, {Name: "new"}}, Themes: []string{themes.Light}, Note: "config.yaml was reloaded"})
	assert.Equal(t, themes.Light, c.one.st.Name)
	assert.False(t, c.m.o.Auto)
	id, _ := c.m.commands.Lookup("f20")
	assert.Equal(t, actHelp, id)
	assert.Contains(t, c.View(), "MINE")
	assert.Contains(t, c.View(), "config.yaml was reloaded")
	assert.Len(t, s.profiles(), 2)

	run(Applied{Wrong: "config.yaml, line 4, column 8: no", Theme: themes.Dark})
	assert.Equal(t, themes.Light, c.one.st.Name, "the previous settings stay")
	assert.Contains(t, c.View(), "line 4, column 8")
	run(tea.FocusMsg{})
	assert.Equal(t, 1, r.looks)
	r.next <- Applied{Note: "x"}
	_, heard := s.awaitSettings()().(Applied)
	assert.True(t, heard)
	close(r.next)
	assert.Nil(t, s.awaitSettings()())
}

// asks is a screen that asks for a key.
type asks struct{ *fake }

func (asks) TakesKeys() bool { return true }

func (a asks) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	_, cmd := a.fake.Update(msg)
	return a, cmd
}

func TestAScreenThatAsksForAKeyGetsAnyKey(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.m.slots[0].screen = asks{c.one}
	c.one.got = nil
	c.Key("ctrl+p", "?", "2", "ctrl+c")
	assert.Len(t, received[tea.KeyMsg](c.one), 4)
	assert.Equal(t, noOverlay, c.m.overlay)
	c.Key("ctrl+c")
	assert.True(t, c.Quit, "the second one in a row ends the console")
}
