package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
	"darkroom/client/expand"
	"darkroom/client/formats"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/suite"
)

// gateway makes requests as the real one does, without sending any.
type gateway struct {
	*client.Client
	catalog *catalog.Catalog
	asked   int
}

func (g *gateway) FormatsFor(d client.Draft) []string {
	m, _ := g.catalog.ModelFor(d.Modality, d.Model)
	return slices.DeleteFunc(slices.Clone(m.Formats), func(f string) bool { return g.CanCreate(f) != nil })
}

func (g *gateway) Preview(d client.Draft, format string) (client.Preview, error) {
	g.asked++
	return g.Client.Preview(d, format)
}

func input(t testing.TB, text string) (Input, *gateway) {
	t.Helper()
	c := catalogtest.Catalog(t)
	x, err := client.New(client.Options{BaseURL: "http://gateway.example", Key: func() (string, error) { return "k", nil }, Formats: formats.All(), WireNames: c.WireNames})
	require.NoError(t, err)
	s, err := suite.Parse("s.yaml", []byte(text))
	require.NoError(t, err)
	g := &gateway{Client: x, catalog: c}
	return Input{Suite: s, Catalog: c, Gateway: g, ID: "run-1", Profile: "p", Host: "gateway.example", Seed: 7,
		Now:       time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		Reference: func(path string) (string, error) { return client.FileURL("/suites/" + path), nil },
		Digest: func(path string) (string, error) {
			if strings.Contains(path, "none") {
				return "", errors.New("there is no such file")
			}
			return "digest of " + path, nil
		}}, g
}

func made(t *testing.T, text string) (compare.Run, Forecast) {
	t.Helper()
	in, _ := input(t, text)
	run, f, err := Make(in)
	require.NoError(t, err)
	return run, f
}

const head = "name: s\nkind: video\n"

// lines are the cells in words.
func lines(run compare.Run) (out []string) {
	for _, c := range run.Cells {
		s := fmt.Sprintf("%d %s %s %s", c.Number, c.Prompt.ID, c.Model, c.Format)
		for _, x := range c.Settings {
			s += " " + x.String()
		}
		if c.Cannot != "" {
			s += " CANNOT " + c.Cannot
		}
		out = append(out, s)
	}
	return out
}

func TestCellsAreNumberedInTheSuitesOrder(t *testing.T) {
	run, f := made(t, head+`
prompts: ["a {red|blue} kite over ${place}", {id: city, text: a tram}]
vars: {place: the sea}
models: [famA3, famG-h3]
mode: t2v
axes: {duration: "5,8", aspect_ratio: "16:9,"}
exclude: [{prompt: city, aspect_ratio: ""}, {model: fam*3, prompt: city}]
repeats: 2
warmups: 1
`)
	got := lines(run)
	require.Len(t, got, 16, "2 prompts of the template x 2 models x 4; the third prompt has none that is left")
	assert.Equal(t, []string{
		"1 p1.1 famA3 videos duration 5 aspect_ratio 16:9",
		"2 p1.1 famA3 videos duration 5 aspect_ratio unset",
		"3 p1.1 famA3 videos duration 8 aspect_ratio 16:9",
		"4 p1.1 famA3 videos duration 8 aspect_ratio unset",
		"5 p1.1 famG-h3 videos duration 5 aspect_ratio 16:9",
	}, got[:5])
	assert.Equal(t, "a blue kite over the sea", run.Cells[8].Prompt.Text)
	assert.Equal(t, client.Draft{Modality: client.Video, Model: "famA3", Mode: "t2v", Prompt: "a red kite over the sea",
		Values: client.Values{"duration": run.Cells[0].Draft.Values["duration"], "aspect_ratio": "16:9"}}, run.Cells[0].Draft)
	assert.NotContains(t, run.Cells[1].Draft.Values, "aspect_ratio")
	assert.Equal(t, 16, f.Able)
	assert.Equal(t, []int{32, 16}, []int{f.Trials, f.Warmups})
	assert.Equal(t, compare.Open, run.Status)
	assert.Equal(t, run.SuiteHash, func() string { in, _ := input(t, run.Suite); return in.Suite.Hash() }())
}

