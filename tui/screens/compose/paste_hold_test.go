package compose

import (
	"os"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
)

// pasteLate pastes a text whose look has no answer yet; the returned function brings it.
func (b *bench) pasteLate(text string) func() {
	_, cmd := b.m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
	return func() { b.Send(cmd()) }
}

func TestWhatIsTypedComesBehindWhatWasPasted(t *testing.T) {
	b := start(t, 120, 34)
	answer := b.pasteLate("/no/such/file.png")
	b.Type(" and a kite")
	assert.Contains(t, b.View(), "looking at what was pasted; what you type waits for it")
	assert.Empty(t, b.m.sheet.Form.Text(client.FieldPrompt))
	answer()
	assert.Equal(t, "/no/such/file.png and a kite", b.m.sheet.Form.Text(client.FieldPrompt))
	assert.NotContains(t, b.View(), "looking at")

	first := b.pasteLate("/none/1")
	b.Type(" ")
	b.Paste("/none/2")
	b.Type("!")
	first()
	assert.Equal(t, "/no/such/file.png and a kite/none/1 /none/2!", b.m.sheet.Form.Text(client.FieldPrompt))
}

func TestNothingIsSentWithoutWhatWasPasted(t *testing.T) {
	path := pictures(t, t.TempDir(), "a.png")[0]
	for name, submit := range map[string]tea.Msg{"key": tea.KeyMsg{Type: tea.KeyCtrlS}, "palette": screen.ActionMsg{ID: "compose.submit"},
		"button": screen.ClickMsg{Zone: "btn:" + sheet.ZonePrefix + sheet.RowButtons + "/o0"}} {
		b := start(t, 120, 34)
		b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "i2v", Prompt: "fly"}})
		b.m.doc.GoTo("image")
		answer := b.pasteLate(path)
		b.Send(submit)
		assert.Empty(t, b.jobs.got, name)
		answer()
		require.Len(t, b.jobs.got, 1, name)
		assert.Equal(t, client.FileURL(path), b.jobs.got[0][0].Draft.Values["image"], name)
	}
}

func TestEscTakesAPasteAsText(t *testing.T) {
	b := start(t, 120, 34)
	answer := b.pasteLate("/no/such/file.png")
	b.Type(" x")
	b.Key("ctrl+s", "esc")
	assert.Equal(t, "/no/such/file.png x", b.m.sheet.Form.Text(client.FieldPrompt))
	assert.Empty(t, b.jobs.got, "nobody has seen yet what it would be")
	assert.Contains(t, toast(t, b).Text, "not submitted: what was pasted is text now")
	answer()
	assert.Equal(t, "/no/such/file.png x", b.m.sheet.Form.Text(client.FieldPrompt), "it comes too late")
	b.Key("ctrl+s")
	assert.Len(t, b.jobs.got, 1)
}

// What was typed before a question could be seen is no answer to it, and sends nothing.
func TestAQuestionAboutAPasteIsAnsweredBeforeWhatWaited(t *testing.T) {
	dir := t.TempDir()
	paths := pictures(t, dir, "a.png", "b.png")
	want := []any{client.FileURL(paths[0]), client.FileURL(paths[1])}
	for key, prompt := range map[string]string{"r": "fortress", "t": strings.Join(paths, "\n") + "fortress", "esc": "fortress"} {
		b := start(t, 120, 34)
		answer := b.pasteLate(strings.Join(paths, "\n"))
		b.Type("fortress")
		b.Key("ctrl+s")
		answer()
		require.True(t, b.m.over.Has(askDropped), key)
		b.Key(key)
		assert.Equal(t, prompt, b.m.sheet.Form.Text(client.FieldPrompt), key)
		assert.Empty(t, b.jobs.got, key)
		assert.Contains(t, toast(t, b).Text, "not submitted: there was a question", key)
		if key == "r" {
			assert.Equal(t, want, b.m.sheet.Draft.Values["reference_images"])
		}
	}
	b := realBench(t, 120, 34)
	answer := b.pasteLate(pastedCurl)
	b.Type("tomorrow")
	answer()
	require.True(t, b.m.over.Has(askRequest))
	b.Key("t")
	assert.True(t, strings.HasSuffix(b.m.sheet.Form.Text(client.FieldPrompt), "tomorrow"))
	assert.NotContains(t, b.m.sheet.Form.Text(client.FieldPrompt), "sk-0123456789abcdef")

	b = realBench(t, 120, 34)
	answer = b.pasteLate(pastedCurl)
	b.Type("to morrow")
	answer()
	b.Key("f")
	assert.Equal(t, "a 塩 kite 🪁", b.m.sheet.Form.Text(client.FieldPrompt))
	assert.Contains(t, toast(t, b).Text, "left out, since the form is another one now: to morrow")

	b = realBench(t, 120, 34)
	b.pasteLate(pastedCurl)
	b.Key("esc")
	assert.Contains(t, b.m.sheet.Form.Text(client.FieldPrompt), "curl -sS")
	assert.NotContains(t, b.m.sheet.Form.Text(client.FieldPrompt), "sk-0123456789abcdef", "nor is it kept unread")
}

