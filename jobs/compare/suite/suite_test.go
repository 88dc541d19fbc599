package suite

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/expand"
)

const kites = `name: kites                      # remark
about: which family keeps the kite red
kind: video
prompts:
  - a {red|blue} kite over ${place:the sea}
  - {id: city, text: a tram in the rain, values: {image: tram.png}}
vars: {place: a lake}
mode: t2v
values: {resolution: 720p, images: [a.png, "https://x.example/b.png"], parameters: {a: 1.50}}
models: [famA3, famB-lite, {model: famC, model_name: pro, mode: i2v, values: {quality: high}}, "SKIP: famD"]
formats: all
axes:
  duration: 4,8,
  fps: [24, null, "SKIP: 60"]
  style: 'a, b||"c"||SKIP: d'
exclude: [{model: famA*, duration: 8}, {prompt: city, model: [famC, famB-lite]}]
repeats: 3
warmups: 1
seed: same
concurrency: 2
timeout: 10m
limit: 900
expect:
  - status is completed
  - total < 30s
tolerance: {duration: 0.5s, width: 0, fps: 5%}
score: {name: sharpness, command: [./score.sh, 3]}
`

func TestASuiteIsRead(t *testing.T) {
	s, err := Parse("kites.yaml", []byte(kites))
	require.NoError(t, err)
	want := Suite{
		Name: "kites", About: "which family keeps the kite red", Kind: client.Video,
		Prompts: []Prompt{{Text: "a {red|blue} kite over ${place:the sea}"},
			{ID: "city", Text: "a tram in the rain", Values: client.Values{"image": "tram.png"}}},
		Vars: map[string]string{"place": "a lake"}, Mode: "t2v",
		Values: client.Values{"resolution": "720p", "images": []any{"a.png", "https://x.example/b.png"},
			"parameters": map[string]any{"a": json.Number("1.50")}},
		Models: []Model{{Model: "famA3"}, {Model: "famB-lite"},
			{Model: "famC", ModelName: "pro", Mode: "i2v", Values: client.Values{"quality": "high"}}, {Model: "famD", Skip: true}},
		Formats: []string{FormatsAll},
		Axes: []Axis{
			{Field: "duration", Values: []Value{{Value: json.Number("4")}, {Value: json.Number("8")}, {}}},
			{Field: "fps", Values: []Value{{Value: json.Number("24")}, {}, {Value: json.Number("60"), Skip: true}}},
			{Field: "style", Values: []Value{{Value: "a, b"}, {Value: `"c"`}, {Value: "d", Skip: true}}},
		},
		Exclude: []Match{
			{{About: "model", Values: []string{"famA*"}}, {About: "duration", Values: []string{"8"}}},
			{{About: "prompt", Values: []string{"city"}}, {About: "model", Values: []string{"famC", "famB-lite"}}},
		},
		Repeats: 3, Warmups: 1, Seed: SeedSame, Concurrency: 2, Timeout: 10 * time.Minute, Limit: 900,
		Expect:    []string{"status is completed", "total < 30s"},
		Tolerance: []Tolerance{{Field: "duration", Amount: 0.5}, {Field: "width"}, {Field: "fps", Amount: 5, Percent: true}},
		Score:     &Score{Name: "sharpness", Command: []string{"./score.sh", "3"}},
	}
	assert.Equal(t, kites, s.Text(), "byte for byte")
	assert.Equal(t, "p1", s.PromptID(0))
	assert.EqualError(t, s.Errorf("models.3", "no such model"), "kites.yaml:10:96: no such model")
	assert.EqualError(t, s.Errorf("models.9", "no such model"), "kites.yaml: models.9: no such model")
	assert.Equal(t, want, bare(s))

	s.Repeats = 5
	assert.Equal(t, string(s.YAML()), s.Text(), "it is no longer the suite of that file")
}

func bare(s Suite) Suite {
	s.from = nil
	return s
}

func TestWhatASuiteDoesNotSay(t *testing.T) {
	s, err := Parse("s", []byte("name: a\nkind: image\nprompts: [a kite]\nmodels: [famA3]\n"))
	require.NoError(t, err)
	want := New("a", client.Image)
	want.Prompts, want.Models = []Prompt{{Text: "a kite"}}, []Model{{Model: "famA3"}}
	assert.Equal(t, want, bare(s))
	assert.Equal(t, SeedEach, s.Seed)

	s, err = Parse("s", []byte("name: a\nkind: image\nprompts: [a kite]\nmodels: [famA3]\naxes: {seed: \"1,2\"}\n"))
	require.NoError(t, err)
	assert.Equal(t, SeedNone, s.Seed, "it varies")
}

