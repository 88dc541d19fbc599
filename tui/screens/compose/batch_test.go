package compose

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/jobs"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/autosave"
	"darkroom/tui/tuitest"
)

func TestATemplateIsShownBeforeItIsSent(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a {red|blue} kite over ")
	b.Paste("${place:塩の平原}")
	assert.Contains(t, b.View(), "template: 2 prompts; submitting shows them")
	b.Key("ctrl+s")
	require.True(t, b.m.over.Has(batch.Scope))
	assert.Empty(t, b.jobs.got, "nothing goes out unseen")
	view := b.View()
	assert.Contains(t, view, "sends 2 jobs in one group · limit 200")
	assert.Contains(t, view, "a red kite over 塩の平原")
	b.Key("enter")
	require.Equal(t, []string{"a red kite over 塩の平原", "a blue kite over 塩の平原"}, b.said())
	assert.False(t, b.m.over.Has(batch.Scope))
	assert.NotEmpty(t, b.jobs.got[0][0].Group)
	assert.Equal(t, b.jobs.got[0][0].Group, b.jobs.got[0][1].Group)
	assert.Equal(t, "a {red|blue} kite over ${place:塩の平原}", b.m.sheet.Draft.Prompt, "the form keeps the template")
	assert.Contains(t, toast(t, b).Text, "2 jobs")
	b.Key("ctrl+s")
	assert.True(t, b.m.over.Has(batch.Scope), "every time")
	b.Key("esc")
	assert.Len(t, b.jobs.got, 1)
}

func TestBracesCanBeSentAsTheyAre(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a {red|blue} kite")
	b.Key("ctrl+s", "alt+t", "alt+t") // template, at random, text
	assert.Contains(t, b.View(), "sends 1 job ")
	b.Key("ctrl+s")
	require.Equal(t, []string{"a {red|blue} kite"}, b.said())
	assert.Contains(t, b.View(), "sent as it is, braces and all")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 2, "and it is not asked again")
	require.NoError(t, b.m.Flush())
	assert.Equal(t, "text", b.drafts.kept[client.Video].Expand, "nor after a restart")

	again, _ := batchBench(t, 120, 34)
	again.Send(autosave.LoadedMsg{Drafts: b.drafts.kept})
	again.Key("ctrl+s")
	require.Equal(t, []string{"a {red|blue} kite"}, again.said())
}

func TestAPlainPromptGoesOutAtOnce(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Paste(`{"scene": {"sky": "{red}"}, "n": "a\nb"} my_file__ and 塩 🪁`)
	b.Key("ctrl+s")
	assert.False(t, b.m.over.Has(batch.Scope))
	require.Equal(t, []string{`{"scene": {"sky": "{red}"}, "n": "a\nb"} my_file__ and 塩 🪁`}, b.said())
	assert.NotContains(t, b.View(), "template")
}

func TestEscapesOfATemplateAreShown(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Paste(`\{a|b\}`)
	assert.False(t, b.m.sheet.AsksFirst(), "nobody said that it is one")
	b.m.sheet.Template.Mode = rules.EveryPrompt
	b.Key("ctrl+s")
	require.True(t, b.m.over.Has(batch.Scope))
	b.Key("enter")
	require.Equal(t, []string{`{a|b}`}, b.said())
}

func TestWhatATemplateLacksIsNamed(t *testing.T) {
	for prompt, want := range map[string]string{
		"a __shade__ kite":      "prompt:1:3: there is no wildcard file shade.txt; there are colour",
		"a kite over ${place}":  "prompt:1:13: ${place} has no value",
		"a {red|blue kite":      "prompt:1:3: the alternatives that begin here are not closed",
		"{a|b} ${x:{${x}|y}} z": "leads back to itself",
	} {
		b, _ := batchBench(t, 200, 50)
		b.Paste(prompt)
		assert.Contains(t, b.m.sheet.Problems[0].Message, want)
		b.Key("ctrl+s")
		require.True(t, b.m.over.Has(batch.Scope), prompt)
		assert.Contains(t, b.View(), want)
		b.Key("ctrl+s")
		assert.Empty(t, b.jobs.got, prompt)
		assert.Contains(t, toast(t, b).Text, "not submitted: prompt:1:")
		b.Key("alt+t", "alt+t", "ctrl+s")
		assert.Equal(t, []string{prompt}, b.said(), "as text it can be sent")
	}
}

