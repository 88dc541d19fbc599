package chat

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/client/kept"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/talk"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
)

func TestAQuestionIsSentAndItsAnswerKept(t *testing.T) {
	b := named(t, 100, 30)
	b.m.system.SetValue("Be brief.")
	b.gw.deltas = []string{"Hel", "lo"}
	b.gw.answer = client.ChatAnswer{Text: "Hello", Finish: "stop", Reasoning: "hm", Usage: []byte(`{"total_tokens":3}`), Meta: client.Meta{RequestID: "req_1"}}
	b.say("hi")
	assert.Equal(t, []client.ChatRequest{{Model: "gpt-x", Messages: []client.ChatMessage{
		{Role: client.RoleSystem, Content: "Be brief."}, {Role: client.RoleUser, Content: "hi"},
	}}}, b.gw.requests())
	view := b.View()
	for _, want := range []string{"❯ You", "hi", "● gpt-x", "Hello", "· 3 tokens · request id req_1", "▸ reasoning, 1 word"} {
		assert.Contains(t, view, want)
	}
	assert.Nil(t, b.m.talk.stream)
	c := b.st.only(t)
	require.Len(t, c.Messages, 2)
	assert.Equal(t, "Hello", c.Messages[1].Text)
	assert.Equal(t, "hm", c.Messages[1].Reasoning)
	assert.Equal(t, "hi", c.Title)
	assert.Empty(t, c.Draft)
	b.say("and?")
	assert.Len(t, b.gw.requests()[1].Messages, 4, "the conversation goes on")
	b.Key("alt+r")
	assert.Contains(t, b.View(), "┊ hm")
}

func TestNothingIsSentWithoutAModelOrAText(t *testing.T) {
	b := start(t, 80, 24)
	b.Key("enter")
	assert.Contains(t, b.toast(t).Text, "type a message")
	b.say("hi")
	assert.Contains(t, b.toast(t).Text, "name a model")
	assert.Equal(t, modelPane, b.m.focus)
	assert.Equal(t, "hi", b.m.input.Value(), "what was typed stays")
	b.Type("m")
	b.Key("enter")
	assert.Equal(t, inputPane, b.m.focus)
	assert.Empty(t, b.gw.requests())
	b.gw.answer.Text = "ok"
	b.Key("enter")
	assert.Equal(t, "m", b.gw.requests()[0].Model)
}

func TestNewLinesAndTheHistoryOfOwnMessages(t *testing.T) {
	b := named(t, 80, 24)
	b.gw.answer.Text = "ok"
	b.Type("one")
	b.Key("alt+enter")
	b.Type("two")
	assert.Equal(t, "one\ntwo", b.m.input.Value())
	b.Key("enter")
	b.say("three")
	b.Key("up")
	assert.Equal(t, "three", b.m.input.Value())
	b.Key("up")
	assert.Equal(t, "one\ntwo", b.m.input.Value())
	b.Key("up")
	assert.Equal(t, "one\ntwo", b.m.input.Value(), "the oldest one; the cursor moves in it")
	b.Key("down", "down", "down")
	assert.Empty(t, b.m.input.Value())
	b.Type("x")
	b.Key("up")
	assert.Equal(t, "x", b.m.input.Value(), "what is typed is not replaced")
}