func TestAWrittenSuiteIsTheSame(t *testing.T) {
	prompts := []string{"a", "yes", "7", "a: b # c", `"`, `\`, "two\nlines", " led", "a\n\nb\n", "# x", "a\u2028b", `\{a|b\}`, "- x\n- y", "%", "@x", "'", "红 🪁 \u202e", "x\r\ny", "\ttab"}
	for _, p := range prompts {
		s := New("n", client.Video)
		s.About = p
		s.Prompts = []Prompt{{Text: p}, {ID: "q", Text: p, Values: client.Values{"größe": p}}}
		s.Vars = map[string]string{"y": p}
		s.Models = []Model{{Model: "yes"}, {Model: "7", Values: client.Values{"a": p}}, {Model: "a: b", Skip: true}}
		s.Axes = []Axis{{Field: "7", Values: []Value{{Value: p + "x"}, {Value: true}, {}, {Value: []any{"a", json.Number("1.0")}}}}}
		s.Formats, s.Seed = []string{"videos", "content"}, "-12"
		s.Expect = []string{"famA*: error is \"a\": # b"}
		s.Exclude = []Match{{{About: "7", Values: []string{"", "true"}}}}
		s.Score = &Score{Name: "yes", Command: []string{"a b", "1"}}
		got, err := Parse("n.yaml", s.YAML())
		require.NoError(t, err, "%s", s.YAML())
		require.Equal(t, s, bare(got), "%s", s.YAML())
		require.Equal(t, s.Hash(), got.Hash())
	}
	again, err := Parse("kites.yaml", []byte(kites))
	require.NoError(t, err)
	other, err := Parse("kites.yaml", again.YAML())
	require.NoError(t, err)
	require.Equal(t, bare(again), bare(other), "%s", again.YAML())
	assert.Equal(t, again.Hash(), other.Hash(), "comments and notation do not count")
}

func TestMistakesHaveAPlaceAndSayWhatIsAllowed(t *testing.T) {
	base := "name: a\nkind: video\nprompts: [a kite]\nmodels: [famA3]\n"
	for more, says := range map[string]string{
		"seeds: 3":                           `s.yaml:5:1: unknown key "seeds"; allowed: name, about, kind,`,
		"name: b":                            "s.yaml:5:1: ",
		"repeats: 51":                        "s.yaml:5:1: repeats: a whole number from 1 to 50 is needed",
		"repeats: 1.5":                       "repeats: a whole number",
		"repeats: many":                      "repeats: a whole number",
		"warmups: 11":                        "warmups: a whole number from 0 to 10",
		"concurrency: 0":                     "concurrency: a whole number from 1 to 64",
		"timeout: 10":                        "s.yaml:5:1: timeout: a time with its unit is needed, as 90s or 10m",
		"timeout: 25h":                       "timeout: a time",
		"limit: 50001":                       "limit: a whole number from 1 to 50000",
		"seed: often":                        "s.yaml:5:1: seed: allowed are each (one for each repeat), same (one for the run), none, or a whole number",
		"formats: some":                      "formats: allowed are auto (the model's own), all (every one that reaches it) or a list of names",
		"formats: [auto]":                    "s.yaml:5:11: in a list each format is a name; auto and all stand alone",
		"formats: [a, a]":                    "s.yaml:5:14: format a stands here twice",
		"vars: {1x: a}":                      `s.yaml:5:8: "1x" is not a name of a variable`,
		"vars: {x: \"{a|b\"}":                "s.yaml:5:8: x: ",
		"values: [a]":                        "keys and values are needed",
		"values:\n  prompt: a":               "s.yaml:6:3: prompt is not a value: a suite has prompts: for it",
		"values: {seed: 1}":                  "seed is not a value: a suite has seed: for it",
		"values: {fps: }":                    "fps has no value",
		"axes: {duration: }":                 "s.yaml:5:8: duration: values are needed, as 4,8 or 1,2,..,9 or a||b or a list",
		"axes: {duration: \"..,4\"}":         "duration: .. stands between numbers",
		"axes: {duration: \"4,4\"}":          "s.yaml:5:8: duration: 4 stands there twice",
		"axes: {d: \"1,3,..,8\"}":            "d: 8 is not reached from 3 in steps of 2",
		"axes: {d: \"1,..,5000\"}":           "d: more than 1000 values",
		"axes: {d: [\"SKIP: 1\"]}":           "d has no value that is not left out",
		"axes: {model: \"a,b\"}":             "model is not an axis: a suite has models: for it",
		"axes: {d: \"1,2\"}\nvalues: {d: 3}": "s.yaml:5:8: d varies here, and has a value in values",
		"axes: {seed: \"1,2\"}\nseed: each":  "the axis seed and seed: each contradict each other",
		"axes: {mode: \"a,b\"}\nmode: t2v":   "mode varies here",
		"exclude: [{duration: 8}]":           `s.yaml:5:12: unknown key "duration" of an exclusion; allowed: prompt, model, model_name, format`,
		"exclude: [{}]":                      "an exclusion without conditions would leave out everything",
		"exclude: [{model: []}]":             "model has no value",
		"expect: [1]":                        "s.yaml:5:10: an expectation is one line of text",
		"expect: total < 30s":                "expect is a list, as expect: [status is completed, total < 30s]",
		"expect: [a, total < 30s]":           `s.yaml:5:10: "a": write a subject`,
		"tolerance: {colour: 1}":             `s.yaml:5:13: "colour" has no tolerance; allowed: duration, width,`,
		"tolerance: {duration: soon}":        "duration: an amount is needed, as 0.5s, 8px or 5%",
		"tolerance: {duration: -1}":          "an amount is needed",
		"score: {name: a}":                   "score: a command is needed",
		"score: {command: [\"\"]}":           "command: each word is a text",
		"score: {url: a}":                    `unknown key "url" of a scorer; allowed: name, command`,
		"about: &x a\nmode: *x":              "s.yaml:5:8: anchor is not read here",
		"---\na: b":                          "more than one YAML document",
		"mode: \"a\x1b[31m\"":                "s.yaml:5:9: a control character (U+001B)",
		"mode: \xff":                         "s.yaml:5:7: the text is not UTF-8",
		"mode: [":                            "s.yaml:5:",
	} {
		_, err := Parse("s.yaml", []byte(base+more))
		require.ErrorContains(t, err, says, more)
		var e *expand.Error
		require.True(t, errors.As(err, &e) && e.Line > 0, more)
	}
}

func TestMistakesInPromptsAndModels(t *testing.T) {
	for text, says := range map[string]string{
		"":                                    "s.yaml: the file is empty",
		"- a":                                 "s.yaml:1:1: keys and values are needed",
		"a: 1":                                `s.yaml:1:1: unknown key "a"`,
		"name: a\nkind: video\nmodels: [m]\n": "s.yaml:1:1: prompts is missing; a suite needs name, kind, prompts and models",
		"kind: film":                          `s.yaml:1:1: kind "film": allowed are video, image, music, speech, chat`,
		"name: \"a\\nb\"":                     "name must be one line",
		"name: [a]":                           "name must be text",
		"prompts: []":                         "s.yaml:1:1: prompts is a list, as prompts: [a kite",
		"prompts:\n  - {red|blue} kite":       "s.yaml:2:",
		"prompts:\n  - {red|blue}":            `unknown key "red|blue" of a prompt; allowed: id, text, values; a text that begins with { is written in quotes`,
		"prompts:\n  - a {red|":               "s.yaml:2:5: the prompt cannot be read as a template: 1:3: ",
		"prompts: [{id: a}]":                  "a prompt without a text needs values",
		"prompts: [{id: a b, text: c}]":       "id: a word without spaces",
		"prompts: [[a]]":                      "a prompt is a text, or {id, text, values}",
		"models: []":                          "models is a list, as models: [famA3",
		"models: [\"SKIP: a\"]":               "every model is left out",
		"models: [a, a]":                      "s.yaml:1:13: a stands here twice",
		"models: [{name: a}]":                 `s.yaml:1:11: unknown key "name" of a model; allowed: model, model_name, mode, values`,
		"models: [{mode: a}]":                 "a model is a name of 1 to 80 characters",
		"models: [m]\nname: a\nkind: video\nprompts: [a, {id: p1, text: b}]": "s.yaml:4:14: two prompts are named p1",
		"models: [m]\nname: a\nkind: video\nprompts: [\"a ${b}\"]":           "s.yaml:4:11: ${b} has no value: vars: gives one, as does ${b:words}",
	} {
		_, err := Parse("s.yaml", []byte(text))
		require.ErrorContains(t, err, says, text)
	}
}

func TestAxes(t *testing.T) {
	for text, want := range map[string]string{
		"4,8":              "4 8",
		"4, 8":             "4 8",
		"1,2,..,5":         "1 2 3 4 5",
		"1,..,4":           "1 2 3 4",
		"4,..,1":           "4 3 2 1",
		"0.1,0.2,..,0.5":   "0.1 0.2 0.3 0.4 0.5",
		"0,5,..,20,40":     "0 5 10 15 20 40",
		"10, 7.5, .., 0":   "10 7.5 5 2.5 0",
		"a||b, c||SKIP: d": "a b, c -d",
		"SKIP: 3,4":        "-3 4",
		"4,":               "4 ∅",
		"1||..||3":         "1 2 3",
		"16:9,9:16":        "16:9 9:16",
		"on,off":           "on off",
	} {
		got, err := Values(text)
		require.NoError(t, err, text)
		var words []string
		for _, v := range got {
			w := v.String()
			if w == "" {
				w = "∅"
			}
			if v.Skip {
				w = "-" + w
			}
			words = append(words, w)
		}
		assert.Equal(t, want, strings.Join(words, " "), text)
	}
	for _, bad := range []string{"..", "1,..", "..,3", "a,..,c", "1,1,..,3", "1,2,..,2.5", "3,..,3", "1,2,..,-4", "1,..,1e9", "1,1.0000000000000000001,..,2"} {
		_, err := Values(bad)
		assert.Error(t, err, bad)
	}
}

// FuzzParse: any text is a suite or a clean error; what is read can be written, and is the same then.
func FuzzParse(f *testing.F) {
	for _, s := range []string{kites, "name: a\nkind: image\nprompts: ['x: y', {text: '', values: {a: [b]}}]\nmodels: ['*', 'SKIP: a']\naxes: {seed: '1,2,..,5', x: [~, {a: b}]}\n",
		"? a\n: b", "- - -", "a: &a [*a]", "prompts: >\n  a\n  b\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<13 {
			return
		}
		s, err := Parse("f.yaml", []byte(text))
		if err != nil {
			var e *expand.Error
			if !errors.As(err, &e) || client.CleanLine(err.Error()) != err.Error() {
				t.Fatalf("%q", err)
			}
			return
		}
		again, err := Parse("f.yaml", s.YAML())
		if err != nil {
			t.Fatalf("%v\n%s", err, s.YAML())
		}
		require.Equal(t, bare(s), bare(again), "%s", s.YAML())
	})
}

// TestASuiteOfManyLinesIsRefused: the YAML library takes seconds for very many keys.
func TestASuiteOfManyLinesIsRefused(t *testing.T) {
	_, err := Parse("s", []byte("values:\n"+strings.Repeat("  k: 1\n", 5000)))
	require.ErrorContains(t, err, "more than 4000 lines")
	for text, says := range map[string]string{
		"models: [" + strings.Repeat("m, ", 501) + "]": "s:1:1: models has 501 items; at most 500",
		"prompts: [" + strings.Repeat("m,\n ", 3000) + strings.Repeat("m, ", 5000) + strings.Repeat("\nm, ", 900) + strings.Repeat("m, ", 5000) + "]": "prompts has 13900 items; at most 10000",
		"formats: [" + strings.Repeat("m, ", 51) + "]":                 "51 formats; at most 50",
		"exclude: [" + strings.Repeat("{model: a}, ", 101) + "]":       "exclude has 101 items; at most 100",
		"exclude: [{model: [" + strings.Repeat("a, ", 501) + "]}]":     "the exclusions have more than 500 values",
		"axes: {a: [" + strings.Repeat("a, ", 1001) + "]}":             "a has 1001 values; at most 1000",
		"axes: {a: x, b: x, c: x, d: x, e: x, f: x, g: x, h: x, i: x}": "more than 8 axes",
	} {
		_, err := Parse("s", []byte(text))
		require.ErrorContains(t, err, says)
	}
}
