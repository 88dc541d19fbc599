package structured

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	pieces "darkroom/tui/dialogs/items"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/document/documenttest"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/items"
)

func edit(t *testing.T) (*document.Document, *screen.Stack, *Editor) {
	t.Helper()
	doc, k := documenttest.New(t), keys.New(screen.Rows(pieces.Commands()))
	over := screen.NewStack(k, tuitest.Styles(t), func(any) tea.Cmd { return nil })
	over.SetSize(120, 34)
	e := New(doc, &over, k)
	documenttest.Run(doc, doc.Fill(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v"}}))
	return doc, &over, &e
}

func TestAFieldIsOpenedPieceByPiece(t *testing.T) {
	doc, over, e := edit(t)
	assert.Empty(t, e.Off())
	e.OpenAny()
	require.True(t, over.Has(pieces.Scope), "the first that has named keys")
	over.Clear()
	assert.Contains(t, documenttest.Run(doc, e.Open("seed", "", nil))[0], "it is edited as JSON")

	documenttest.Run(doc, doc.Set("content", "{ no JSON"))
	assert.NotEmpty(t, documenttest.Run(doc, e.Open("content", "", nil)))
	assert.False(t, over.Has(pieces.Scope), "what is not JSON is mended first")
	assert.Equal(t, "content", doc.Sheet.Form.Focused())
}

func TestWhatTheDialogSaysIsInTheDocument(t *testing.T) {
	doc, _, e := edit(t)
	const list = `[{"type":"text","text":"a kite"}]`
	documenttest.Run(doc, e.Said(pieces.Said{Name: "content", Text: list, Event: items.Event{Changed: true}}))
	assert.Equal(t, []any{map[string]any{"type": "text", "text": "a kite"}}, doc.Sheet.Draft.Values["content"])
	assert.EqualValues(t, 2, doc.Changes(), "the fill, and this")
	documenttest.Run(doc, e.Said(pieces.Said{Name: "content", Event: items.Event{Closed: true}}))
	assert.Equal(t, "content", doc.Sheet.Form.Focused())
	assert.True(t, doc.Sheet.Pieces.Shows("content", doc.Sheet.Draft.Values["content"]))
	documenttest.Run(doc, e.Said(pieces.Said{Name: "content", Event: items.Event{Raw: true}}))
	assert.False(t, doc.Sheet.Pieces.Shows("content", doc.Sheet.Draft.Values["content"]), "as JSON")
}

func TestWhatIsPastedOntoPiecesIsAdded(t *testing.T) {
	doc, over, e := edit(t)
	doc.Sheet.Form.Focus(client.FieldPrompt)
	_, ok := e.Paste([]rune("https://example.org/a.png"))
	assert.False(t, ok, "that is a text")
	doc.GoTo("content")
	_, ok = e.Paste([]rune("https://example.org/a.png"))
	assert.True(t, ok)
	assert.True(t, over.Has(pieces.Scope))
}
