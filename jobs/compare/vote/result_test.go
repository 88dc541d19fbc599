package vote

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/vote/votetest"
)

// judge votes on all pairs by a rule that knows the groups.
func judge(t *testing.T, dir string, run *compare.Run, name string, most int, says func(a, b string) Answer) {
	t.Helper()
	s := open(t, dir, run, name)
	for range most {
		b, ok := s.Ballot()
		if !ok {
			break
		}
		require.NoError(t, s.Vote(b.ID, says(s.current.a.group, s.current.b.group)))
	}
	require.NoError(t, s.Close())
}

// noisy prefers the later model, but on every so many pairs the earlier one.
func noisy(every int) func(a, b string) Answer {
	n := 0
	return func(a, b string) Answer {
		n++
		if (n%every == 0) == (a > b) {
			return AnswerB
		}
		return AnswerA
	}
}

func TestResultsOfSeveralJudges(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 3, 2, 2, client.AssetImage, nil)
	r, err := Results(dir, run)
	require.NoError(t, err)
	assert.Equal(t, []string{"Nobody has voted blind yet."}, r.Words())
	assert.Len(t, r.Unjudged, 3)

	judge(t, dir, run, "ana", 24, noisy(4))
	judge(t, dir, run, "ben", 24, noisy(4))
	judge(t, dir, run, "cy", 12, func(string, string) Answer { return Tie })
	judge(t, dir, run, "dee", 3, func(string, string) Answer { return Skip })
	r, err = Results(dir, run)
	require.NoError(t, err)
	require.Len(t, r.Ranking.Items, 3)
	for i, want := range []string{"fam2-omni", "fam1-omni", "fam0-omni"} {
		x := r.Ranking.Items[i]
		assert.Equal(t, want, x.Name)
		assert.LessOrEqual(t, x.Low, x.Strength)
		assert.GreaterOrEqual(t, x.High, x.Strength)
	}
	assert.True(t, r.Ranking.Connected())
	assert.Equal(t, 60, r.Ranking.Pairings)
	require.Len(t, r.Pairs, 3)
	total := 0
	for _, p := range r.Pairs {
		total += p.WinsA + p.Ties + p.WinsB
		assert.GreaterOrEqual(t, p.WinsA, p.WinsB, "the higher place first")
	}
	assert.Equal(t, 60, total)
	assert.Equal(t, Judge{Name: "dee", Skips: 3, SideA: r.Judges[3].SideA}, r.Judges[3])
	assert.Equal(t, 24, r.Agreement.Items)
	assert.Empty(t, r.Unjudged)
	assert.Empty(t, r.Warnings)
	words := strings.Join(r.Words(), "\n")
	assert.Contains(t, words, "60 votes by 3 judges.")
	assert.Contains(t, words, "On 24 pairs that several judged, judges agree in")
	_, err = json.Marshal(r)
	require.NoError(t, err)
}

// TestJudgesWhoSayTheSameAgreeFully, though their sides differ, and those who say the opposite do not.
func TestJudgesWhoSayTheSameAgreeFully(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 4, 2, 1, client.AssetImage, nil)
	judge(t, dir, run, "ana", 99, noisy(3))
	judge(t, dir, run, "ben", 99, noisy(3))
	r, err := Results(dir, run)
	require.NoError(t, err)
	assert.InDelta(t, 1, r.Agreement.Plain, 1e-9)
	assert.InDelta(t, 1, r.Agreement.Kappa, 1e-9)
	require.NoError(t, os.Remove(File(dir, run.ID, "ben")))
	other := noisy(3)
	judge(t, dir, run, "ben", 99, func(a, b string) Answer { return map[Answer]Answer{AnswerA: AnswerB, AnswerB: AnswerA}[other(a, b)] })
	r, err = Results(dir, run)
	require.NoError(t, err)
	assert.Zero(t, r.Agreement.Plain)
	assert.Less(t, r.Agreement.Kappa, 0.0)
}

