package preset

import (
	"context"
	"encoding/json"
	"io/fs"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/client/catalog/catalogtest"
	"darkroom/client/expand"
	"darkroom/tui/dialogs/presets"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/document/documenttest"
	"darkroom/tui/tuitest"
)

// shelf keeps nothing.
type shelf struct{ presets.Shelf }

func (shelf) Presets(context.Context) ([]expand.PresetFile, error) { return nil, fs.ErrNotExist }

func open(t *testing.T) (*Presets, *document.Document, *screen.Stack) {
	t.Helper()
	d := documenttest.New(t)
	over := screen.NewStack(keys.Map{}, tuitest.Styles(t), func(any) tea.Cmd { return nil })
	documenttest.Run(d, d.Fill(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "mine",
		Values: client.Values{"resolution": "720p", "duration": "4"}}}))
	return New(Options{Shelf: shelf{}, Catalog: catalogtest.Catalog(t)}, d, &over), d, &over
}

func TestWhatAPresetDoesNotHoldStays(t *testing.T) {
	p, d, _ := open(t)
	x := expand.PresetFile{Preset: expand.Preset{Name: "kites", Expand: expand.Every, Variables: map[string]string{"place": "a lake"}}}
	draft := client.Draft{Modality: client.Video, Prompt: "a kite over ${place}", Values: client.Values{"seconds": json.Number("6")},
		Extra: map[string]json.RawMessage{"zz": json.RawMessage("1")}}
	assert.Equal(t, []presets.Change{
		{Label: "Prompt", Was: "mine", Is: "a kite over ${place}"}, {Label: d.Label("duration"), Was: "4", Is: "6"},
		{Label: "raw zz", Is: "1"}, {Label: "${place}", Is: "a lake"},
		{Label: "Template", Was: batch.Undecided.Label(), Is: batch.PromptMode(expand.Every).Label()},
	}, p.changes(x, draft))
	said := documenttest.Run(d, p.Take(presets.Taken{Preset: x, Draft: draft}))
	assert.Equal(t, []string{"preset kites: Prompt, " + d.Label("duration") + ", raw zz, ${place}, Template changed; alt+z brings back what was there"}, said)
	assert.Equal(t, "famI-omni", d.Sheet.Draft.Model)
	assert.Equal(t, "720p", d.Sheet.Draft.Values["resolution"])
	assert.Equal(t, json.Number("6"), d.Sheet.Draft.Values["duration"], "an alias names its field")
	assert.Equal(t, batch.PromptMode(expand.Every), d.Sheet.Template.Mode)

	assert.Equal(t, []string{"preset kites: the form has all of it already"}, documenttest.Run(d, p.Take(presets.Taken{Preset: x, Draft: draft})))
}

func TestAProjectsWordAloneMakesNoBatch(t *testing.T) {
	p, d, _ := open(t)
	x := expand.PresetFile{Preset: expand.Preset{Name: "team", Expand: expand.Every}, Project: true}
	said := documenttest.Run(d, p.Take(presets.Taken{Preset: x, Draft: client.Draft{Prompt: "{ours|theirs}"}}))
	assert.Contains(t, said[0], "; it is the project's")
	assert.Equal(t, batch.Undecided, d.Sheet.Template.Mode)
	assert.Equal(t, client.Video, d.Sheet.Modality)
	documenttest.Run(d, p.Take(presets.Taken{Preset: x, Draft: client.Draft{Modality: client.Music, Prompt: "slow"}}))
	assert.Equal(t, client.Music, d.Sheet.Modality, "of another kind")
}

func TestTheDialogsOverPresets(t *testing.T) {
	p, _, over := open(t)
	assert.Empty(t, p.Off())
	assert.NotEmpty(t, New(Options{}, nil, nil).Off())
	assert.Nil(t, p.Recount(), "no dialog shows the form")
	p.Open()
	_, list := over.Top().(*presets.Dialog)
	assert.True(t, list)
	over.Clear()
	p.Save()
	assert.True(t, over.Has(presets.Scope))
	_, list = over.Top().(*presets.Dialog)
	assert.False(t, list, "what is kept is the form")
}