func TestWhatAModelCannotDoIsSaidAndNotReplaced(t *testing.T) {
	for text, want := range map[string]string{
		"models: [famF-video]\nmode: r2v":                                 "famF-video has no mode r2v; it has t2v, i2v, multi_i2v, extend",
		"models: [famA3]\nformats: [tasks]\nmode: t2v":                    "format tasks does not reach famA3; allowed: videos, native",
		"models: [famA3]\nmode: t2v\nvalues: {sound: \"on\"}":             "sound is not documented for this model, famA3",
		"models: [famA3]\nmode: i2v":                                      "image is missing",
		"models: [famZ9]\nmode: t2v":                                      `model "famZ9" is not in the catalog`,
		"models: [famA3]\nformats: [native]\nmode: t2v":                   "format native does not create with model famA3 here",
		"models: [famK-3.0-480p]\nmode: t2v\nvalues: {resolution: 1080P}": "resolution",
	} {
		run, f := made(t, head+"prompts: [a kite]\n"+text+"\n")
		require.Len(t, run.Cells, 1, text)
		c := run.Cells[0]
		assert.Contains(t, c.Cannot, want, text)
		assert.Empty(t, run.Order, text)
		assert.Equal(t, 0, f.Able)
		require.Len(t, f.Cannot, 1)
		assert.Equal(t, []int{1}, f.Cannot[0].Cells)
		assert.NotEmpty(t, c.Hash)
		assert.Empty(t, c.Notes, "what is not sent needs no remarks")
	}
}

func TestWhatTheFormatDropsIsNotCompared(t *testing.T) {
	run, f := made(t, head+"prompts: [a kite]\nmodels: [famD-2-0-260128]\nformats: all\nmode: t2v\n")
	assert.Equal(t, []string{"1 p1 famD-2-0-260128 videos", "2 p1 famD-2-0-260128 content"}, lines(run))
	assert.Equal(t, []string{suite.SeedEach, ""}, []string{run.Cells[0].Seeds, run.Cells[1].Seeds})
	assert.Contains(t, run.Cells[1].Notes, "no seed is sent: famD-2-0-260128 takes none in format content")
	assert.NotEmpty(t, SeedOf(&run, compare.Slot{Cell: 1, Repeat: 1}))
	assert.Empty(t, SeedOf(&run, compare.Slot{Cell: 2, Repeat: 1}))
	assert.Equal(t, 2, f.Able)
	run, _ = made(t, head+"prompts: [a kite]\nmodels: [famD-2-0-260128]\nformats: [content]\nseed: 4\nmode: t2v\n")
	assert.Empty(t, run.Cells[0].Cannot)
	assert.NotContains(t, run.Cells[0].Draft.Values, "seed", "a number goes where one is taken, too")
	assert.Contains(t, run.Cells[0].Notes, "no seed is sent: famD-2-0-260128 takes none in format content")

	run, _ = made(t, head+"prompts: [a kite]\nmodels: [famD-2-0-260128]\nformats: all\nmode: t2v\nvalues: {negative_prompt: rain}\n")
	for _, c := range run.Cells {
		assert.Contains(t, c.Cannot, "negative_prompt", c.Format)
	}
}

func TestModelsByPattern(t *testing.T) {
	run, _ := made(t, head+"prompts: [a kite]\nmodels: ['famK*', 'SKIP: *480p', famA3, {model: famF-video, model_name: '*v2*'}]\nmode: t2v\n")
	var got []string
	for _, c := range run.Cells {
		got = append(got, strings.TrimSpace(c.Model+" "+c.ModelName))
	}
	assert.Equal(t, []string{"famK-3.0", "famK-3.0-1080p", "famA3", "famF-video famF-v2-master", "famF-video famF-v2-1",
		"famF-video famF-v2-1-master", "famF-video famF-v2-5-turbo", "famF-video famF-v2-6"}, got)
	in, _ := input(t, head+"prompts: [a kite]\nmodels: [famA3, 'famZ*']\n")
	_, _, err := Make(in)
	assert.EqualError(t, err, "s.yaml:4:17: no video model of the catalog fits famZ*")
	in, _ = input(t, head+"prompts: [a kite]\nmodels: [famA3, 'SKIP: fam*']\n")
	_, _, err = Make(in)
	assert.ErrorContains(t, err, "every model is left out")
}

