package media

// playBar plays one bar of four beats. The melody goes to its own mixer,
// because it gets an echo. total is the length of the tune in seconds.
func (s *score) playBar(band, lead *mixer, bar int, total float64) {
	start := float64(bar) * 4 * s.beat
	bars := int(total / (4 * s.beat))
	part := bar / 8 % 2
	chord := s.chords[part][bar%4]
	intro := bars > 12 && bar < 2
	final := bar >= bars-1 && bars > 2
	if final {
		chord = s.chords[0][0]
	}
	s.playPad(band, start, chord)
	if final {
		if bar == bars-1 { // what is left of a bar after it has the pad alone
			s.playEnd(lead, start, chord)
		}
		return
	}
	s.playBass(band, start, chord, intro)
	s.playArp(band, start, chord, bar)
	if intro {
		return
	}
	if s.drums {
		s.playDrums(band, start, bar)
	}
	if bar%16 < 14 || s.calm { // a rest now and then
		s.playMelody(lead, start, part, bar)
	}
}

func (s *score) playPad(m *mixer, start float64, chord int) {
	for i, step := range [3]int{0, 2, 4} {
		m.play(note{wave: s.sounds.pad, start: start, length: 3.7 * s.beat, freq: s.freq(chord+step, 1), amp: 0.1,
			pan: 0.5 * float64(i-1), attack: 0.25 * s.beat, release: 0.6 * s.beat, vibrato: 0.002})
	}
}

func (s *score) playBass(m *mixer, start float64, chord int, intro bool) {
	pattern := []struct{ at, length, amp float64 }{{0, 1.4, 0.34}, {1.5, 0.4, 0.26}, {2, 1.2, 0.3}, {3.5, 0.4, 0.24}}
	if s.calm || intro {
		pattern = pattern[:1]
	}
	for _, p := range pattern {
		m.play(note{wave: s.sounds.bass, start: start + p.at*s.beat, length: p.length * s.beat, freq: s.freq(chord, 0),
			amp: p.amp, attack: 0.008, release: 0.06, decay: 1.2})
	}
}

func (s *score) playArp(m *mixer, start float64, chord, bar int) {
	for i, tone := range s.arp {
		if s.calm && i%2 == 1 {
			continue
		}
		m.play(note{wave: s.sounds.pluck, start: start + 0.5*float64(i)*s.beat, length: 0.3 * s.beat,
			freq: s.freq(chord+[4]int{0, 2, 4, 7}[tone], 2), amp: 0.07, pan: 0.6 * float64(1-2*((i+bar)%2)),
			attack: 0.004, release: 0.25, decay: 0.18})
	}
}

func (s *score) playMelody(m *mixer, start float64, part, bar int) {
	for i, e := range s.phrases[part][bar%4] {
		n := note{wave: s.sounds.pluck, start: start + e.at*s.beat, length: e.length * s.beat * 0.85, freq: s.freq(e.degree, 1),
			amp: 0.26, pan: 0.1, attack: 0.008, release: 0.2, decay: 0.7, vibrato: 0.004}
		if s.sung {
			n.wave = s.sounds.vowels[(i+bar)%len(s.sounds.vowels)]
			n.amp, n.attack, n.release, n.decay, n.vibrato = 0.24, 0.07, 0.12, 0, 0.011
		}
		m.play(n)
	}
}

// playEnd lets the last chord ring.
func (s *score) playEnd(m *mixer, start float64, chord int) {
	for i, step := range [4]int{0, 2, 4, 7} {
		m.play(note{wave: s.sounds.pluck, start: start + 0.06*float64(i), length: 3 * s.beat, freq: s.freq(chord+step, 1),
			amp: 0.16, pan: 0.3 * float64(i%3-1), attack: 0.006, release: 1, decay: 1.4})
	}
	m.play(note{wave: s.sounds.bass, start: start, length: 3 * s.beat, freq: s.freq(chord, 0), amp: 0.3, attack: 0.008, release: 0.8, decay: 1.6})
}

func (s *score) playDrums(m *mixer, start float64, bar int) {
	kicks, snares := []float64{0, 2}, []float64{1, 3}
	if bar%2 == 1 {
		kicks = []float64{0, 1.5, 2}
	}
	if bar%8 == 7 { // a fill before the next part
		snares = []float64{1, 3, 3.25, 3.5, 3.75}
	}
	for _, at := range kicks {
		m.play(note{wave: s.sounds.sine, start: start + at*s.beat, length: 0.12, freq: 120, amp: 0.55, attack: 0.002,
			release: 0.12, decay: 0.11, bending: 8})
	}
	for _, at := range snares {
		t := start + at*s.beat
		m.hit(s.noise, t, 0.06, 0.2, 0.05, 0.5)
		m.play(note{wave: s.sounds.sine, start: t, length: 0.05, freq: 190, amp: 0.18, attack: 0.001, release: 0.05, decay: 0.05})
	}
	for i := range 8 {
		amp := 0.055
		if i%2 == 1 {
			amp = 0.085
		}
		m.hit(s.noise, start+0.5*float64(i)*s.beat, 0.02, amp, 0.3, 1)
	}
}
