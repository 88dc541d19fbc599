package config

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const profileOf = "profile: work\nprofiles:\n  work:\n    base_url: https://g.example\n    "

func TestRate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"": 0, "rate: 0": 0, "rate: 2": 2, "rate: 0.5": 0.5, "rate: 0.01": 0.01, "rate: 1000": 1000} {
		p := testPaths(t)
		write(t, p.Config, profileOf+text+"\n")
		c, err := Load(Request{Paths: p, Env: environment(nil)})
		require.NoError(t, err, text)
		require.InDelta(t, want, c.Profile.Rate, 0, text)
	}
	for text, says := range map[string]string{
		"rate: -1":    "[5:11] profiles.work.rate: -1: give requests a second, from 0.01 to 1000, or 0 for the default 50",
		"rate: 1001":  "profiles.work.rate: 1001: ",
		"rate: 1e300": "profiles.work.rate: 1e+300: ",
		"rate: 0.001": "profiles.work.rate: 0.001: ",
		"rate: .nan":  "profiles.work.rate: NaN: ",
		"rate: .inf":  "profiles.work.rate: +Inf: ",
		"rate: fast":  "[5:11] ",
		"rate: 10/s":  "[5:11] ",
		"rate: [10]":  "[5:11] ",
	} {
		p := testPaths(t)
		write(t, p.Config, profileOf+text+"\n")
		_, err := Load(Request{Paths: p, Env: environment(nil)})
		require.ErrorContains(t, err, says, text)
		require.ErrorContains(t, err, p.Config, text)
	}
}

func TestPrivateResults(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"": false, "private_results: false": false, "private_results: true": true} {
		p := testPaths(t)
		write(t, p.Config, profileOf+text+"\n")
		c, err := Load(Request{Paths: p, Env: environment(nil)})
		require.NoError(t, err, text)
		require.Equal(t, want, c.Profile.PrivateResults, text)
	}
	for _, text := range []string{"private_results: 1", "private_results: maybe", "private_results: [true]", "private_result: true"} {
		p := testPaths(t)
		write(t, p.Config, profileOf+text+"\n")
		_, err := Load(Request{Paths: p, Env: environment(nil)})
		require.ErrorContains(t, err, "[5:", text)
	}
}

func TestRetention(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"": 0, "retention: 0": 0, "retention: 1": 24 * time.Hour, "retention: 90": 90 * 24 * time.Hour} {
		p := testPaths(t)
		write(t, p.Config, text+"\n")
		c, err := Load(Request{Paths: p, Env: environment(nil)})
		require.NoError(t, err, text)
		require.Equal(t, want, c.Retention, text)
	}
	for text, says := range map[string]string{
		"retention: -1":      "retention: -1: give a whole number of days from 1 to",
		"retention: 9999999": "retention: 9999999: give a whole number of days from 1 to",
		"retention: 90d":     "[1:12]",
		"retention: 1.5":     "retention: 1.5: give a whole number",
	} {
		p := testPaths(t)
		write(t, p.Config, text+"\n")
		_, err := Load(Request{Paths: p, Env: environment(nil)})
		require.ErrorContains(t, err, says, text)
	}
}