func TestMistakesThatOnlyTheCatalogShows(t *testing.T) {
	for text, says := range map[string]string{
		"values: {durations: 5}":                  "s.yaml:5:10: durations is not a field of video; there are duration",
		"values: {duration: soon}":                `s.yaml:5:10: duration: "soon" is not a number`,
		"values: {seconds: 5, duration: 5}":       "s.yaml:5:10: seconds is another name of duration, which stands here already",
		"axes: {seconds: '4,5', duration: '4,5'}": "s.yaml:5:24: two axes are duration",
		"axes: {seconds: '4,x'}":                  `s.yaml:5:8: duration: "x" is not a number`,
		"axes: {duration: '5,8,5.0'}":             "s.yaml:5:8: 5 and 5.0 are the same value",
		"axes: {fpz: '4,5'}":                      "s.yaml:5:8: fpz is not a field of video; there are fps",
		"values: {image: none.png}":               "s.yaml:5:10: there is no such file",
	} {
		in, _ := input(t, head+"prompts: [a kite]\nmodels: [famA3]\n"+text+"\n")
		_, _, err := Make(in)
		var e *expand.Error
		require.ErrorAs(t, err, &e, text)
		assert.ErrorContains(t, err, says, text)
	}
	in, _ := input(t, head+"prompts: ['a __colour__ kite']\nmodels: [famA3]\nmode: t2v\n")
	_, _, err := Make(in)
	assert.ErrorContains(t, err, "s.yaml:3:11: ")
	in.Wildcards = fstest.MapFS{"colour.txt": {Data: []byte("red\nblue\n")}}
	run, _, err := Make(in)
	require.NoError(t, err)
	assert.Len(t, run.Cells, 2)
}

func TestFilesAreSentAsTheyAreOnThisMachineAndHashedByTheirBytes(t *testing.T) {
	text := head + "prompts: [a kite, {id: b, text: a kite, values: {image: tram.png}}]\nmodels: [famA3]\nmode: t2v\nvalues: {image: a.png}\n"
	in, _ := input(t, text)
	in.Gateway = plain{in.Gateway}
	run, _, err := Make(in)
	require.NoError(t, err)
	assert.Equal(t, "file:///suites/a.png", run.Cells[0].Draft.Values["image"])
	assert.Equal(t, "file:///suites/tram.png", run.Cells[1].Draft.Values["image"])
	assert.NotEqual(t, run.Cells[0].Hash, run.Cells[1].Hash)
	in.Digest = func(string) (string, error) { return "the same", nil }
	same, _, err := Make(in)
	require.NoError(t, err)
	assert.NotEqual(t, run.Cells[0].Hash, same.Cells[0].Hash, "other bytes are another request")
	assert.Equal(t, same.Cells[0].Hash, same.Cells[1].Hash, "names do not count")
	in.Reference = nil
	_, _, err = Make(in)
	assert.ErrorContains(t, err, "s.yaml:6:10: a.png is a file; here are none")
}

// plain does not look at files.
type plain struct {
	of interface{ FormatsFor(client.Draft) []string }
}

func (p plain) FormatsFor(d client.Draft) []string                   { return p.of.FormatsFor(d) }
func (p plain) Preview(client.Draft, string) (client.Preview, error) { return client.Preview{}, nil }

func TestHashIsOfWhatIsSent(t *testing.T) {
	base := head + "prompts: [a kite]\nmodels: [famA3]\nmode: t2v\nvalues: {duration: 8}\n"
	hash := func(text string) string { run, _ := made(t, text); return run.Cells[0].Hash }
	want := hash(base)
	assert.Len(t, want, 64)
	for _, same := range []string{"repeats: 3", "seed: none", "seed: same", "warmups: 2", "timeout: 5m", "about: x", "expect: [status is completed]"} {
		assert.Equal(t, want, hash(base+same), same)
	}
	assert.Equal(t, want, hash(strings.Replace(base, "values: {duration: 8}", "axes: {duration: '8,9'}", 1)), "however it is written")
	assert.Equal(t, want, hash(strings.Replace(base, "duration", "seconds", 1)))
	assert.Equal(t, want, hash(strings.Replace(base, "8}", "'8'}", 1)))
	for _, other := range []string{"seed: 5", "formats: [native]"} {
		assert.NotEqual(t, want, hash(base+other), other)
	}
	assert.NotEqual(t, want, hash(strings.Replace(base, "8}", "4}", 1)))
	assert.NotEqual(t, want, hash(strings.Replace(base, "famA3", "famA3-pro", 1)))
	assert.NotEqual(t, want, hash(strings.Replace(base, "a kite", "a kit", 1)))
}

