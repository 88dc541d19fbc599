package models

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func TestAModelGoesToComposeAndNothingTypedIsLost(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	b.goTo("famC-1.0-t2v")
	b.Key("c")
	open, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.OpenMsg{Screen: screen.Compose, Payload: screen.ComposeDraft{
		Draft: client.Draft{Modality: client.Video, Model: "famC-1.0-t2v", Mode: "t2v"}}}, open)

	b.d.kept[client.Video] = screen.ComposeDraft{Format: "content", Expand: "all",
		Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "edit", Prompt: "a kite", Values: client.Values{"seed": "7"}}}
	b.Key("c")
	open, _ = tuitest.Last[screen.OpenMsg](b.Driver)
	assert.Equal(t, "content", open.Payload.(screen.ComposeDraft).Format)
	assert.Equal(t, "all", open.Payload.(screen.ComposeDraft).Expand, "the prompt is the template that it was")
	d := open.Payload.(screen.ComposeDraft).Draft
	assert.Equal(t, client.Draft{Modality: client.Video, Model: "famC-1.0-t2v", Mode: "t2v", Prompt: "a kite", Values: client.Values{"seed": "7"}}, d)

	b.goTo("famF-video")
	b.Key("m")
	open, _ = tuitest.Last[screen.OpenMsg](b.Driver)
	assert.Equal(t, screen.Compare, open.Screen)
	d = open.Payload.(screen.CompareDraft).Draft
	assert.Equal(t, "famF-v1", d.ModelName)
	assert.Equal(t, "t2v", d.Mode)
	assert.Equal(t, "a kite", d.Prompt)

	b.d.err = errors.New("disk\x1b[2J on fire")
	sent := len(b.Sent)
	b.Key("c")
	require.Len(t, b.Sent, sent+1)
	toast, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, toast.Text, "on fire")
	assert.NotContains(t, toast.Text, "\x1b")
}

func TestSpeechKeepsItsEngine(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	b.Click("kind:speech")
	b.Key("c")
	open, _ := tuitest.Last[screen.OpenMsg](b.Driver)
	d := open.Payload.(screen.ComposeDraft).Draft
	assert.Equal(t, client.Speech, d.Modality)
	assert.Equal(t, catalogtest.Catalog(t).Default(client.Speech).Values, d.Values)
}

func TestModelsThatOnlyTheListsHave(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	b.goTo("talker-4-mini")
	b.Key("c")
	toast, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, toast.Text, "the catalog does not know the model")
	b.Key("t")
	assert.Equal(t, screen.OpenMsg{Screen: screen.Chat, Payload: screen.ChatModel{Model: "talker-4-mini"}}, b.Sent[len(b.Sent)-1])
	b.Key("y")
	assert.Equal(t, screen.CopyMsg{Text: "talker-4-mini", What: "the model's name"}, b.Sent[len(b.Sent)-1])
	b.goTo("famL-pro")
	b.Key("t")
	toast, _ = tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, toast.Text, "makes image and no conversation")
	page := b.page("famA4")
	assert.Contains(t, page, "Near it famA3")
	assert.Contains(t, page, "Name Family A, fourth")
}

func TestHostileNamesAreShownAndNotUsed(t *testing.T) {
	b := start(t, 120, 34, hostile(t), nil)
	b.Click("kind:other")
	for range b.m.visible {
		frame := b.Frame()
		tuitest.CheckFrame(t, frame, 120, 34)
		for _, bad := range []string{"\x1b]", "\u202e", "\u200b", "\u009b", "\x07"} {
			assert.NotContains(t, tuitest.Plain(frame), bad)
		}
		for _, a := range b.m.Actions() {
			if r := b.m.selected(); a.ID == "models.copy" && client.CleanLine(r.id) != r.id {
				assert.NotEmpty(t, a.Off, "%q", r.id)
			}
		}
		b.Key("down")
	}
	assert.Less(t, len(b.m.rows[len(b.m.rows)-1].words), 10_000, "what is searched is bounded")
}

func TestActionsAreNamedAndHaveKeys(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	all := b.m.Actions()
	require.NotEmpty(t, all)
	for _, a := range all {
		assert.True(t, strings.HasPrefix(a.ID, "models."), a.ID)
		assert.NotEmpty(t, b.m.deps.Keys.Keys(a.ID), a.ID)
		sent := len(b.Sent)
		before := fmt.Sprint(b.m.focus, b.m.kind, b.m.show, b.m.filtering, b.m.current, b.gw.asked(), b.m.filter.Value())
		b.goTo("famD")
		b.Send(screen.ActionMsg{ID: a.ID})
		after := fmt.Sprint(b.m.focus, b.m.kind, b.m.show, b.m.filtering, b.m.current, b.gw.asked(), b.m.filter.Value())
		assert.True(t, before != after || len(b.Sent) > sent, "%s does nothing", a.ID)
		b.Key("esc", "esc", "esc", "g")
	}
}

func TestKeysCanBeRebound(t *testing.T) {
	m, g, _ := newModel(t)
	g.set(offered(t), nil)
	k, errs := m.deps.Keys.Override(map[string][]string{"models.show-differences": {"ctrl+d"}, "models.refresh": {"f9"}})
	require.Empty(t, errs)
	m.commands = screen.Bind(k, Commands())
	d := tuitest.NewScreen(t, m, 120, 34)
	d.Key("D")
	assert.Equal(t, showAll, m.show)
	d.Key("ctrl+d", "f9")
	assert.Equal(t, showDifferences, m.show)
	assert.Equal(t, 2, g.asked())
}

func TestMouseAndPanes(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	b.Click("row:3")
	assert.Equal(t, "famA3-frames", b.m.current)
	b.Wheel("detail", 1)
	assert.Equal(t, 3, b.m.detail.Top())
	b.Key("down")
	assert.Zero(t, b.m.detail.Top(), "another model is read from its beginning")
	b.Key("tab", "pgdown")
	assert.Positive(t, b.m.detail.Top())
	assert.Equal(t, "famA3-pro", b.m.current)
	b.Resize(80, 24)
	assert.Contains(t, b.View(), "╭ famA3-pro")
	b.Key("esc")
	assert.Contains(t, b.View(), "╭ Models")
	b.DoubleClick("row:2")
	assert.Contains(t, b.View(), "╭ famA3-fast-frames")
	b.Click("btn:models.copy")
	copied, _ := tuitest.Last[screen.CopyMsg](b.Driver)
	assert.Equal(t, "famA3-fast-frames", copied.Text)
	b.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jj")})
	assert.Equal(t, 2, b.m.detail.Top(), "keys that come in one read are all taken")
}
