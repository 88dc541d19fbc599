package models

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/dialect"
	"darkroom/client/probe"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func probedRows() []probe.Row {
	return []probe.Row{
		{What: probe.List, Path: "/v1beta/models", HTTP: 200, Verdict: probe.There},
		{What: probe.Query, Format: "music", Path: "/famN/fetch/{id}", HTTP: 200, Verdict: probe.Absent},
		{What: probe.Query, Format: "music", Path: "/songs\x1b[2J/fetch/{id}", HTTP: 400, Verdict: probe.There, Dialect: "ours"},
		{What: probe.Create, Format: "music", Path: "/famN/submit/music", Verdict: probe.NotAsked},
	}
}

// TestAProbeShowsWhatTheGatewayHas: the same that `darkroom gateway probe` tells.
func TestAProbeShowsWhatTheGatewayHas(t *testing.T) {
	b := start(t, 140, 50, offered(t), nil)
	b.m.deps.Probe = func(_ context.Context, on func(probe.Row)) (probe.Report, error) {
		for _, r := range probedRows() {
			on(r)
		}
		return probe.Report{
			Rows: probedRows(), Offered: []string{"famI-omni"}, Missing: []string{"famB-2"}, Unknown: []string{"red\u202ekite"}, Found: 1,
			Proposal: dialect.File{Segments: map[string]string{"famN": "songs"}}, Notes: []string{"a note"},
		}, nil
	}
	b.Key("P")
	text := b.View()
	for _, says := range []string{
		"Probe of the gateway", "done", "Nothing is created", "✓ /v1beta/models  there (HTTP 200)", "✗ /famN/fetch/{id}  absent (HTTP 200)",
		"words of ours", "· /famN/submit/music  not asked", "1: famI-omni", "1: famB-2", "Proposed dialect", "songs", "a note", "--write NAME",
	} {
		assert.Contains(t, text, says)
	}
	assert.NotContains(t, text, "\u202e")
	b.Key("esc")
	assert.NotContains(t, b.View(), "Probe of the gateway")
}

// TestAProbeIsGivenUp: esc ends one that runs, and what it still says is dropped.
func TestAProbeIsGivenUp(t *testing.T) {
	b := start(t, 140, 50, offered(t), nil)
	ended := make(chan error, 1)
	b.m.deps.Probe = func(ctx context.Context, on func(probe.Row)) (probe.Report, error) {
		return probe.Report{}, errors.New("not run here")
	}
	_ = b.m.commands.Do(b.m, "models.probe") // its commands are not run: it has not answered yet
	gen := b.m.probe.gen
	b.m.probeRow(probeRowMsg{gen: gen, row: probedRows()[0], rest: make(chan probe.Row)})
	assert.Contains(t, b.View(), "asking …")
	assert.Contains(t, b.View(), "/v1beta/models")
	cancel := b.m.probe.cancel
	b.m.probe.cancel = func() { cancel(); ended <- nil }
	b.Key("esc")
	require.Len(t, ended, 1)
	b.m.probed(probeMsg{gen: gen, report: probe.Report{Found: 1}})
	assert.Zero(t, b.m.probe.report.Found)
	assert.False(t, b.m.probe.shown)
}

func TestAProbeThatIsRefusedSaysSo(t *testing.T) {
	b := start(t, 140, 50, offered(t), nil)
	b.m.deps.Probe = func(context.Context, func(probe.Row)) (probe.Report, error) {
		return probe.Report{}, refusal(native, 401, "invalid_api_key", "no")
	}
	b.Key("P")
	assert.Contains(t, b.View(), "the gateway refused the key (HTTP 401)")
	assert.Contains(t, b.View(), "ended early")
}

func TestNoProbeWhereThereIsNone(t *testing.T) {
	b := start(t, 140, 50, offered(t), nil)
	b.Key("P")
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Contains(t, toast.Text, "cannot be probed")
}
