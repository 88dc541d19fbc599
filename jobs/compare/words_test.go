package compare_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs/compare"
)

func TestIntervalsInWords(t *testing.T) {
	ms := time.Millisecond
	for want, i := range map[string]compare.Interval{
		"?":                     {},
		"4.1 s":                 {Source: compare.Stamped, Least: 4100 * ms, Most: 4100 * ms},
		"4.1–4.7 s":             {Source: compare.Polled, Least: 4190 * ms, Most: 4601 * ms},
		"0.0–1.5 s":             {Source: compare.Polled, Most: 1500 * ms},
		"120–340 ms":            {Source: compare.Polled, Least: 120 * ms, Most: 340 * ms},
		"over 30.0 s":           {Source: compare.Polled, Least: 30 * time.Second, Open: true},
		"58.5 s to 1 m 02 s":    {Source: compare.Polled, Least: 58500 * ms, Most: 61200 * ms},
		"2 m 01 s to 2 m 05 s":  {Source: compare.Polled, Least: 121 * time.Second, Most: 125 * time.Second},
		"1 h 00 m to 1 h 00 m":  {Source: compare.Polled, Least: time.Hour, Most: time.Hour + 20*time.Second},
		"59.9 s to 1 m 00 s":    {Source: compare.Polled, Least: 59900 * ms, Most: 59950 * ms},
		"4.1 s to 1 m 00 s":     {Source: compare.Polled, Least: 4100 * ms, Most: time.Minute},
		"999 ms":                {Source: compare.Measured, Least: 999 * ms, Most: 999 * ms},
		"over 1 m 05 s":         {Source: compare.Polled, Least: 65 * time.Second, Open: true},
		"10 m 00 s to 1 h 00 m": {Source: compare.Polled, Least: 10 * time.Minute, Most: time.Hour},
	} {
		assert.Equal(t, want, i.String())
	}
}
