package compose

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/tui/tuitest"
)

// An answer that is no prompt any more by its length is not compared: it is kept in Chat, and
// nothing of it is taken.
func TestAnAnswerThatIsTooLongIsRefused(t *testing.T) {
	b, g, _ := improveBench(t, 120, 34, plainPrompt, strings.Repeat("gamma, delta ", 10_000))
	b.Key("alt+=", "enter")
	assert.Equal(t, failed, b.m.improve.phase)
	assert.Contains(t, b.View(), "the answer is 130 kB long: at most 64 kB")
	assert.Contains(t, b.View(), "Chat keeps the whole answer")
	assert.Len(t, g.kept[len(g.kept)-1].Answer.Text, 130_000, "which was paid for")
	assert.Empty(t, g.kept[len(g.kept)-1].State)
	assert.Empty(t, b.m.improve.parts)
	b.Key("esc")
	assert.Equal(t, plainPrompt, b.prompt())

	b.m.form.SetText(client.FieldPrompt, strings.Repeat("word ", 13_000))
	b.Key("alt+=")
	assert.False(t, b.m.improves(), "nor is such a prompt sent to be paid for")
	assert.Contains(t, toast(t, b).Text, "the prompt is 65 kB long")
	assert.Equal(t, 1, g.times())
}

// The comparison of two long texts is a command's, whose answer comes late: to its own dialog or
// to none.
func TestAComparisonThatComesLate(t *testing.T) {
	b, _, _ := improveBench(t, 120, 34, plainPrompt, betterOne)
	b.Key("alt+=", "enter")
	require.Equal(t, review, b.m.improve.phase)
	b.m.improve.prompt = "another one"
	late := pressed(t, b.m, " ", "enter")
	require.Equal(t, running, b.m.improve.phase)
	assert.Contains(t, b.View(), "comparing the answer")
	b.Key("esc")
	require.Equal(t, closed, b.m.improve.phase)
	b.Key("alt+=")
	b.deliver(late)
	assert.Equal(t, ready, b.m.improve.phase, "the next dialog is another one's")
	assert.Empty(t, b.m.improve.changes)
	b.Key("enter")
	assert.Equal(t, review, b.m.improve.phase)
}

// reviewed is a dialog over the parts of two texts.
func reviewed(t *testing.T, w, h int, was, better string) *bench {
	t.Helper()
	b, _, _ := improveBench(t, w, h, was, better)
	b.Key("alt+=", "enter")
	require.Equal(t, review, b.m.improve.phase)
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
	n := len(b.m.improve.changes)
	require.Greater(t, n, 40)
	before, parts := b.m.improve.around(shownBytes(100, 20))
	assert.Zero(t, before)
	assert.Less(t, len(parts), len(b.m.improve.parts)/2)
	for at := range n {
		view := b.View()
		tuitest.CheckFrame(t, b.m.View(), 100, 30)
		require.Contains(t, view, "▸☐"+strconv.Itoa(at+1)+"[-", "part %d", at+1)
		b.Key("down")
	}
	b.Key("a", "enter")
	assert.Equal(t, better, b.prompt())
}

// One part that is all of the text shows both of its sides.
func TestOnePartThatIsAllOfTheText(t *testing.T) {
	was, better := strings.Repeat("alpha beta ", 5_000), strings.Repeat("gamma delta ", 5_000)
	b := reviewed(t, 100, 30, strings.TrimSpace(was), strings.TrimSpace(better))
	require.Len(t, b.m.improve.changes, 1)
	_, parts := b.m.improve.around(9_000)
	require.Len(t, parts, 1)
	assert.LessOrEqual(t, len(parts[0].old)+len(parts[0].new), 2*(9_000+len("…")))
	assert.Contains(t, b.View(), "[-alpha beta")
	b.Key(" ", "enter")
	assert.Equal(t, strings.TrimSpace(better), b.prompt(), "nothing of it is cut")
}

// Of an answer on its way the end shows, in whole letters.
func TestTheEndOfALongAnswerShows(t *testing.T) {
	b, _, _ := improveBench(t, 100, 30, plainPrompt, betterOne)
	b.m.improve = improving{phase: running, prompt: plainPrompt, kept: improve.Talk{}}
	for n := range 40 {
		b.m.improve.text = strings.Repeat("塩の平原🪁 ", 3_000+100*n) + "THE END"
		assert.Contains(t, b.View(), "THE END")
		tuitest.CheckFrame(t, b.m.View(), 100, 30)
		assert.NotContains(t, b.View(), "\ufffd")
	}
	assert.LessOrEqual(t, len(lastOf(b.m.improve.text, 9_000)), 9_000+lastStep+len("…"))
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
