package media

import "math"

const tableSize = 2048

// wave is one period of a sound. Its last sample repeats the first one.
type wave [tableSize + 1]float32

// newWave adds up harmonics, the first one being the fundamental, to a peak
// of 1.
func newWave(harmonics ...float64) *wave {
	w := &wave{}
	peak := 0.0
	for i := range w {
		sum := 0.0
		for k, amp := range harmonics {
			sum += amp * math.Sin(2*math.Pi*float64(i*(k+1))/tableSize)
		}
		w[i] = float32(sum)
		peak = max(peak, math.Abs(sum))
	}
	for i := range w {
		w[i] /= float32(peak)
	}
	return w
}

// instruments are the sounds of a tune.
type instruments struct {
	sine, pad, bass, pluck *wave
	vowels                 [4]*wave
}

func newInstruments() *instruments {
	return &instruments{
		sine:  newWave(1),
		pad:   newWave(1, 0.45, 0.22, 0.12, 0.06),
		bass:  newWave(1, 0.5, 0.28, 0.1),
		pluck: newWave(1, 0.15, 0.35, 0.05, 0.14),
		vowels: [4]*wave{
			newWave(0.8, 1, 0.7, 0.5, 0.15, 0.05, 0.1), // a
			newWave(1, 0.7, 0.2, 0.1, 0.2, 0.25, 0.1),  // e
			newWave(1, 0.8, 0.35, 0.08, 0.04),          // o
			newWave(1, 0.4, 0.08, 0.03),                // u
		},
	}
}

// note is one tone. Times are in seconds.
type note struct {
	wave             *wave
	start, length    float64
	freq             float64 // Hz
	amp              float64
	pan              float64 // -1 left to 1 right
	attack, release  float64
	decay            float64 // time in which it falls to a third; 0 for none
	vibrato, bending float64 // depth as a fraction of freq; a fall in octaves a second
}

// mixer collects sound in two channels.
type mixer struct {
	rate        float64
	left, right []float32
}

// play adds a note. What lies outside the tune is left out.
func (m *mixer) play(n note) {
	if n.freq <= 0 || n.freq > 0.45*m.rate {
		return
	}
	from := int(n.start * m.rate)
	to := min(int((n.start+n.length+n.release)*m.rate), len(m.left))
	step := n.freq * tableSize / m.rate
	gainL := float32(n.amp * math.Sqrt((1-n.pan)/2))
	gainR := float32(n.amp * math.Sqrt((1+n.pan)/2))
	fall, bend := 1.0, 1.0
	if n.decay > 0 {
		fall = math.Pow(1.0/3, envelopeStep/(n.decay*m.rate))
	}
	if n.bending != 0 {
		bend = math.Pow(2, -n.bending*envelopeStep/m.rate)
	}
	phase, decayed := 0.0, 1.0
	var level, target float32
	for i := max(from, 0); i < to; i += envelopeStep {
		end := min(i+envelopeStep, to)
		t := float64(end-from) / m.rate
		target = float32(n.envelope(t) * decayed)
		slope := (target - level) / envelopeStep
		speed := step
		if n.vibrato > 0 {
			speed *= 1 + n.vibrato*math.Sin(2*math.Pi*5.2*t)*min(1, t/0.4)
		}
		for k := i; k < end; k++ {
			at := int(phase)
			frac := float32(phase - float64(at))
			v := n.wave[at] + (n.wave[at+1]-n.wave[at])*frac
			level += slope
			m.left[k] += v * level * gainL
			m.right[k] += v * level * gainR
			if phase += speed; phase >= tableSize {
				phase -= tableSize
			}
		}
		decayed *= fall
		step *= bend
	}
}

// envelopeStep is how many samples pass between two values of an envelope;
// between them it is a straight line.
const envelopeStep = 32

// envelope is attack, hold and release.
func (n *note) envelope(t float64) float64 {
	v := 1.0
	if n.attack > 0 {
		v = min(1, t/n.attack)
	}
	if t > n.length {
		v *= max(0, 1-(t-n.length)/max(n.release, 1e-6))
	}
	return v
}

// hit adds a burst of noise that dies away: a snare or a hat. Brightness 0 leaves the noise as it
// is, 1 removes its low part.
func (m *mixer) hit(r *rng, start, decay, amp, pan, brightness float64) {
	from := int(start * m.rate)
	to := min(from+int(5*decay*m.rate), len(m.left))
	fall := float32(math.Pow(math.E, -1/(decay*m.rate)))
	gainL := float32(amp * math.Sqrt((1-pan)/2))
	gainR := float32(amp * math.Sqrt((1+pan)/2))
	level, before := float32(1), float32(0)
	for i := max(from, 0); i < to; i++ {
		v := float32(int32(r.next())) / (1 << 31)
		out := v - float32(brightness)*before
		before = v
		m.left[i] += out * level * gainL
		m.right[i] += out * level * gainR
		level *= fall
	}
}

// echo adds what was heard some seconds ago, softer and from the other side.
func (m *mixer) echo(seconds, amount float64) {
	d, k := int(seconds*m.rate), float32(amount)
	for i := d; i < len(m.left); i++ {
		m.left[i] += k * m.right[i-d]
		m.right[i] += k * m.left[i-d]
	}
}

// add mixes another mixer of the same length into this one.
func (m *mixer) add(o *mixer) {
	for i := range m.left {
		m.left[i] += o.left[i]
		m.right[i] += o.right[i]
	}
}

// master brings the loudest sample to level, limits softly what volume lifts
// above that, and fades in and out. The last sample is 0.
func (m *mixer) master(level, volume, fadeOut float64) {
	peak := float32(1e-9)
	for i := range m.left {
		peak = max(peak, abs32(m.left[i]), abs32(m.right[i]))
	}
	gain := float32(level*volume) / peak
	in, out := int(0.005*m.rate)+1, int(fadeOut*m.rate)+1
	for i := range m.left {
		g := gain
		if i < in {
			g *= float32(i) / float32(in)
		}
		if rest := len(m.left) - 1 - i; rest < out {
			g *= float32(rest) / float32(out)
		}
		m.left[i] = soften(m.left[i] * g)
		m.right[i] = soften(m.right[i] * g)
	}
}

// soften leaves quiet samples alone and bends loud ones so that they stay
// below 1.
func soften(v float32) float32 {
	const knee, room = 0.85, 0.13
	a := abs32(v)
	if a <= knee {
		return v
	}
	bent := float32(knee + room*math.Tanh(float64(a-knee)/room))
	if v < 0 {
		return -bent
	}
	return bent
}

func abs32(v float32) float32 { return max(v, -v) }
