package pick

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
)

func plan(t *testing.T) Plan {
	t.Helper()
	c := catalogtest.Catalog(t)
	return NewPlan(c, func(client.Draft) []string { return []string{"videos"} }, client.Video)
}

func TestAPlanWalksFromTheDraftToItsModels(t *testing.T) {
	p := plan(t)
	assert.NotEmpty(t, p.Candidates)
	assert.Equal(t, "choose at least one model that can take the draft", p.WhyNot())
	own := p.Candidates[0].Model.ID
	p.Take(client.Draft{Modality: client.Video, Model: own}, "")
	assert.Equal(t, "type a prompt first", p.WhyNot())
	assert.True(t, p.SetPrompt("a red kite"), "now that there is one, others can take it")
	assert.False(t, p.SetPrompt("a red kite at dawn"))
	require.Empty(t, p.WhyNot())
	p.ToggleAll()
	assert.Greater(t, len(p.In()), 1)
	p.ToggleAll()
	assert.Empty(t, p.In())
	p.Toggle(own)
	assert.Len(t, p.In(), 1)
	p.SetKind(client.Image)
	assert.Equal(t, "a red kite at dawn", p.Base.Prompt)
	assert.Empty(t, p.In(), "models of another kind")
}

func TestModelsThatOnlyTheListsHaveCanBeTried(t *testing.T) {
	p := plan(t)
	p.SetPrompt("a red kite")
	p.Offer([]client.RemoteModel{{ID: "nova-9"}, {ID: p.Candidates[0].Model.ID}})
	i := p.Index("nova-9")
	require.GreaterOrEqual(t, i, 0)
	x := p.Candidates[i]
	assert.True(t, x.Tried)
	assert.True(t, x.Live)
	assert.False(t, x.Able(), "nobody knows its kind")
	assert.NotEmpty(t, x.Format)
	p.ToggleAll()
	assert.False(t, p.Chosen["nova-9"], "they are chosen one by one")
	assert.Equal(t, -1, p.Index("none"))
}

// TestWhatHadToBeAlteredIsNotChosenByItself: a model runs with settings of its own only when a person
// says so.
func TestWhatHadToBeAlteredIsNotChosenByItself(t *testing.T) {
	p := plan(t)
	p.Take(client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a kite", Values: client.Values{"resolution": "480P", client.FieldExternalTaskID: "mine"}}, "")
	x := p.Candidates[p.Index("famK-3.0")]
	assert.Equal(t, []string{"Resolution removed: always 720P"}, x.Changes)
	assert.Equal(t, []string{"External id removed: it names one task"}, x.Names)
	assert.False(t, x.Able())
	p.ToggleAll()
	assert.False(t, p.Chosen["famK-3.0"])
	p.WithOwn("famK-3.0")
	assert.True(t, p.Chosen["famK-3.0"] && p.Own["famK-3.0"])
	p.Toggle("famK-3.0")
	assert.False(t, p.Chosen["famK-3.0"] || p.Own["famK-3.0"])
}
