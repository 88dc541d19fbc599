package vote

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/vote/votetest"
)

func open(t *testing.T, dir string, run *compare.Run, judge string) *Session {
	t.Helper()
	s, err := begin(dir, run, judge, hashed(1, judge)) // what depends on the sides is the same in each run
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// shown is the pair of a ballot, for the test to know.
func (s *Session) shownJobs() [2]string { return [2]string{s.current.a.job, s.current.b.job} }

func answer(t *testing.T, s *Session, a Answer) {
	t.Helper()
	b, ok := s.Ballot()
	require.True(t, ok)
	require.NoError(t, s.Vote(b.ID, a))
}

// TestASessionGoesOnWhereItEnded: with the same pairs and sides, whatever happened in between.
func TestASessionGoesOnWhereItEnded(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 3, 2, 2, client.AssetImage, nil)
	s := open(t, dir, run, "ana")
	answer(t, s, AnswerA)
	answer(t, s, Skip)
	answer(t, s, Tie)
	b, _ := s.Ballot()
	require.NoError(t, s.Rate(b.ID, B, 4))
	require.NoError(t, s.Note(b.ID, Pair, "sky\x1b[2J wobbles"))
	at, p := s.shownJobs(), s.Progress()
	require.NoError(t, s.Close())

	s = open(t, dir, run, "ana")
	assert.Equal(t, at, s.shownJobs())
	assert.Equal(t, p, s.Progress())
	assert.Equal(t, Progress{Pairs: 24, Judged: 2, Skipped: 1, Undo: true}, p)
	b, _ = s.Ballot()
	assert.Equal(t, 4, b.StarsB)
	assert.NotContains(t, b.Notes[Pair], "\x1b")
	assert.Contains(t, b.Notes[Pair], "wobbles")
	var all [][2]string
	for {
		b, ok := s.Ballot()
		if !ok {
			break
		}
		all = append(all, s.shownJobs())
		require.NoError(t, s.Vote(b.ID, AnswerB))
	}
	assert.Len(t, all, 21, "each pair once")
	assert.True(t, s.Progress().Over())
	require.NoError(t, s.Close())
	s = open(t, dir, run, "ana")
	_, more := s.Ballot()
	assert.False(t, more)

	// Another judge meets the same pairs in the same order, with sides of their own.
	o := open(t, dir, run, "ben")
	same, turned := 0, 0
	answer(t, o, Tie)
	answer(t, o, Tie)
	answer(t, o, Tie)
	for _, pair := range all {
		got := o.shownJobs()
		require.Equal(t, pairKey(pair[0], pair[1]), pairKey(got[0], got[1]))
		if got == pair {
			same++
		} else {
			turned++
		}
		answer(t, o, Tie)
	}
	assert.Equal(t, 21, same+turned)
}

func TestUndoBringsThePairBack(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 3, 1, 1, client.AssetImage, nil)
	s := open(t, dir, run, "ana")
	require.ErrorIs(t, s.Undo(), ErrNoUndo)
	first := s.shownJobs()
	answer(t, s, AnswerA)
	second := s.shownJobs()
	answer(t, s, Skip)
	require.NoError(t, s.Undo())
	assert.Equal(t, second, s.shownJobs())
	require.NoError(t, s.Undo())
	assert.Equal(t, first, s.shownJobs())
	require.NoError(t, s.Close())
	s = open(t, dir, run, "ana")
	assert.Equal(t, first, s.shownJobs(), "after a restart, too")
	answer(t, s, AnswerB)
	assert.Equal(t, second, s.shownJobs())
	answer(t, s, Tie)
	answer(t, s, Tie)
	_, more := s.Ballot()
	assert.False(t, more)
	require.NoError(t, s.Undo())
	_, more = s.Ballot()
	assert.True(t, more, "after the last pair, too")
	lines, err := os.ReadFile(File(dir, run.ID, "ana"))
	require.NoError(t, err)
	assert.Equal(t, 3, strings.Count(string(lines), `"undo"`), "added, not rewritten")
	assert.Equal(t, 5, strings.Count(string(lines), `"vote"`))
}

