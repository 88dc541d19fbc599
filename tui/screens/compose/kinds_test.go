package compose

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/dialogs/models"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/findings"
	"darkroom/tui/tuitest"
)

// turnTo chooses a kind as a click does.
func (b *bench) turnTo(k client.Modality) {
	for i, x := range client.Modalities() {
		if x == k {
			b.Click(fmt.Sprintf("compose/#kind/o%d", i))
		}
	}
}

// speechBench is a form with something to speak, in several scripts.
func speechBench(t *testing.T, w, h int) *bench {
	t.Helper()
	b := start(t, w, h)
	b.turnTo(client.Speech)
	require.True(t, b.m.sheet.Form.Focus(client.FieldPrompt))
	b.Paste("塩の平原に赤い凧が上がる。\nA red kite over a salt flat, 붉은 연.")
	require.True(t, b.m.sheet.Form.Focus("voice"))
	b.Type("narrator-3")
	return b
}

func chatBench(t *testing.T, w, h int) *bench {
	t.Helper()
	b := start(t, w, h)
	b.turnTo(client.Chat)
	require.True(t, b.m.sheet.Form.Focus(client.FieldModel))
	b.Type("any-model")
	require.True(t, b.m.sheet.Form.Focus("system"))
	b.Type("be brief")
	require.True(t, b.m.sheet.Form.Focus(client.FieldPrompt))
	b.Type("what is a salt flat?")
	return b
}

func TestKindGoldens(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}} {
		name := fmt.Sprintf("%dx%d", s[0], s[1])
		t.Run(name, func(t *testing.T) {
			speechBench(t, s[0], s[1]).Golden("speech-" + name)
			chatBench(t, s[0], s[1]).Golden("chat-" + name)
			b := start(t, s[0], s[1])
			b.turnTo(client.Chat)
			b.Golden("chat-empty-" + name)
		})
	}
}

func TestSpeechBeginsWithItsEngine(t *testing.T) {
	b := start(t, 120, 40)
	b.turnTo(client.Speech)
	assert.True(t, b.m.sheet.Blank(), "what a kind begins with was not written by anybody")
	require.True(t, b.m.sheet.Form.Focus(client.FieldPrompt))
	b.Type("good morning")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	d := b.jobs.got[0][0].Draft
	assert.Equal(t, client.Speech, d.Modality)
	assert.Equal(t, "famN_music", d.Model)
	assert.Equal(t, "famO-speech-2.8-hd", d.Values["upstream_model"])
	assert.Equal(t, "music", b.jobs.got[0][0].Format)
	b.Key("ctrl+x")
	assert.Equal(t, "famO-speech-2.8-hd", b.m.sheet.Draft.Values["upstream_model"], "cleared, it begins anew")
	assert.True(t, b.m.sheet.Blank())
}

func TestEachKindKeepsItsOwn(t *testing.T) {
	b := start(t, 120, 40)
	b.turnTo(client.Music)
	assert.NotContains(t, b.m.sheet.Values, "upstream_model", "the engine of speech is no engine of music")
	b.m.sheet.Form.SetText("upstream_model", "famP-3-pro")
	b.m.doc.Changed("upstream_model")
	require.True(t, b.m.sheet.Form.Focus("voice") || has(b.m, client.Music, "voice"))
	b.turnTo(client.Speech)
	assert.Equal(t, "famO-speech-2.8-hd", b.m.sheet.Draft.Values["upstream_model"])
	require.True(t, b.m.sheet.Form.Focus("voice"))
	b.Type("narrator")
	b.turnTo(client.Video)
	b.turnTo(client.Music)
	assert.Equal(t, "famP-3-pro", b.m.sheet.Draft.Values["upstream_model"])
	assert.Equal(t, "narrator", b.m.sheet.Draft.Values["voice"], "a voice is a voice in both")
	assert.NotContains(t, b.m.sheet.Struck(), "upstream_model")
	b.turnTo(client.Speech)
	assert.Equal(t, "famO-speech-2.8-hd", b.m.sheet.Draft.Values["upstream_model"])
}

