package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/compare"
	judging "darkroom/jobs/compare/vote"
	"darkroom/jobs/compare/vote/votetest"
	"darkroom/tui/screen"
)

// TestTheResultsOfARunAreJudgedBlind: the dialog covers the grid, in which the models stand.
func TestTheResultsOfARunAreJudgedBlind(t *testing.T) {
	d, x := deps(t)
	dir := t.TempDir()
	d.Votes = func(r compare.Run) (*judging.Session, error) { return judging.Open(dir, &r, "ana") }
	x.open(t, d, 120, 34)
	x.Key("V")
	assert.NotContains(t, x.View(), "Blind vote", "no run shows")
	r := votetest.Pictures(t, 3, 1, 1)
	x.shows(r)
	require.Contains(t, x.View(), "fam0-omni")
	x.Limit = 10e9
	x.Key("V")
	assert.Contains(t, x.View(), "pair 1 of 3")
	for _, word := range votetest.Secrets() {
		assert.NotContains(t, x.View(), word)
	}
	x.Key("1", "esc")
	assert.NotContains(t, x.View(), "Blind vote")
	got, err := judging.Results(dir, r)
	require.NoError(t, err)
	assert.Equal(t, 1, got.Ranking.Pairings)

	x.Key("V")
	require.NoError(t, x.m.Flush(), "as the console does when it ends")
	s, err := judging.Open(dir, r, "ana")
	require.NoError(t, err, "nobody has it open any more")
	require.NoError(t, s.Close())

	x.open(t, d, 120, 34)
	x.Limit = 10e9
	x.Send(screen.JudgeRun{Run: r.ID})
	assert.Contains(t, x.View(), "pair 2 of 3", "asked for from outside, it begins by itself, where it ended")
	x.Key("esc")
	x.Send(screen.ClickMsg{Zone: "tab:plan"}, screen.ClickMsg{Zone: "tab:results"})
	assert.NotContains(t, x.View(), "Blind vote", "and only once")

	d.Votes = nil
	x.open(t, d, 120, 34).shows(r)
	x.Key("V")
	assert.Contains(t, x.toast(t), "nothing is judged here")
}