// TestAVoteThatCameTwiceCountsOnce: of two windows that answer one ballot, one is told so.
func TestAVoteThatCameTwiceCountsOnce(t *testing.T) {
	s := open(t, t.TempDir(), votetest.Run(t, 3, 1, 2, client.AssetImage, nil), "ana")
	b, _ := s.Ballot()
	var wg sync.WaitGroup
	var mu sync.Mutex
	var stale int
	for range 8 {
		wg.Go(func() {
			if err := s.Vote(b.ID, AnswerA); err != nil {
				mu.Lock()
				defer mu.Unlock()
				assert.ErrorIs(t, err, ErrStale)
				stale++
			}
		})
	}
	wg.Wait()
	assert.Equal(t, 7, stale)
	assert.EqualValues(t, 1, s.Progress().Judged)
	require.ErrorIs(t, s.Rate(b.ID, A, 3), ErrStale)
	now, _ := s.Ballot()
	for _, wrong := range []error{s.Vote(now.ID, "c"), s.Rate(now.ID, Pair, 3), s.Rate(now.ID, A, 6), s.Note(now.ID, "c", "x")} {
		require.Error(t, wrong)
		require.NotErrorIs(t, wrong, ErrStale)
	}
}

func TestOneJudgeIsInOneProcess(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 2, 1, 1, client.AssetImage, nil)
	s := open(t, dir, run, "ana")
	_, err := Open(dir, run, "ana")
	require.ErrorContains(t, err, "in another window")
	require.NoError(t, s.Close())
	open(t, dir, run, "ana")
}

func TestWhatCannotBeJudgedIsSaid(t *testing.T) {
	dir := t.TempDir()
	_, err := Open(dir, votetest.Run(t, 1, 2, 2, client.AssetImage, nil), "ana")
	require.ErrorIs(t, err, ErrNothing)
	run := votetest.Run(t, 2, 1, 1, client.AssetImage, nil)
	for _, judge := range []string{"", "..", "a/b", "a b", "-\x00", strings.Repeat("a", 41), ".ana", "a.ndjson"} {
		_, err := Open(dir, run, judge)
		assert.ErrorContains(t, err, "not a name for a judge", judge)
	}
	for _, id := range []string{"", "..", "a/b", ".x", "a\x1b"} {
		run.ID = id
		_, err := Open(dir, run, "ana")
		require.Error(t, err)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, entries)
}

// TestAfterTheRevealVotesAreMarked: what was blind stays, and what follows does not count.
func TestAfterTheRevealVotesAreMarked(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 3, 1, 1, client.AssetImage, nil)
	s := open(t, dir, run, "ana")
	answer(t, s, AnswerA)
	r, err := s.Reveal()
	require.NoError(t, err)
	assert.Equal(t, 1, r.Ranking.Pairings)
	require.ErrorIs(t, s.Undo(), ErrRevealed)
	answer(t, s, AnswerA)
	require.NoError(t, s.Undo())
	answer(t, s, AnswerB)
	require.NoError(t, s.Close())
	s = open(t, dir, run, "ana")
	assert.True(t, s.Revealed())
	r, err = s.Reveal()
	require.NoError(t, err)
	assert.Equal(t, 1, r.Ranking.Pairings)
	assert.Equal(t, 1, r.Judges[0].Seen)
	assert.Contains(t, strings.Join(r.Words(), "\n"), "1 vote of ana came after the reveal and does not count.")
	b, err := os.ReadFile(File(dir, run.ID, "ana"))
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(b), `"reveal"`))
}