// Every kind keeps its values over all others, in the form and on the disk.
func TestFiveKindsAreKept(t *testing.T) {
	b := start(t, 120, 50)
	set := map[client.Modality][2]string{
		client.Video: {"seed", "7"}, client.Image: {"size", "1024x1024"}, client.Music: {"title", "waves"},
		client.Speech: {"voice", "narrator"}, client.Chat: {"system", "be brief"},
	}
	for _, k := range client.Modalities() {
		b.turnTo(k)
		require.Equal(t, k, b.m.sheet.Draft.Modality)
		b.m.sheet.Form.SetText(set[k][0], set[k][1])
		b.m.doc.Changed(set[k][0])
	}
	require.True(t, b.m.sheet.Form.Focus(client.FieldModel))
	b.Type("any-model")
	for _, k := range client.Modalities() {
		b.turnTo(k)
		got, _ := b.m.sheet.Draft.Values.Text(set[k][0])
		assert.Equal(t, set[k][1], got, k)
		for name := range b.m.sheet.Draft.Values {
			assert.True(t, has(b.m, k, name), "%s is sent in %s", name, k)
		}
	}
	b.Send(screen.HiddenMsg{})
	m, _, _ := newModel(t, keeping(b.drafts))
	again := tuitest.NewScreen(t, m, 120, 50)
	fresh := &bench{Driver: again, m: m}
	for _, k := range client.Modalities() {
		require.Contains(t, b.drafts.kept, k)
		fresh.turnTo(k)
		got, _ := m.sheet.Draft.Values.Text(set[k][0])
		assert.Equal(t, set[k][1], got, "%s after a new start", k)
	}
	assert.Equal(t, "any-model", m.sheet.Draft.Model)
	fresh.turnTo(client.Speech)
	assert.Equal(t, "famO-speech-2.8-hd", m.sheet.Draft.Values["upstream_model"])
}

func TestChatTakesAnyModel(t *testing.T) {
	b := chatBench(t, 120, 34)
	assert.Equal(t, "any-model", b.m.sheet.Draft.Model)
	assert.Contains(t, b.View(), "✓ nothing is missing")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	s := b.jobs.got[0][0]
	assert.Equal(t, "chat", s.Format)
	assert.Equal(t, client.Chat, s.Draft.Modality)
	assert.Equal(t, "what is a salt flat?", s.Draft.Prompt)
	assert.Equal(t, "be brief", s.Draft.Values["system"])

	require.True(t, b.m.sheet.Form.Focus(client.FieldModel))
	b.Key("ctrl+u")
	b.Key("ctrl+s")
	assert.Len(t, b.jobs.got, 1)
	assert.Contains(t, b.m.sending.Refused(), "Model is required")
	assert.Equal(t, client.FieldModel, b.m.sheet.Form.Focused())
	b.Type(" gpt ")
	assert.Equal(t, "gpt", b.m.sheet.Draft.Model, "blanks around a name are not a part of it")

	b.turnTo(client.Video)
	assert.Equal(t, "famA3", b.m.sheet.Draft.Model)
	b.turnTo(client.Chat)
	assert.Equal(t, "gpt", b.m.sheet.Draft.Model)
	require.True(t, b.m.sheet.Form.Focus(client.FieldModel))
	b.Key("ctrl+_")
	assert.NotEqual(t, "famA3", b.m.sheet.Draft.Model, "undo does not bring another kind's model")
}

func TestChatIsNotCompared(t *testing.T) {
	b := chatBench(t, 120, 34)
	assert.NotContains(t, b.View(), "To compare")
	b.Send(screen.ActionMsg{ID: "compose.to-compare"})
	assert.Contains(t, toast(t, b).Text, "the models of chat are not documented")
	_, opened := tuitest.Last[screen.OpenMsg](b.Driver)
	assert.False(t, opened)
	for _, a := range b.m.Actions() {
		if a.ID == "compose.to-compare" {
			assert.NotEmpty(t, a.Off)
		}
	}
	b.turnTo(client.Speech)
	assert.Contains(t, b.View(), "To compare")
	b.Send(screen.ActionMsg{ID: "compose.to-compare"})
	open, opened := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, opened)
	assert.Equal(t, client.Speech, open.Payload.(screen.CompareDraft).Draft.Modality)
}

