package improve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/tuitest"
)

// An answer that is no prompt any more by its length is not compared: it is kept in Chat, and
// nothing of it is taken.
func TestAnAnswerThatIsTooLongIsRefused(t *testing.T) {
	b := start(t, 120, 34, plainPrompt, strings.Repeat("gamma, delta ", 10_000))
	b.Key("enter")
	assert.Equal(t, failed, b.d.phase)
	assert.Contains(t, b.View(), "the answer is 130 kB long: at most 64 kB")
	assert.Contains(t, b.View(), "Chat keeps the whole answer")
	assert.Len(t, b.g.kept[len(b.g.kept)-1].Answer.Text, 130_000, "which was paid for")
	assert.Empty(t, b.g.kept[len(b.g.kept)-1].State)
	assert.Empty(t, b.d.parts)
	b.Key("esc")
	assert.Empty(t, b.Answers)
}

// The comparison of two long texts is a command's, whose answer comes late: to its own dialog or
// to none.
func TestAComparisonThatComesLate(t *testing.T) {
	b := start(t, 120, 34, plainPrompt, betterOne)
	b.Key("enter")
	require.Equal(t, review, b.d.phase)
	late := b.d.compare("another one")
	require.Equal(t, comparing, b.d.phase)
	assert.Contains(t, b.View(), "comparing the answer")
	b.Key("esc")
	require.False(t, b.open())
	b.again()
	b.Send(late())
	assert.Equal(t, ready, b.d.phase, "the next dialog is another one's")
	assert.Empty(t, b.d.changes)
	b.Key("enter")
	assert.Equal(t, review, b.d.phase)
}

// reviewed is a dialog over the parts of two texts.
func reviewed(t *testing.T, w, h int, was, better string) *bench {
	t.Helper()
	b := start(t, w, h, was, better)
	b.Key("enter")
	require.Equal(t, review, b.d.phase)
	return b
}

// Of a long prompt what stands around the part under the cursor is laid out: each part is found,
// with its own number, and what is taken is the whole text.
func TestALongPromptIsReviewedPartByPart(t *testing.T) {
	words := strings.Fields(strings.Repeat("alpha"+strings.Repeat("é", 20)+" beta"+strings.Repeat("o", 30)+" ", 300))
	was := strings.Join(words, " ")
	for i := 0; i < len(words); i += 10 {
		words[i] = "CHANGED🪁"
	}
	better := strings.Join(words, " ")
	b := reviewed(t, 100, 30, was, better)
	n := len(b.d.changes)
	require.Greater(t, n, 40)
	parts := b.d.around(shownBytes(100, 20))
	assert.Zero(t, parts[0].index)
	assert.Less(t, len(parts), len(b.d.parts)/2)
	for at := range n {
		view := b.View()
		tuitest.CheckFrame(t, b.View(), 100, 30)
		require.Contains(t, view, "▸ ☐ CHANGED🪁 (was: ", "part %d", at+1)
		require.Contains(t, view, "{+CHANGED🪁+}", "part %d", at+1)
		b.Key("down")
	}
	b.Key("a", "enter")
	assert.Equal(t, better, b.last().(Taken).Prompt)
}

// One part that is all of the text shows both of its sides.
func TestOnePartThatIsAllOfTheText(t *testing.T) {
	was, better := strings.Repeat("alpha beta ", 5_000), strings.Repeat("gamma delta ", 5_000)
	b := reviewed(t, 100, 30, strings.TrimSpace(was), strings.TrimSpace(better))
	require.Len(t, b.d.changes, 1)
	parts := b.d.around(9_000)
	require.Len(t, parts, 1)
	assert.LessOrEqual(t, len(parts[0].old)+len(parts[0].new), 2*(9_000+len("…")))
	assert.Contains(t, b.View(), "[-alpha beta")
	b.Key(" ", "enter")
	assert.Equal(t, strings.TrimSpace(better), b.last().(Taken).Prompt, "nothing of it is cut")
}

// Of an answer on its way the end shows, in whole letters.
func TestTheEndOfALongAnswerShows(t *testing.T) {
	b := start(t, 100, 30, plainPrompt, betterOne)
	b.d.phase = running
	for n := range 40 {
		b.d.text = strings.Repeat("塩の平原🪁 ", 3_000+100*n) + "THE END"
		assert.Contains(t, b.View(), "THE END")
		tuitest.CheckFrame(t, b.View(), 100, 30)
		assert.NotContains(t, b.View(), "\ufffd")
	}
	assert.LessOrEqual(t, len(lastOf(b.d.text, 9_000)), 9_000+lastStep+len("…"))
	assert.Equal(t, "short", lastOf("short", 9_000))
}

// A text that grows breaks its lines where it did.
func TestTheEndOfAGrowingTextIsSteady(t *testing.T) {
	text := strings.Repeat("0123456789", 4_000)
	moved := 0
	for n := 20_000; n < 30_000; n += 10 {
		if a, b := lastOf(text[:n], 9_000), lastOf(text[:n+10], 9_000); !strings.HasPrefix(b, a) {
			moved++
		}
	}
	assert.LessOrEqual(t, moved, 3)
}
