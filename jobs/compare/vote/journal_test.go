package vote

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs/compare/vote/votetest"
)

// TestATornLineCostsNothingElse, wherever the power went.
func TestATornLineCostsNothingElse(t *testing.T) {
	dir, run := t.TempDir(), votetest.Run(t, 3, 2, 1, client.AssetImage, nil)
	s := open(t, dir, run, "ana")
	answer(t, s, AnswerA)
	whole, err := os.ReadFile(File(dir, run.ID, "ana"))
	require.NoError(t, err)
	next := s.shownJobs()
	answer(t, s, AnswerB)
	require.NoError(t, s.Close())
	all, err := os.ReadFile(File(dir, run.ID, "ana"))
	require.NoError(t, err)
	for cut := len(whole); cut < len(all)-1; cut++ {
		require.NoError(t, os.WriteFile(File(dir, run.ID, "ana"), all[:cut], 0o600))
		s := open(t, dir, run, "ana")
		require.Equal(t, next, s.shownJobs(), cut)
		answer(t, s, Tie)
		require.NoError(t, s.Close())
		h, err := readFile(File(dir, run.ID, "ana"))
		require.NoError(t, err)
		require.Len(t, h.all, 2)
		require.Equal(t, Tie, h.all[1].Answer)
	}
	head := strings.IndexByte(string(all), '\n')
	for _, cut := range []int{0, 1, head} { // before the first vote
		require.NoError(t, os.WriteFile(File(dir, run.ID, "ana"), all[:cut], 0o600))
		s := open(t, dir, run, "ana")
		assert.Zero(t, s.Progress().Judged)
		answer(t, s, Tie)
		require.NoError(t, s.Close())
		h, err := readFile(File(dir, run.ID, "ana"))
		require.NoError(t, err)
		assert.Len(t, h.all, 1)
	}
}

func TestFilesOfOtherJudgesAreMerged(t *testing.T) {
	here, there, run := t.TempDir(), t.TempDir(), votetest.Run(t, 3, 2, 1, client.AssetImage, nil)
	s := open(t, there, run, "ben")
	answer(t, s, AnswerA)
	require.NoError(t, s.Close())
	theirs := filepath.Join(t.TempDir(), "from-ben.txt")
	carry := func() {
		b, err := os.ReadFile(File(there, run.ID, "ben"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(theirs, b, 0o600))
	}
	votes := func() int {
		r, err := Results(here, run)
		require.NoError(t, err)
		return r.Ranking.Pairings
	}
	carry()
	judges, err := Import(here, run, theirs)
	require.NoError(t, err)
	assert.Equal(t, []string{"ben"}, judges)
	assert.Equal(t, 1, votes())

	s = open(t, there, run, "ben")
	answer(t, s, AnswerB)
	require.NoError(t, s.Close())
	early := theirs + ".early"
	require.NoError(t, os.Rename(theirs, early))
	carry()
	_, err = Import(here, run, theirs)
	require.NoError(t, err)
	assert.Equal(t, 2, votes(), "ben went on")
	_, err = Import(here, run, early)
	require.NoError(t, err)
	assert.Equal(t, 2, votes(), "an older copy takes nothing away")

	mine := open(t, here, run, "ben")
	_, err = Import(here, run, theirs)
	require.Error(t, err, "ben is judging here")
	answer(t, mine, Tie)
	require.NoError(t, mine.Close())
	carry()
	_, err = Import(here, run, theirs)
	require.NoError(t, err, "what is here goes on from it")
	require.NoError(t, os.Remove(File(there, run.ID, "ben")))
	other := open(t, there, run, "ben")
	answer(t, other, Tie)
	require.NoError(t, other.Close())
	carry()
	_, err = Import(here, run, theirs)
	require.ErrorContains(t, err, "other votes of ben")

	otherRun := *run
	otherRun.ID = "0198c0de-0000-7000-8000-000000000002"
	_, err = Import(here, &otherRun, theirs)
	require.ErrorContains(t, err, "votes on another run")
	require.NoError(t, os.WriteFile(theirs, []byte("{}\n"), 0o600))
	_, err = Import(here, run, theirs)
	require.ErrorContains(t, err, "not a file of votes")
	_, err = Import(here, run, t.TempDir())
	require.Error(t, err)
}

func TestHostileFilesAreBoundedAndCleaned(t *testing.T) {
	head := `{"kind":"judge","run":"r","judge":"ana"}` + "\n"
	h, err := parse([]byte(head +
		`{"kind":"note","a":"1","b":"2","text":"\u001b]0;x\u0007\u202e` + strings.Repeat("n", 3000) + `"}` + "\n" +
		`{"kind":"vote","a":"1","b":"1","answer":"a"}` + "\n" + // with itself
		`{"kind":"vote","a":"1","b":"2","answer":"c"}` + "\n" +
		`{"kind":"rating","a":"1","b":"2","side":"a","stars":900}` + "\n" +
		`{"kind":"judge","run":"r","judge":"ben"}` + "\n" + // two judges
		`{"kind":"vote","a":"` + strings.Repeat("1", 9000) + `","b":"2","answer":"a"}` + "\n" +
		`null` + "\n" + `[]` + "\n\n"))
	require.NoError(t, err)
	require.Len(t, h.all, 1)
	assert.Equal(t, 7, h.bad)
	assert.LessOrEqual(t, len(h.all[0].Text), maxNote)
	assert.NotContains(t, h.all[0].Text, "\x1b")
	assert.NotContains(t, h.all[0].Text, "\u202e")
	for _, wrong := range []string{"", "{}", `{"kind":"vote","a":"1","b":"2","answer":"a"}`, `{"kind":"judge","run":"../r","judge":"ana"}`, `{"kind":"judge","run":"r","judge":"a/../b"}`} {
		_, err := parse([]byte(wrong))
		require.Error(t, err, wrong)
	}
	_, err = parse(make([]byte, maxJournal+1))
	require.ErrorContains(t, err, "more than 16 MiB")
}

// FuzzParse: whatever a file says, what is taken in is clean, bounded, and read back as it was written.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"kind":"judge","run":"r","judge":"ana"}` + "\n" + `{"kind":"vote","a":"1","b":"2","answer":"tie"}` + "\n" + `{"kind":"note","a":"1","b":"2","side":"a","text":"x` + "\x1b[2J" + `"}`))
	f.Add([]byte(`{"kind":"judge","run":"r","judge":"ana"}` + "\n" + `{"kind":"reveal"}` + "\n" + `{"kind":"undo","a":"1","b":"2"}` + "\n" + `{"kind":"rating","a":"1","b":"2","side":"b","stars":5}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := parse(b)
		if err != nil {
			return
		}
		require.NoError(t, CheckJudge(h.head.Judge))
		out, err := h.encoded()
		require.NoError(t, err)
		again, err := parse(out)
		require.NoError(t, err)
		require.Zero(t, again.bad)
		require.Len(t, again.all, len(h.all))
		for i, r := range h.all {
			require.Equal(t, client.CleanLine(r.Text), r.Text)
			require.LessOrEqual(t, len(r.Text), maxNote)
			require.Equal(t, r.Text, again.all[i].Text)
		}
	})
}
