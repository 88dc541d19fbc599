package improve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
	"darkroom/client/improve"
	"darkroom/client/kept"
	"darkroom/tui/dialogs/models"
	"darkroom/tui/keys"
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

// gateway has no models of its own.
type gateway struct{}

func (gateway) FormatsFor(client.Draft) []string { return []string{"chat"} }

func (gateway) Models(context.Context) (client.ModelList, error) { return client.ModelList{}, nil }

// bench is a prompt with the dialog over it, and a chat model that answers.
type bench struct {
	*tuitest.Host
	g               *talker
	d               *Dialog
	prompt, blocked string
	model           string
	t               testing.TB
}

func start(t testing.TB, w, h int, prompt, answer string) *bench {
	t.Helper()
	b := &bench{g: &talker{says: []string{answer[:len(answer)/2], answer[len(answer)/2:]}}, prompt: prompt, model: "talker-2", t: t}
	b.Host = tuitest.NewDialog(t, actions(), b.dialog(), w, h)
	b.Limit = 10 * time.Second
	return b
}

func actions() keys.Map { return keys.New(screen.Rows(Commands()), screen.Rows(models.Commands())) }

func (b *bench) dialog() *Dialog {
	c := catalogtest.Catalog(b.t)
	k := actions()
	known := models.NewKnown(c, gateway{}, nil)
	b.d = New(Options{
		Chat: b.g, Talks: b.g, Keys: k, Modality: client.Video, Model: b.model,
		Now:    func() time.Time { return time.Unix(1_700_000_000, 0) },
		Prompt: func() string { return b.prompt }, Blocked: func() string { return b.blocked },
		Models: func(at string) *models.Dialog {
			return models.New(models.Options{Known: known, Keys: k, Kind: client.Chat, Free: true, At: at})
		},
	})
	return b.d
}

// again opens the dialog anew.
func (b *bench) again() {
	b.t.Helper()
	b.Show(b.dialog())
}

func (b *bench) open() bool { return b.Has(Scope) }

// last is what the dialog has answered last.
func (b *bench) last() any {
	b.t.Helper()
	require.NotEmpty(b.t, b.Answers)
	return b.Answers[len(b.Answers)-1]
}

func (b *bench) toast() string {
	b.t.Helper()
	msg, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(b.t, ok, "no toast")
	return msg.Text
}

const (
	plainPrompt = "a red kite at dawn"
	betterOne   = "a crimson kite at dusk, wide shot"
)

func TestPartsOfABetterPromptAreAcceptedOneByOne(t *testing.T) {
	b := start(t, 120, 34, plainPrompt, betterOne)
	assert.Contains(t, b.View(), "request is billed")
	assert.Zero(t, b.g.times(), "nothing is sent before the person says so")
	b.Key("enter")
	require.Equal(t, review, b.d.phase)
	assert.Equal(t, 1, b.g.times())
	assert.Equal(t, "talker-2", b.g.asked[0].Model)
	assert.Equal(t, plainPrompt, b.g.asked[0].Messages[1].Content)
	assert.Equal(t, []string{"kept arriving", "asked", "kept "}, b.g.notes, "written down before it is sent")
	assert.Equal(t, betterOne, b.g.kept[1].Answer.Text)
	assert.Equal(t, b.g.kept[0].ID, b.g.kept[1].ID, "one conversation")
	assert.Contains(t, b.View(), "a [-red-] kite")
	b.Key("enter")
	assert.Contains(t, b.View(), "a {+crimson+} kite")
	assert.Contains(t, b.View(), "☐ crimson (was: red)")
	assert.Contains(t, b.toast(), "nothing is chosen")
	assert.Empty(t, b.Answers)
	b.Key(" ", "enter")
	assert.Equal(t, []any{Taken{Prompt: "a crimson kite at dawn", Parts: 1, Of: 2}}, b.Answers)
	assert.False(t, b.open())
	assert.Equal(t, 1, b.g.times())
}