func TestStopKeepsWhatHasCome(t *testing.T) {
	b := named(t, 100, 30)
	b.Limit = 30 * time.Millisecond
	b.gw.deltas, b.gw.hold = []string{"half an "}, make(chan struct{})
	b.say("hi")
	b.Settle(5*time.Second, "a part comes", func() bool { return strings.Contains(b.View(), "half an") })
	assert.Contains(t, b.View(), "esc stops")
	assert.Equal(t, time.Second, b.m.NextTick())
	assert.NotEmpty(t, b.m.Unsaved())
	b.Key("enter")
	assert.Contains(t, b.toast(t).Text, "still coming")
	b.Send(saveTick{})
	assert.Equal(t, kept.Arriving, b.st.only(t).Messages[1].State, "the part is kept while the rest comes")
	assert.Equal(t, "half an ", b.st.only(t).Messages[1].Text)
	b.Key("esc")
	b.Settle(5*time.Second, "it ends", func() bool { return b.m.talk.stream == nil })
	assert.Zero(t, b.m.NextTick(), "nothing wakes up any more")
	assert.Contains(t, b.View(), "stopped; what came is kept")
	b.Settle(5*time.Second, "the commands end", func() bool { return b.Waiting() == 0 })
	assert.Equal(t, kept.Stopped, b.st.only(t).Messages[1].State)
	assert.Equal(t, "half an ", b.st.only(t).Messages[1].Text)
}

func TestStopTwiceEndsWhatDoesNotEnd(t *testing.T) {
	b := named(t, 100, 30)
	s, _ := talk.New() // nobody will ever finish it
	b.m.read.say(kept.Message{Role: client.RoleAssistant, State: kept.Arriving})
	b.m.talk.stream = s
	s.Put("some")
	b.Key("esc")
	assert.Contains(t, b.View(), "stopping")
	b.Key("esc")
	assert.Contains(t, b.View(), "some")
	assert.Contains(t, b.View(), "stopped; what")
}

func TestErrorsAreToldPlainlyAndNothingIsSentAgain(t *testing.T) {
	for name, k := range map[string]struct {
		err  error
		want []string
	}{
		"key":           {&client.APIError{HTTPStatus: 401, Code: "invalid_api_key", Message: "no\x1b[2J"}, []string{"HTTP 401 invalid_api_key: no␛[2J", "darkroom auth status"}},
		"model":         {&client.APIError{HTTPStatus: 404, Message: "no such model"}, []string{"HTTP 404: no such model", "choose another"}},
		"rate":          {&client.APIError{HTTPStatus: 429, RetryAfter: 20 * time.Second}, []string{"HTTP 429", "wait 20 s", "12:00:20"}},
		"rate, no time": {&client.APIError{HTTPStatus: 429}, []string{"too many requests"}},
		"server":        {&client.APIError{HTTPStatus: 500, RequestID: "req_9"}, []string{"HTTP 500", "request id req_9"}},
		"offline":       {errors.New("POST /v1/chat/completions: dial tcp 127.0.0.1:1: connect: connection refused"), []string{"connection refused", "ask again"}},
		"late":          {context.DeadlineExceeded, []string{"took too long"}},
		"nothing":       {nil, []string{"without a text"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := named(t, 120, 34)
			b.gw.err = k.err
			b.say("hi")
			for _, w := range k.want {
				assert.Contains(t, b.View(), w)
			}
			assert.Len(t, b.gw.requests(), 1)
			assert.Equal(t, kept.Failed, b.st.only(t).Messages[1].State)
			b.gw.err, b.gw.answer.Text = nil, "at last"
			b.Key("ctrl+r")
			assert.Contains(t, b.View(), "at last")
			assert.Len(t, b.st.only(t).Messages, 2, "an answer in which nothing came is not kept")
			assert.Equal(t, b.gw.requests()[0], b.gw.requests()[1], "the same messages")
		})
	}
}

func TestAnErrorInTheMiddleKeepsThePart(t *testing.T) {
	b := named(t, 100, 30)
	b.gw.deltas, b.gw.answer, b.gw.err = []string{"so f", "ar"}, client.ChatAnswer{Text: "so far"}, errors.New("the answer broke off: unexpected EOF")
	b.say("hi")
	assert.Contains(t, b.View(), "so far")
	assert.Contains(t, b.View(), "✗ the answer broke off")
	assert.Equal(t, "so far", b.st.only(t).Messages[1].Text)
	b.gw.deltas, b.gw.answer, b.gw.err = nil, client.ChatAnswer{Text: "whole"}, nil
	b.Key("ctrl+r")
	c := b.st.only(t)
	require.Len(t, c.Messages, 3, "what was paid for is kept, aside")
	assert.True(t, c.Messages[1].Aside)
	assert.Len(t, b.gw.requests()[1].Messages, 1)
	assert.Contains(t, b.View(), "set aside")
	b.Click("aside:1")
	assert.Contains(t, b.View(), "✗ the answer broke off")
}

