package media

import (
	"context"
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// samplesOf reads a WAV file and checks its header.
func samplesOf(t *testing.T, tune *Tune) []int16 {
	t.Helper()
	b, le := tune.WAV, binary.LittleEndian
	require.Equal(t, "RIFF", string(b[:4]))
	require.Equal(t, "WAVEfmt ", string(b[8:16]))
	require.Equal(t, "data", string(b[36:40]))
	require.Equal(t, len(b)-8, int(le.Uint32(b[4:])))
	require.Equal(t, len(b)-44, int(le.Uint32(b[40:])))
	require.Equal(t, uint16(1), le.Uint16(b[20:]), "PCM")
	require.Equal(t, tune.Channels, int(le.Uint16(b[22:])))
	require.Equal(t, tune.SampleRate, int(le.Uint32(b[24:])))
	require.Equal(t, tune.SampleRate*4, int(le.Uint32(b[28:])))
	require.Equal(t, uint16(4), le.Uint16(b[32:]))
	require.Equal(t, uint16(16), le.Uint16(b[34:]))
	list := make([]int16, (len(b)-44)/2)
	for i := range list {
		list[i] = int16(le.Uint16(b[44+2*i:]))
	}
	return list
}

func power(list []int16) float64 {
	sum := 0.0
	for _, v := range list {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum / float64(len(list)))
}

func TestTuneLengthAndLevel(t *testing.T) {
	t.Parallel()
	for _, spec := range []TuneSpec{
		{Prompt: "upbeat synth pop", Duration: 9 * time.Second},
		{Prompt: "slow sad lullaby", Duration: 6 * time.Second, SampleRate: 44100, Instrumental: true},
		{Prompt: "loud rock", Duration: 3 * time.Second, SampleRate: 8000, Volume: 4, Pitch: 24, Speed: 4},
		{Prompt: "deep", Duration: 2 * time.Second, SampleRate: 16000, Pitch: -24, Speed: 0.25},
		{Duration: 1234567 * time.Microsecond, SampleRate: 22050, Pitch: math.Inf(1), Speed: math.Inf(1), Volume: math.Inf(1)},
		{Duration: time.Millisecond, SampleRate: 96000},
	} {
		tune, err := MakeTune(t.Context(), spec)
		require.NoError(t, err)
		rate := spec.SampleRate
		if rate == 0 {
			rate = 32000
		}
		list := samplesOf(t, tune)
		assert.Equal(t, 2*int(math.Round(spec.Duration.Seconds()*float64(rate))), len(list))
		assert.InDelta(t, float64(spec.Duration), float64(tune.Duration), float64(time.Second)/float64(rate))
		peak := 0
		for _, v := range list {
			peak = max(peak, int(v), -int(v))
		}
		assert.Less(t, peak, 32700, "clipped: %+v", spec)
		if spec.Duration < time.Second {
			continue
		}
		assert.Greater(t, peak, 20000, "%+v", spec)
		for from := 0; from < len(list)*3/4; from += len(list) / 4 {
			assert.Greater(t, power(list[from:from+len(list)/4]), 400.0, "silence in %+v", spec)
		}
		assert.Zero(t, list[len(list)-1], "it ends at rest")
	}
}

func TestTuneIsTheSameForTheSameSeed(t *testing.T) {
	t.Parallel()
	play := func(spec TuneSpec) []byte {
		spec.Duration, spec.SampleRate = 4*time.Second, 8000
		tune, err := MakeTune(t.Context(), spec)
		require.NoError(t, err)
		return tune.WAV
	}
	want := play(TuneSpec{Prompt: "sea", Seed: 1})
	assert.Equal(t, want, play(TuneSpec{Prompt: "sea", Seed: 1, Speed: 1, Volume: 1}))
	for _, other := range []TuneSpec{
		{Prompt: "sea", Seed: 2}, {Prompt: "see", Seed: 1}, {Prompt: "sea", Seed: 1, Title: "x"}, {Prompt: "sea", Seed: 1, Instrumental: true},
		{Prompt: "sea", Seed: 1, Speed: 1.2}, {Prompt: "sea", Seed: 1, Pitch: 1}, {Prompt: "sea", Seed: 1, Volume: 0.5},
	} {
		assert.NotEqual(t, want, play(other), "%+v", other)
	}
}

func TestTuneParameters(t *testing.T) {
	t.Parallel()
	plain := newScore(TuneSpec{Prompt: "sea"})
	assert.InDelta(t, plain.beat/2, newScore(TuneSpec{Prompt: "sea", Speed: 2}).beat, 1e-9)
	assert.InDelta(t, plain.freq(0, 0)*2, newScore(TuneSpec{Prompt: "sea", Pitch: 12}).freq(0, 0), 1e-9)
	assert.InDelta(t, plain.freq(0, 1), plain.freq(7, 0), 1e-9, "seven degrees are an octave")
	assert.True(t, plain.drums)
	assert.True(t, plain.sung)
	assert.False(t, newScore(TuneSpec{Prompt: "piano without drums"}).drums)
	slow := newScore(TuneSpec{Prompt: "slow sad song"})
	assert.False(t, slow.drums)
	assert.Equal(t, 3, slow.scale[2], "a minor third")
	assert.Greater(t, slow.beat, plain.beat)

	loud, err := MakeTune(t.Context(), TuneSpec{Prompt: "sea", Duration: 3 * time.Second})
	require.NoError(t, err)
	half, err := MakeTune(t.Context(), TuneSpec{Prompt: "sea", Duration: 3 * time.Second, Volume: 0.5})
	require.NoError(t, err)
	assert.InEpsilon(t, power(samplesOf(t, loud))/2, power(samplesOf(t, half)), 0.01)
}

func TestEveryBarIsFull(t *testing.T) {
	t.Parallel()
	for seed := range int64(40) {
		s := newScore(TuneSpec{Prompt: "x", Seed: seed})
		for part := range s.phrases {
			for bar, events := range s.phrases[part] {
				sum := 0.0
				for _, e := range events {
					assert.InDelta(t, sum, e.at, 1e-9)
					assert.GreaterOrEqual(t, e.degree, 0)
					sum += e.length
				}
				assert.InDelta(t, 4, sum, 1e-9, "seed %d, bar %d", seed, bar)
			}
		}
	}
}

func TestTuneRefuses(t *testing.T) {
	t.Parallel()
	for _, spec := range []TuneSpec{
		{}, {Duration: -time.Second}, {Duration: time.Second, SampleRate: 7999}, {Duration: time.Second, SampleRate: -1},
		{Duration: time.Second, SampleRate: 1 << 20}, {Duration: time.Hour}, {Duration: 1 << 62},
		{Duration: time.Second, Pitch: math.NaN()}, {Duration: time.Second, Speed: math.NaN()}, {Duration: time.Second, Volume: math.NaN()},
	} {
		_, err := MakeTune(t.Context(), spec)
		assert.ErrorIs(t, err, errSpec, "%+v", spec)
	}
	for n := range 3 {
		_, err := MakeTune(&endsAfter{Context: t.Context(), n: n}, TuneSpec{Duration: 8 * time.Second, SampleRate: 8000})
		assert.ErrorIs(t, err, context.Canceled)
	}
}

func BenchmarkTune30s(b *testing.B) {
	for b.Loop() {
		if _, err := MakeTune(b.Context(), TuneSpec{Prompt: "upbeat synth pop", Duration: 30 * time.Second}); err != nil {
			b.Fatal(err)
		}
	}
}
