package media

import (
	"image/color"
	"math"
)

// paintGround paints the land below the horizon.
func (s *scene) paintGround(c *canvas, r *rng) {
	switch s.ground {
	case sea:
		s.paintSea(c, r)
	case mountains:
		s.ridge(c, r, s.horizon-0.02, 0.16, 9, 0.15)
		s.ridge(c, r, s.horizon+0.05, 0.11, 13, 0.5)
		s.ridge(c, r, s.horizon+0.16, 0.07, 6, 1)
	case forest:
		s.ridge(c, r, s.horizon, 0.05, 4, 0.1)
		for row := range 4 {
			s.treeRow(c, r, s.horizon+0.05+0.075*float64(row), 0.1+0.03*float64(row), 0.25+0.25*float64(row))
		}
	case city:
		s.ridge(c, r, s.horizon+0.02, 0.01, 2, 0.2)
		s.skyline(c, r, s.horizon+0.1, 0.34, 0.15)
		s.skyline(c, r, s.horizon+0.22, 0.3, 0.75)
		c.rect(0, (s.horizon+0.22)*c.h, c.w, c.h)
		c.fill(mix(s.near, color.NRGBA{A: 255}, 0.35))
	case desert:
		s.ridge(c, r, s.horizon, 0.05, 2.2, 0.1)
		s.ridge(c, r, s.horizon+0.08, 0.06, 1.4, 0.55)
		s.ridge(c, r, s.horizon+0.2, 0.05, 1.1, 1)
	case plain:
		s.paintPlain(c, r)
	default:
		for i := range 4 {
			s.ridge(c, r, s.horizon+0.085*float64(i), 0.055, 2+0.8*float64(i), float64(i)/3)
		}
	}
}

// ridge paints a rolling line of land down to the lower edge. base and height
// are fractions of the canvas, waves is how many hills there are, depth goes
// from 0 (far) to 1 (near).
func (s *scene) ridge(c *canvas, r *rng, base, height, waves, depth float64) {
	paint := mix(s.far, s.near, depth)
	low := mix(paint, color.NRGBA{A: 255}, 0.22)
	var phase [4]float64
	for i := range phase {
		phase[i] = r.between(0, 2*math.Pi)
	}
	jagged := s.ground == mountains && depth < 0.9
	const steps = 160
	c.move(0, c.h)
	top := func(u float64) float64 {
		v := 0.0
		for i, amp := range [4]float64{0.55, 0.27, 0.12, 0.06} {
			angle := math.Pi*waves*u*float64(int(1)<<i) + phase[i]
			if jagged { // a triangle wave has summits
				v += amp * (1 - 4*math.Abs(angle/(2*math.Pi)-math.Floor(angle/(2*math.Pi))-0.5))
				continue
			}
			v += amp * math.Sin(angle)
		}
		return (base - height*v) * c.h
	}
	for i := range steps + 1 {
		u := float64(i) / steps
		c.line(u*c.w, top(u))
	}
	c.line(c.w, c.h)
	c.fillDown(paint, low)
	if !jagged {
		return
	}
	// Snow on what rises highest.
	limit := (base - 0.45*height) * c.h
	c.move(0, limit)
	for i := range steps + 1 {
		u := float64(i) / steps
		zig := 0.012 * c.h * float64(i%3-1)
		c.line(u*c.w, min(top(u), limit+zig))
	}
	for i := steps; i >= 0; i-- {
		c.line(float64(i)/steps*c.w, limit+0.012*c.h*float64(i%3-1))
	}
	c.fill(fade(mix(s.skyLow, color.NRGBA{255, 255, 255, 255}, 0.7), 0.75*(1-depth)))
}

// paintSea paints water with the light of the sun on it.
func (s *scene) paintSea(c *canvas, r *rng) {
	y0 := s.horizon * c.h
	c.rect(0, y0, c.w, c.h-y0)
	c.fillDown(mix(s.near, s.skyLow, 0.5), mix(s.near, color.NRGBA{0, 10, 30, 255}, 0.35))
	for i := range 70 {
		depth := float64(i) / 70
		y := y0 + (c.h-y0)*(0.02+0.98*depth*depth)
		length := c.w * (0.015 + 0.07*depth) * r.between(0.5, 1.3)
		x := r.between(-0.05, 1.05) * c.w
		thick := c.unit() * (0.002 + 0.005*depth)
		paint := fade(mix(s.near, s.skyLow, 0.7), 0.3)
		if i%2 == 0 { // every other stroke lies below the sun
			x = s.sunX*c.w + c.unit()*r.between(-1, 1)*(0.03+0.16*depth)
			paint = fade(s.sun, 0.55*(1-0.6*depth))
		}
		c.roundRect(x-length/2, y, length, thick, thick/2)
		c.fill(paint)
	}
}

