package compose

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/dialogs/models"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

const pastedJSON = `{"model":"famA3","prompt":"an hour of work"}`

// Whatever is asked or looked at when the end comes, the draft on the disk has what was pasted and
// typed, in its order; and who quits is told before.
func TestQuittingKeepsAllThatWaits(t *testing.T) {
	path := pictures(t, t.TempDir(), "a.png")[0]
	for name, c := range map[string]struct {
		begin func(b *bench)
		said  string
		want  string
	}{
		"two pastes": {func(b *bench) {
			b.pasteLate("/none/1")
			b.Type(" ")
			b.pasteLate("/none/2")
			b.Type(" and the tail")
		}, "still reading", "/none/1 /none/2 and the tail"},
		"a question about a request": {func(b *bench) {
			answer := b.pasteLate(pastedJSON)
			b.Type(" behind it")
			answer()
			require.True(t, b.m.over.Has(askRequest))
		}, "question about what was pasted", pastedJSON + " behind it"},
		"a question about files": {func(b *bench) {
			answer := b.pasteLate(path)
			b.Type(" behind it")
			answer()
			require.True(t, b.m.over.Has(askDropped))
		}, "question about what was pasted", path + " behind it"},
		"a question with pastes behind it": {func(b *bench) {
			answer := b.pasteLate(pastedJSON)
			b.Type(" ")
			b.pasteLate("/none/2")
			b.Type(" ")
			b.pasteLate(pastedJSON)
			b.Type("!")
			answer()
		}, "question about what was pasted", pastedJSON + " /none/2 " + pastedJSON + "!"},
	} {
		b := start(t, 120, 34)
		c.begin(b)
		b.Key("ctrl+s")
		assert.Contains(t, b.m.Unsaved(), c.said, name)
		require.NoError(t, b.m.Flush())
		assert.Equal(t, c.want, b.drafts.kept[client.Video].Draft.Prompt, name)
		assert.Empty(t, b.jobs.got, name)
		assert.Empty(t, b.m.pasting.Unsaved(), name)
		assert.Empty(t, b.m.Unsaved(), name)
	}
}

// The keys wait for the model that a file is picked for: they are no name of one at the end either.
func TestQuittingKeepsWhatWaitsForAPicker(t *testing.T) {
	dir := t.TempDir()
	pictures(t, dir, "a.png")
	t.Setenv("HOME", dir)
	b := start(t, 120, 34)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Speech, Prompt: "words"}})
	b.Key("alt+o")
	late := pressed(t, b.m, "enter")
	b.Type(" more")
	assert.Contains(t, b.m.Unsaved(), "does not add them")
	b.Send(late())
	require.True(t, b.m.over.Has(choose.Scope))
	assert.Contains(t, b.m.Unsaved(), "has a question open")
	require.NoError(t, b.m.Flush())
	assert.Equal(t, "words more", b.drafts.kept[client.Speech].Draft.Prompt)
}

func TestTheKeyOfARequestThatWaitsIsNotKept(t *testing.T) {
	b := realBench(t, 120, 34)
	first := b.pasteLate(pastedCurl)
	b.pasteLate(pastedCurl)
	first()
	require.True(t, b.m.over.Has(askRequest))
	require.NoError(t, b.m.Flush())
	assert.Contains(t, b.m.sheet.Form.Text(client.FieldPrompt), "curl -sS")
	assert.NotContains(t, b.m.sheet.Form.Text(client.FieldPrompt), "sk-0123456789abcdef")

	b = realBench(t, 120, 34)
	first = b.pasteLate(pastedCurl)
	b.pasteLate(`-H "Authorization: Bearer sk-0123456789abcdef"`)
	b.Type("!")
	first()
	b.Key("f")
	assert.Contains(t, toast(t, b).Text, "left out")
	assert.NotContains(t, toast(t, b).Text, "sk-0123456789abcdef", "nor said")
}

