package keys_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/keys"
)

// sample is a map with a shell and two screens.
func sample() keys.Map {
	return keys.New(
		[]keys.Action{
			{ID: "app.palette", Title: "Command palette", Keys: []string{"ctrl+p"}},
			{ID: "app.help", Title: "Help", Keys: []string{"?", "f1"}},
			{ID: "app.screen.3", Title: "Third screen", Keys: []string{"3", "alt+3"}},
			{ID: "app.quit", Title: "Quit", Keys: []string{"q", "ctrl+q", "ctrl+c"}},
		},
		[]keys.Action{{ID: "compose.submit", Title: "Submit", Keys: []string{"ctrl+s"}}},
		[]keys.Action{
			{ID: "queue.open", Title: "Open", Keys: []string{"enter"}},
			{ID: "queue.download", Title: "Download", Keys: []string{"d"}},
			{ID: "queue.copy", Title: "Copy the id", Keys: []string{"y"}},
			{ID: "queue.repoll", Title: "Ask the gateway now", Keys: []string{"r"}},
			{ID: "queue.resubmit", Title: "Take to Compose", Keys: []string{"c"}},
			{ID: "queue.inspect", Title: "Inspect", Keys: []string{"i"}},
			{ID: "queue.mark", Title: "Mark", Keys: []string{" "}},
			{ID: "queue.drop", Title: "Drop", Keys: []string{"x"}},
		})
}

func TestLookup(t *testing.T) {
	m := sample()
	id, ok := m.Lookup("queue", "d")
	assert.True(t, ok)
	assert.Equal(t, "queue.download", id)
	_, ok = m.Lookup("compose", "d")
	assert.False(t, ok)
	_, ok = m.Lookup("queue", "ctrl+p")
	assert.False(t, ok, "keys of the shell are found in its own scope")
	id, _ = m.Lookup(keys.App, "alt+3")
	assert.Equal(t, "app.screen.3", id)
	_, ok = keys.Map{}.Lookup("queue", "d")
	assert.False(t, ok)
}

func TestBindings(t *testing.T) {
	m := sample()
	b := m.Binding("compose.submit")
	assert.Equal(t, "^S", b.Help().Key)
	assert.Equal(t, "Submit", b.Help().Desc)
	assert.True(t, b.Enabled())
	assert.Equal(t, "send", m.Short("compose.submit", "send").Help().Desc)
	assert.False(t, m.Binding("no.such").Enabled())
	assert.Equal(t, "space", m.Keys("queue.mark"))
	assert.Equal(t, "Download", m.Title("queue.download"))
	assert.Equal(t, "no.such", m.Title("no.such"))
	assert.Empty(t, m.Keys("no.such"))
}

func TestOverride(t *testing.T) {
	m := sample()
	next, errs := m.Override(map[string][]string{
		"queue.download": {"^D", "D"},
		"queue.drop":     {}, // no key any more
		"queue.repoll":   {"x"},
	})
	require.Empty(t, errs)
	id, _ := next.Lookup("queue", "ctrl+d")
	assert.Equal(t, "queue.download", id)
	_, ok := next.Lookup("queue", "d")
	assert.False(t, ok)
	id, _ = next.Lookup("queue", "x")
	assert.Equal(t, "queue.repoll", id)
	assert.False(t, next.Binding("queue.drop").Enabled())
	id, _ = m.Lookup("queue", "d")
	assert.Equal(t, "queue.download", id, "the map itself does not change")
}

func TestOverrideRefusesWhatCannotBe(t *testing.T) {
	m := sample()
	next, errs := m.Override(map[string][]string{
		"queue.nope":     {"n"},
		"queue.repoll":   {"d"},      // download's
		"queue.copy":     {"ctrl+p"}, // the shell's
		"queue.inspect":  {"ctrl+i"},
		"queue.resubmit": {"hyper+x"},
		"queue.open":     {"O"},
	})
	var all []string
	for _, e := range errs {
		all = append(all, e.Error())
	}
	text := strings.Join(all, "\n")
	require.Len(t, errs, 5, text)
	for _, want := range []string{
		"queue.nope: there is no such action",
		"queue.repoll: the key d would do both queue.download and queue.repoll",
		"queue.copy: the key ^P would do both app.palette and queue.copy",
		`queue.inspect: "ctrl+i" cannot be told from tab`,
		`queue.resubmit: "hyper+x" is not a key`,
	} {
		assert.Contains(t, text, want)
	}
	same := map[string][]string{}
	for _, a := range next.Actions("") {
		same[a.ID] = a.Keys
	}
	_, errs = next.Override(same)
	assert.Empty(t, errs, "no key is that of two actions")
	id, _ := next.Lookup("queue", "O")
	assert.Equal(t, "queue.open", id, "what is right is taken")
	id, _ = next.Lookup("queue", "r")
	assert.Equal(t, "queue.repoll", id, "what is refused stays as it was")
}

