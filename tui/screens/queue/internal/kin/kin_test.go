package kin

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
)

// list are jobs of one prompt and model with these values.
func list(all ...client.Values) func(int) *jobs.Job {
	js := make([]*jobs.Job, len(all))
	for i, v := range all {
		js[i] = &jobs.Job{ID: fmt.Sprint(i), Draft: client.Draft{Modality: client.Video, Model: "famA", Prompt: "a boat", Values: v}}
	}
	return func(i int) *jobs.Job {
		if i < 0 || i >= len(js) {
			return nil
		}
		return js[i]
	}
}

func TestDiffers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		jobs []client.Values
		want []string
	}{
		{"seeds", []client.Values{{"seed": json.Number("2045")}, {"seed": json.Number("7")}}, []string{"seed 2045", "seed 7"}},
		{"a field that one has", []client.Values{{"seed": "1"}, {}}, []string{"seed 1", ""}},
		{"what says by itself what it is", []client.Values{{"aspect_ratio": "9:16", "resolution": "720p"}, {"aspect_ratio": "16:9", "resolution": "1080p"}},
			[]string{"9:16 · 720p", "16:9 · 1080p"}},
		{"seed first, and not more than three", []client.Values{{"a": "1", "b": "1", "c": "1", "seed": "1"}, {"a": "2", "b": "2", "c": "2", "seed": "2"}},
			[]string{"seed 1 · the a 1 · the b 1", "seed 2 · the a 2 · the b 2"}},
		{"flags", []client.Values{{"audio": true}, {"audio": false}}, []string{"the audio", "no the audio"}},
		{"durations", []client.Values{{"duration": "5"}, {"duration": "10s"}}, []string{"5 s", "10 s"}},
		{"files", []client.Values{{"image": "file:///home/x/kite.png"}, {"image": "https://cdn.example/b.png?sig=1"}}, []string{"kite.png", "b.png"}},
		{"the same", []client.Values{{"seed": "1"}, {"seed": "1"}}, []string{"", ""}},
		{"one of three", []client.Values{{"seed": "1"}, {"seed": "1"}, {"seed": "2"}}, []string{"seed 1", "seed 1", "seed 2"}},
		{"hostile", []client.Values{{"style": "a\x1b[2Jb\nc"}, {"style": "d"}}, []string{"the style a␛[2Jb c", "the style d"}},
	} {
		f := Finder{Label: func(_ client.Modality, name string) string { return "The " + name }}
		at := list(c.jobs...)
		for i, want := range c.want {
			assert.Equal(t, want, f.Differs(at, i, nil), "%s, %d", c.name, i)
		}
	}
}

func TestModelsOnlyWhereTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	at := list(client.Values{}, client.Values{})
	at(1).Draft.Model = "famB"
	f := Finder{}
	assert.Empty(t, f.Differs(at, 0, nil))
	assert.Equal(t, "famB", f.Differs(at, 1, func(j *jobs.Job) string { return j.Draft.Model }))
}

func TestOthersAreNoSiblings(t *testing.T) {
	t.Parallel()
	at := list(client.Values{"seed": "1"}, client.Values{"seed": "2"}, client.Values{"seed": "3"})
	at(1).Draft.Prompt = "a kite"
	f := Finder{}
	for i := range 3 {
		assert.Empty(t, f.Differs(at, i, func(j *jobs.Job) string { return j.Draft.Model }), "not next to each other")
	}
	f.Reset()
	at(1).Draft.Prompt = "a boat"
	at(1).Draft.Cut = true
	assert.Empty(t, f.Differs(at, 1, nil)+f.Differs(list(), 0, nil), "what was not read is not compared; and no job has none")
}

// TestALongRunIsLookedAtOnce: a list of one prompt costs no more than any other.
func TestALongRunIsLookedAtOnce(t *testing.T) {
	t.Parallel()
	asked := 0
	all := make([]client.Values, 100_000)
	for i := range all {
		all[i] = client.Values{"seed": fmt.Sprint(i)}
	}
	jobsAt := list(all...)
	at := func(i int) *jobs.Job { asked++; return jobsAt(i) }
	f := Finder{}
	for i := 50_000; i < 50_060; i++ {
		assert.Equal(t, fmt.Sprint("seed ", i), f.Differs(at, i, nil))
	}
	assert.Less(t, asked, 60+2*2*(2*maxRun+2))
}
