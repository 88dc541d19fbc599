package vote_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/compare"
	judging "darkroom/jobs/compare/vote"
	"darkroom/jobs/compare/vote/votetest"
	"darkroom/themes"
	"darkroom/tui/dialogs/vote"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// bench is the dialog of a vote on a run.
type bench struct {
	*tuitest.Host
	t    *testing.T
	file string
	o    vote.Options
}

// prepare makes the options of a vote on a run.
func prepare(t *testing.T, run *compare.Run) *bench {
	t.Helper()
	dir := t.TempDir()
	b := &bench{t: t, file: judging.File(dir, run.ID, "ana")}
	votetest.Begin(t, b.file, "ana")
	b.o = vote.Options{
		Open:     func() (*judging.Session, error) { return judging.Open(dir, run, "ana") },
		Previews: preview.New(preview.Options{Tool: preview.FindFFmpeg()}),
		Keys:     keys.New(screen.Rows(vote.Commands())),
	}
	return b
}

// open opens the dialog.
func (b *bench) open(w, h int) *bench {
	b.t.Helper()
	b.Host = tuitest.NewDialog(b.t, b.o.Keys, nil, w, h)
	b.Limit = 10 * time.Second
	b.Show(vote.New(b.o))
	b.t.Cleanup(func() { _ = b.Flush() })
	return b
}

// lines counts what is in the file of the judge.
func (b *bench) lines(word string) int {
	b.t.Helper()
	got, err := os.ReadFile(b.file)
	require.NoError(b.t, err)
	return strings.Count(string(got), word)
}

func TestGoldens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 34}, {200, 60}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			b := prepare(t, votetest.Pictures(t, 3, 1, 1)).open(size[0], size[1])
			b.Golden("pair-" + name)
			b.Key("a", "4", "n")
			b.Type("the sky wobbles")
			b.Key("enter", "b")
			b.Golden("rating-" + name)
			b.Key("esc", "1", " ", "2")
			b.Golden("over-" + name)
			b.Key("r", "y")
			b.Golden("result-" + name)
		})
	}
}

func TestKeysAreOfOneActionEach(t *testing.T) {
	rows := screen.Rows(vote.Commands())
	all := map[string][]string{}
	for _, a := range rows {
		all[a.ID] = a.Keys
		for _, k := range a.Keys {
			msg, ok := keys.Parse(k)
			require.True(t, ok, k)
			assert.Equal(t, k, msg.String())
		}
	}
	_, errs := keys.New(rows).Override(all)
	assert.Empty(t, errs)
}

// TestNothingTellsBeforeTheReveal, whatever is pressed.
func TestNothingTellsBeforeTheReveal(t *testing.T) {
	b := prepare(t, votetest.Pictures(t, 4, 1, 1)).open(120, 34)
	for range 6 {
		for _, k := range []string{"p", "z", "a", "3", "n", "esc", "r", "n", "u", "w", "1"} {
			b.Key(k)
			for _, word := range votetest.Secrets() {
				assert.NotContains(t, b.View(), word, k)
			}
		}
	}
	b.Key("r", "y")
	assert.Contains(t, b.View(), "fam0-omni")
}

func TestAVoteByKeys(t *testing.T) {
	b := prepare(t, votetest.Pictures(t, 3, 1, 1)).open(120, 34)
	assert.Contains(t, b.View(), "pair 1 of 3")
	b.Key("left")
	assert.Contains(t, b.View(), "pair 2 of 3")
	b.Key("s")
	b.Key("u")
	assert.Contains(t, b.View(), "pair 2 of 3")
	b.Key("0", "right")
	assert.Contains(t, b.View(), "Nothing is left to judge.")
	assert.Equal(t, []int{1, 1, 1, 1, 1}, []int{b.lines(`"answer":"a"`), b.lines(`"skip"`), b.lines(`"undo"`), b.lines(`"tie"`), b.lines(`"answer":"b"`)})
	b.Key("r")
	assert.Contains(t, b.View(), "which model is which")
	b.Key("n")
	assert.Zero(t, b.lines("reveal"), "not yet")
	b.Key("r", "y")
	assert.Contains(t, b.View(), "3 votes by 1 judge.")
	b.Key("u")
	assert.Zero(t, b.lines("undo")-1, "what was blind stays")
	b.Key("esc")
	assert.Nil(t, b.Top())

	b.Show(vote.New(b.o))
	assert.Contains(t, b.View(), "3 votes by 1 judge.", "it goes on where it ended")
}

// TestBothOrNeither: while one side is being made ready, the other one does not show.
func TestBothOrNeither(t *testing.T) {
	run := votetest.Pictures(t, 2, 1, 1)
	require.NoError(t, os.WriteFile(run.Trials[0].Files[0].Path, []byte("fam0"), 0o600))
	b := prepare(t, run).open(80, 24)
	assert.Contains(t, b.View(), "one of the two cannot be shown")
	assert.NotContains(t, b.View(), "fam0")
	b.Key("1")
	assert.Zero(t, b.lines(`"vote"`), "who has not seen both does not judge")
	b.Key("s")
	assert.Equal(t, 1, b.lines(`"skip"`))
}

