package pasted

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/intake"
	"darkroom/client/media"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/document/documenttest"
	"darkroom/tui/tuitest"
)

// table is an intake over a document, and what it did with what was pasted.
type table struct {
	*Intake
	doc      *document.Document
	over     screen.Stack
	got      intake.Result
	err      error
	text     string
	attached []media.File
	field    string
	toasts   []string
}

func newTable(t *testing.T) *table {
	t.Helper()
	b := &table{doc: documenttest.New(t)}
	b.over = screen.NewStack(keys.New(nil), tuitest.Styles(t), func(a any) tea.Cmd { return b.Answer(a.(ask.Chosen)) })
	b.Intake = New(Options{
		Doc: b.doc, Over: &b.over,
		Read:   func(string, intake.Hint) (intake.Result, error) { return b.got, b.err },
		Do:     func(msg tea.Msg) tea.Cmd { b.text += string(msg.(tea.KeyMsg).Runes); return nil },
		Paste:  func(text []rune) tea.Cmd { b.text += string(text); return nil },
		Attach: func(files []media.File, field string) tea.Cmd { b.attached, b.field = files, field; return nil },
	})
	return b
}

// paste pastes a text, types a word, and brings what the look finds; false for a plain text.
func (b *table) paste(text string) bool {
	look, ok := b.Take([]rune(text))
	if ok {
		b.Do(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("!")})
		b.run(b.Looked(look().(LookedMsg)))
	}
	return ok
}

func (b *table) answer(key string) {
	cmd, _ := b.over.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)})
	b.run(cmd)
}

func (b *table) run(cmd tea.Cmd) { b.toasts = append(b.toasts, documenttest.Run(b.doc, cmd)...) }

func picture(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), 0o600))
	return path
}

const curl = "curl https://gateway.example/v1/videos -H 'Authorization: Bearer sk-0123456789abcdef' -d '{}'"

func TestARequestFillsTheFormOnceThePersonSaysSo(t *testing.T) {
	b := newTable(t)
	assert.False(t, b.paste("a plain prompt"))
	b.got = intake.Result{Command: true, Draft: client.Draft{Modality: client.Video, Prompt: "a kite"}}
	require.True(t, b.paste(curl))
	assert.True(t, b.over.Has(scopeRequest))
	assert.True(t, b.Asks())
	assert.Contains(t, b.Unsaved(), "A question about what was pasted")
	assert.Empty(t, b.text, "what was typed waits for the answer")
	b.answer("f")
	assert.Equal(t, "a kite", b.doc.Sheet.Draft.Prompt)
	assert.Contains(t, strings.Join(b.toasts, "\n"), "left out, since the form is another one now: !")

	require.True(t, b.paste(curl))
	b.answer("t")
	assert.True(t, strings.HasPrefix(b.text, "curl") && strings.HasSuffix(b.text, "!"), b.text)
	assert.NotContains(t, b.text, "sk-0123456789abcdef")
	assert.Empty(t, b.Unsaved())
}

func TestWhatIsNoRequestIsText(t *testing.T) {
	b := newTable(t)
	b.got.Command, b.err = true, errors.New("no body")
	require.True(t, b.paste(curl))
	assert.Contains(t, b.text, "curl https://gateway.example")
	assert.Contains(t, b.toasts[0], "it fills no form: no body")
}

func TestFilesOfThisMachineAreAskedFor(t *testing.T) {
	b := newTable(t)
	got := intake.Result{Draft: client.Draft{Modality: client.Video, Prompt: "a kite", Values: client.Values{"image": "file:///etc/passwd"}}}
	if len(got.Files()) == 0 {
		t.Fatal("the request names no file")
	}
	var filled []client.Values
	fill := func(got intake.Result) tea.Cmd { filled = append(filled, got.Draft.Values); return nil }
	b.run(b.Fill(got, nil, fill))
	require.True(t, b.over.Has(scopeAttach))
	b.answer("a")
	b.run(b.Fill(got, nil, fill))
	b.answer("o")
	b.run(b.Fill(got, got.Draft.LocalFiles(), fill))
	assert.False(t, b.over.Has(scopeAttach), "it had that one")
	require.Len(t, filled, 3)
	assert.Equal(t, got.Draft.Values, filled[0])
	assert.Empty(t, filled[1])
	assert.Equal(t, got.Draft.Values, filled[2])
	assert.Equal(t, []string{"1 file on this machine left out"}, b.toasts)
}

func TestDroppedFilesAreReferencesOrText(t *testing.T) {
	b := newTable(t)
	path := picture(t, "a b.png")
	b.doc.Sheet.Form.Focus(client.FieldPrompt)
	require.True(t, b.paste("'"+path+"'"))
	require.True(t, b.over.Has(scopeDropped))
	b.answer("r")
	require.Len(t, b.attached, 1)
	assert.Equal(t, path, b.attached[0].Path)
	assert.Empty(t, b.field, "whichever takes it")
	assert.Equal(t, "!", b.text)

	require.True(t, b.paste(path))
	b.answer("t")
	assert.Equal(t, "!"+path+"!", b.text)
	b.text = ""
	require.True(t, b.paste("/no/such/file.png"))
	assert.Equal(t, "/no/such/file.png!", b.text, "it is not a file")
}

func TestNothingWaitsAfterwards(t *testing.T) {
	b := newTable(t)
	require.True(t, b.paste(curl))
	b.run(b.ReleaseAll("the console is ending"))
	assert.False(t, b.Asks())
	assert.True(t, strings.HasSuffix(b.text, "!"))
	assert.Contains(t, b.toasts[0], "the console is ending: kept as text")
	look, ok := b.Take([]rune(picture(t, "c.png")))
	require.True(t, ok)
	b.run(b.ReleaseAll("the form was replaced"))
	assert.Nil(t, b.Looked(look().(LookedMsg)), "it comes too late")
	assert.True(t, strings.HasSuffix(b.text, "c.png"))
	assert.Nil(t, b.Chosen(), "nothing waits for a choice")
}
