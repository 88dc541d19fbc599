package compose

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// talker is a chat model that says what it is told to, and notes what happens in order.
type talker struct {
	mu    sync.Mutex
	says  []string // pieces of the answer
	hold  bool     // the rest never comes: the request ends with its context
	err   error
	kerr  error // of keeping
	notes []string
	kept  []improve.Talk
	asked []client.ChatRequest
}

func (g *talker) Chat(ctx context.Context, r client.ChatRequest, onDelta func(string)) (client.ChatAnswer, error) {
	g.mu.Lock()
	g.notes = append(g.notes, "asked")
	g.asked = append(g.asked, r)
	says, hold, err := g.says, g.hold, g.err
	g.mu.Unlock()
	for _, s := range says {
		onDelta(s)
	}
	text := strings.Join(says, "")
	if hold {
		<-ctx.Done()
		return client.ChatAnswer{Text: text}, ctx.Err()
	}
	return client.ChatAnswer{Text: text, Model: r.Model, Finish: "stop"}, err
}

func (g *talker) Keep(t improve.Talk) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.kerr != nil {
		return "", g.kerr
	}
	g.notes = append(g.notes, "kept "+string(t.State))
	if t.ID == "" {
		t.ID = fmt.Sprintf("talk-%d", len(g.kept)+1)
	}
	g.kept = append(g.kept, t)
	return t.ID, nil
}

func (g *talker) times() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.asked)
}

// improveBench is a form with a prompt, and a chat model that answers.
func improveBench(t testing.TB, w, h int, prompt, answer string) (*bench, *talker, *marks) {
	t.Helper()
	m, j, d := newModel(t)
	g, k := &talker{says: []string{answer[:len(answer)/2], answer[len(answer)/2:]}}, &marks{kept: screen.ModelMarks{Improver: "talker-2"}}
	deps := m.deps
	deps.Chat, deps.Talks, deps.Marks = g, g, k
	m = New(deps)
	m.save.Later = func() tea.Cmd { return nil }
	b := &bench{Driver: tuitest.NewScreen(t, m, w, h), m: m, jobs: j, drafts: d}
	b.Limit = 10 * time.Second
	b.Paste(prompt)
	return b, g, k
}

func (b *bench) prompt() string { return b.m.form.Text(client.FieldPrompt) }

const (
	plainPrompt = "a red kite at dawn"
	betterOne   = "a crimson kite at dusk, wide shot"
)

func TestPartsOfABetterPromptAreAcceptedOneByOne(t *testing.T) {
	b, g, _ := improveBench(t, 120, 34, plainPrompt, betterOne)
	b.Key("alt+=")
	assert.Contains(t, b.View(), "paid request")
	assert.Zero(t, g.times(), "nothing is sent before the person says so")
	b.Key("enter")
	require.Equal(t, review, b.m.improve.phase)
	assert.Equal(t, 1, g.times())
	assert.Equal(t, "talker-2", g.asked[0].Model)
	assert.Equal(t, plainPrompt, g.asked[0].Messages[1].Content)
	assert.Equal(t, []string{"kept arriving", "asked", "kept "}, g.notes, "written down before it is sent")
	assert.Equal(t, betterOne, g.kept[1].Answer.Text)
	assert.Equal(t, g.kept[0].ID, g.kept[1].ID, "one conversation")
	assert.Contains(t, b.View(), "[-red-]{+crimson+}")
	b.Key("enter")
	assert.Contains(t, toast(t, b).Text, "no part is accepted")
	assert.Equal(t, plainPrompt, b.prompt())
	b.Key(" ", "enter")
	assert.Equal(t, "a crimson kite at dawn", b.prompt())
	assert.Equal(t, "a crimson kite at dawn", b.m.draft.Prompt, "and in the request")
	b.Key("ctrl+_")
	assert.Equal(t, plainPrompt, b.prompt(), "undo restores")
	assert.Equal(t, 1, g.times())
}

