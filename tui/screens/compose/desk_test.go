package compose

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/autosave"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/tuitest"
)

func TestDraftsAreKeptAndComeBack(t *testing.T) {
	b := start(t, 120, 34)
	assert.Empty(t, b.m.Unsaved())
	b.Type("a kite")
	assert.NotEmpty(t, b.m.Unsaved())
	b.m.doc.Saver.Later = func() tea.Cmd { return func() tea.Msg { return autosave.TickMsg{} } }
	b.Send(autosave.TickMsg{})
	b.Type("s")
	assert.Empty(t, b.m.Unsaved(), "a change wakes up to save by itself")
	assert.Contains(t, b.View(), "draft saved")
	assert.Equal(t, "a kites", b.drafts.kept[client.Video].Draft.Prompt)
	b.m.doc.Saver.Later = func() tea.Cmd { return nil }
	b.Type(" in the sky")
	assert.NotEmpty(t, b.m.Unsaved())
	b.Send(screen.HiddenMsg{})
	assert.Equal(t, "a kites in the sky", b.drafts.kept[client.Image].Draft.Prompt, "every kind keeps the prompt")
	assert.Empty(t, b.m.Unsaved())

	m, _, _ := newModel(t, keeping(b.drafts))
	again := tuitest.NewScreen(t, m, 120, 34)
	assert.Contains(t, again.View(), "a kites in the sky")
	assert.Empty(t, m.Unsaved(), "what was read is saved")
}

func TestFlushSavesWhatIsLeft(t *testing.T) {
	b := start(t, 120, 34)
	require.NoError(t, b.m.Flush(), "nothing was typed")
	assert.Zero(t, b.drafts.saves)
	b.Type("a kite")
	slow := b.m.doc.Saver.Save(b.m.sheet.Kept) // a command that the loop's end has left lying
	b.Type("s")
	require.NoError(t, b.m.Flush())
	assert.Equal(t, "a kites", b.drafts.kept[client.Video].Draft.Prompt)
	assert.Empty(t, b.m.Unsaved())
	n := b.drafts.saves
	require.NoError(t, b.m.Flush())
	assert.Equal(t, n, b.drafts.saves, "once is enough")
	_ = slow()
	assert.Equal(t, "a kites", b.drafts.kept[client.Video].Draft.Prompt, "an older one that comes late")
	b.Type("!")
	b.drafts.err = errors.New("disk full")
	assert.ErrorContains(t, b.m.Flush(), "disk full")
}

func TestFlushBeforeTheDraftsWereRead(t *testing.T) {
	m, _, d := newModel(t)
	d.kept[client.Video] = screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Prompt: "kept", Values: client.Values{"seed": "7"}}}
	m.SetSize(80, 24)
	_, _ = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("typed")})
	require.NoError(t, m.Flush())
	assert.Equal(t, "typed", d.kept[client.Video].Draft.Prompt)
	assert.Equal(t, "7", d.kept[client.Video].Draft.Values["seed"], "what was kept is not lost")
}

func TestSaveFailureIsSaidOnce(t *testing.T) {
	b := start(t, 120, 34)
	b.drafts.err = errors.New("read-only")
	b.Type("x")
	b.Send(autosave.TickMsg{})
	assert.Equal(t, screen.Warn, toast(t, b).Level)
	b.Sent = nil
	b.Type("y")
	b.Send(autosave.TickMsg{})
	assert.Empty(t, b.Sent)
	assert.NotEmpty(t, b.m.Unsaved())
}

