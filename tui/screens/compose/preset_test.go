package compose

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/dialogs/presets"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
)

func somePresets() []expand.PresetFile {
	path := func(name string) string { return "/home/me/.config/darkroom/presets/" + name + ".yaml" }
	return []expand.PresetFile{
		{Preset: expand.Preset{Name: "broken"}, Path: path("broken"), Err: errors.New("broken.yaml:3:1: unknown key \"modle\"")},
		{Preset: expand.Preset{Name: "kites", Description: "凧 over water 🪁, מישור", Expand: expand.Every, Variables: map[string]string{"place": "a lake"},
			Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a {red|blue} kite 🪁 over ${place}",
				Values: client.Values{"duration": json.Number("6"), "aspect_ratio": "16:9"}}}, Path: path("kites")},
		{Preset: expand.Preset{Name: "lost", Draft: client.Draft{Modality: client.Video, Values: client.Values{"reference_images": []any{"gone.png"}}}}, Path: path("lost")},
		{Preset: expand.Preset{Name: "rain", Draft: client.Draft{Modality: client.Music, Prompt: "slow piano"}}, Path: path("rain")},
		{Preset: expand.Preset{Name: "team", Expand: expand.Every, Draft: client.Draft{Prompt: "{ours|theirs}"}},
			Path: "/projects/kites/.darkroom/presets/team.yaml", Project: true, Hides: path("team")},
	}
}

func presetBench(t *testing.T, w, h int) (*bench, *shelf) {
	b, s := batchBench(t, w, h)
	s.presets = somePresets()
	return b, s
}

func TestAPresetGoesOverTheForm(t *testing.T) {
	b, _ := presetBench(t, 120, 34)
	b.Type("mine")
	require.True(t, b.m.sheet.Form.Focus("resolution"))
	b.Type("720p")
	b.Key("alt+p")
	b.Type("kit")
	view := b.View()
	assert.Contains(t, view, "Model: famA3 → famI-omni")
	assert.Contains(t, view, "Duration: not set → 6")
	assert.Contains(t, view, "Template: not decided → template")
	b.Key("enter")
	assert.False(t, b.m.over.Has(presets.Scope))
	assert.Equal(t, "famI-omni", b.m.sheet.Draft.Model)
	assert.Equal(t, "a {red|blue} kite 🪁 over ${place}", b.m.sheet.Draft.Prompt)
	assert.Equal(t, "720p", b.m.sheet.Draft.Values["resolution"], "what the preset does not hold stays")
	assert.Equal(t, json.Number("6"), b.m.sheet.Draft.Values["duration"])
	assert.Contains(t, toast(t, b).Text, "preset kites: Model, Prompt, Ratio, Duration")
	b.Key("ctrl+s")
	assert.Contains(t, b.View(), "sends 2 jobs")
	b.Key("enter")
	assert.Equal(t, []string{"a red kite 🪁 over a lake", "a blue kite 🪁 over a lake"}, b.said())
	b.Key("alt+z")
	assert.Equal(t, "mine", b.m.sheet.Draft.Prompt, "what was there comes back")
	assert.Equal(t, rules.Undecided, b.m.sheet.Template.Mode)
}

func TestAPresetOfAnotherKind(t *testing.T) {
	b, _ := presetBench(t, 120, 34)
	b.Key("alt+p")
	b.Type("rain")
	assert.Contains(t, b.View(), "Kind: video → music")
	b.Key("enter")
	assert.Equal(t, client.Music, b.m.sheet.Draft.Modality)
	assert.Equal(t, "slow piano", b.m.sheet.Draft.Prompt)
}

// A prompt of line breaks alone says nothing: it takes no prompt's place, and is not kept.
func TestAPresetWhosePromptIsLineBreaks(t *testing.T) {
	b, s := presetBench(t, 120, 34)
	s.presets = []expand.PresetFile{{Preset: expand.Preset{Name: "breaks", Draft: client.Draft{Modality: client.Video, Prompt: "\n \r\n", Values: client.Values{"duration": "5"}}}, Path: "/x/breaks.yaml"}}
	b.Type("mine")
	b.m.sheet.Template.Mode = rules.EveryPrompt
	b.Key("alt+p")
	assert.NotContains(t, b.View(), "Prompt:")
	b.Key("enter")
	assert.Equal(t, "mine", b.m.sheet.Draft.Prompt)
	assert.Equal(t, rules.EveryPrompt, b.m.sheet.Template.Mode)
	assert.Equal(t, "5", sheet.Text(b.m.sheet.Draft.Values["duration"]))

	b.m.sheet.Form.Focus(client.FieldPrompt)
	b.Key("ctrl+u")
	b.Paste("\n\n")
	b.Key("alt+P")
	b.Type("bare")
	assert.Contains(t, b.View(), "no prompt")
	assert.NotContains(t, b.View(), "left out")
	b.Key("ctrl+s")
	require.Len(t, s.saved, 1)
	assert.Empty(t, s.saved[0].Draft.Prompt)
}

func TestAProjectsPresetMakesNoBatchByItself(t *testing.T) {
	b, _ := presetBench(t, 120, 34)
	b.Key("alt+p")
	b.Type("team")
	view := b.View()
	assert.Contains(t, view, "it is taken instead of your own")
	b.Key("enter")
	assert.Equal(t, rules.Undecided, b.m.sheet.Template.Mode)
	assert.Contains(t, toast(t, b).Text, "it is the project's")
	b.Key("ctrl+s")
	assert.True(t, b.m.over.Has(batch.Scope), "it is asked")
	assert.Empty(t, b.jobs.got)
}