func TestTheOrderIsFair(t *testing.T) {
	text := head + "prompts: ['{a|b|c|d} kite']\nmodels: [famA3, famA3-pro, famG-h3]\nmode: t2v\nrepeats: 4\nwarmups: 2\naxes: {duration: '5,8'}\nlimit: 5000\n"
	run, _ := made(t, text)
	const cells = 24
	require.Len(t, run.Order, cells*6)
	shuffled := 0
	for b := range 6 {
		block := run.Order[b*cells : (b+1)*cells]
		seen := map[int]bool{}
		for i, s := range block {
			assert.Equal(t, b < 2, s.Warmup, "warm-ups first")
			assert.Equal(t, block[0].Repeat, s.Repeat, "a block is one repeat")
			seen[s.Cell] = true
			if s.Cell != i+1 {
				shuffled++
			}
		}
		assert.Len(t, seen, cells, "of every cell")
	}
	assert.Greater(t, shuffled, cells*5, "each block is shuffled")
	again, _ := made(t, text)
	assert.Equal(t, run.Order, again.Order, "the seed says it all")
	in, _ := input(t, text)
	in.Seed = 8
	other, _, err := Make(in)
	require.NoError(t, err)
	assert.NotEqual(t, run.Order, other.Order)
}

// TestPositionsAreUniform: over many seeds each cell comes first about equally often (chi-squared
// with 3 degrees of freedom stays below 16.3 with probability 0.999; the seeds are fixed).
func TestPositionsAreUniform(t *testing.T) {
	run := compare.Run{Repeats: 1, Cells: []compare.Cell{{Number: 1}, {Number: 2}, {Number: 3}, {Number: 4}}}
	const n = 4000
	first := map[int]float64{}
	for seed := range uint64(n) {
		run.Seed = seed
		first[order(&run)[0].Cell]++
	}
	chi := 0.0
	for c := 1; c <= 4; c++ {
		d := first[c] - n/4
		chi += d * d / (n / 4)
	}
	assert.Less(t, chi, 16.3)
}

func TestSeedsOfTrials(t *testing.T) {
	base := head + "prompts: [a kite]\nmodels: [famA3, famG-h3]\nmode: t2v\nrepeats: 50\nwarmups: 2\n"
	run, _ := made(t, base)
	seen := map[string]bool{}
	for r := 1; r <= 50; r++ {
		s := SeedOf(&run, compare.Slot{Cell: 1, Repeat: r})
		assert.Equal(t, s, SeedOf(&run, compare.Slot{Cell: 2, Repeat: r}), "models are compared on equal seeds")
		assert.LessOrEqual(t, len(s), 10)
		seen[s] = true
	}
	assert.Len(t, seen, 50)
	warm := SeedOf(&run, compare.Slot{Cell: 1, Repeat: 1, Warmup: true})
	assert.NotContains(t, seen, warm, "what a warm-up made cannot be what a trial gets")
	assert.NotEqual(t, warm, SeedOf(&run, compare.Slot{Cell: 1, Repeat: 2, Warmup: true}))
	assert.Equal(t, "", SeedOf(&run, compare.Slot{Cell: 9, Repeat: 1}))

	run, f := made(t, base+"seed: same\n")
	one := SeedOf(&run, compare.Slot{Cell: 1, Repeat: 1})
	assert.NotEmpty(t, one)
	assert.Equal(t, one, SeedOf(&run, compare.Slot{Cell: 2, Repeat: 50}))
	assert.Contains(t, f.Notes[0], "seed same: the 50 repeats of a cell ask for the same")

	run, _ = made(t, base+"seed: 12345678901234567890\n")
	assert.Empty(t, SeedOf(&run, compare.Slot{Cell: 1, Repeat: 1}), "it is in the draft")
	text, _ := run.Cells[0].Draft.Values.Text("seed")
	assert.Equal(t, "12345678901234567890", text)

	d, seed := DraftOf(&run, compare.Slot{Cell: 1, Repeat: 1})
	assert.Equal(t, "12345678901234567890", seed)
	assert.Equal(t, run.Cells[0].Draft, d)

	run, _ = made(t, base)
	d, seed = DraftOf(&run, compare.Slot{Cell: 2, Repeat: 3})
	assert.Equal(t, SeedOf(&run, compare.Slot{Cell: 1, Repeat: 3}), seed)
	text, _ = d.Values.Text("seed")
	assert.Equal(t, seed, text)
	assert.NotContains(t, run.Cells[1].Draft.Values, "seed", "the cell stays as it is")

	run, _ = made(t, base+"axes: {seed: '1,2'}\n")
	assert.Len(t, run.Cells, 4)
	_, seed = DraftOf(&run, compare.Slot{Cell: 2, Repeat: 3})
	assert.Equal(t, "2", seed)
	assert.Empty(t, run.Cells[0].Seeds)
}

