package compose

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/expand"
)

// What a preset of another kind has changed comes back with the former form: its kind and
// values, and what the preset's kind had of its own.
func TestTheFormBeforeAPresetOfAnotherKindComesBack(t *testing.T) {
	b, s := presetBench(t, 120, 34)
	s.presets[3].Draft.Values = client.Values{"upstream_model": "famO-speech-2.8-hd", "title": "waves"}
	s.presets = append(s.presets, expand.PresetFile{Preset: expand.Preset{Name: "words", Draft: client.Draft{Modality: client.Chat, Model: "any-model", Prompt: "hi"}}, Path: "/x/words.yaml"})
	b.turnTo(client.Music)
	b.m.sheet.Form.SetText("upstream_model", "famP-3-pro")
	b.m.doc.Changed("upstream_model")
	b.turnTo(client.Video)
	b.pick("famI-omni")
	require.True(t, b.m.sheet.Form.Focus(client.FieldPrompt))
	b.Type("mine")
	require.True(t, b.m.sheet.Form.Focus("resolution"))
	b.Type("720p")
	before := b.m.sheet.Whole()
	take := func(name string) {
		b.Key("alt+p")
		b.Type(name)
		b.Key("enter")
	}
	mine := func(what string) {
		t.Helper()
		b.Key("alt+z")
		assert.Equal(t, before, b.m.sheet.Whole(), what)
		b.turnTo(client.Music)
		assert.Equal(t, "famP-3-pro", b.m.sheet.Draft.Values["upstream_model"], what)
		assert.NotContains(t, b.m.sheet.Values, "title", what)
		b.turnTo(client.Chat)
		assert.Empty(t, b.m.sheet.Draft.Model, what)
		b.turnTo(client.Video)
	}
	take("rain")
	assert.Equal(t, "famO-speech-2.8-hd", b.m.sheet.Draft.Values["upstream_model"])
	mine("after music")
	take("words")
	assert.Equal(t, "any-model", b.m.sheet.Draft.Model)
	mine("after chat")
	b.Key("alt+z", "alt+z")
	assert.Equal(t, client.Chat, b.m.sheet.Modality)
	assert.Equal(t, "any-model", b.m.sheet.Draft.Model, "and what the presets made comes back as well")
}

// An empty form comes back with its kind where that became another, and what the preset's kind
// had with it.
func TestAnEmptyFormBeforeAPresetOfAnotherKindComesBack(t *testing.T) {
	b, s := presetBench(t, 120, 34)
	s.presets[3].Draft.Values = client.Values{"upstream_model": "famO-speech-2.8-hd"}
	b.turnTo(client.Music)
	b.m.sheet.Form.SetText("upstream_model", "famP-3-pro")
	b.m.doc.Changed("upstream_model")
	b.turnTo(client.Video)
	require.True(t, b.m.sheet.Blank())
	b.Key("alt+p")
	b.Type("rain")
	b.Key("enter", "alt+z")
	assert.Equal(t, client.Video, b.m.sheet.Modality)
	assert.Empty(t, b.m.sheet.Draft.Prompt)
	b.turnTo(client.Music)
	assert.Equal(t, "famP-3-pro", b.m.sheet.Draft.Values["upstream_model"])
}
