package media

import (
	"image/color"
	"math"
	"strings"
)

// scene is a landscape with something that moves in it, chosen by the words
// of a prompt and, where they say nothing, by prompt and seed. All places and
// lengths in it are fractions of the canvas, so that it fits every size.
type scene struct {
	hints
	seed    uint64
	horizon float64
	sunX    float64
	sunY    float64
	sunR    float64 // of the shorter side

	skyTop, skyMid, skyLow color.NRGBA
	sun                    color.NRGBA
	far, near              color.NRGBA // land
	main, second           color.NRGBA // of the subject

	clouds []cloud
	startX float64 // of the subject
	startY float64
	drift  float64 // how far it goes, signed
	size   float64 // of the shorter side
}

// cloud is a row of puffs.
type cloud struct {
	x, y, size, speed float64
	puffs             [5]float64
}

func newScene(prompt string, seed int64, style string) *scene {
	r := newRNG(seed, prompt, style)
	s := &scene{hints: readHints(prompt), seed: r.next()}
	if s.hour == anyHour {
		s.hour = pick(r, day, day, dawn, dusk, night)
	}
	if s.ground == anyGround {
		s.ground = pick(r, hills, sea, mountains, forest, desert, plain)
	}
	if s.subject == anySubject {
		s.subject = pick(r, kite, balloon, balloon, birds)
	}
	s.horizon = r.between(0.58, 0.68)
	s.sunX, s.sunY = r.between(0.18, 0.82), r.between(0.16, 0.34)
	if s.hour == dawn || s.hour == dusk {
		s.sunY = s.horizon - r.between(0.02, 0.12)
	}
	s.sunR = r.between(0.055, 0.085)
	s.startX, s.startY = r.between(0.2, 0.35), r.between(0.24, 0.34)
	s.drift = r.between(0.28, 0.42)
	if r.intn(2) == 0 {
		s.startX, s.drift = 1-s.startX, -s.drift
	}
	s.size = r.between(0.15, 0.2)
	s.colours(r)
	s.restyle(style)
	for range 3 + r.intn(3) {
		c := cloud{x: r.between(-0.1, 1), y: r.between(0.08, 0.4), size: r.between(0.05, 0.1), speed: r.between(0.004, 0.012)}
		for i := range c.puffs {
			c.puffs[i] = r.between(0.6, 1.1)
		}
		s.clouds = append(s.clouds, c)
	}
	return s
}

// colours chooses the palette.
func (s *scene) colours(r *rng) {
	turn := r.between(-14, 14)
	sky := func(h, sat, v float64) color.NRGBA { return hsv(h+turn, sat, v) }
	light := 1.0
	switch s.hour {
	case dawn:
		s.skyTop, s.skyMid, s.skyLow = sky(252, 0.42, 0.66), sky(342, 0.36, 0.95), sky(36, 0.5, 1)
		s.sun, light = hsv(40, 0.3, 1), 0.85
	case dusk:
		s.skyTop, s.skyMid, s.skyLow = sky(262, 0.6, 0.38), sky(334, 0.58, 0.8), sky(24, 0.72, 1)
		s.sun, light = hsv(32, 0.45, 1), 0.62
	case night:
		s.skyTop, s.skyMid, s.skyLow = sky(234, 0.72, 0.12), sky(228, 0.6, 0.26), sky(212, 0.5, 0.46)
		s.sun, light = hsv(52, 0.12, 1), 0.36
	default:
		s.skyTop, s.skyMid, s.skyLow = sky(214, 0.7, 0.84), sky(204, 0.46, 0.95), sky(190, 0.14, 1)
		s.sun = hsv(48, 0.4, 1)
	}
	land := map[ground][3]float64{
		hills: {95, 0.55, 0.62}, sea: {205, 0.66, 0.66}, mountains: {226, 0.34, 0.5}, forest: {140, 0.5, 0.42},
		city: {228, 0.32, 0.42}, desert: {30, 0.55, 0.82}, plain: {205, 0.12, 0.92},
	}[s.ground]
	hue := land[0] + r.between(-16, 16)
	s.near = hsv(hue, land[1], land[2]*light)
	s.far = mix(hsv(hue, land[1]*0.7, land[2]*light), s.skyLow, 0.45)
	accent := r.between(0, 360)
	if s.subject == flower || s.subject == house {
		accent = r.between(-50, 55)
	}
	s.main, s.second = hsv(accent, 0.78, 0.92), hsv(accent+r.between(140, 220), 0.55, 0.98)
	if s.accent != nil {
		s.main = *s.accent
		s.second = hsv(r.between(0, 360), 0.35, 0.98)
	}
}

