package compose

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/dialogs/presets"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

// pressed are keys whose commands wait: what they bring comes later.
func pressed(t *testing.T, m *Model, names ...string) (cmd tea.Cmd) {
	t.Helper()
	for _, n := range names {
		k, ok := keys.Parse(n)
		require.True(t, ok, n)
		_, cmd = m.Update(k)
	}
	return cmd
}

// A preset that comes when its dialog was left, or for the second time, changes nothing: the
// form that it would push aside may be what the person types by then.
func TestAPresetThatComesLate(t *testing.T) {
	b, _ := presetBench(t, 120, 34)
	b.Type("mine")
	b.Key("alt+p")
	b.Type("kites")
	late := pressed(t, b.m, "enter")
	assert.Nil(t, pressed(t, b.m, "enter"), "it is being read already")
	b.Key("esc")
	b.Type(" and more")
	b.Send(late())
	assert.Equal(t, "mine and more", b.m.sheet.Form.Text(client.FieldPrompt))
	assert.Empty(t, b.m.sheet.Formers)
}

// While a preset is being saved its dialog stays as it is: what the answer is about is what
// is replaced after a yes.
func TestWhatIsSavedIsWhatIsReplaced(t *testing.T) {
	b, s := presetBench(t, 120, 34)
	b.Type("mine")
	b.Key("alt+P")
	b.Type("kites")
	late := pressed(t, b.m, "ctrl+s")
	b.Type("2")
	b.Send(late())
	assert.Contains(t, b.View(), "Replace preset kites?")
	b.Key("y")
	require.Len(t, s.saved, 1)
	assert.Equal(t, "kites", s.saved[0].Name)
}

// A dialog that was opened since does not close when the first one's preset is saved.
func TestASaveThatEndsLateClosesNoOtherDialog(t *testing.T) {
	b, _ := presetBench(t, 120, 34)
	b.Type("mine")
	b.Key("alt+P")
	b.Type("one")
	late := pressed(t, b.m, "ctrl+s")
	b.Key("esc", "alt+P")
	b.Type("two")
	b.Send(late())
	require.True(t, b.m.over.Has(presets.Scope))
	assert.Contains(t, b.View(), "Name      two")
}

// What servers say does not take the place of a question whose text would be lost.
func TestHeadsDoNotCoverAQuestion(t *testing.T) {
	b := start(t, 120, 34)
	b.Paste(pictures(t, t.TempDir(), "a.png")[0])
	require.True(t, b.m.over.Has(askDropped))
	b.Send(refs.HeadsMsg{Lines: []string{"x"}})
	b.Key("t")
	assert.Contains(t, b.m.sheet.Form.Text(client.FieldPrompt), "a.png")
}

// A plan that was asked for by a dialog that is closed is none of the next dialog's: it would
// be submitted.
func TestAPlanOfAnEarlierDialogIsNotSubmitted(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a {red|blue} kite")
	late := pressed(t, b.m, "ctrl+s")
	require.True(t, b.m.over.Has(batch.Scope))
	b.Key("esc")
	b.m.sheet.Form.SetText(client.FieldPrompt, "one {small|large} boat")
	_, _ = b.m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("s")})
	own := pressed(t, b.m, "ctrl+s")
	b.Send(late())
	b.Key("ctrl+s")
	assert.Empty(t, b.said(), "nothing is counted yet")
	b.Send(own())
	b.Key("ctrl+s")
	assert.Equal(t, []string{"one small boats", "one large boats"}, b.said())
}

// Nor does a dialog stay that has the jobs of a form which was replaced.
func TestAnotherFormLeavesTheBatch(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a {red|blue} kite")
	b.Key("ctrl+s")
	require.True(t, b.m.over.Has(batch.Scope))
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: "another"}})
	assert.False(t, b.m.over.Has(batch.Scope))
	b.Key("ctrl+s")
	assert.Equal(t, []string{"another"}, b.said())
}

// The checks follow a letter with its request, and come before whatever else is done with the form.
func TestChecksFollowWhatIsTyped(t *testing.T) {
	missing := func(b *bench) bool { return b.m.sheet.About(client.FieldPrompt) != nil }
	b := start(t, 80, 24)
	b.pick("famI-omni")
	require.True(t, missing(b))
	held := pressed(t, b.m, "o")
	assert.Contains(t, b.View(), "│ o▏")
	assert.Equal(t, "o", b.m.sheet.Draft.Prompt)
	require.True(t, missing(b), "the letter shows first")
	b.deliver(held)
	assert.False(t, missing(b), "with the request")
	pressed(t, b.m, "backspace", "tab")
	assert.True(t, missing(b), "before the next field")

	b.m.sheet.Form.Focus(client.FieldPrompt)
	pressed(t, b.m, "o", "k")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1, "before it is submitted")
	assert.Equal(t, "ok", b.jobs.got[0][0].Draft.Prompt)
}
