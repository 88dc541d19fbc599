package app

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/sandbox"
	"darkroom/client/transport"
	"darkroom/cmd/config"
	"darkroom/jobs"
)

// TestTheRateOfAProfile: the setting is the pace of the client, and nothing is the usual one.
func TestTheRateOfAProfile(t *testing.T) {
	t.Parallel()
	for rate, want := range map[float64]float64{0: transport.DefaultRate, 0.5: 0.5, 2: 2, 1000: 1000} {
		cfg := testConfig(t)
		cfg.Profile = config.Profile{Name: "work", BaseURL: "https://g.example", Rate: rate}
		st := openGateway(t, cfg, "").Client.Pace()
		assert.InDelta(t, want, st.Top, 0)
		assert.InDelta(t, want, st.Rate, 0)
		assert.InDelta(t, max(1, want), st.Free, 0.01, "and as many at once, but one at least")
	}
}

// TestASlowedRateIsToldToReaders: what the gateway has made of the pace is in the counts that
// the console shows, and gone when it has healed.
func TestASlowedRateIsToldToReaders(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"slow down"}}`, http.StatusTooManyRequests)
	}))
	t.Cleanup(srv.Close)
	cfg := testConfig(t)
	cfg.Profile = config.Profile{Name: "work", BaseURL: srv.URL, Rate: 100}
	g, err := OpenGateway(t.Context(), GatewayOptions{Config: cfg, Secrets: config.Secrets{Dir: t.TempDir(), Env: func(string) string { return "sk-x" }, FromEnv: true}})
	require.NoError(t, err)
	t.Cleanup(g.Close)
	d, err := OpenDesk(t.Context(), g, DeskOptions{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	require.Zero(t, d.Engine.Counts().Flow, "nothing slows it down yet")

	flow := jobs.Flow{}
	for flow.Rate == 0 && t.Context().Err() == nil { // it heals all the while
		_ = g.Client.Lookup(t.Context(), "task_1", "videos")
		flow = d.Engine.Counts().Flow
	}
	assert.Less(t, flow.Rate, 95.0)
	assert.InDelta(t, flow.Rate, float64(int(flow.Rate)), 0, "rounded: readers see no change at each look")
}

// TestHostOf is how pauses name the gateways.
func TestHostOf(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "sandbox", HostOf(config.Profile{Embedded: true}))
	assert.Equal(t, "g.example:8443", HostOf(config.Profile{BaseURL: "https://G.example:8443/v2"}))
	assert.Equal(t, "sandbox", openGateway(t, testConfig(t), sandbox.Instant).Host())
}