func TestPicturesAreLookedAtMoreClosely(t *testing.T) {
	b := prepare(t, votetest.Pictures(t, 2, 1, 1)).open(120, 34)
	whole := b.View()
	b.Key("z")
	assert.Contains(t, b.View(), "2 times as large")
	close := b.View()
	b.Key("shift+right")
	assert.NotEqual(t, close, b.View())
	b.Key("shift+left")
	assert.Equal(t, close, b.View())
	b.Key("z", "z", "z")
	assert.Equal(t, whole, b.View())
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	b := prepare(t, votetest.Pictures(t, 2, 1, 1))
	good := b.o.Open
	b.o.Open = func() (*judging.Session, error) { return nil, judging.ErrNothing }
	b.open(80, 24)
	assert.Contains(t, b.View(), "no two groups of this run have a result")
	b.Key("1", "u", "r", "esc")
	assert.Nil(t, b.Top())

	b.o.Open, b.o.Previews = good, nil
	b.Show(vote.New(b.o))
	assert.Contains(t, b.View(), "judges in the browser")
	b.Key("1")
	assert.Zero(t, b.lines(`"vote"`))
}

// TestAVoteThatIsLeftIsClosed, also when it opens only after that.
func TestAVoteThatIsLeftIsClosed(t *testing.T) {
	b := prepare(t, votetest.Pictures(t, 2, 1, 1)).open(80, 24)
	b.Key("esc")
	assert.Nil(t, b.Top())
	s, err := b.o.Open()
	require.NoError(t, err, "nobody has it open any more")
	require.NoError(t, s.Close())

	d := vote.New(b.o)
	d.SetStyles(tuitest.Styles(t))
	opened, ok := d.Init()().(screen.Addressed)
	require.True(t, ok)
	_, err = b.o.Open()
	require.ErrorContains(t, err, "in another window")
	opened.Missed()()
	s, err = b.o.Open()
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

// TestTheVoteGoesOnInTheBrowser, and what was judged there shows here.
func TestTheVoteGoesOnInTheBrowser(t *testing.T) {
	b := prepare(t, votetest.Pictures(t, 3, 1, 1))
	end := make(chan struct{})
	b.o.Web = func(ctx context.Context, s *judging.Session, told func(string, error)) error {
		ballot, _ := s.Ballot()
		if err := s.Vote(ballot.ID, judging.Tie); err != nil {
			return err
		}
		told("http://127.0.0.1:1/x/", errors.New("no browser"))
		select {
		case <-end:
		case <-ctx.Done():
		}
		return nil
	}
	b.open(120, 34)
	b.Limit = 300 * time.Millisecond
	b.Key("w")
	b.Settle(time.Minute, "its address", func() bool { return strings.Contains(b.View(), "Open it in a browser: http://127.0.0.1:1/x/") })
	b.Key("1")
	assert.Contains(t, b.View(), "judged already, perhaps in another window")
	assert.Contains(t, b.View(), "pair 2 of 3")
	close(end)
	b.Settle(time.Minute, "the end", func() bool { return b.Waiting() == 0 })
	assert.NotContains(t, b.View(), "http://")
	b.Key("1")
	assert.Contains(t, b.View(), "pair 3 of 3")
}

// TestVideosPlayInStep: they begin together, and rest while nobody looks.
func TestVideosPlayInStep(t *testing.T) {
	b := prepare(t, votetest.Videos(t, 2, 1, 1)).open(120, 34)
	th, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.TrueColor)
	b.Limit = 20 * time.Millisecond // frames come later
	b.SetStyles(themes.Make(th, r, false))
	b.Send(screen.ShownMsg{})
	playing := func() bool { return strings.Contains(b.View(), " pause ") && strings.Contains(b.View(), "▀") }
	b.Settle(time.Minute, "both play", playing)
	tuitest.CheckFrame(t, b.Frame(), 120, 34)
	first := b.Frame()
	b.Settle(time.Minute, "another frame", func() bool { return b.Frame() != first })
	b.Key("p")
	b.Settle(time.Minute, "the pause", func() bool { return b.Waiting() == 0 && strings.Contains(b.View(), " play ") })
	still := b.Frame()
	b.Key("h")
	b.Settle(time.Minute, "from the start", func() bool { return b.Frame() != still && playing() })
	b.Resize(90, 30)
	b.Send(screen.TickMsg{})
	b.Settle(time.Minute, "in another size", func() bool { return playing() && b.Frame() != still })
	tuitest.CheckFrame(t, b.Frame(), 90, 30)
	b.Send(screen.HiddenMsg{})
	b.Settle(time.Minute, "nobody looks", func() bool { return b.Waiting() == 0 })
	b.Key("1")
	b.Settle(time.Minute, "the vote is kept", func() bool { return strings.Contains(b.View(), "Nothing is left") })
	b.Settle(time.Minute, "nothing goes on", func() bool { return b.Waiting() == 0 })
}

func TestSoundsShowWhatTheyAre(t *testing.T) {
	b := prepare(t, votetest.Sounds(t, 2, 1, 1)).open(120, 34)
	assert.Equal(t, 2, strings.Count(b.View(), "Sound, 1.0 s"), b.View())
	assert.Contains(t, b.View(), "Sounds are heard in the browser.")
	assert.NotContains(t, b.View(), "fam")
}

// TestAnySizeAndAnyKey keeps the frame.
func TestAnySizeAndAnyKey(t *testing.T) {
	b := prepare(t, votetest.Pictures(t, 3, 2, 1)).open(80, 24)
	sizes := [][2]int{{40, 12}, {20, 5}, {1, 1}, {120, 34}, {61, 17}, {300, 80}}
	for i, k := range []string{"1", "a", "n", "x", "enter", "z", "z", "shift+up", "u", "r", "y", "down", "r", "2", "tab", "0", "b", "5", "0", "0"} {
		size := sizes[i%len(sizes)]
		b.Resize(size[0], size[1])
		b.Send(screen.TickMsg{})
		b.Key(k)
		tuitest.CheckFrame(t, b.Frame(), size[0], size[1])
	}
}