func TestASideThatSwaysIsSaid(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 4, 2, 1, client.AssetImage, nil)
	judge(t, dir, run, "ana", 99, func(string, string) Answer { return AnswerB })
	r, err := Results(dir, run)
	require.NoError(t, err)
	assert.Contains(t, strings.Join(r.Words(), "\n"), "ana preferred side B in 12 of 12 votes. Sides are random: the side may have swayed them.")
}

// TestWhatIsNotConnectedIsSaid with its groups.
func TestWhatIsNotConnectedIsSaid(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 4, 1, 1, client.AssetImage, nil)
	low := func(g string) bool { return g == "fam0-omni" || g == "fam1-omni" }
	judge(t, dir, run, "ana", 99, func(a, b string) Answer {
		if low(a) != low(b) {
			return Skip // as if never drawn
		}
		return Tie
	})
	r, err := Results(dir, run)
	require.NoError(t, err)
	assert.False(t, r.Ranking.Connected())
	assert.Equal(t, [][]string{{"fam0-omni", "fam1-omni"}, {"fam2-omni", "fam3-omni"}}, r.Ranking.Islands)
	assert.Contains(t, strings.Join(r.Words(), "\n"), "fam0-omni, fam1-omni and fam2-omni, fam3-omni never met")
}

func TestRatingsAndNotesAreOfGroups(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 2, 1, 2, client.AssetImage, nil)
	s := open(t, dir, run, "ana")
	for range 4 {
		b, _ := s.Ballot()
		require.NoError(t, s.Rate(b.ID, A, 1))
		for side, group := range map[Side]string{A: s.current.a.group, B: s.current.b.group} {
			require.NoError(t, s.Rate(b.ID, side, map[string]int{"fam0-omni": 2, "fam1-omni": 5}[group]))
			require.NoError(t, s.Note(b.ID, side, "of "+group))
		}
		require.NoError(t, s.Vote(b.ID, Tie))
	}
	r, err := s.Reveal()
	require.NoError(t, err)
	assert.Equal(t, []Rating{{"fam0-omni", 4, 2}, {"fam1-omni", 4, 5}}, r.Ratings, "the last one counts")
	require.Len(t, r.Remarks, 8)
	for _, x := range r.Remarks {
		assert.Equal(t, "of "+x.Group, x.Text)
	}
}

// TestDamagedAndForeignFilesAreSaid, and cost the others nothing.
func TestDamagedAndForeignFilesAreSaid(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 2, 1, 1, client.AssetImage, nil)
	judge(t, dir, run, "ana", 9, noisy(9))
	b, err := os.ReadFile(File(dir, run.ID, "ana"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(File(dir, run.ID, "ben"), b, 0o600))
	require.NoError(t, os.WriteFile(File(dir, run.ID, "cy"), []byte("nothing"), 0o600))
	require.NoError(t, os.WriteFile(File(dir, run.ID, "ana"), append(b, "what\n{\"kind\":\"vote\",\"a\":\"x\",\"b\":\"y\",\"answer\":\"a\"}\n"...), 0o600))
	require.NoError(t, os.WriteFile(File(dir, run.ID, ".hidden"), b, 0o600))
	r, err := Results(dir, run)
	require.NoError(t, err)
	assert.Equal(t, 1, r.Ranking.Pairings)
	words := strings.Join(r.Words(), "\n")
	for _, want := range []string{"another run or judge", "votes of cy cannot be read", "1 line in the file of ana", "1 vote about results"} {
		assert.Contains(t, words, want)
	}
}

// TestTooManyJudgesAreNotCounted: whoever can write into the folder cannot make merging endless.
func TestTooManyJudgesAreNotCounted(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 2, 1, 1, client.AssetImage, nil)
	for i := range maxJudges + 1 {
		votetest.Begin(t, File(dir, run.ID, fmt.Sprintf("judge%03d", i)), fmt.Sprintf("judge%03d", i))
	}
	r, err := Results(dir, run)
	require.NoError(t, err)
	assert.Len(t, r.Judges, maxJudges)
	assert.Contains(t, strings.Join(r.Words(), "\n"), "Only the votes of the first 200 judges are counted")
}
