package models

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// names are the models that show, in order.
func (b *bench) names() []string {
	var out []string
	for _, i := range b.m.visible {
		out = append(out, b.m.rows[i].name)
	}
	return out
}

func TestTheCatalogShowsBeforeTheGatewayAnswers(t *testing.T) {
	m, g, _ := newModel(t)
	m.SetSize(120, 34)
	assert.Zero(t, g.asked(), "nothing is asked before the screen shows")
	cmd := m.Init()
	assert.Zero(t, g.asked(), "asking is a command")
	text := tuitest.Plain(m.View())
	assert.Contains(t, text, "famA3-fast")
	assert.Contains(t, text, "· catalog")
	assert.Contains(t, text, "asking the gateway")
	g.set(offered(t), nil)
	_, _ = m.Update(cmd())
	assert.Equal(t, 1, g.asked())
	text = tuitest.Plain(m.View())
	assert.Contains(t, text, "● both")
	assert.Contains(t, text, "all 56")
	assert.Contains(t, text, "a guess of ours")
}

func TestOriginsAndDifferences(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	assert.Len(t, b.m.visible, 56)
	b.Key("L")
	assert.Len(t, b.m.visible, 53)
	assert.NotContains(t, b.names(), "famB-2")
	b.Key("C")
	assert.Len(t, b.m.visible, 53)
	assert.NotContains(t, b.names(), "famA4")
	b.Key("D")
	assert.Equal(t, []string{"famB-2", "famB-2-pro", "famH-2.3", "famA4", "Talker-4", "talker-4-mini"}, b.names())
	assert.Contains(t, b.View(), "○ catalog")
	assert.Contains(t, b.View(), "in the catalog and not offered")
	b.Key("G")
	assert.Contains(t, b.View(), "◇ live")
	assert.Contains(t, b.View(), "offered and not in the catalog")
	b.Key("A")
	assert.Len(t, b.m.visible, 56)
	b.Click("show:differences")
	assert.Len(t, b.m.visible, 6)
	b.Key("esc")
	assert.Len(t, b.m.visible, 56)
}

func TestDifferencesNeedAnAnswer(t *testing.T) {
	l, err := offline()
	b := start(t, 120, 34, l, err)
	b.Key("D")
	assert.Empty(t, b.m.visible, "nobody knows what the gateway offers")
	assert.Contains(t, b.View(), "No list of the gateway has answered yet")
	b.Key("L")
	assert.Empty(t, b.m.visible)
	b.Key("A")
	assert.Len(t, b.m.visible, 53, "the catalog needs no gateway")
	assert.Contains(t, b.View(), "✗ GET /v1beta/models: dial tcp 127.0.0.1:9: connect: connection")

	b.gw.set(offered(t), nil)
	b.Key("r", "D")
	assert.Len(t, b.m.visible, 6)
	full := client.ModelList{Sources: lists(53, 53)}
	for _, x := range catalogtest.Catalog(t).Models("") {
		full.Models = append(full.Models, both(x.ID))
	}
	b.gw.set(full, nil)
	b.Key("r")
	assert.Contains(t, b.View(), "No differences")
}

func TestARefusedKeyIsSaid(t *testing.T) {
	l, err := refused()
	b := start(t, 120, 34, l, err)
	assert.Contains(t, b.View(), "the gateway refused the key (HTTP 401)")
	b.Resize(40, 12)
	assert.Contains(t, b.View(), "key refused")
}

func TestWhatWasSaidStaysWhenAskingAgainFails(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	b.goTo("famA4")
	b.Key("esc")
	l, err := offline()
	b.gw.set(l, err)
	b.m.deps.Now = func() time.Time { return now.Add(time.Minute) }
	b.Key("r")
	assert.Equal(t, 2, b.gw.asked())
	assert.Len(t, b.m.visible, 56)
	assert.Equal(t, "famA4", b.m.current)
	text := b.View()
	assert.Contains(t, text, "connection refused")
	assert.Contains(t, text, "this is what the lists said at 12:00:00")
	assert.Contains(t, text, "asked 12:01:00")
}

func TestOneListIsEnough(t *testing.T) {
	b := start(t, 120, 34, halfway(t), nil)
	assert.Len(t, b.m.visible, 56)
	assert.Contains(t, b.View(), "✓ GET /v1beta/models: 50 models")
	assert.Contains(t, strings.Join(strings.Fields(b.View()), " "), "HTTP 200, but the answer was not")
	m, g, _ := newModel(t)
	g.set(client.ModelList{}, errors.New("client: no model list is set up"))
	d := tuitest.NewScreen(t, m, 120, 34)
	assert.Contains(t, d.View(), "✗ client: no model list is set up")
}

func TestAskingAgainGivesUpWhatWasAsked(t *testing.T) {
	m, g, _ := newModel(t)
	m.SetSize(120, 34)
	first := m.Init()
	_, second := m.Update(screen.ActionMsg{ID: "models.refresh"})
	g.hold = make(chan struct{})
	old := first().(liveMsg) // ends, since its context was cancelled
	require.Error(t, old.err)
	_, _ = m.Update(old)
	assert.True(t, m.live.loading, "an old answer ends nothing")
	close(g.hold)
	g.set(offered(t), nil)
	_, _ = m.Update(second())
	assert.False(t, m.live.loading)
	assert.Equal(t, 56, m.tally.all)
}

// TestAnEmptyCatalog has a catalog without models: the screen still stands.
func TestAnEmptyCatalog(t *testing.T) {
	c, err := catalog.Load([]byte("version: 1\n"), "empty.yaml")
	if err != nil {
		c = &catalog.Catalog{}
	}
	m, g, _ := newModel(t)
	m.deps.Catalog = c
	g.set(client.ModelList{Models: []client.RemoteModel{both("x")}, Sources: lists(1, 1)}, nil)
	d := tuitest.NewScreen(t, m, 120, 34)
	assert.Contains(t, d.View(), "◇ live")
	g.set(client.ModelList{Sources: lists(0, 0)}, nil)
	d.Key("r", "c", "y", "n", "enter", "G")
	assert.Contains(t, d.View(), "no model")
}

// TestModelsOfAnOverlay: what a person's own catalog file adds or changes is told, whether
// the gateway offers it or not.
func TestModelsOfAnOverlay(t *testing.T) {
	m, g, _ := newModel(t)
	over, err := m.deps.Catalog.Overlay([]byte("version: 1\nfamilies:\n  - token: famA\n    models:\n      - {id: famA3, note: ours}\n"), "catalog.yaml")
	require.NoError(t, err)
	deps := m.deps
	deps.Catalog = over
	m = New(deps)
	g.set(offered(t), nil)
	b := &bench{Driver: tuitest.NewScreen(t, m, 160, 40), m: m, gw: g}
	assert.Contains(t, b.View(), "✎ overlay")
	assert.Contains(t, strings.Join(strings.Fields(strings.ReplaceAll(b.View(), "│", " ")), " "), "by your catalog.yaml")
}
