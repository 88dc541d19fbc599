package batches

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document/documenttest"
	"darkroom/tui/screens/compose/internal/sending"
	"darkroom/tui/tuitest"
)

func TestABatchIsMadeOfTheForm(t *testing.T) {
	d := documenttest.New(t)
	over := screen.NewStack(keys.Map{}, tuitest.Styles(t), func(any) tea.Cmd { return nil })
	over.SetSize(120, 34)
	seed := uint64(41)
	b := New(Options{Catalog: catalogtest.Catalog(t), Seed: func() uint64 { seed++; return seed }}, d, &over)
	documenttest.Run(d, d.Fill(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a {red|blue} kite"}}))

	one, many := b.Copies(1), b.Copies(3)
	assert.Zero(t, one.Master, "one job needs no number to be drawn again")
	assert.EqualValues(t, 42, many.Master)
	assert.Equal(t, 3, many.Count)
	assert.Equal(t, "a {red|blue} kite", many.Base.Prompt)

	assert.Nil(t, b.Recount(), "no dialog shows the form")
	documenttest.Run(d, d.Fill(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "i2v", Values: client.Values{"image": "file:///none.png"}}}))
	look := b.Open(batch.OfTemplate, false)
	require.NotNil(t, look)
	assert.Nil(t, over.Top(), "its references are looked at first")
	d.Looked()
	require.True(t, over.Has(batch.Scope))

	master := uint64(7)
	b.Sent(sending.SentMsg{Master: &master, Err: assert.AnError})
	assert.Nil(t, b.last, "what was not written down is not drawn again")
	b.Sent(sending.SentMsg{Master: &master})
	assert.Equal(t, &master, b.last)
	b.Sent(sending.SentMsg{})
	assert.Equal(t, &master, b.last, "a batch of which nothing was drawn leaves the number")
	assert.True(t, over.Has(batch.Scope), "what was sent was none of the dialog's")
}