// Another form takes the place of one that has all which was pasted and typed into it.
func TestWhatWaitsGoesIntoTheFormThatItWasTypedIn(t *testing.T) {
	for name, c := range map[string]struct {
		begin func(b *bench)
		want  string
	}{
		"two pastes": {func(b *bench) {
			b.pasteLate("/none/1")
			b.Type(" ")
			b.pasteLate("/none/2")
			b.Type(" tail")
		}, "/none/1 /none/2 tail"},
		"a question": {func(b *bench) {
			answer := b.pasteLate(pastedJSON)
			b.Type(" tail")
			answer()
		}, pastedJSON + " tail"},
	} {
		b := start(t, 120, 34)
		c.begin(b)
		b.Key("ctrl+s")
		b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "another"}})
		assert.Equal(t, "another", b.m.sheet.Draft.Prompt, name)
		assert.Empty(t, b.jobs.got, name)
		b.Key("alt+z")
		assert.Equal(t, c.want, b.m.sheet.Draft.Prompt, name)
		b.Key("ctrl+s")
		assert.Len(t, b.jobs.got, 1, "%s: nothing bars it any longer", name)
	}
}

// What costs or takes the form elsewhere is not done by keys that were pressed before it could be
// seen what becomes of a paste.
func TestNothingIsAskedOrHandedOverWithoutWhatWasPasted(t *testing.T) {
	for name, end := range map[string]func(b *bench, answer func()){
		"text":     func(b *bench, _ func()) { b.Key("esc") },
		"question": func(b *bench, answer func()) { answer(); b.Key("esc") },
	} {
		b, g, _ := improveBench(t, 120, 34, plainPrompt, betterOne)
		answer := b.pasteLate(pastedJSON)
		b.Key("alt+=", "enter")
		end(b, answer)
		assert.Zero(t, g.times(), name)
		assert.Contains(t, toast(t, b).Text, "not asked: ", name)
		assert.Contains(t, b.View(), "request is billed", "%s: it shows what would be asked", name)
		b.Key("enter")
		assert.Equal(t, 1, g.times(), name)

		b = start(t, 120, 34)
		answer = b.pasteLate(pastedJSON)
		b.Send(screen.ActionMsg{ID: "compose.to-compare"})
		end(b, answer)
		assert.Contains(t, toast(t, b).Text, "not handed to Compare: ", name)
	}
}

// Nor does it answer when something else was opened over the question, and closed.
func TestWhatWaitsIsNoAnswer(t *testing.T) {
	b := start(t, 120, 34)
	answer := b.pasteLate(pastedJSON)
	b.Type("feet")
	answer()
	b.Send(screen.ActionMsg{ID: "compose.model"})
	require.True(t, b.m.over.Has(models.Scope))
	b.Key("esc")
	require.True(t, b.m.over.Has(askRequest))
	b.Key("t")
	assert.Equal(t, pastedJSON+"feet", b.m.sheet.Form.Text(client.FieldPrompt))
}

// A screen that opens only now had the keys that were pressed since.
func TestWhatWasPressedForCompareIsNotSubmittedHere(t *testing.T) {
	b := start(t, 120, 34)
	answer := b.pasteLate("/none/1")
	b.Key("alt+c", "ctrl+s")
	answer()
	open, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, "/none/1", open.Payload.(screen.CompareDraft).Draft.Prompt)
	assert.Empty(t, b.jobs.got)
	assert.Contains(t, toast(t, b).Text, "not submitted: you asked for Compare first")
	b.Key("ctrl+s")
	assert.Len(t, b.jobs.got, 1)
}

// A question that is answered otherwise than with what waited bars nothing from then on.
func TestAFilledFormIsSubmitted(t *testing.T) {
	b := start(t, 120, 34)
	b.pasteLate("/none/1")
	b.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(pastedJSON), Paste: true})
	b.Type("left out")
	b.Key("esc") // the first is text, the second is looked at then
	require.True(t, b.m.over.Has(askRequest))
	b.Key("f", "ctrl+s")
	assert.Len(t, b.jobs.got, 1)
}