// restyle shifts the whole palette by the style asked for.
func (s *scene) restyle(style string) {
	by := 1.0
	switch strings.ToLower(style) {
	case "vivid", "anime", "pop":
		by = 1.25
	case "natural", "realistic", "soft":
		by = 0.82
	case "mono", "monochrome", "noir", "ink", "sketch":
		by = 0.08
	}
	for _, c := range []*color.NRGBA{&s.skyTop, &s.skyMid, &s.skyLow, &s.sun, &s.far, &s.near, &s.main, &s.second} {
		*c = saturate(*c, by)
	}
}

// background paints everything that stands still.
func (s *scene) background(c *canvas) {
	c.gradient(0, c.h*s.horizon, s.skyTop, s.skyMid, s.skyLow)
	c.gradient(c.h*s.horizon, c.h, s.skyLow, s.skyLow)
	r := &rng{state: s.seed}
	x, y, radius := s.sunX*c.w, s.sunY*c.h, s.sunR*c.unit()
	if s.hour == night {
		for range 140 {
			size := c.unit() * r.between(0.0008, 0.0024)
			c.ellipse(r.float()*c.w, r.float()*c.h*s.horizon, size, size)
			c.fill(color.NRGBA{255, 255, 240, uint8(r.between(70, 240))})
		}
	}
	c.glow(x, y, radius*5, fade(s.sun, 0.6))
	c.ellipse(x, y, radius, radius)
	c.fill(s.sun)
	if s.hour == night { // a crescent, cut out with the sky's colour
		for _, m := range [3][3]float64{{-0.35, -0.2, 0.18}, {0.2, 0.3, 0.24}, {0.3, -0.4, 0.12}} {
			c.ellipse(x+m[0]*radius, y+m[1]*radius, m[2]*radius, m[2]*radius)
			c.fill(fade(mix(s.sun, s.skyMid, 0.5), 0.5))
		}
	}
	s.paintGround(c, r)
}

// foreground paints what moves, at t seconds of a film that is at fraction p
// of its length. A single picture shows t = 0, p = 0.5.
func (s *scene) foreground(c *canvas, t, p float64) {
	for _, cl := range s.clouds {
		s.paintCloud(c, cl, t)
	}
	s.placeSubject(c, t, p)
}

// placeSubject paints the subject where it is at that time.
func (s *scene) placeSubject(c *canvas, t, p float64) {
	x := s.startX + s.drift*p
	y := s.startY + 0.035*math.Sin(2*math.Pi*t/3.2)
	b := brush{c: c, size: s.size * c.unit()}
	switch s.subject {
	case boat:
		y = s.horizon + 0.05 + 0.006*math.Sin(2*math.Pi*t/2.4)
		b.turn = 0.05 * math.Sin(2*math.Pi*t/2.8)
	case cat, house, flower:
		x, y = s.startX+0.5*s.drift, s.horizon+0.07
	case rocket:
		y = s.startY + 0.2 - 0.24*p
		b.turn = 0.25
	default:
		b.turn = 0.16 * math.Sin(2*math.Pi*t/2.6)
	}
	b.x, b.y = x*c.w, y*c.h
	s.paintSubject(b, t)
}

func (s *scene) paintCloud(c *canvas, cl cloud, t float64) {
	paint := fade(mix(s.skyLow, color.NRGBA{255, 255, 255, 255}, 0.6), 0.62)
	if s.hour == night {
		paint = fade(mix(s.skyMid, s.skyLow, 0.5), 0.4)
	}
	size := cl.size * c.unit()
	x := math.Mod(cl.x+0.1+cl.speed*t, 1.3) - 0.15
	for i, puff := range cl.puffs {
		lift := 0.14 * size * float64(2-abs(i-2))
		c.ellipse(x*c.w+(float64(i)-2)*size*0.72, cl.y*c.h-lift, size*0.62*puff, size*0.46*puff)
	}
	c.roundRect(x*c.w-2.1*size, cl.y*c.h-0.08*size, 4.2*size, 0.4*size, 0.2*size)
	c.fill(paint)
}

func abs(v int) int { return max(v, -v) }
