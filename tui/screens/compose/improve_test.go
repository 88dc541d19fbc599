package compose

import (
	"context"
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
	"darkroom/client/kept"
	"darkroom/tui/dialogs/models"
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
	g, k := &talker{says: []string{answer[:len(answer)/2], answer[len(answer)/2:]}}, &marks{kept: kept.Marks{Improver: "talker-2"}}
	deps := m.deps
	deps.Chat, deps.Talks, deps.Marks = g, g, k
	m = New(deps)
	m.doc.Saver.Later = func() tea.Cmd { return nil }
	b := &bench{Driver: tuitest.NewScreen(t, m, w, h), m: m, jobs: j, drafts: d}
	b.Limit = 10 * time.Second
	b.Paste(prompt)
	return b, g, k
}

func (b *bench) prompt() string { return b.m.sheet.Form.Text(client.FieldPrompt) }

const (
	plainPrompt = "a red kite at dawn"
	betterOne   = "a crimson kite at dusk, wide shot"
)

func TestABetterPromptIsOneStepOfUndo(t *testing.T) {
	b, _, _ := improveBench(t, 120, 34, plainPrompt, betterOne)
	b.Key("alt+=", "enter", " ", "enter")
	assert.Equal(t, "a crimson kite at dawn", b.prompt())
	assert.Equal(t, "a crimson kite at dawn", b.m.sheet.Draft.Prompt, "and in the request")
	assert.Contains(t, toast(t, b).Text, "1 of 2 changes taken")
	b.Key("ctrl+_")
	assert.Equal(t, plainPrompt, b.prompt(), "undo restores")
	b.Key("alt+=", "enter", "a", "esc")
	assert.Equal(t, plainPrompt, b.prompt(), "esc leaves everything as it was")
}

func TestWhatIsComingIsKeptAtTheEnd(t *testing.T) {
	b, g, _ := improveBench(t, 100, 30, plainPrompt, betterOne)
	b.Limit = 30 * time.Millisecond
	g.hold = true
	b.Key("alt+=", "enter")
	b.Settle(5*time.Second, "a part comes", func() bool { return strings.Contains(b.View(), "crimson") })
	assert.True(t, b.m.Capturing())
	assert.Contains(t, b.m.Unsaved(), "improved prompt")
	b.Send(screen.ActionMsg{ID: "compose.improve"})
	assert.Equal(t, 1, g.times())
	require.NoError(t, b.m.Flush())
	assert.Equal(t, kept.Stopped, g.kept[len(g.kept)-1].State)
}

func TestTheModelThatImprovesIsChosenOnce(t *testing.T) {
	b, g, k := improveBench(t, 120, 34, plainPrompt, betterOne)
	k.kept = kept.Marks{}
	b.Send(screen.ShownMsg{})
	b.Key("alt+=")
	require.True(t, b.m.over.Has(models.Scope), "nobody knows whom to ask")
	b.Key("esc")
	assert.Nil(t, b.m.over.Top())
	b.Key("alt+=")
	b.Type("wordsmith")
	b.Key("enter")
	assert.Equal(t, "wordsmith", k.kept.Improver, "and remembered")
	assert.Equal(t, plainPrompt, b.prompt())
	assert.Empty(t, b.m.sheet.Chosen[client.Chat].Model)
	b.Key("esc", "alt+=", "enter")
	require.Equal(t, 1, g.times())
	assert.Equal(t, "wordsmith", g.asked[0].Model)
}

func TestAnAnswerOutlastsAnotherForm(t *testing.T) {
	b, _, _ := improveBench(t, 120, 34, plainPrompt, betterOne)
	b.Key("alt+=", "enter", "a")
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: "a green kite at dawn"}})
	b.Key("enter")
	assert.Equal(t, "a green kite at dawn", b.prompt(), "parts of another prompt are not put into this one")
	assert.Contains(t, toast(t, b).Text, "changed meanwhile")
	b.Key("a", "enter")
	assert.Equal(t, betterOne, b.prompt())
}

func TestWhyAPromptIsNotImproved(t *testing.T) {
	b, _, _ := improveBench(t, 80, 24, plainPrompt, betterOne)
	b.m.sheet.Form.SetText(client.FieldPrompt, " ")
	b.Key("alt+=")
	assert.Contains(t, toast(t, b).Text, "no prompt to improve")
	b.m.sheet.Form.SetText(client.FieldPrompt, strings.Repeat("word ", 13_000))
	b.Key("alt+=")
	assert.Nil(t, b.m.over.Top(), "nor is one sent to be paid for that is too long")
	assert.Contains(t, toast(t, b).Text, "the prompt is 65 kB long")
	b.m.deps.Chat = nil
	b.Key("alt+=")
	assert.Contains(t, toast(t, b).Text, "no gateway to ask")
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