// The rules of a format hold as soon as it is chosen.
func TestChecksAreThoseOfTheFormat(t *testing.T) {
	b := start(t, 120, 50)
	b.pick("famG-h3")
	b.Click("compose/mode/o0") // none
	require.Empty(t, b.m.sheet.Effective().Mode)
	b.m.sheet.Form.SetText("image", "https://example.org/a.png")
	b.m.doc.Changed("image")
	prompt := func() bool { return findings.Has(b.m.sheet.Problems, client.FieldPrompt, catalog.Block) }
	require.ElementsMatch(t, []string{"content", "videos"}, b.m.sheet.Ways)
	b.chooseFormat("videos")
	loose := prompt()
	b.chooseFormat("content")
	assert.True(t, prompt(), "the content-array format requires a prompt")
	assert.False(t, loose, "the common format recommends one")
	assert.Equal(t, "content", b.m.sheet.Effective().Format)
	require.True(t, b.m.sheet.Form.Focus(client.FieldPrompt))
	b.Type("a kite")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, "content", b.jobs.got[0][0].Format)

	b.pick("famJq3-turbo")
	b.Click("compose/mode/o2")
	require.Equal(t, "i2v", b.m.sheet.Effective().Mode)
	b.m.sheet.Form.SetText("images", "https://example.org/a.png\nhttps://example.org/b.png")
	b.m.doc.Changed("images")
	count := func() bool {
		return slices.ContainsFunc(b.m.sheet.Problems, func(p catalog.Problem) bool {
			return p.Severity == catalog.Block && strings.Contains(p.Message, "at most 1")
		})
	}
	b.chooseFormat("ent")
	assert.True(t, count(), "/ent/v2 takes one image in i2v")
	b.chooseFormat("videos")
	assert.False(t, count())
}

func (b *bench) chooseFormat(name string) {
	for i, f := range b.m.sheet.Ways {
		if f == name {
			b.Click(fmt.Sprintf("compose/#format/o%d", i))
		}
	}
}

// What the request says about itself is shown, for the format that it was made for.
func TestNotesAndDroppedAreShown(t *testing.T) {
	g := &noting{format: "videos"}
	m, _, _ := newModel(t, func(d *Deps) { g.Gateway, d.Gateway = d.Gateway, g })
	b := &bench{Driver: tuitest.NewScreen(t, m, 120, 50), m: m}
	b.Type("a kite")
	view := b.View()
	assert.Contains(t, view, "the path is configured")
	assert.Contains(t, view, "Mode is not sent in this format")
	assert.NotContains(t, view, "is not set at all")
	g.format = "content"
	b.Type("s")
	assert.NotContains(t, b.View(), "is configured", "what is known of another format says nothing")
}

// noting has notes on every request, which it says is in its format.
type noting struct {
	Gateway
	format string
}

func (n *noting) Preview(d client.Draft, format string) (client.Preview, error) {
	p, err := n.Gateway.Preview(d, format)
	p.Format = n.format
	p.Notes = []string{"the path is configured, not documented"}
	p.Dropped = []client.Dropped{{Field: client.FieldMode, Reason: "this format has no mode"}, {Field: "seed", Reason: "is not set at all"}}
	return p, err
}

func TestKindByKeys(t *testing.T) {
	b := start(t, 80, 24)
	require.True(t, b.m.sheet.Form.Focus("#kind"))
	for _, k := range client.Modalities()[1:] {
		b.Key("right")
		assert.Equal(t, k, b.m.sheet.Modality)
		assert.Equal(t, "#kind", b.m.sheet.Form.Focused(), "the focus stays")
	}
	_, cmd := b.m.Update(tea.KeyMsg{Type: tea.KeyRight})
	drain(b.m, cmd, false)
	assert.Equal(t, client.Chat, b.m.sheet.Modality)
}

