package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	rules "darkroom/client/batch"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func TestVariablesOfATemplateHaveRows(t *testing.T) {
	b := desk(t, "", "a {red|blue} kite over ${place}", 120, 34)
	d := b.open(OfTemplate)
	assert.Contains(t, b.View(), "${place} has no value")
	assert.Equal(t, varRow("place"), d.form.Focused(), "that is where to go on")
	b.Type("{a|b}")
	assert.Equal(t, Said{Vars: map[string]string{"place": "{a|b}"}}, b.Answers[len(b.Answers)-1])
	b.Key("ctrl+s")
	require.Len(t, b.sent(), 4)
	assert.Contains(t, b.Answers, Said{Mode: rules.EveryPrompt, Vars: map[string]string{"place": "{a|b}"}}, "what it was taken for is said with the submission")
}

func TestVariablesMayHaveAnyLetters(t *testing.T) {
	b := desk(t, "", "a {x|y} ${場所:海} ${città}", 120, 34)
	b.open(OfTemplate)
	b.Click("compose-batch/" + varRow("città") + "/e0")
	b.Type("Roma")
	assert.Contains(t, b.View(), "a x 海 Roma")
	tuitest.CheckFrame(t, b.Frame(), 120, 34)
}

func TestRandomPromptsCanBeRepeated(t *testing.T) {
	draw := func(master string) []string {
		b := desk(t, "", "a __colour__ kite at {dawn|noon|dusk}", 120, 34)
		d := b.open(OfTemplate)
		b.Key("alt+t")
		d.form.Focus(rowCount)
		b.Key("ctrl+u")
		b.Type("3")
		require.True(t, d.form.Focus(rowMaster))
		b.Key("ctrl+u")
		b.Type(master)
		b.Key("ctrl+s")
		require.Len(t, b.said(), 3)
		return b.said()
	}
	assert.Equal(t, draw("7"), draw("7"))
	assert.NotEqual(t, draw("7"), draw("8"))
}

func TestAboveTheLimitNothingIsSent(t *testing.T) {
	b := desk(t, "", "{1|2|3|4|5|6|7|8|9|0}{1|2|3|4|5|6|7|8|9|0}{a|b|c}", 120, 34)
	d := b.open(OfTemplate)
	assert.Contains(t, b.View(), "300 jobs, above the limit of 200 (up to 2000)")
	assert.Contains(t, b.View(), "11a", "the first ones show")
	b.Key("ctrl+s")
	assert.Empty(t, b.sent())
	assert.Contains(t, toast(t, b).Text, "the batch has 300 jobs; at most 200 are made")
	require.True(t, d.form.Focus(rowLimit))
	b.Key("ctrl+u")
	b.Type("2001")
	assert.Contains(t, b.View(), `limit "2001": 1 to 2000 are allowed`)
	b.Key("backspace")
	b.Key("ctrl+u")
	b.Type("300")
	b.Key("ctrl+s")
	require.Len(t, b.said(), 300)
}

func TestVariationsHaveSeeds(t *testing.T) {
	for mode, want := range map[int][]string{
		0: {"a kite", "a kite", "a kite", "a kite"},
		1: {"a kite #", "a kite #", "a kite #", "a kite #"},
		3: {"a kite #", "a kite #", "a kite #", "a kite #"},
	} {
		b := desk(t, "", "a kite", 120, 34)
		b.open(OfCopies)
		require.Equal(t, rowCount, b.d.form.Focused())
		b.Key("down", "left", "left") // from random on
		for range mode {
			b.Key("right")
		}
		b.Key("ctrl+s")
		got := b.said()
		require.Len(t, got, len(want))
		for i, s := range got {
			assert.True(t, strings.HasPrefix(s, want[i]), s)
		}
		switch mode {
		case 1:
			assert.Equal(t, got[0], got[3], "fixed")
		case 3:
			first := b.sent()[0].Draft.Values["seed"].(json.Number)
			n, err := first.Int64()
			require.NoError(t, err)
			assert.Equal(t, fmt.Sprintf("a kite #%d", n+3), got[3], "counting")
		}
	}
}