func TestTwoActionsCanChangeKeys(t *testing.T) {
	next, errs := sample().Override(map[string][]string{"queue.download": {"x"}, "queue.drop": {"d"}})
	require.Empty(t, errs)
	id, _ := next.Lookup("queue", "x")
	assert.Equal(t, "queue.download", id)
}

func TestWhoIsInTheWayOfAKey(t *testing.T) {
	m := sample()
	for _, c := range []struct{ id, key, want string }{
		{"queue.copy", "n", ""},
		{"queue.copy", "y", ""}, // its own
		{"queue.copy", "d", "queue.download"},
		{"queue.copy", "ctrl+s", ""}, // of another screen
		{"queue.copy", "ctrl+p", "app.palette"},
		{"app.help", "d", "queue.download"},
		{"app.help", "ctrl+s", "compose.submit"},
		{"app.help", "q", "app.quit"},
	} {
		var got []string
		for _, a := range m.Taken(c.id, c.key) {
			got = append(got, a.ID)
		}
		assert.Equal(t, c.want, strings.Join(got, " "), "%s %s", c.id, c.key)
	}
}

func TestAMapBecomesAnotherForAllWhoHoldIt(t *testing.T) {
	m := sample()
	held := m
	next, errs := m.Override(map[string][]string{"queue.download": {"D"}})
	require.Empty(t, errs)
	m.Become(next)
	id, _ := held.Lookup("queue", "D")
	assert.Equal(t, "queue.download", id)
	assert.Equal(t, "D", held.Keys("queue.download"))
	keys.Map{}.Become(next)
	assert.Empty(t, keys.Map{}.Actions(""))
}

func TestNormal(t *testing.T) {
	for in, want := range map[string]string{
		"^S": "ctrl+s", "Ctrl-S": "ctrl+s", "C-x": "ctrl+x", "alt+X": "alt+X", "M-x": "alt+x", "Shift+Tab": "shift+tab", "space": " ",
		"F2": "f2", "return": "enter", "PageDown": "pgdown", "ctrl+pgup": "ctrl+pgup", "a": "a", "R": "R", "+": "+", "-": "-",
		"alt+-": "alt+-", "é": "é", "alt+shift+x": "alt+X", "ctrl+alt+a": "alt+ctrl+a", "esc": "esc", " enter ": "enter", "alt+.": "alt+.",
	} {
		got, err := keys.Normal(in)
		require.NoError(t, err, in)
		assert.Equal(t, want, got, in)
	}
	for _, in := range []string{"", "ctrl+", "ctrl+m", "ctrl+[", "ctrl+j", "^H", "nonsense", "\x1b", "super+a", "ctrl+é", "+-"} {
		got, err := keys.Normal(in)
		require.Error(t, err, "%q gave %q", in, got)
	}
}

func TestShow(t *testing.T) {
	for in, want := range map[string]string{"ctrl+s": "^S", " ": "space", "shift+tab": "S-tab", "f2": "F2", "f": "f", "enter": "enter", "ctrl+pgup": "ctrl+pgup", "foo": "foo"} {
		assert.Equal(t, want, keys.Show(in))
	}
}

func TestSplit(t *testing.T) {
	got := keys.Split(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("j k")})
	require.Len(t, got, 3)
	assert.Equal(t, "j", got[0].String())
	assert.Equal(t, " ", got[1].String())
	assert.Equal(t, "k", got[2].String())
	assert.Len(t, keys.Split(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jk"), Paste: true}), 1)
	assert.Len(t, keys.Split(tea.KeyMsg{Type: tea.KeyEnter}), 1)
}

func FuzzNormal(f *testing.F) {
	for _, s := range []string{"ctrl+s", "^", "-", "+", "alt+", "a+b+c", "ctrl++"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := keys.Normal(s)
		if err != nil {
			return
		}
		msg, ok := keys.Parse(n)
		if !ok || msg.String() != n {
			t.Fatalf("%q became %q, which is %q", s, n, msg.String())
		}
	})
}
