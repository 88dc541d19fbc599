package suite

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func draft(model, prompt string, values client.Values) Drafted {
	return Drafted{Draft: client.Draft{Modality: client.Video, Model: model, Mode: "t2v", Prompt: prompt, Values: values}}
}

func number4(s string) json.Number { return json.Number(s) }

func TestASuiteIsMadeOfDrafts(t *testing.T) {
	s, notes := FromDrafts("kites", []Drafted{
		draft("famA3", "a {red|blue} kite", client.Values{"duration": number4("4"), "resolution": "720p", "image": "file:///a.png", "seed": number4("3"), "external_task_id": "x"}),
		draft("famB", "a {red|blue} kite", client.Values{"duration": number4("8"), "resolution": "720p", "image": "file:///a.png", "seed": number4("3")}),
		draft("famB", "a tram", client.Values{"resolution": "720p", "image": "file:///b.png", "seed": number4("3")}),
		{Draft: client.Draft{Modality: client.Image, Model: "famL"}},
	})
	want := New("kites", client.Video)
	want.Prompts = []Prompt{{Text: `a \{red\|blue\} kite`, Values: client.Values{"image": "file:///a.png"}}, {Text: "a tram", Values: client.Values{"image": "file:///b.png"}}}
	want.Mode, want.Seed = "t2v", "3"
	want.Models = []Model{{Model: "famA3"}, {Model: "famB"}}
	want.Values = client.Values{"resolution": "720p"}
	want.Axes = []Axis{{Field: "duration", Values: []Value{{Value: number4("4")}, {Value: number4("8")}, {}}}}
	assert.Equal(t, want, s)
	assert.Equal(t, []string{
		"external_task_id is left out: it is about one task",
		"a draft for image is left out: the suite is for video",
		"the drafts are 3 different requests, the suite has all 12 combinations: exclude: leaves some out",
	}, notes)
	again, err := Parse("s", s.YAML())
	require.NoError(t, err, "%s", s.YAML())
	assert.Equal(t, want, bare(again))
}

func TestWhatOfDraftsDoesNotFitASuite(t *testing.T) {
	a, b := draft("famA3", "a kite", client.Values{"images": []any{"file:///a.png"}, "seed": number4("1")}), draft("famB", "a kite", client.Values{"images": []any{"file:///b.png"}})
	a.Draft.Extra = map[string]json.RawMessage{"x": json.RawMessage("1")}
	a.Format = "videos"
	b.Draft.Mode = "i2v"
	s, notes := FromDrafts("n", []Drafted{a, b})
	assert.Equal(t, []string{
		"raw additions do not fit a suite: x is left out",
		"some drafts name a format, others do not: each model goes through its own",
		"images is left out: it differs, and goes with no prompt",
		"the drafts' seeds are left out: every repeat gets one of its own, the same for all models",
	}, notes)
	assert.Equal(t, []Model{{Model: "famA3", Mode: "t2v"}, {Model: "famB", Mode: "i2v"}}, s.Models, "each has its own mode")
	assert.Equal(t, SeedEach, s.Seed)

	b.Draft.Model, a.Draft.Extra = "famA3", nil
	s, _ = FromDrafts("n", []Drafted{a, b})
	assert.Equal(t, []Axis{{Field: "mode", Values: []Value{{Value: "t2v"}, {Value: "i2v"}}}}, s.Axes)

	a.Draft.Cut, b.Draft.Model = true, ""
	_, notes = FromDrafts("n", []Drafted{a, b})
	assert.Equal(t, []string{"a draft is left out of which only the beginning was read", "a draft without a model is left out", "there is no draft"}, notes)
}
