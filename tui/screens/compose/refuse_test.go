package compose

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/form"
)

// What was said of a form that could not be submitted goes when the form changes.
func TestARefusalGoesWithItsMistake(t *testing.T) {
	for _, s := range [][2]int{{120, 34}, {80, 24}, {40, 12}} {
		b := start(t, s[0], s[1])
		b.Key("ctrl+s")
		assert.Contains(t, b.View(), "✗ not submitted: Prompt")
		_, said := tuitest.Last[screen.ToastMsg](b.Driver)
		assert.False(t, said, "nothing covers the field that it is about")
		b.Type("a")
		assert.NotContains(t, b.View(), "not submitted")
	}
}

// Nothing is wrong with a form in which nothing was written yet: it says what to do.
func TestTheFirstFormIsQuiet(t *testing.T) {
	for _, s := range [][2]int{{200, 60}, {120, 34}, {80, 24}, {40, 12}} {
		b := start(t, s[0], s[1])
		assert.NotContains(t, b.View(), "✗", sized(s))
		assert.Contains(t, b.View(), "write a prompt, ^S submits", sized(s))
		b.Type("a")
		b.Key("backspace")
		assert.NotContains(t, b.View(), "✗", "who takes it back has written nothing")
		b.Key("ctrl+s")
		assert.Contains(t, b.View(), "✗", sized(s))
		b.Type("a kite")
		b.Key("ctrl+x")
		assert.NotContains(t, b.View(), "✗", "a form that was cleared begins anew")
	}
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
	assert.NotContains(t, toast(t, b).Text, "in mode "+form.Auto)
}