func TestAllOrNothingOfABetterPrompt(t *testing.T) {
	b := start(t, 80, 24, plainPrompt, betterOne)
	b.Key("enter", "a", "esc")
	assert.Empty(t, b.Answers, "esc leaves everything as it was")
	assert.False(t, b.open())
	b.again()
	b.Key("enter", "a", "r", "down", " ", "up", "up", "down", "enter")
	assert.Equal(t, "a red kite at dusk, wide shot", b.last().(Taken).Prompt)
	b.again()
	b.Key("enter", "a", "enter")
	assert.Equal(t, betterOne, b.last().(Taken).Prompt)
	b.again()
	b.Key("enter")
	b.Click(zonePart + "1")
	b.Key("y")
	msg, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, betterOne, msg.Text)
	b.Key("enter")
	assert.Equal(t, "a red kite at dusk, wide shot", b.last().(Taken).Prompt, "a click accepts as well")
}

func TestALostAnswerIsNotAskedForAgain(t *testing.T) {
	b := start(t, 120, 34, plainPrompt, "half an ")
	b.g.err = io.ErrUnexpectedEOF
	b.Key("enter")
	assert.Equal(t, failed, b.d.phase)
	assert.Contains(t, strings.Join(strings.Fields(b.View()), " "), "billed, and is not sent")
	assert.Equal(t, 1, b.g.times(), "sent once")
	assert.Equal(t, kept.Failed, b.g.kept[len(b.g.kept)-1].State)
	assert.Equal(t, "half an ", b.g.kept[len(b.g.kept)-1].Answer.Text, "what had come is kept")
	b.Send(screen.JobsMsg{}, screen.HiddenMsg{}, screen.ShownMsg{})
	assert.Equal(t, 1, b.g.times())
	b.g.err = nil
	b.Key("enter")
	assert.Equal(t, 2, b.g.times(), "a person may")
	assert.Equal(t, review, b.d.phase)
	b.g.err = &client.APIError{HTTPStatus: 429, Message: "slow\x1b[31m down"}
	b.Key("esc")
	b.again()
	b.Key("enter")
	assert.Contains(t, b.View(), "HTTP 429: slow")
	assert.NotContains(t, b.View(), "and billed", "a refusal is no lost answer")
	assert.Equal(t, 3, b.g.times())
	b.Key("esc")
	assert.Empty(t, b.Answers)
}

func TestNothingIsSentThatCanNotBeKept(t *testing.T) {
	b := start(t, 120, 34, plainPrompt, betterOne)
	b.g.kerr = errors.New("disk full")
	b.Key("enter")
	assert.Zero(t, b.g.times())
	assert.Contains(t, b.View(), "nothing was sent: disk full")
	assert.Contains(t, b.View(), "nothing was asked")
}

func TestNothingIsSentWhileItIsBarred(t *testing.T) {
	b := start(t, 120, 34, plainPrompt, betterOne)
	b.blocked = "look at it first"
	b.Key("enter")
	assert.Equal(t, "not asked: look at it first", b.toast())
	assert.Zero(t, b.g.times())
}

func TestAnAnswerIsStopped(t *testing.T) {
	b := start(t, 100, 30, plainPrompt, betterOne)
	b.Limit = 30 * time.Millisecond
	b.g.hold = true
	b.Key("enter")
	b.Settle(5*time.Second, "a part comes", func() bool { return strings.Contains(b.View(), "crimson") })
	assert.True(t, b.Capturing())
	assert.NotEmpty(t, b.Unsaved())
	b.Clear()
	require.True(t, b.open(), "what is paid for stays")
	b.Key("enter", "m")
	assert.Equal(t, 1, b.g.times())
	b.Key("esc")
	b.Settle(5*time.Second, "it ends", func() bool { return !b.open() })
	assert.Empty(t, b.Answers)
	assert.Empty(t, b.Unsaved())
	b.Settle(5*time.Second, "the commands end", func() bool { return b.Waiting() == 0 })
	last := b.g.kept[len(b.g.kept)-1]
	assert.Equal(t, kept.Stopped, last.State)
	assert.Equal(t, betterOne, last.Answer.Text)
}