func TestForecast(t *testing.T) {
	in, _ := input(t, head+"prompts: [a kite]\nmodels: [famA3, famG-h3, famA3-pro, famZ1]\nmode: t2v\nrepeats: 3\nwarmups: 1\nconcurrency: 2\nexclude: [{model: famB*}]\nexpect: [\"famB*: latency < 1s\", status is completed]\n")
	in.Usual = func(c *compare.Cell) (time.Duration, int) {
		switch c.Model {
		case "famA3":
			return 10 * time.Second, 5
		case "famG-h3":
			return 30 * time.Second, 1
		}
		return 0, 0
	}
	run, f, err := Make(in)
	require.NoError(t, err)
	assert.Equal(t, 4, f.Cells)
	assert.Equal(t, 3, f.Able)
	assert.Equal(t, []Share{{"famA3", "", 1, 0, 3, 1}, {"famG-h3", "", 1, 0, 3, 1}, {"famA3-pro", "", 1, 0, 3, 1}, {"famZ1", "", 1, 1, 0, 0}}, f.Models)
	assert.Equal(t, 1, f.Unknown)
	assert.GreaterOrEqual(t, f.Expected, 80*time.Second, "160 s of work, two at a time")
	assert.LessOrEqual(t, f.Expected, 110*time.Second)
	require.Len(t, f.Cannot, 1)
	assert.Equal(t, []int{4}, f.Cannot[0].Cells)
	assert.Equal(t, []string{"s.yaml:9:11: this exclusion leaves no cell out", "s.yaml:10:10: famB*: latency < 1s: this expectation concerns no model of the suite"}, f.Notes)
	assert.Len(t, run.Order, 12)
}

func TestSpanIsThatOfAListSchedule(t *testing.T) {
	slots := []compare.Slot{{Cell: 1}, {Cell: 2}, {Cell: 3}, {Cell: 1}}
	usual := []time.Duration{0, 3, 1, 1} // 3 | 1 1 3
	assert.Equal(t, time.Duration(5), span(slots, usual, 2))
	assert.Equal(t, time.Duration(8), span(slots, usual, 1))
	assert.Equal(t, time.Duration(3), span(slots, usual, 9))
	assert.Equal(t, time.Duration(0), span(nil, usual, 2))
}

func TestARunAboveItsLimitIsShownAndRefused(t *testing.T) {
	text := head + "prompts: ['{1|2|3|4|5|6} kites']\nmodels: [famA3, famG-h3]\nmode: t2v\nrepeats: 50\n"
	in, _ := input(t, text)
	run, f, err := Make(in)
	var many *TooMany
	require.ErrorAs(t, err, &many)
	assert.Equal(t, TooMany{Trials: 600, Limit: 500}, *many)
	assert.Len(t, run.Order, 600)
	assert.Equal(t, 600, f.Trials)
	in.Suite.Limit = 600
	_, _, err = Make(in)
	assert.NoError(t, err)

	in, _ = input(t, head+"prompts: ['{1|2|3|4|5|6|7|8|9|10} {1|2|3|4|5|6|7|8|9|10} {1|2|3|4|5|6|7|8|9|10} {1|2|3|4|5|6|7|8|9|10} kites']\nmodels: [famA3, famG-h3]\nmode: t2v\n")
	_, _, err = Make(in)
	assert.EqualError(t, err, "more than 10000 cells")
	in, _ = input(t, head+"prompts: ['{1|2|3|4|5|6|7|8|9|10} {1|2|3|4|5|6|7|8|9|10} kites']\nmodels: [famA3]\nmode: t2v\naxes: {duration: '1,..,900', fps: '1,..,900', seed: '1,..,900'}\n")
	_, _, err = Make(in)
	assert.ErrorContains(t, err, "combinations before exclusions; at most 200000")
}