func TestTheFormIsSaved(t *testing.T) {
	b, s := presetBench(t, 120, 34)
	b.Paste("a {red|blue} kite 🪁")
	require.True(t, b.m.sheet.Form.Focus("aspect_ratio"))
	b.Type("16:9")
	b.Key("alt+P", "ctrl+s")
	assert.Contains(t, b.View(), "a name is needed")
	b.Type("short")
	b.Key("down")
	b.Type("凧")
	b.Key("ctrl+s")
	require.Len(t, s.saved, 1)
	p := s.saved[0]
	assert.Equal(t, "short", p.Name)
	assert.Equal(t, "凧", p.Description)
	assert.Equal(t, expand.AsIs, p.Expand, "nobody said that it is a template")
	assert.Equal(t, client.Values{"aspect_ratio": "16:9"}, p.Draft.Values)
	assert.Equal(t, "a {red|blue} kite 🪁", p.Draft.Prompt)
	assert.Contains(t, toast(t, b).Text, "/home/me/.config/darkroom/presets/short.yaml")
	assert.False(t, b.m.over.Has(presets.Scope))

	b.m.sheet.Template.Mode, b.m.sheet.Template.Vars = rules.SomePrompts, map[string]string{"x": "y"}
	b.Key("alt+P")
	b.Type("team2")
	b.Key("down", "down", "right")
	assert.Contains(t, b.View(), "/projects/kites/.darkroom/presets")
	b.Key("ctrl+s")
	assert.Equal(t, expand.Random, s.saved[1].Expand)
	assert.Equal(t, map[string]string{"x": "y"}, s.saved[1].Variables)
	assert.True(t, s.presets[len(s.presets)-1].Project)

	b.Key("alt+P")
	b.Type("settings")
	b.Key("down", "down", "down", "right", "ctrl+s")
	assert.Empty(t, s.saved[2].Draft.Prompt)
	assert.Equal(t, expand.AsIs, s.saved[2].Expand)
}

func TestPresetActions(t *testing.T) {
	b, _ := presetBench(t, 120, 34)
	b.Type("mine")
	b.Send(screen.ActionMsg{ID: "compose.presets"})
	assert.NotEmpty(t, b.m.over.Actions())
	assert.NotEmpty(t, b.m.ShortHelp())
	for _, a := range b.m.Actions() {
		assert.NotEqual(t, a.ID, a.Title)
	}
	b.Send(screen.WheelMsg{Delta: 1})
	b.Click("pick:1")
	assert.Equal(t, "famI-omni", b.m.sheet.Draft.Model)
	b.Send(screen.ActionMsg{ID: "compose.save-preset"})
	assert.True(t, b.m.Capturing())
	b.Send(screen.ActionMsg{ID: "presets.take"}, screen.ActionMsg{ID: "presets.delete"})
	assert.True(t, b.m.over.Has(presets.Scope), "those are for the list")
	b.Click("btn:compose-save/send/o1")
	assert.False(t, b.m.over.Has(presets.Scope))
	b.Send(screen.ActionMsg{ID: "presets.save"})
	assert.False(t, b.m.over.Has(presets.Scope))
}

func TestGoldensOfPresets(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		size := fmt.Sprintf("%dx%d", s[0], s[1])
		t.Run(size, func(t *testing.T) {
			b, _ := presetBench(t, s[0], s[1])
			b.Type("a 塩の平原 kite 🪁, מישור")
			b.Key("alt+p", "down", "down")
			b.Golden("presets-list-" + size)
			b.Key("ctrl+x")
			b.Golden("presets-delete-" + size)
			b.Key("esc", "ctrl+s", "ctrl+s")
			b.Golden("presets-replace-" + size)
			b.Key("esc")
			b.Golden("presets-save-" + size)
		})
	}
}

func TestWithoutAShelfThereAreNoPresets(t *testing.T) {
	b := start(t, 120, 34)
	b.Key("alt+p")
	assert.False(t, b.m.over.Has(presets.Scope))
	b.Key("alt+P")
	assert.False(t, b.m.over.Has(presets.Scope))
	assert.Contains(t, toast(t, b).Text, "presets are not kept here")
}

// The draft of a preset that cannot be read changes nothing.
func TestAPresetThatCannotBeTakenLeavesTheForm(t *testing.T) {
	b, _ := presetBench(t, 120, 34)
	b.Type("mine")
	before := b.m.sheet.Whole()
	b.Key("alt+p")
	b.Type("lost")
	b.Key("enter")
	assert.Contains(t, toast(t, b).Text, "the form is as it was: preset: \"gone.png\"")
	assert.Equal(t, before, b.m.sheet.Whole())
}

// The palette's action over the list is the list's: of the name that is under the cursor.
func TestTheFormIsSavedFromTheList(t *testing.T) {
	b, s := presetBench(t, 120, 34)
	b.Type("mine")
	b.Key("alt+p")
	b.Type("kites")
	b.Send(screen.ActionMsg{ID: "compose.save-preset"})
	b.Key("ctrl+s", "y")
	require.Len(t, s.saved, 1)
	assert.Equal(t, "kites", s.saved[0].Name)
	assert.Equal(t, "mine", s.saved[0].Draft.Prompt)
	assert.True(t, b.m.over.Has(presets.Scope), "back in the list")
	b.Key("esc")
	assert.Nil(t, b.m.over.Top())
}
