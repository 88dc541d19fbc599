package batch_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/client/catalog"
	"darkroom/client/expand"
)

// gateway makes requests without any I/O; it drops seeds where it is told to.
type gateway struct {
	catalog *catalog.Catalog
	seeded  bool
	asked   int
}

func (g *gateway) FormatsFor(d client.Draft) []string {
	m, _ := g.catalog.ModelFor(d.Modality, d.Model)
	return m.Formats
}

func (g *gateway) Preview(d client.Draft, format string) (client.Preview, error) {
	g.asked++
	p := client.Preview{Format: format}
	if _, ok := d.Values[expand.FieldSeed]; ok && !g.seeded {
		p.Dropped = []client.Dropped{{Field: expand.FieldSeed, Reason: "it has none"}}
	}
	if d.Prompt == "broken" {
		return p, errors.New("no such thing")
	}
	return p, nil
}

func input(t *testing.T, prompt string) (batch.Input, *gateway) {
	t.Helper()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	g := &gateway{catalog: c, seeded: true}
	return batch.Input{Catalog: c, Gateway: g, Count: 1, Limit: 200, Master: 7,
		Base: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: prompt, Values: client.Values{}}}, g
}

func prompts(p batch.Plan) (out []string) {
	for _, j := range p.Jobs {
		out = append(out, j.Draft.Prompt)
	}
	return out
}

func TestATemplateMakesAJobForEachPrompt(t *testing.T) {
	in, g := input(t, "a __colour__ kite")
	in.Mode = expand.Every
	closed := false
	in.Wildcards = func() (fs.FS, func(), error) {
		return fstest.MapFS{"colour.txt": {Data: []byte("red\nblue\n")}}, func() { closed = true }, nil
	}
	p := in.Make()
	assert.Equal(t, []string{"a red kite", "a blue kite"}, prompts(p))
	assert.True(t, p.Sendable())
	assert.True(t, closed)
	assert.Nil(t, p.Master, "nothing is drawn")
	assert.Equal(t, 1, g.asked, "drafts that differ by their prompt alone are previewed once")
	in.Wildcards = func() (fs.FS, func(), error) { return nil, nil, errors.New("no folder") }
	assert.Equal(t, []string{"the wildcard files cannot be read: no folder"}, in.Make().Findings)
}

func TestWhatIsMissingIsNamedTogether(t *testing.T) {
	in, _ := input(t, "a ${kite} over ${place} at ${hour:noon}")
	in.Mode = expand.Every
	p := in.Make()
	require.Len(t, p.Findings, 1)
	assert.Contains(t, p.Findings[0], "${kite}, ${place} have no values")
	assert.Len(t, p.Vars, 3)
	in.Base.Prompt = "a __none__ kite over ${place}"
	assert.Equal(t, "${place} has no value", in.Make().Findings[1], "the first mistake is another one")
	assert.False(t, p.Sendable())
}

func TestCopiesHaveSeeds(t *testing.T) {
	in, g := input(t, "a kite")
	in.Count, in.Seeds = 3, expand.SeedRandom
	p := in.Make()
	require.Len(t, p.Jobs, 3)
	require.NotNil(t, p.Master)
	assert.Equal(t, uint64(7), *p.Master)
	seeds := map[string]bool{}
	for _, j := range p.Jobs {
		s, _ := j.Draft.Values.Text(expand.FieldSeed)
		seeds[s] = true
	}
	assert.Len(t, seeds, 3)
	g.seeded = false
	p = in.Make()
	assert.Empty(t, p.Jobs[0].Draft.Values, "the request would drop it")
	assert.Contains(t, p.Notes, "the model takes no seed in this format: copies are not told apart")
	in.Seeds = expand.SeedsAsTheyAre
	assert.Contains(t, in.Make().Notes, "copies of one prompt: nothing tells them apart; random seeds would")
}

func TestCopiesOfTheFormKeepItsFormat(t *testing.T) {
	in, _ := input(t, "a kite")
	in.Format = "videos"
	one, master, err := in.Copies()
	require.NoError(t, err)
	assert.Equal(t, []batch.Job{{Draft: in.Base, Format: "videos"}}, one)
	assert.Nil(t, master)
	in.Base.Values["seed"] = "41"
	in.Count, in.Seeds = 2, batch.SeedsOf(in.Base)
	two, master, err := in.Copies()
	require.NoError(t, err)
	require.Len(t, two, 2)
	last, _ := two[1].Draft.Values.Text("seed")
	assert.Equal(t, "42", last)
	assert.Nil(t, master, "they count from the draft's own")
	in.Base.Values["seed"] = "often"
	assert.Equal(t, expand.SeedsAsTheyAre, batch.SeedsOf(in.Base))
}