func TestClearAndBringBack(t *testing.T) {
	b := filledBench(t, 120, 34)
	require.True(t, b.m.sheet.Form.Focus(sheet.RowFormat))
	b.Key("right")
	before := b.m.sheet.Whole()
	require.NotEmpty(t, before.Format)
	b.Key("ctrl+x")
	assert.True(t, b.m.sheet.Blank())
	assert.Contains(t, toast(t, b).Text, "cleared; alt+z brings back")
	b.Send(screen.HiddenMsg{})
	b.Send(screen.ShownMsg{})
	b.Key("ctrl+x")
	assert.True(t, b.m.sheet.Blank(), "a key that clears brings nothing back")
	assert.Contains(t, toast(t, b).Text, "the form is empty; alt+z brings back")
	b.Key("alt+z")
	assert.Equal(t, before, b.m.sheet.Whole())
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Image, Model: "famL", Prompt: "other"}})
	assert.Equal(t, "other", b.m.sheet.Draft.Prompt)
	assert.Equal(t, client.Image, b.m.sheet.Modality)
	assert.Empty(t, b.m.sheet.Values)
	b.Send(screen.ActionMsg{ID: "compose.bring-back"})
	assert.Equal(t, before, b.m.sheet.Whole())
}

func TestEditorCopyAndCompare(t *testing.T) {
	b := start(t, 120, 34)
	b.Type("a kite")
	b.Key("ctrl+o")
	edit, ok := tuitest.Last[screen.EditMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.EditMsg{Text: "a kite", Suffix: ".txt", Tag: "prompt"}, edit)
	b.Send(screen.EditedMsg{Tag: "prompt", Text: "a green kite\n"})
	assert.Equal(t, "a green kite", b.m.sheet.Draft.Prompt)
	b.Send(screen.EditedMsg{Tag: "prompt", Text: "lost", Err: errors.New("exit 1")})
	assert.Equal(t, "a green kite", b.m.sheet.Draft.Prompt)
	b.Key("f3", "f6")
	copied, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	require.True(t, ok)
	assert.True(t, strings.HasPrefix(copied.Text, "curl "))
	b.Click("btn:compose/#do/o1")
	open, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.Compare, open.Screen)
	assert.Equal(t, "a green kite", open.Payload.(screen.CompareDraft).Draft.Prompt)
}

func TestChecksAreClickedTo(t *testing.T) {
	b := start(t, 120, 34)
	b.Key("ctrl+s")
	require.True(t, b.m.sheet.Form.Focus("seed"))
	b.Click("compose-check/0")
	assert.Equal(t, client.FieldPrompt, b.m.sheet.Form.Focused())
	b.Click("compose-tab/1")
	assert.Contains(t, b.View(), "DARKROOM_API_KEY")
}

func TestDroppedValuesAreNamed(t *testing.T) {
	b := start(t, 120, 34)
	b.Key("alt+m")
	require.True(t, b.m.sheet.Form.Focus("callback_url"))
	b.Type("https://example.org/hook")
	assert.Contains(t, b.View(), "Callback URL is not sent in this")
}

func TestEveryActionIsKnown(t *testing.T) {
	b := filledBench(t, 120, 34)
	for _, a := range b.m.Actions() {
		assert.NotEmpty(t, a.Title)
		assert.NotEqual(t, a.ID, a.Title, "an action without a title")
		b.Send(screen.ActionMsg{ID: a.ID})
		tuitest.CheckFrame(t, b.Frame(), 120, 34)
	}
}

// TestTheFormatOfADraftStays: a job of another format comes in as it was sent, and a
// restart knows the format that was chosen.
func TestTheFormatOfADraftStays(t *testing.T) {
	b := start(t, 120, 34)
	d := client.Draft{Modality: client.Video, Model: "famG-h3", Mode: "t2v", Prompt: "a kite"}
	b.Send(screen.ComposeDraft{Draft: d, Format: "content"})
	assert.Equal(t, "content", b.m.sheet.Effective().Format)
	require.NoError(t, b.m.Flush())
	assert.Equal(t, "content", b.drafts.kept[client.Video].Format)

	next, _, kept := newModel(t)
	kept.kept = b.drafts.kept
	again := &bench{Driver: tuitest.NewScreen(t, next, 120, 34), m: next}
	assert.Contains(t, again.View(), "‹content›")

	b.Send(screen.ComposeDraft{Draft: d})
	assert.Equal(t, "videos", b.m.sheet.Effective().Format, "the first that fits, where none is wished for")
}
