package screen

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/keys"
)

// lamp is something that commands are done to.
type lamp struct{ on, broken bool }

func lampTable() []Command[*lamp] {
	broken := func(l *lamp) string {
		if l.broken {
			return "it is broken"
		}
		return ""
	}
	return []Command[*lamp]{
		{ID: "lamp.switch", Title: "Switch the lamp", Keys: []string{"s"}, Word: "switch", Button: true, Off: broken,
			Do: func(l *lamp) tea.Cmd { l.on = !l.on; return nil }},
		{ID: "lamp.mend", Title: "Mend the lamp", Word: "mend", Do: func(l *lamp) tea.Cmd { l.broken = false; return nil }},
		{ID: "lamp.break", Title: "Break the lamp", Keys: []string{"b"}, Do: func(l *lamp) tea.Cmd { l.broken = true; return nil }},
	}
}

func TestEverythingIsDrawnFromTheTable(t *testing.T) {
	k, errs := keys.New(Rows(lampTable())).Override(map[string][]string{"lamp.break": {"x"}})
	require.Empty(t, errs)
	c, l := Bind(k, lampTable()), &lamp{}
	id, ok := c.Lookup("x")
	require.True(t, ok, "the key that the settings give")
	assert.Equal(t, "lamp.break", id)
	_, ok = c.Lookup("b")
	assert.False(t, ok)
	assert.Equal(t, "x", c.Key("lamp.break"))
	assert.Empty(t, c.Key("lamp.mend"))

	assert.Nil(t, c.Do(l, "lamp.switch"))
	assert.True(t, l.on)
	assert.Nil(t, c.Do(l, "lamp.none"), "an action of another table does nothing")
	require.Len(t, c.Buttons(l), 1)
	assert.Equal(t, "switch", c.Buttons(l)[0].Word)
	assert.Len(t, c.Help(), 3)
	line := c.Line("lamp.switch", "lamp.none", "lamp.mend")
	require.Len(t, line, 2)
	assert.Equal(t, "switch", line[0].Help().Desc)
	assert.False(t, line[1].Enabled(), "what has no key is not in the bottom line")
}

func TestWhatCannotBeDoneSaysWhy(t *testing.T) {
	c, l := Bind(keys.New(Rows(lampTable())), lampTable()), &lamp{broken: true}
	assert.Equal(t, "it is broken", c.Off(l, "lamp.switch"))
	assert.Empty(t, c.Off(l, "lamp.mend"))
	toast, ok := c.Do(l, "lamp.switch")().(ToastMsg)
	require.True(t, ok)
	assert.Equal(t, ToastMsg{Level: Warn, Text: "it is broken"}, toast)
	assert.False(t, l.on)
	assert.Empty(t, c.Buttons(l))
	assert.Len(t, c.LineNow(l, "lamp.switch", "lamp.mend"), 1)
	assert.Equal(t, []Action{
		{ID: "lamp.switch", Title: "Switch the lamp", Off: "it is broken"},
		{ID: "lamp.mend", Title: "Mend the lamp"}, {ID: "lamp.break", Title: "Break the lamp"},
	}, c.Actions(l))
	assert.Nil(t, Commands[*lamp]{}.Do(l, "lamp.switch"))

	table := lampTable()
	table[0].Says = true
	c = Bind(keys.New(Rows(table)), table)
	c.Do(l, "lamp.switch")
	assert.True(t, l.on, "it would say itself what is in its way")
	assert.Equal(t, "it is broken", c.Actions(l)[0].Off)
}
