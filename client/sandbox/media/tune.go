package media

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"
)

const (
	defaultSampleRate = 32000
	maxTuneSamples    = 20_000_000 // in each channel
)

// TuneSpec says what tune to play.
type TuneSpec struct {
	Prompt string // words in it choose mood, tempo and drums
	Title  string // shapes the tune as the prompt does
	Seed   int64

	Duration   time.Duration
	SampleRate int // 8000..96000 a second; 32000 if 0
	Channels   int // 1 or 2; 2 if 0

	Instrumental bool // without it a voice sings the melody, on vowels

	// Values beyond the ranges are brought into them.
	Speed  float64 // of the tempo, 0.25..4; 1 if 0 or less
	Volume float64 // up to 4; 1 if 0 or less; loud parts are limited softly, never clipped
	Pitch  float64 // semitones up or down, -24..24
}

// Tune is a piece of music as a WAV file: 16-bit PCM.
type Tune struct {
	WAV                  []byte
	Duration             time.Duration // what the samples last
	SampleRate, Channels int
}

// MakeTune composes and plays a tune that has exactly the number of samples
// that Duration and SampleRate make, rounded. It gives up between two bars
// when ctx ends.
func MakeTune(ctx context.Context, spec TuneSpec) (*Tune, error) {
	if spec.SampleRate == 0 {
		spec.SampleRate = defaultSampleRate
	}
	sides, err := play(ctx, spec)
	if err != nil {
		return nil, err
	}
	lasts := float64(len(sides[0])) / float64(spec.SampleRate)
	return &Tune{
		WAV: wav(spec.SampleRate, sides...), SampleRate: spec.SampleRate, Channels: len(sides),
		Duration: time.Duration(math.Round(lasts * float64(time.Second))),
	}, nil
}

// play returns the samples of each channel of a tune.
func play(ctx context.Context, spec TuneSpec) ([][]float32, error) {
	n := math.Round(spec.Duration.Seconds() * float64(spec.SampleRate))
	if spec.SampleRate < 8000 || spec.SampleRate > 96000 || n < 1 || n > maxTuneSamples {
		return nil, fmt.Errorf("%w: a tune of %v at %d samples a second", errSpec, spec.Duration, spec.SampleRate)
	}
	if math.IsNaN(spec.Speed) || math.IsNaN(spec.Volume) || math.IsNaN(spec.Pitch) {
		return nil, fmt.Errorf("%w: speed, volume and pitch must be numbers", errSpec)
	}
	s := newScore(spec)
	length := int(n)
	band := &mixer{rate: float64(spec.SampleRate), left: make([]float32, length), right: make([]float32, length)}
	lead := &mixer{rate: band.rate, left: make([]float32, length), right: make([]float32, length)}
	seconds := n / band.rate
	for bar := 0; float64(bar)*4*s.beat < seconds; bar++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.playBar(band, lead, bar, seconds)
	}
	lead.echo(0.75*s.beat, 0.28)
	band.add(lead)
	band.master(0.8, s.volume, min(1.5, 0.2*seconds))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if spec.Channels != 1 {
		return [][]float32{band.left, band.right}, nil
	}
	for i, r := range band.right {
		band.left[i] = (band.left[i] + r) / 2
	}
	return [][]float32{band.left}, nil
}

// score is a composed tune.
type score struct {
	sounds *instruments
	noise  *rng
	beat   float64 // seconds
	root   float64 // MIDI number of the bass root
	volume float64
	sung   bool
	drums  bool
	calm   bool

	scale   [7]int
	chords  [2][4]int     // scale degrees of the chords of both parts
	phrases [2][4][]event // the melody of both parts, by bar
	arp     [8]int        // which chord tone each eighth plays
}

// event is a melody note: where in the bar and how long (in beats), and its
// scale degree.
type event struct {
	at, length float64
	degree     int
}