func TestRandomSeedsCanBeRepeated(t *testing.T) {
	draw := func(anew bool) []string {
		b := desk(t, "", "a kite", 120, 34)
		b.open(OfCopies)
		b.Key("ctrl+u")
		b.Type("12")
		b.Key("down")
		if anew {
			b.Key("ctrl+n")
		}
		b.Key("ctrl+s")
		require.Len(t, b.said(), 12)
		return b.said()
	}
	first := draw(false)
	assert.Equal(t, first, draw(false))
	assert.NotEqual(t, first, draw(true))
	seen := map[string]bool{}
	for _, s := range first {
		seen[s] = true
	}
	assert.Len(t, seen, 12, "no seed twice")
}

func TestWhatWasNotSeenIsNotSent(t *testing.T) {
	b := desk(t, "", "a {red|blue} kite", 120, 34)
	d := b.open(OfTemplate)
	plan := d.nextMode()
	require.NotNil(t, plan)
	says, _ := d.submit()().(screen.ToastMsg)
	assert.Contains(t, says.Text, "still being counted")
}

func TestABatchIsSubmittedOnce(t *testing.T) {
	b := desk(t, "", "a kite", 120, 34)
	d := b.open(OfCopies)
	b.Key("ctrl+s", "ctrl+s", "esc", "x")
	b.Click("btn:compose-batch/send/o1")
	require.Len(t, b.sent(), 4, "it is being written down")
	assert.Contains(t, b.View(), "writing 4 jobs down")
	b.Send(Sent{To: New(b.o)})
	assert.NotNil(t, b.Top(), "that is another dialog's")
	b.Send(Sent{To: d, Err: errors.New("the disk is full\x1b[2J")})
	assert.Contains(t, b.View(), "nothing was sent: the disk is full")
	b.Key("ctrl+s")
	b.Send(Sent{To: d, Err: fmt.Errorf("%w: no route", jobs.ErrUnclear)})
	assert.Contains(t, b.View(), "perhaps submitted: ")
	b.Key("ctrl+s")
	b.Send(Sent{To: d, Not: true})
	assert.NotContains(t, b.View(), "perhaps submitted")
	b.Key("ctrl+s")
	b.Send(Sent{To: d})
	assert.Nil(t, b.Top())
	b.open(OfCopies)
	assert.Contains(t, b.View(), "sends 4 jobs")
}

func TestAFormThatChangesIsCountedAnew(t *testing.T) {
	b := desk(t, "", "former", 120, 34)
	b.open(OfCopies)
	b.form.Draft.Prompt = "newer"
	b.Send(b.form)
	b.Key("ctrl+s")
	assert.Equal(t, "newer", b.sent()[0].Draft.Prompt)
}

func TestAPlanOfAnEarlierDialogIsNotTaken(t *testing.T) {
	b := desk(t, "", "a kite", 120, 34)
	former := b.open(OfCopies)
	late := former.count()
	d := b.open(OfCopies)
	assert.True(t, d.fresh())
	made := d.made
	b.Send(late())
	assert.Equal(t, made, d.made)
	d.count()
	assert.False(t, d.fresh())
	b.Send(late())
	b.Key("ctrl+s")
	assert.Empty(t, b.sent(), "nothing is counted yet")
}

func TestWhatIsOffSaysWhy(t *testing.T) {
	b := desk(t, "", "a kite", 80, 24)
	b.open(OfCopies)
	off := map[string]string{}
	for _, a := range b.Actions() {
		off[a.ID] = a.Off
	}
	assert.Equal(t, map[string]string{Submits: "", actMode: "there is no template in the prompt", actDraw: "", actRead: "no file is read", actClose: ""}, off)
	assert.NotEmpty(t, b.ShortHelp())
}