func TestVariablesOfATemplateHaveRows(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Paste("a {red|blue} kite over ${place}")
	b.Key("alt+t")
	assert.Contains(t, b.View(), "${place} has no value")
	b.Type("{a lake|東京}")
	assert.Contains(t, b.View(), "sends 4 jobs")
	b.Key("ctrl+s")
	require.Equal(t, []string{"a red kite over a lake", "a red kite over 東京", "a blue kite over a lake", "a blue kite over 東京"}, b.said())
	require.NoError(t, b.m.Flush())
	kept := b.drafts.kept[client.Video]
	assert.Equal(t, map[string]string{"place": "{a lake|東京}"}, kept.Vars)
	assert.Equal(t, "all", kept.Expand)
}

func TestVariationsCountFromTheFormsSeed(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a kite")
	require.True(t, b.m.sheet.Form.Focus("seed"))
	b.Type("41")
	b.Key("alt+s", "ctrl+s")
	require.Equal(t, []string{"a kite #41", "a kite #42", "a kite #43", "a kite #44"}, b.said(), "as it always did")
	assert.NotContains(t, toast(t, b).Text, "drawn", "nothing was")
	b.Key("alt+s", "ctrl+u")
	b.Type("x")
	assert.Contains(t, b.View(), `copies "x": 1 to 2000 are allowed`)
	b.Key("ctrl+s", "esc")
	assert.Len(t, b.jobs.got, 1)
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got[1], 1, "leaving the dialog leaves one copy")
}

func TestCopiesOfAModelWithoutASeedAreTold(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Click("compose/#kind/o2") // music
	b.Type("slow piano")
	b.Key("alt+s", "down", "right", "right")
	assert.Contains(t, b.View(), "the model takes no seed in this format")
}

func TestTheLastBatchIsFollowed(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a {red|blue|green} kite")
	b.Key("ctrl+s", "enter")
	assert.Contains(t, b.View(), "last batch: 3 jobs, 0 answered, 3 to go")
	b.jobs.changed = []jobs.Job{{ID: "job-0001-0000", State: jobs.Queued}, {ID: "job-0001-0001", State: jobs.Refused, Error: &client.TaskError{Message: "no"}}}
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.m.outcomes.Hint(), "last batch: 3 jobs, 2 answered, 1 refused, 1 to go")
	b.Key("alt+q")
	open, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.OpenMsg{Screen: screen.Queue, Payload: screen.ShowGroup{Group: b.jobs.got[0][0].Group}}, open)
}

func TestAFailedJournalKeepsTheDialog(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a {red|blue} kite")
	b.jobs.err = errors.New("the disk is full\x1b[2J")
	b.Key("ctrl+s", "enter")
	require.True(t, b.m.over.Has(batch.Scope))
	assert.Contains(t, b.View(), "nothing was sent: the disk is full")
	b.jobs.err = fmt.Errorf("%w: no route", jobs.ErrUnclear)
	b.Key("ctrl+s")
	assert.Contains(t, toast(t, b).Text, "perhaps submitted: it may be in the history", "no one says that nothing was sent who does not know")
	assert.NotContains(t, b.View(), "nothing was sent")
	b.jobs.err = nil
	b.Key("ctrl+s")
	assert.Len(t, b.said(), 2)
}