func has(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

func newScore(spec TuneSpec) *score {
	r := newRNG(spec.Seed, spec.Prompt, spec.Title, "tune")
	text := strings.ToLower(spec.Prompt + " " + spec.Title)
	s := &score{sounds: newInstruments(), noise: &rng{state: r.next()}, volume: 1, sung: !spec.Instrumental}
	s.calm = has(text, "calm", "slow", "ambient", "lullaby", "sleep", "quiet", "soft", "ballad", "sad", "慢", "静", "轻")
	fast := has(text, "fast", "dance", "rock", "party", "happy", "upbeat", "punk", "energetic", "快", "舞")
	s.drums = !s.calm && !has(text, "no drums", "without drums", "classical", "choir", "a cappella", "solo")
	minor := has(text, "minor", "sad", "dark", "night", "melanchol", "lonely", "rain", "悲", "夜")
	if !minor && !has(text, "major", "happy", "bright", "joy", "sun") {
		minor = r.intn(3) == 0
	}
	bpm := r.between(92, 116)
	switch {
	case s.calm:
		bpm = r.between(64, 80)
	case fast:
		bpm = r.between(120, 138)
	}
	if spec.Speed > 0 {
		bpm *= max(0.25, min(spec.Speed, 4))
	}
	if spec.Volume > 0 {
		s.volume = min(spec.Volume, 4)
	}
	s.beat = 60 / bpm
	s.root = float64(41+r.intn(9)) + max(-24, min(spec.Pitch, 24))
	s.compose(r, minor)
	return s
}

// compose writes the chords and the melody.
func (s *score) compose(r *rng, minor bool) {
	s.scale = [7]int{0, 2, 4, 5, 7, 9, 11}
	progressions := [][4]int{{0, 4, 5, 3}, {0, 5, 3, 4}, {5, 3, 0, 4}, {0, 3, 1, 4}, {3, 0, 4, 5}}
	if minor {
		s.scale = [7]int{0, 2, 3, 5, 7, 8, 10}
		progressions = [][4]int{{0, 5, 2, 6}, {0, 3, 5, 4}, {0, 6, 5, 6}, {5, 6, 0, 0}, {0, 2, 6, 3}}
	}
	first := r.intn(len(progressions))
	s.chords[0] = progressions[first]
	s.chords[1] = progressions[(first+1+r.intn(len(progressions)-1))%len(progressions)]
	for i := range s.arp {
		s.arp[i] = []int{0, 1, 2, 3, 2, 1}[(i*(1+r.intn(2)))%6]
	}
	rhythms := [][]float64{{1, 1, 1, 1}, {1.5, 0.5, 1, 1}, {0.5, 0.5, 1, 2}, {1, 0.5, 0.5, 2}, {1.5, 1.5, 1}, {2, 1, 1}, {0.5, 0.5, 0.5, 0.5, 2}, {3, 1}}
	for part := range s.phrases {
		motif := pick(r, rhythms...)
		answer := pick(r, rhythms...)
		degree := 7 + 2*r.intn(3)
		for bar := range 4 {
			rhythm := motif
			if bar%2 == 1 {
				rhythm = answer
			}
			at := 0.0
			for i, length := range rhythm {
				degree += pick(r, -2, -1, -1, 0, 1, 1, 2)
				degree = max(5, min(degree, 14))
				if i == 0 || length > 1 { // what is long belongs to the chord
					degree = nearestTone(degree, s.chords[part][bar])
				}
				s.phrases[part][bar] = append(s.phrases[part][bar], event{at, length, degree})
				at += length
			}
		}
	}
}

// nearestTone is the degree closest to d that is in the triad on chord.
func nearestTone(d, chord int) int {
	for _, by := range [4]int{0, -1, 1, 2} {
		switch (d + by - chord + 14) % 7 {
		case 0, 2, 4:
			return d + by
		}
	}
	return d
}

// freq is the frequency of a scale degree, octaves above the bass root.
func (s *score) freq(degree, octaves int) float64 {
	octaves += degree / 7
	midi := s.root + float64(s.scale[degree%7]+12*octaves)
	return 440 * math.Pow(2, (midi-69)/12)
}