func TestARefusalIsShownAsOne(t *testing.T) {
	b := named(t, 100, 30)
	b.gw.answer = client.ChatAnswer{Refusal: "I can't\x1b[2J help", Finish: "stop"}
	b.say("hi")
	assert.Contains(t, b.View(), "⊘ the model refused:")
	assert.Contains(t, b.View(), "I can't␛[2J help")
	b.say("why?")
	assert.Equal(t, "I can't\x1b[2J help", b.gw.requests()[1].Messages[1].Content)
}

func TestEditLast(t *testing.T) {
	b := named(t, 100, 30)
	b.gw.answer.Text = "ok"
	b.say("a mistke")
	b.Key("alt+e")
	assert.Equal(t, "a mistke", b.m.input.Value())
	b.Key("backspace", "backspace")
	b.Type("ake")
	b.Key("enter")
	last := b.gw.requests()[1]
	require.Len(t, last.Messages, 1)
	assert.Equal(t, "a mistake", last.Messages[0].Content)
	assert.Len(t, b.st.only(t).Messages, 4)
}

func TestCopyAndUseAsPrompt(t *testing.T) {
	b := start(t, 100, 30, aTalk(question("hi"), reply(markdown)))
	b.Key("alt+y")
	copied, _ := tuitest.Last[screen.CopyMsg](b.Driver)
	assert.Equal(t, client.Clean(markdown), copied.Text)
	b.Key("alt+c")
	copied, _ = tuitest.Last[screen.CopyMsg](b.Driver)
	assert.Equal(t, "func main() {\n\tprintln(\"kite\")\n}\n", copied.Text)
	b.Key("alt+u")
	open, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.OpenMsg{Screen: screen.Compose, Payload: screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Prompt: client.Clean(markdown)}}}, open)
	b.m.show(aTalk(question("hi"), reply("```\na red kite\x1b[2J\n```\n")))
	b.Key("alt+u")
	open, _ = tuitest.Last[screen.OpenMsg](b.Driver)
	assert.Equal(t, "a red kite␛[2J", open.Payload.(screen.ComposeDraft).Draft.Prompt)
	b.m.show(aTalk(question("hi"), reply("```\none\n```\nand\n~~~\ntwo\n~~~")))
	b.Key("alt+c", "up", "enter")
	copied, _ = tuitest.Last[screen.CopyMsg](b.Driver)
	assert.Equal(t, "one\n", copied.Text)
	for _, z := range b.Zones() {
		if strings.HasPrefix(z.ID, "code:") {
			b.Send(screen.ClickMsg{Zone: z.ID})
		}
	}
	copied, _ = tuitest.Last[screen.CopyMsg](b.Driver)
	assert.Equal(t, "two\n", copied.Text)
}