func TestABatchIsSentOnce(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a {red|blue} kite")
	b.Key("ctrl+s")
	_, first := b.m.Update(screen.ActionMsg{ID: "batch.submit"})
	require.NotNil(t, first)
	_, second := b.m.Update(screen.ActionMsg{ID: "batch.submit"})
	assert.Nil(t, second, "it is being written down")
	b.Key("esc")
	assert.True(t, b.m.over.Has(batch.Scope))
	drain(b.m, first, false)
	assert.Len(t, b.jobs.got, 1)
}

func TestAJobsPromptIsNoTemplate(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Send(screen.ComposeDraft{Job: "j", Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a {red|blue} kite"}})
	b.Key("ctrl+s")
	require.Equal(t, []string{"a {red|blue} kite"}, b.said(), "it was sent like that")
	b.Key("ctrl+x")
	assert.Equal(t, rules.Undecided, b.m.sheet.Template.Mode)
}

func TestBatchActions(t *testing.T) {
	b, _ := batchBench(t, 80, 24)
	b.Send(screen.ActionMsg{ID: "compose.show-batch"})
	assert.Contains(t, toast(t, b).Text, "no batch")
	b.Type("a kite {x|y}")
	for _, id := range []string{"compose.template", "compose.submit-many", "compose.batch"} {
		b.Send(screen.ActionMsg{ID: id})
		require.True(t, b.m.over.Has(batch.Scope), id)
		assert.True(t, b.m.Capturing())
		assert.NotEmpty(t, b.m.over.Actions())
		assert.NotEmpty(t, b.m.ShortHelp())
		for _, a := range b.m.Actions() {
			assert.NotEqual(t, a.ID, a.Title)
		}
		b.Click("btn:compose-batch/send/o1")
		require.False(t, b.m.over.Has(batch.Scope), "Back")
		assert.Empty(t, b.m.over.Actions())
	}
	b.Send(screen.ActionMsg{ID: "batch.submit"})
	assert.Empty(t, b.jobs.got)
}

func TestReferencesAreResolvedBeforeABatch(t *testing.T) {
	b := filledBench(t, 120, 34)
	b.Key("alt+s")
	require.True(t, b.m.over.Has(batch.Scope))
	b.Key("ctrl+s")
	assert.Empty(t, b.jobs.got)
	assert.Contains(t, b.View(), "there is no file /pictures/flat.jpg")
}

func TestGoldensOfBatches(t *testing.T) {
	prompt := "a {red|blue|{light|dark} green} kite 🪁 over ${place:塩の平原}, מישור המלח"
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		size := fmt.Sprintf("%dx%d", s[0], s[1])
		t.Run(size, func(t *testing.T) {
			b, _ := batchBench(t, s[0], s[1])
			b.Paste(prompt)
			b.Golden("batch-noted-" + size)
			b.Key("ctrl+s")
			b.Golden("batch-template-" + size)
			b.Key("esc", "alt+s", "down")
			b.Golden("batch-variations-" + size)

			b, _ = batchBench(t, s[0], s[1])
			b.Paste("a __shade__ kite 🪁 ${who} {x|y}, מישור")
			b.Key("alt+t")
			b.Golden("batch-broken-" + size)

			b, _ = batchBench(t, s[0], s[1])
			b.pick("famI-omni")
			b.Key("alt+l")
			b.Golden("batch-empty-" + size)
			b.pasteIn(t, "shots.csv", "prompt,seconds,Stadt,seed\na red kite 🪁 over 塩の平原,6,Köln,7\nעפיפון אדום מעל מישור,8,東京,\nkite,4,,9\n")
			b.Golden("batch-columns-" + size)
			b.Key("right")
			b.Golden("batch-table-" + size)
		})
	}
}

// pasteIn pastes the name of a file, in whose folder the console is.
func (b *bench) pasteIn(t *testing.T, name, text string) {
	t.Helper()
	was, err := os.Getwd()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	require.NoError(t, os.Chdir(dir))
	b.Paste(name)
	require.NoError(t, os.Chdir(was))
}