func TestARowIsFittedToItsOwnModel(t *testing.T) {
	in, _ := input(t, "a kite")
	in.Base.Values["aspect_ratio"], in.Base.Values["sound"] = "16:9", "on"
	in.File = &batch.File{Name: "t.csv", Text: "model,seconds\nfamI-omni,6\nfamF-video,5\n"}
	p := in.Make()
	require.Len(t, p.Jobs, 2, p.Findings)
	assert.Equal(t, 2, p.Jobs[0].Line)
	assert.Equal(t, "famF-v1", p.Jobs[1].Draft.ModelName, "that model's own")
	for _, n := range p.Jobs[1].Draft.Values.Names() {
		assert.NotContains(t, strings.Join(p.Notes, "\n"), n+" is not used by famF-video")
	}
}

func TestWhatIsWrongNamesItsLine(t *testing.T) {
	in, _ := input(t, "")
	in.File = &batch.File{Name: "t.csv", Text: "prompt,mode\na,t2v\nb,r2v\nbroken,t2v\n"}
	p := in.Make()
	require.NotEmpty(t, p.Findings)
	assert.True(t, strings.HasPrefix(p.Findings[0], "line 3: "), p.Findings)
	assert.Equal(t, "line 4: no such thing", p.Findings[len(p.Findings)-1])
	in.File = nil
	in.Blocked = []string{"image: there is no file"}
	assert.Equal(t, "the form: image: there is no file", in.Make().Findings[0])
	in.Base.Model = "nobody-knows"
	in.Blocked = nil
	assert.Contains(t, in.Make().Findings[0], "no wire format of this console creates with model nobody-knows")
}

func TestColumnsAreGuessedPlacedOrNamed(t *testing.T) {
	in, _ := input(t, "a kite over ${stadt}")
	in.Mode = expand.Every
	in.File = &batch.File{Name: "t.csv", Text: "Stadt,Note\nKöln,x\n"}
	p := in.Make()
	assert.Equal(t, []string{"column Note: choose what it holds, or that it is passed over"}, p.Findings)
	assert.Equal(t, "$stadt", p.Peek.Columns[0].Target)
	in.File.Columns = map[string]string{"Note": "-"}
	assert.Equal(t, []string{"a kite over Köln"}, prompts(in.Make()))
	in.File.Text = "prompt" + strings.Repeat(",x", 200) + "\na\n"
	p = in.Make()
	assert.True(t, p.Broken)
	assert.Contains(t, p.Findings[0], "at most 100 are placed here")
}

func TestLinesThatReadLikeTemplatesAreNoted(t *testing.T) {
	in, _ := input(t, "")
	in.File = &batch.File{Name: "t.txt", Text: "one\ntwo {a|b}\n", Lines: true}
	p := in.Make()
	assert.Equal(t, []string{"one", "two {a|b}"}, prompts(p))
	assert.Equal(t, []string{"line 2 reads like a template, and is sent as it stands, as are all others"}, p.Notes)
}

func TestAboveTheLimitTheFirstOnesShow(t *testing.T) {
	in, _ := input(t, "{1|2|3|4|5|6|7|8|9|0}{a|b|c}{x|y}")
	in.Mode, in.Limit = expand.Every, 30
	p := in.Make()
	require.Error(t, p.Over)
	assert.Len(t, p.Jobs, batch.FirstShown)
	assert.Equal(t, "60 jobs", batch.Numbered(p.Count, "job"))
	assert.False(t, p.Sendable())
}

func TestWhetherAPromptIsSentAsAnotherText(t *testing.T) {
	for prompt, want := range map[string][2]bool{ // nobody said so, somebody did
		"a kite": {false, false}, "a {red|blue} kite": {true, true}, "a {red|blue": {true, true}, `{"a": 1}`: {false, false},
		`\{a|b\}`: {false, true}, `a \ b`: {false, false}, "__colour__": {true, true},
	} {
		assert.Equal(t, want, [2]bool{batch.Changes(prompt, false), batch.Changes(prompt, true)}, prompt)
	}
	got := batch.Read("a {red|blue} ${x} kite", map[string]string{"x": "{1|2|3}"}, nil)
	require.NoError(t, got.Err)
	assert.Equal(t, "6 prompts", batch.Numbered(got.Count, "prompt"))
	assert.True(t, batch.Read("a kite", nil, nil).Plain)
	assert.Error(t, batch.Read("a {red|blue", nil, nil).Err)
	assert.Equal(t, "no prompt", batch.Numbered(nil, "prompt"))
	assert.Equal(t, expand.AsIs, batch.AsText.Expand())
	assert.Equal(t, expand.Random, batch.SomePrompts.Expand())
	assert.Equal(t, "not decided", batch.Undecided.Label())
}