func TestConversationsAreListedOpenedAndDeleted(t *testing.T) {
	old := aTalk(question("about ships"), reply("ships"))
	old.ID, old.Title, old.Updated = "0197f000-0000-7000-8000-000000000002", "about ships", now.Add(-time.Hour)
	kites := aTalk(question("about kites"), reply("kites"))
	kites.Title = "about kites"
	b := start(t, 100, 30, old, kites)
	assert.Contains(t, b.View(), "about kites", "the newest one is gone on with")
	assert.Equal(t, "gpt-x", b.m.model.Value())
	b.Key("f2")
	assert.Contains(t, b.View(), "about ships")
	b.Type("ships")
	b.Key("enter")
	assert.Contains(t, b.View(), "● gpt-x")
	assert.Equal(t, old.ID, b.m.talk.conv.ID)
	b.Key("alt+x")
	assert.Contains(t, b.View(), "Delete this conversation?")
	b.Key("enter")
	assert.NotEmpty(t, b.st.get(old.ID).ID, "the safe answer has the focus")
	b.Key("alt+x", "d")
	assert.Empty(t, b.st.get(old.ID).ID)
	assert.Contains(t, b.toast(t).Text, "about ships")
	require.NoError(t, b.m.Flush())
	assert.Len(t, b.st.kept, 1, "what was deleted does not come back")
	b.Key("ctrl+n")
	assert.Contains(t, b.toast(t).Text, "this one is new")
	b.Type("x")
	b.Key("ctrl+n")
	assert.Empty(t, b.m.input.Value())
	assert.Len(t, b.st.kept, 2, "what was typed and not sent is kept")
}

func TestModelsArePickedFromTheGatewaysList(t *testing.T) {
	b := start(t, 100, 30)
	b.gw.list.Models = []client.RemoteModel{{ID: "alpha", DisplayName: "Al\x1b[2Jpha"}, {ID: "beta", Methods: []string{"chat"}}, {ID: "reel", Methods: []string{"generateVideos"}}}
	assert.Zero(t, b.gw.listed, "nobody is asked before it is wanted")
	b.Key("ctrl+g")
	assert.Contains(t, b.View(), "Al␛[2Jpha")
	assert.Contains(t, b.View(), "reel  video ", "what it makes, in a person's words")
	b.Type("bet")
	b.Key("enter")
	assert.Equal(t, "beta", b.m.model.Value(), "what is found comes before what is typed")
	b.Key("ctrl+g")
	b.Type("bet")
	b.Key("up", "enter")
	assert.Equal(t, "bet", b.m.model.Value())
	b.Key("ctrl+g")
	assert.Equal(t, 1, b.gw.listed)
	b.Type("my-own")
	b.Key("enter")
	assert.Equal(t, "my-own", b.m.model.Value())

	b = start(t, 100, 30)
	b.gw.lerr = errors.New("connection refused")
	b.Key("ctrl+g")
	assert.Contains(t, b.View(), "connection refused")
	b.Key("esc", "ctrl+g")
	assert.Equal(t, 2, b.gw.listed, "asked again when it is opened again")
	b.Send(screen.ChatModel{Model: "handed-on"})
	assert.Equal(t, "handed-on", b.m.model.Value())
}

func TestEditor(t *testing.T) {
	b := named(t, 80, 24)
	b.Type("a")
	b.Key("ctrl+o")
	e, ok := tuitest.Last[screen.EditMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.EditMsg{Text: "a", Suffix: ".md", Tag: "input"}, e)
	b.Send(screen.EditedMsg{Tag: "input", Text: "abc\n"})
	assert.Equal(t, "abc", b.m.input.Value())
	b.Send(screen.EditedMsg{Tag: "input", Text: "lost", Err: errors.New("exit 1")})
	assert.Equal(t, "abc", b.m.input.Value())
	b.Key("alt+s", "ctrl+o")
	b.Send(screen.EditedMsg{Tag: "system", Text: "Be kind.\n"})
	assert.Equal(t, "Be kind.", b.m.system.Value())
	assert.Equal(t, "abc", b.m.input.Value())
}

func TestEveryActionIsKnown(t *testing.T) {
	b := start(t, 120, 34, aTalk(question("hi"), reply(markdown)))
	b.gw.answer.Text = "ok"
	for _, a := range b.m.Actions() {
		assert.NotEqual(t, a.ID, a.Title, "an action without a title")
		b.Send(screen.ActionMsg{ID: a.ID})
		tuitest.CheckFrame(t, b.Frame(), 120, 34)
		b.m.dialog = dialog{}
	}
}