func TestAllOrNothingOfABetterPrompt(t *testing.T) {
	b, _, _ := improveBench(t, 80, 24, plainPrompt, betterOne)
	b.Key("alt+=", "enter", "a", "esc")
	assert.Equal(t, plainPrompt, b.prompt(), "esc leaves everything as it was")
	assert.False(t, b.m.improves())
	b.Key("alt+=", "enter", "a", "r", "down", " ", "up", "up", "down", "enter")
	assert.Equal(t, "a red kite at dusk, wide shot", b.prompt())
	b.Key("ctrl+_", "alt+=", "enter", "a", "enter")
	assert.Equal(t, betterOne, b.prompt())
	b.Key("ctrl+_")
	assert.Equal(t, plainPrompt, b.prompt())
	b.Key("alt+=", "enter")
	b.Click("compose-part/1")
	b.Key("y")
	msg, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, betterOne, msg.Text)
	b.Key("enter")
	assert.Equal(t, "a red kite at dusk, wide shot", b.prompt(), "a click accepts as well")
}

func TestALostAnswerIsNotAskedForAgain(t *testing.T) {
	b, g, _ := improveBench(t, 120, 34, plainPrompt, "half an ")
	g.err = io.ErrUnexpectedEOF
	b.Key("alt+=", "enter")
	assert.Equal(t, failed, b.m.improve.phase)
	assert.Contains(t, strings.Join(strings.Fields(b.View()), " "), "paid for all the same")
	assert.Equal(t, 1, g.times(), "sent once")
	assert.Equal(t, improve.Failed, g.kept[len(g.kept)-1].State)
	assert.Equal(t, "half an ", g.kept[len(g.kept)-1].Answer.Text, "what had come is kept")
	b.Send(screen.JobsMsg{}, screen.HiddenMsg{}, screen.ShownMsg{})
	assert.Equal(t, 1, g.times())
	g.err = nil
	b.Key("enter")
	assert.Equal(t, 2, g.times(), "a person may")
	assert.Equal(t, review, b.m.improve.phase)

	g.err = &client.APIError{HTTPStatus: 429, Message: "slow\x1b[31m down"}
	b.Key("esc", "alt+=", "enter")
	assert.Contains(t, b.View(), "HTTP 429: slow")
	assert.NotContains(t, b.View(), "paid for all the same", "a refusal is no lost answer")
	assert.Equal(t, 3, g.times())
	b.Key("esc")
	assert.Equal(t, plainPrompt, b.prompt())
}

func TestNothingIsSentThatCanNotBeKept(t *testing.T) {
	b, g, _ := improveBench(t, 120, 34, plainPrompt, betterOne)
	g.kerr = errors.New("disk full")
	b.Key("alt+=", "enter")
	assert.Zero(t, g.times())
	assert.Contains(t, b.View(), "nothing was sent: disk full")
	assert.Contains(t, b.View(), "nothing is paid")
}

func TestAnAnswerIsStopped(t *testing.T) {
	b, g, _ := improveBench(t, 100, 30, plainPrompt, betterOne)
	b.Limit = 30 * time.Millisecond
	g.hold = true
	b.Key("alt+=", "enter")
	b.Settle(5*time.Second, "a part comes", func() bool { return strings.Contains(b.View(), "crimson") })
	assert.True(t, b.m.Capturing())
	assert.NotEmpty(t, b.m.Unsaved())
	b.Key("enter", "alt+=")
	assert.Equal(t, 1, g.times())
	b.Key("esc")
	b.Settle(5*time.Second, "it ends", func() bool { return b.m.improve.phase == closed })
	assert.Equal(t, plainPrompt, b.prompt())
	assert.NotContains(t, b.m.Unsaved(), "better prompt")
	b.Settle(5*time.Second, "the commands end", func() bool { return b.Waiting() == 0 })
	last := g.kept[len(g.kept)-1]
	assert.Equal(t, improve.Stopped, last.State)
	assert.Equal(t, betterOne, last.Answer.Text)
}

func TestQuittingKeepsWhatHadCome(t *testing.T) {
	b, g, _ := improveBench(t, 100, 30, plainPrompt, betterOne)
	b.Limit = 30 * time.Millisecond
	g.hold = true
	b.Key("alt+=", "enter")
	b.Settle(5*time.Second, "a part comes", func() bool { return strings.Contains(b.View(), "crimson") })
	require.NoError(t, b.m.Flush())
	last := g.kept[len(g.kept)-1]
	assert.Equal(t, improve.Stopped, last.State)
	assert.Equal(t, "talk-1", last.ID)
	assert.Contains(t, last.Answer.Text, "crimson")
}