// paintPlain paints a flat that mirrors the sky, or snow.
func (s *scene) paintPlain(c *canvas, r *rng) {
	y0 := s.horizon * c.h
	s.ridge(c, r, s.horizon+0.005, 0.028, 7, 0.05)
	c.rect(0, y0, c.w, c.h-y0)
	if s.snow {
		c.fillDown(mix(s.near, s.skyLow, 0.35), s.near)
		s.treeRow(c, r, s.horizon+0.05, 0.07, 0.6)
		return
	}
	c.fillDown(mix(s.skyLow, s.near, 0.25), mix(s.skyMid, s.near, 0.35))
	c.glow(s.sunX*c.w, 2*y0-s.sunY*c.h, s.sunR*4*c.unit(), fade(s.sun, 0.4))
	for i := range 46 { // the cracks of the crust, denser far away
		depth := float64(i) / 46
		y := y0 + (c.h-y0)*depth*depth
		x := r.between(-0.1, 1) * c.w
		length := c.w * r.between(0.05, 0.2) * (0.4 + depth)
		mid := y + c.unit()*r.between(-0.012, 0.012)*(0.3+depth)
		c.stroke(fade(mix(s.near, color.NRGBA{255, 255, 255, 255}, 0.7), 0.5), c.unit()*(0.001+0.0025*depth),
			point{x, y}, point{x + length/2, mid}, point{x + length, y})
	}
}

// treeRow paints a row of firs that stand at base.
func (s *scene) treeRow(c *canvas, r *rng, base, height, depth float64) {
	paint := mix(mix(s.far, s.near, depth), color.NRGBA{10, 30, 30, 255}, 0.15)
	if s.ground == plain {
		paint = mix(hsv(160, 0.4, 0.4), s.skyLow, 0.3)
	}
	if s.hour == night {
		paint = mix(paint, color.NRGBA{5, 10, 20, 255}, 0.4)
	}
	step := height * c.h * 0.34
	for x := -step; x < c.w+step; x += step * r.between(0.7, 1.3) {
		tall := height * c.h * r.between(0.6, 1.15)
		foot := base*c.h + r.between(-0.01, 0.01)*c.h
		for tier := range 3 {
			w := tall * (0.16 + 0.07*float64(tier))
			top := foot - tall + tall*0.24*float64(tier)
			c.polygon(point{x, top}, point{x + w, top + tall*0.42}, point{x - w, top + tall*0.42})
		}
		c.rect(x-tall*0.03, foot-tall*0.12, tall*0.06, tall*0.2)
	}
	if s.ground == forest {
		c.rect(0, base*c.h-0.02*c.h, c.w, c.h)
	}
	c.fillDown(paint, mix(paint, color.NRGBA{A: 255}, 0.25))
}

// skyline paints a row of buildings with lit windows.
func (s *scene) skyline(c *canvas, r *rng, base, height, depth float64) {
	paint := mix(s.far, s.near, depth)
	lit := fade(hsv(46, 0.5, 1), 0.85)
	if s.hour == day {
		lit = fade(mix(s.skyLow, paint, 0.3), 0.8)
	}
	for x := -0.02 * c.w; x < c.w; {
		w := c.unit() * r.between(0.07, 0.14)
		h := c.h * height * r.between(0.35, 1)
		top := base*c.h - h
		c.rect(x, top, w, c.h-top)
		if r.intn(3) == 0 { // a mast
			c.rect(x+w*0.48, top-h*0.15, w*0.04, h*0.16)
		}
		c.fillDown(mix(paint, s.skyLow, 0.1), mix(paint, color.NRGBA{A: 255}, 0.25))
		cols, size := 4, w*0.12
		any := false
		for y := top + 1.5*size; y < base*c.h+0.05*c.h; y += 2.4 * size {
			for col := range cols {
				if r.float() < 0.45 {
					c.rect(x+w*(0.14+0.2*float64(col)), y, size, 1.3*size)
					any = true
				}
			}
		}
		if any {
			c.fill(lit)
		}
		x += w * r.between(1.0, 1.15)
	}
}
