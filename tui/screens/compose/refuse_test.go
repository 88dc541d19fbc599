package compose

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/rows"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/tuitest"
)

// What was said of a form that could not be submitted goes when the form changes.
func TestARefusalGoesWithItsMistake(t *testing.T) {
	b := start(t, 120, 34)
	b.Key("ctrl+s")
	said := toast(t, b).Text
	require.Contains(t, said, "not submitted: ")
	_, gone := tuitest.Last[screen.UntoastMsg](b.Driver)
	require.False(t, gone)
	b.Type("a")
	msg, gone := tuitest.Last[screen.UntoastMsg](b.Driver)
	require.True(t, gone)
	assert.Equal(t, said, msg.Text)
	b.Sent = nil
	b.Type("b")
	assert.Empty(t, b.Sent, "once is enough")
}

func TestARefusalOfABatchGoesWithItsMistake(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a kite")
	b.Key("alt+s")
	b.Type("x")
	b.Key("ctrl+s")
	said := toast(t, b).Text
	require.Contains(t, said, "not submitted: copies")
	b.Key("ctrl+u")
	msg, _ := tuitest.Last[screen.UntoastMsg](b.Driver)
	assert.Equal(t, said, msg.Text)
}

// Checks name an item of a list as the form does.
func TestChecksNumberItemsAsTheFormDoes(t *testing.T) {
	b := start(t, 120, 34)
	b.Type("a kite")
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famJq3-turbo", Mode: "i2v", Prompt: "a kite",
		Values: client.Values{"images": []any{"https://example.org/a.png", "ftp://nowhere"}}}})
	var all string
	for i := range b.m.sheet.Problems {
		all += b.m.sheet.Problems[i].Message + "\n"
	}
	assert.Contains(t, all, "Images ②: ")
	assert.NotContains(t, all, "images[")
	assert.NotContains(t, all, "Images[")
	b.m.sheet.Form.SetText("images", "ftp://nowhere")
	b.m.doc.Changed("images")
	assert.Contains(t, b.m.sheet.Problems[0].Message, "Images: ", "one alone has no number")
}

func TestEachButtonHasItsHelp(t *testing.T) {
	b := start(t, 120, 34)
	require.True(t, b.m.sheet.Form.Focus(sheet.RowButtons))
	submit, _ := b.m.sheet.Describe(sheet.RowButtons)
	b.Key("right")
	compare, _ := b.m.sheet.Describe(sheet.RowButtons)
	assert.NotEqual(t, submit, compare)
	assert.Contains(t, compare, "Compare")
}

func TestAModelWithoutModesIsNamedAlone(t *testing.T) {
	b, _ := resultBench(t, 120, 34)
	b.Send(screen.ComposeResult{JobID: pictureJob, As: "edit"})
	assert.NotContains(t, toast(t, b).Text, "in mode "+rows.Unset)
}