func TestTheModelThatImprovesIsChosenOnce(t *testing.T) {
	b, g, k := improveBench(t, 120, 34, plainPrompt, betterOne)
	b.m.marks, k.kept = screen.ModelMarks{}, screen.ModelMarks{}
	b.Key("alt+=")
	require.Equal(t, pickImprover, b.m.picking, "nobody knows whom to ask")
	b.Key("esc")
	assert.False(t, b.m.improves())
	b.Key("alt+=")
	b.Type("wordsmith")
	b.Key("enter")
	assert.Empty(t, b.m.picking)
	assert.Equal(t, "wordsmith", k.kept.Improver, "and remembered")
	assert.Equal(t, plainPrompt, b.prompt())
	assert.Empty(t, b.m.chosen[client.Chat].model)
	b.Key("m")
	b.Type("other")
	b.Key("enter", "enter")
	require.Equal(t, 1, g.times())
	assert.Equal(t, "other", g.asked[0].Model)
}

func TestAPromptThatChangedMeanwhile(t *testing.T) {
	b, _, _ := improveBench(t, 120, 34, plainPrompt, betterOne)
	b.Key("alt+=", "enter", "a")
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: "a green kite at dawn"}})
	b.Key("enter")
	assert.Equal(t, "a green kite at dawn", b.prompt(), "parts of another prompt are not put into this one")
	assert.Contains(t, toast(t, b).Text, "changed meanwhile")
	b.Key("a", "enter")
	assert.Equal(t, betterOne, b.prompt())
}

func TestHostileAnswers(t *testing.T) {
	b, g, _ := improveBench(t, 80, 24, plainPrompt, "a red\x1b[2J kite\u202e at dawn\x07")
	b.Key("alt+=", "enter", "a")
	assert.NotContains(t, b.View(), "\x1b[2J")
	assert.NotContains(t, b.View(), "\u202e")
	b.Key("enter")
	assert.NotContains(t, b.prompt(), "\x1b")
	assert.NotContains(t, b.prompt(), "\u202e")
	g.says = []string{"```\n" + b.prompt() + "\n```"}
	b.Key("alt+=", "enter")
	assert.Contains(t, b.View(), "the model would change nothing")
	g.says = nil
	b.Key("esc", "alt+=", "enter")
	assert.Contains(t, b.View(), "without a text")
	b.m.form.SetText(client.FieldPrompt, " ")
	b.Key("esc", "alt+=")
	assert.Contains(t, toast(t, b).Text, "no prompt to improve")
}

func TestImproveGoldens(t *testing.T) {
	prompt := "a red kite 🪁 over 塩の平原 at dawn, עפיפון אדום מעל המישור.\nThe camera follows it, 👨‍👩‍👧 watch."
	better := "a crimson kite 🪁 high over 塩の白い平原 at first light, עפיפון ארגמן מעל המישור.\nThe camera slowly follows it, 👨‍👩‍👦 watch from afar."
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		name := fmt.Sprintf("%dx%d", s[0], s[1])
		t.Run(name, func(t *testing.T) {
			b, g, _ := improveBench(t, s[0], s[1], prompt, better)
			b.Key("alt+=")
			b.Golden("improve-ask-" + name)
			b.Key("enter", " ", "down", "down")
			b.Golden("improve-review-" + name)
			g.err = io.ErrUnexpectedEOF
			b.Key("esc", "alt+=", "enter")
			b.Golden("improve-lost-" + name)
		})
	}
}

// TestImproveAtAnySize draws every phase at sizes that no one uses as well.
func TestImproveAtAnySize(t *testing.T) {
	b, _, _ := improveBench(t, 80, 24, strings.Repeat(plainPrompt+" 塩の平原 ", 30), strings.Repeat(betterOne+" 塩の白い平原 ", 30))
	b.Key("alt+=")
	sizes := func() {
		for w := 1; w < 120; w += 17 {
			for h := 1; h < 40; h += 5 {
				b.m.SetSize(w, h)
				tuitest.CheckFrame(t, b.m.View(), w, h)
			}
		}
	}
	sizes()
	b.Key("enter")
	sizes()
	for range 3 {
		b.Key("down", " ")
		sizes()
	}
}