func TestAPasteIsNotLostAtTheEnd(t *testing.T) {
	b := start(t, 120, 34)
	b.pasteLate("/no/such/file.png")
	b.Type("!")
	assert.Contains(t, b.m.Unsaved(), "still reading")
	require.NoError(t, b.m.Flush())
	assert.Equal(t, "/no/such/file.png!", b.drafts.kept[client.Video].Draft.Prompt)

	b = start(t, 120, 34)
	b.pasteLate("/no/such/file.png")
	b.Type("!")
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "another"}})
	assert.Equal(t, "another", b.m.sheet.Draft.Prompt)
	b.Key("alt+z")
	assert.Equal(t, "/no/such/file.png!", b.m.sheet.Draft.Prompt)
}

// A file that was chosen is a reference before what was pressed since is done.
func TestNothingIsSentWithoutAFileThatWasChosen(t *testing.T) {
	dir := t.TempDir()
	path := pictures(t, dir, "a.png")[0]
	t.Setenv("HOME", dir)
	b := start(t, 120, 34)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "i2v", Prompt: "fly"}})
	b.m.doc.GoTo("image")
	b.Key("alt+o")
	late := pressed(t, b.m, "enter")
	b.Key("ctrl+s")
	assert.Empty(t, b.jobs.got)
	b.Send(late())
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, client.FileURL(path), b.jobs.got[0][0].Draft.Values["image"])

	b.Key("alt+o")
	pressed(t, b.m, "enter")
	b.Key("ctrl+s", "esc")
	assert.Len(t, b.jobs.got, 1)
	assert.Contains(t, toast(t, b).Text, "not added")
}

// What was pressed before it could be seen that not all was taken sends nothing.
func TestNothingIsSentWithAPartOfWhatWasPasted(t *testing.T) {
	dir := t.TempDir()
	paths := pictures(t, dir, "a.png", "b.png")
	t.Setenv("HOME", dir)
	i2v := screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "i2v", Prompt: "fly"}}
	b := start(t, 120, 34)
	b.Send(i2v)
	b.m.doc.GoTo("image")
	answer := b.pasteLate(strings.Join(paths, "\n"))
	b.Key("ctrl+s")
	answer()
	assert.Equal(t, client.FileURL(paths[0]), b.m.sheet.Draft.Values["image"])
	assert.Empty(t, b.jobs.got)
	assert.Contains(t, toast(t, b).Text, "not submitted: not all files are taken")

	b.Key("alt+o", "alt+a")
	late := pressed(t, b.m, "enter")
	b.Key("ctrl+s")
	require.NoError(t, os.Remove(paths[0]))
	b.Send(late())
	assert.Empty(t, b.jobs.got, "the file is gone")

	b = start(t, 120, 34)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Speech, Prompt: "words"}})
	b.Key("alt+o")
	late = pressed(t, b.m, "enter")
	b.Type(" more")
	b.Send(late())
	require.True(t, b.m.over.Has(choose.Scope))
	b.Key("esc")
	assert.Equal(t, "words more", b.m.sheet.Form.Text(client.FieldPrompt), "what was typed is no name of a model")
}