// TestTheFileAndTheBallotTellNothing of models, formats, latencies or paths; jobs are named in the file
// alone.
func TestTheFileAndTheBallotTellNothing(t *testing.T) {
	dir, run := t.TempDir(), votetest.Pictures(t, 2, 1, 1)
	s := open(t, dir, run, "ana")
	ballot, _ := s.Ballot()
	sides, err := s.Media(t.Context(), ballot.ID)
	require.NoError(t, err)
	told := sides
	told[0].Path, told[1].Path = filepath.Base(sides[0].Path), filepath.Base(sides[1].Path) // digits before it are the system's
	seen, err := json.Marshal([]any{ballot, told, s.Progress()})
	require.NoError(t, err)
	var media []byte
	for _, f := range sides {
		b, err := os.ReadFile(f.Path)
		require.NoError(t, err)
		media = append(media, b...)
		st, err := os.Stat(filepath.Dir(f.Path))
		require.NoError(t, err)
		assert.EqualValues(t, 0o700, st.Mode().Perm())
	}
	for _, word := range votetest.Secrets() {
		assert.NotContains(t, string(seen), word)
	}
	for _, word := range []string{"fam0", "fam1", "Software"} {
		assert.NotContains(t, string(media), word)
	}
	again, err := s.Media(t.Context(), ballot.ID)
	require.NoError(t, err)
	assert.Equal(t, sides, again, "made once")
	answer(t, s, AnswerA)
	_, err = s.Media(t.Context(), ballot.ID)
	require.ErrorIs(t, err, ErrStale)
	b, err := os.ReadFile(File(dir, run.ID, "ana"))
	require.NoError(t, err)
	assert.NotContains(t, string(b), "fam")
	st, err := os.Stat(File(dir, run.ID, "ana"))
	require.NoError(t, err)
	assert.EqualValues(t, 0o600, st.Mode().Perm())
	require.NoError(t, s.Close())
	_, err = os.Stat(sides[0].Path)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestAMissingFileIsSaidWithoutItsName, and can be skipped.
func TestAMissingFileIsSaidWithoutItsName(t *testing.T) {
	run := votetest.Pictures(t, 2, 1, 2)
	for i := range run.Trials {
		require.NoError(t, errorsOtherThanMissing(os.Remove(run.Trials[i].Files[0].Path)))
	}
	s := open(t, t.TempDir(), run, "ana")
	b, _ := s.Ballot()
	_, err := s.Media(t.Context(), b.ID)
	require.ErrorContains(t, err, "no such file")
	assert.NotContains(t, err.Error(), "fam")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	answer(t, s, Skip)
	b, _ = s.Ballot()
	_, err = s.Media(gone, b.ID)
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.Media(t.Context(), b.ID)
	require.NotErrorIs(t, err, context.Canceled, "it is tried again")
}

func errorsOtherThanMissing(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// TestAnyOrderOfActs: whatever a judge does, and however often the program ends in between, each pair has
// its turn once, with the same sides, and what counts is what was said last.
func TestAnyOrderOfActs(t *testing.T) {
	for seed := range uint64(20) {
		dir, run := t.TempDir(), votetest.Run(t, 3, 2, 1, client.AssetImage, nil)
		r := rand.New(rand.NewPCG(seed, 0))
		s := open(t, dir, run, "ana")
		sides := map[string][2]string{}
		var said []string // the pairs that were answered, in their order
		answers := map[string]Answer{}
		for range 60 {
			b, ok := s.Ballot()
			if ok {
				jobs := s.shownJobs()
				key := pairKey(jobs[0], jobs[1])
				require.NotContains(t, answers, key, "it had its turn")
				if known, ok := sides[key]; ok {
					require.Equal(t, known, jobs)
				}
				sides[key] = jobs
				if r.IntN(2) == 0 {
					a := []Answer{AnswerA, AnswerB, Tie, Skip}[r.IntN(4)]
					require.NoError(t, s.Vote(b.ID, a))
					said, answers[key] = append(said, key), a
					continue
				}
			}
			switch r.IntN(4) {
			case 0:
				require.NoError(t, s.Close())
				s = open(t, dir, run, "ana")
			case 1:
				if len(said) == 0 {
					require.ErrorIs(t, s.Undo(), ErrNoUndo)
					continue
				}
				require.NoError(t, s.Undo())
				delete(answers, said[len(said)-1])
				said = said[:len(said)-1]
			case 2:
				if ok {
					require.NoError(t, s.Rate(b.ID, A, r.IntN(6)))
				}
			}
			p, skips := s.Progress(), 0
			for _, a := range answers {
				if a == Skip {
					skips++
				}
			}
			require.Equal(t, []uint64{6, uint64(len(said) - skips), uint64(skips)}, []uint64{p.Pairs, p.Judged, p.Skipped})
		}
		require.NoError(t, s.Close())
	}
}

// TestWhoHasLookedElsewhereIsNoLongerBlind.
func TestWhoHasLookedElsewhereIsNoLongerBlind(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 3, 1, 1, client.AssetImage, nil)
	require.NoError(t, Looked(dir, run, "ana"))
	require.NoFileExists(t, File(dir, run.ID, "ana"), "who has not voted has no file")
	s := open(t, dir, run, "ana")
	answer(t, s, AnswerA)
	require.ErrorContains(t, Looked(dir, run, "ana"), "in another window")
	require.NoError(t, s.Close())
	require.NoError(t, Looked(dir, run, "ana"))
	require.NoError(t, Looked(dir, run, "ana"))
	s = open(t, dir, run, "ana")
	assert.True(t, s.Revealed())
	answer(t, s, AnswerA)
	r, err := Results(dir, run)
	require.NoError(t, err)
	assert.Equal(t, 1, r.Ranking.Pairings)
	assert.Equal(t, 1, r.Judges[0].Seen)
	require.Error(t, Looked(dir, run, "../ana"))
}