func TestQuittingKeepsWhatHadCome(t *testing.T) {
	b := start(t, 100, 30, plainPrompt, betterOne)
	b.Limit = 30 * time.Millisecond
	b.g.hold = true
	b.Key("enter")
	b.Settle(5*time.Second, "a part comes", func() bool { return strings.Contains(b.View(), "crimson") })
	require.NoError(t, b.Flush())
	last := b.g.kept[len(b.g.kept)-1]
	assert.Equal(t, kept.Stopped, last.State)
	assert.Equal(t, "talk-1", last.ID)
	assert.Contains(t, last.Answer.Text, "crimson")
}

func TestTheModelThatImprovesIsChosen(t *testing.T) {
	b := start(t, 120, 34, plainPrompt, betterOne)
	b.Key("esc")
	b.model = ""
	b.again()
	require.True(t, b.Has(models.Scope), "nobody knows whom to ask")
	b.Key("esc")
	assert.False(t, b.open())
	b.again()
	b.Type("wordsmith")
	b.Key("enter")
	require.True(t, b.open())
	assert.Equal(t, []any{Asks{"wordsmith"}}, b.Answers, "for those to come, too")
	b.Key("m")
	b.Type("other")
	b.Key("enter")
	b.Key("m", "esc", "enter")
	require.Equal(t, 1, b.g.times())
	assert.Equal(t, "other", b.g.asked[0].Model)
}

func TestAPromptThatChangedMeanwhile(t *testing.T) {
	b := start(t, 120, 34, plainPrompt, betterOne)
	b.Key("enter", "a")
	b.prompt = "a green kite at dawn"
	b.Key("enter")
	assert.Empty(t, b.Answers, "parts of another prompt are not put into this one")
	assert.Contains(t, b.toast(), "changed meanwhile")
	b.Key("a", "enter")
	assert.Equal(t, betterOne, b.last().(Taken).Prompt)
}

func TestHostileAnswers(t *testing.T) {
	b := start(t, 80, 24, plainPrompt, "a red\x1b[2J kite\u202e at dawn\x07")
	b.Key("enter", "a")
	assert.NotContains(t, b.View(), "\x1b[2J")
	assert.NotContains(t, b.View(), "\u202e")
	b.Key("enter")
	b.prompt = b.last().(Taken).Prompt
	assert.NotContains(t, b.prompt, "\x1b")
	assert.NotContains(t, b.prompt, "\u202e")
	b.g.says = []string{"```\n" + b.prompt + "\n```"}
	b.again()
	b.Key("enter")
	assert.Contains(t, b.View(), "the model would change nothing")
	b.g.says = nil
	b.Key("esc")
	b.again()
	b.Key("enter")
	assert.Contains(t, b.View(), "without a text")
}

func TestWhatCannotBeImproved(t *testing.T) {
	assert.Contains(t, Off(" "), "no prompt to improve")
	assert.Contains(t, Off(strings.Repeat("word ", 13_000)), "the prompt is 65 kB long")
	assert.Empty(t, Off(plainPrompt))
}

// TestAtAnySize draws every phase at sizes that no one uses as well.
func TestAtAnySize(t *testing.T) {
	b := start(t, 80, 24, strings.Repeat(plainPrompt+" 塩の平原 ", 30), strings.Repeat(betterOne+" 塩の白い平原 ", 30))
	sizes := func() {
		for w := 1; w < 120; w += 17 {
			for h := 1; h < 40; h += 5 {
				b.Resize(w, h)
				tuitest.CheckFrame(t, b.View(), w, h)
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