func TestEachRequestIsLookedAtOnce(t *testing.T) {
	in, g := input(t, head+"prompts: ['{1|2|3|4|5|6|7|8|9|10} kites', {id: i, text: x, values: {aspect_ratio: '1:1'}}]\nmodels: [famA3, famG-h3]\nmode: t2v\naxes: {duration: '5,8'}\n")
	_, _, err := Make(in)
	require.NoError(t, err)
	assert.Equal(t, 2*2*2, g.asked, "prompts of one template differ by their text alone")
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{{"a", "a", true}, {"a", "ab", false}, {"a*", "ab", true}, {"*", "", true}, {"*b*", "abc", true}, {"a*c", "abc", true}, {"a*c", "ac", true},
		{"a*a", "a", false}, {"*a*b", "aab", true}, {"", "", true}, {"", "a", false}, {"a**b", "ab", true}} {
		assert.Equal(t, c.want, fits(c.pattern, c.s), "%s %s", c.pattern, c.s)
	}
}

// BenchmarkMake plans 10,000 cells that share nothing.
func BenchmarkMake(b *testing.B) {
	for name, text := range map[string]string{
		"settings": head + "prompts: [a kite]\nmodels: [famA3, famA3-pro, famG-h3, famK-3.0, famA3-fast]\nmode: t2v\naxes: {duration: '1,..,20', fps: '1,..,100'}\nlimit: 50000\n",
		"prompts":  head + "prompts: ['{1|2|3|4|5|6|7|8|9|10} {1|2|3|4|5|6|7|8|9|10} {1|2|3|4|5|6|7|8|9|10} kites']\nmodels: [famA3, famA3-pro, famG-h3, famK-3.0, famA3-fast]\nmode: t2v\naxes: {duration: '4,8'}\nlimit: 50000\n",
	} {
		b.Run(name, func(b *testing.B) {
			in, _ := input(b, text)
			for b.Loop() {
				run, _, err := Make(in)
				require.NoError(b, err)
				require.Len(b, run.Cells, 10_000)
			}
		})
	}
}

func TestUsualIsTheMedianOfThePast(t *testing.T) {
	asked := 0
	usual := FromPast(func(model, mode string) []time.Duration {
		asked++
		if model+mode == "mt2v" {
			return []time.Duration{9, 1, 5}
		}
		return nil
	})
	for range 2 {
		p50, n := usual(&compare.Cell{Model: "m", Mode: "t2v"})
		assert.Equal(t, []any{time.Duration(5), 3}, []any{p50, n})
		_, n = usual(&compare.Cell{Model: "m"})
		assert.Zero(t, n)
	}
	assert.Equal(t, 2, asked)
}

// TestASmallSuiteIsNotTooMuchText: templates multiply, in prompts and over cells.
func TestASmallSuiteIsNotTooMuchText(t *testing.T) {
	t.Parallel()
	ten := func(s string) string { return strings.Repeat(s, 10) }
	vars := "vars: {a: " + strings.Repeat("x", 1000) + ", b: '" + ten("${a}") + "', c: '" + ten("${b}") + "', d: '" + ten("${c}") + "'}\nmodels: [famA3]\nlimit: 1000\n"
	for name, text := range map[string]string{
		"prompts": head + "prompts: ['{0" + strings.Repeat("|1", 80) + "} ${d}']\n" + vars,
		"cells":   head + "prompts: ['${d}']\naxes: {seed: '1,..,80'}\n" + vars,
	} {
		in, _ := input(t, text)
		_, _, err := Make(in)
		require.ErrorContains(t, err, "the prompts of all cells have more than 64 MB", name)
	}
}