func TestKeysWorkWhileTyping(t *testing.T) {
	for _, a := range named(t, 80, 24).m.deps.Keys.Actions("chat") {
		for _, k := range a.Keys {
			assert.True(t, len([]rune(k)) > 1, "%s would be typed into the message: %s", a.ID, k)
		}
	}
}

func TestStreamIsAskedTwentyTimesASecondAtMost(t *testing.T) {
	s, _ := talk.New()
	defer s.Cancel()
	for range 1000 {
		s.Put("x") // nobody takes: nobody waits
	}
	msg, ok := talk.Next(s, 0)().(talk.PartMsg)
	require.True(t, ok)
	assert.Equal(t, strings.Repeat("x", 1000), msg.Part.Text, "one message for all that came")
	s.Finish(client.ChatAnswer{Text: "y"}, nil)
	begun := time.Now()
	msg = talk.Next(s, time.Hour)().(talk.PartMsg)
	assert.True(t, msg.Part.Over)
	assert.Less(t, time.Since(begun), time.Minute, "the end does not wait")
	m, _, _ := newModel(t)
	_, cmd := m.Update(msg)
	assert.Nil(t, cmd, "of an answer that is none of this conversation's")
}

// improved is a conversation in which Compose had a prompt improved.
func improved() kept.Conversation {
	c := aTalk(question("a kite"), reply("A red kite at dawn."))
	c.System, c.ID, c.Updated = improve.Request("gpt-x", "a kite", client.Video).Messages[0].Content, "0197f000-0000-7000-8000-000000000002", now.Add(time.Hour)
	return c
}

// TestANewChatIsNotToldToImprovePrompts: that system prompt belongs to Compose's question.
func TestANewChatIsNotToldToImprovePrompts(t *testing.T) {
	b := start(t, 80, 24, improved())
	assert.Empty(t, b.m.talk.conv.Messages, "it is not gone on with")
	assert.Equal(t, "gpt-x", b.m.model.Value(), "but its model serves")
	assert.Empty(t, b.m.system.Value())
	b.m.show(improved()) // as from the list
	b.m.commands.Do(b.m, actNew)
	assert.Empty(t, b.m.system.Value())
	b.m.system.SetValue("Be brief.")
	b.m.commands.Do(b.m, actNew)
	assert.Equal(t, "Be brief.", b.m.system.Value(), "a person's own stays")

	older := aTalk(question("why?"))
	b = start(t, 80, 24, improved(), older)
	assert.Equal(t, older.ID, b.m.talk.conv.ID, "the newest talk of the person's own opens")
}

// TestTheModelOfTheGatewayIsThere: the embedded gateway has one, which nobody has to name.
func TestTheModelOfTheGatewayIsThere(t *testing.T) {
	deps := Deps{Gateway: &gateway{}, Model: "sandbox-chat", Store: newShelf(), Keys: keys.New(screen.Rows(Commands())), Styles: tuitest.Styles(t), Now: func() time.Time { return now }}
	m := New(deps)
	d := tuitest.NewScreen(t, m, 80, 24)
	assert.Equal(t, "sandbox-chat", m.model.Value())
	d.Key("ctrl+x")
	assert.Equal(t, "sandbox-chat", m.model.Value())
	s := m.snapshot()
	assert.False(t, s.worth(m.keep.began), "and nothing is kept for it")
}

// TestLinesHaveAMeasure: on a wide screen they do not run on.
func TestLinesHaveAMeasure(t *testing.T) {
	b := start(t, 200, 58)
	b.m.show(aTalk(question(strings.Repeat("many words ", 60)), reply(strings.Repeat("and more of them ", 60))))
	b.Paste(strings.Repeat("typed words ", 60))
	for _, l := range strings.Split(b.View(), "\n") {
		if !strings.HasPrefix(l, "╭") && (strings.Contains(l, " words ") || strings.Contains(l, "more of them")) {
			assert.LessOrEqual(t, widgets.Width(strings.TrimRight(l, " │┃║")), measure+gutter, l)
		}
	}
}