func TestChatModelsThatTheGatewayLists(t *testing.T) {
	m, _, _ := newModel(t)
	deps := m.deps
	g := gateway{catalog: deps.Catalog, names: []string{"chat", "videos"}, listed: []client.RemoteModel{
		{ID: "famA3"}, {ID: "talker-2"}, {ID: "talker-2"}, {ID: "evil\x1b[2J"}, {ID: ""}}}
	deps.Gateway = g
	m = New(deps)
	m.doc.Saver.Later = func() tea.Cmd { return nil }
	b := &bench{Driver: tuitest.NewScreen(t, m, 120, 34), m: m}
	b.turnTo(client.Chat)
	b.Key("ctrl+g")
	assert.Contains(t, b.View(), "talker-2")
	b.Key("enter")
	assert.Equal(t, "talker-2", m.sheet.Draft.Model)
	b.Key("ctrl+g")
	b.Golden("listed-120x34")
	b.Key("esc")

	g.listed, g.listErr = nil, errors.New("HTTP 500\x1b[31m: try later")
	m.models = models.NewKnown(deps.Catalog, g, nil)
	b.Key("ctrl+g")
	assert.Contains(t, b.View(), "the gateway's list did not come")
	b.Key("enter", "esc")
	assert.Equal(t, "talker-2", m.sheet.Draft.Model, "a remark is not picked")
	b.Key("ctrl+g")
	b.Type("gpt-x")
	assert.Contains(t, b.View(), "gpt-x  exactly as typed")
	b.Key("enter")
	assert.Equal(t, "gpt-x", m.sheet.Draft.Model)
}

// A draft from elsewhere takes the place of its own kind's; what is another kind's own
// stays there.
func TestADraftOfAnotherKindComesIn(t *testing.T) {
	b := speechBench(t, 120, 34)
	require.True(t, b.m.sheet.Form.Focus("upstream_model"))
	b.Type("famR-audio-1.0")
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Chat, Model: "talker-2", Prompt: "and now?",
		Values: client.Values{"messages": []any{map[string]any{"role": "user", "content": "hello"}}}}})
	assert.Equal(t, client.Chat, b.m.sheet.Draft.Modality)
	assert.Equal(t, "talker-2", b.m.sheet.Draft.Model)
	assert.Len(t, b.m.sheet.Draft.Values["messages"], 1)
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, "chat", b.jobs.got[0][0].Format)
	b.turnTo(client.Speech)
	assert.Equal(t, "famR-audio-1.0", b.m.sheet.Draft.Values["upstream_model"])
	b.Send(screen.ActionMsg{ID: "compose.bring-back"})
	assert.Equal(t, client.Speech, b.m.sheet.Modality)
	assert.Equal(t, "narrator-3", b.m.sheet.Draft.Values["voice"])
	assert.Equal(t, "famR-audio-1.0", b.m.sheet.Draft.Values["upstream_model"])
}

// TestAWarningIsNotCalledNothing: "nothing is missing" is not said beside what is missing.
func TestAWarningIsNotCalledNothing(t *testing.T) {
	b := start(t, 120, 34)
	b.turnTo(client.Music)
	assert.NotContains(t, b.View(), "missing", "nothing was written yet")
	b.m.doc.Tried()
	b.Send(screen.ShownMsg{})
	assert.Contains(t, b.View(), "⚠ Prompt is missing")
	assert.NotContains(t, b.View(), "nothing is missing")
	assert.Contains(t, b.View(), "✓ nothing blocks")
}

// has reports whether a kind has a field.
func has(m *Model, kind client.Modality, field string) bool {
	_, ok := m.deps.Catalog.Field(kind, field)
	return ok
}
