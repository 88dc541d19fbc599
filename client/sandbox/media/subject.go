package media

import (
	"image/color"
	"math"
)

// brush paints in its own coordinates: (0, 0) is the subject's middle, 1 is
// its size, and everything is turned by an angle (radians).
type brush struct {
	c          *canvas
	x, y, size float64
	turn       float64
}

func (b brush) at(u, v float64) point {
	sin, cos := math.Sincos(b.turn)
	return point{b.x + b.size*(u*cos-v*sin), b.y + b.size*(u*sin+v*cos)}
}

// shape paints a polygon given as u, v pairs.
func (b brush) shape(paint color.NRGBA, uv ...float64) {
	points := make([]point, 0, len(uv)/2)
	for i := 0; i+1 < len(uv); i += 2 {
		points = append(points, b.at(uv[i], uv[i+1]))
	}
	b.c.polygon(points...)
	b.c.fill(paint)
}

// oval paints an ellipse.
func (b brush) oval(paint color.NRGBA, u, v, ru, rv float64) {
	points := make([]point, 40)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(points)))
		points[i] = b.at(u+ru*cos, v+rv*sin)
	}
	b.c.polygon(points...)
	b.c.fill(paint)
}

// line paints a line of a width through u, v pairs.
func (b brush) line(paint color.NRGBA, width float64, uv ...float64) {
	points := make([]point, 0, len(uv)/2)
	for i := 0; i+1 < len(uv); i += 2 {
		points = append(points, b.at(uv[i], uv[i+1]))
	}
	b.c.stroke(paint, width*b.size, points...)
}

var (
	ink  = color.NRGBA{24, 26, 36, 255}
	milk = color.NRGBA{250, 248, 242, 255}
)

// paintSubject paints the subject at t seconds.
func (s *scene) paintSubject(b brush, t float64) {
	switch s.subject {
	case kite:
		s.paintKite(b, t)
	case birds:
		s.paintBirds(b, t)
	case boat:
		s.paintBoat(b)
	case cat:
		s.paintCat(b, t)
	case rocket:
		s.paintRocket(b, t)
	case house:
		s.paintHouse(b, t)
	case flower:
		s.paintFlower(b, t)
	default:
		s.paintBalloon(b)
	}
}

func (s *scene) paintKite(b brush, t float64) {
	var tail []float64
	for i := range 36 {
		along := float64(i) / 35
		tail = append(tail, 0.17*along*math.Sin(9*along-2.5*t), 0.57+0.95*along)
	}
	b.line(mix(s.main, ink, 0.6), 0.02, tail...)
	for i := 9; i < 36; i += 9 {
		u, v := tail[2*i], tail[2*i+1]
		b.shape(s.second, u, v, u-0.1, v-0.06, u-0.1, v+0.06)
		b.shape(s.second, u, v, u+0.1, v-0.06, u+0.1, v+0.06)
	}
	dark := mix(s.main, ink, 0.25)
	b.shape(s.main, 0, -0.62, 0.42, -0.12, 0, -0.12)
	b.shape(dark, 0, -0.62, -0.42, -0.12, 0, -0.12)
	b.shape(mix(s.main, milk, 0.25), 0, 0.58, 0.42, -0.12, 0, -0.12)
	b.shape(s.second, 0, 0.58, -0.42, -0.12, 0, -0.12)
	b.line(fade(ink, 0.7), 0.016, 0, -0.62, 0, 0.58)
	b.line(fade(ink, 0.7), 0.016, -0.42, -0.12, 0.42, -0.12)
}

func (s *scene) paintBalloon(b brush) {
	b.line(fade(ink, 0.75), 0.014, -0.3, 0.25, -0.1, 0.78)
	b.line(fade(ink, 0.75), 0.014, 0.3, 0.25, 0.1, 0.78)
	b.shape(s.main, -0.46, 0.12, 0.46, 0.12, 0.16, 0.58, -0.16, 0.58)
	b.oval(s.main, 0, -0.08, 0.52, 0.52)
	b.oval(s.second, 0, -0.08, 0.34, 0.52)
	b.shape(s.second, -0.31, 0.14, 0.31, 0.14, 0.1, 0.58, -0.1, 0.58)
	b.oval(s.main, 0, -0.08, 0.14, 0.52)
	b.shape(s.main, -0.13, 0.14, 0.13, 0.14, 0.04, 0.58, -0.04, 0.58)
	b.oval(fade(milk, 0.25), -0.2, -0.3, 0.14, 0.2)
	b.shape(color.NRGBA{120, 78, 44, 255}, -0.12, 0.76, 0.12, 0.76, 0.1, 0.95, -0.1, 0.95)
	b.shape(color.NRGBA{160, 110, 66, 255}, -0.13, 0.74, 0.13, 0.74, 0.13, 0.79, -0.13, 0.79)
}

func (s *scene) paintBirds(b brush, t float64) {
	paint := mix(s.main, ink, 0.7)
	if s.hour == night {
		paint = mix(s.main, milk, 0.6)
	}
	for i, p := range [5][3]float64{{0, 0, 0.5}, {-0.75, 0.28, 0.38}, {0.7, 0.34, 0.36}, {-1.4, 0.6, 0.3}, {1.35, 0.72, 0.28}} {
		flap := 0.34 * math.Sin(7*t+float64(i)*1.3)
		wing := p[2]
		u, v := p[0], p[1]
		for _, side := range [2]float64{-1, 1} {
			b.shape(paint, u, v, u+side*0.5*wing, v-wing*(0.35+flap), u+side*wing, v-wing*(0.1+1.4*flap),
				u+side*0.5*wing, v-wing*(0.15+flap), u, v+0.14*wing)
		}
		b.oval(paint, u, v+0.04*wing, 0.09*wing, 0.16*wing)
	}
}

func (s *scene) paintBoat(b brush) {
	b.oval(fade(ink, 0.18), 0, 0.34, 0.72, 0.07)
	b.shape(milk, 0.05, -0.85, 0.05, 0.02, 0.56, 0.02)
	b.shape(s.main, -0.02, -0.7, -0.02, 0.02, -0.42, 0.02)
	b.line(color.NRGBA{96, 62, 40, 255}, 0.035, 0.015, -0.92, 0.015, 0.12)
	b.shape(s.second, 0.015, -0.92, 0.24, -0.86, 0.015, -0.8)
	b.shape(color.NRGBA{120, 60, 40, 255}, -0.62, 0.08, 0.7, 0.08, 0.46, 0.34, -0.44, 0.34)
	b.shape(milk, -0.64, 0.05, 0.72, 0.05, 0.7, 0.11, -0.62, 0.11)
}

func (s *scene) paintCat(b brush, t float64) {
	fur := mix(s.main, color.NRGBA{70, 50, 44, 255}, 0.55)
	dark := mix(fur, ink, 0.4)
	sway := 0.1 * math.Sin(2*math.Pi*t/2)
	b.oval(fade(ink, 0.25), 0, 0.52, 0.5, 0.07)
	b.line(dark, 0.1, 0.28, 0.42, 0.55, 0.36, 0.66+sway/2, 0.1, 0.6+sway, -0.16)
	b.oval(fur, 0, 0.18, 0.34, 0.36)
	b.oval(mix(fur, milk, 0.6), -0.03, 0.26, 0.17, 0.24)
	b.oval(fur, -0.17, 0.47, 0.13, 0.08)
	b.oval(fur, 0.17, 0.47, 0.13, 0.08)
	b.shape(fur, -0.29, -0.3, -0.27, -0.68, -0.04, -0.46)
	b.shape(fur, 0.29, -0.3, 0.27, -0.68, 0.04, -0.46)
	b.shape(s.second, -0.24, -0.4, -0.235, -0.58, -0.11, -0.46)
	b.shape(s.second, 0.24, -0.4, 0.235, -0.58, 0.11, -0.46)
	b.oval(fur, 0, -0.25, 0.31, 0.26)
	open := 0.07
	if math.Mod(t, 3) > 2.7 { // it blinks
		open = 0.012
	}
	for _, side := range [2]float64{-0.13, 0.13} {
		b.oval(color.NRGBA{190, 220, 90, 255}, side, -0.28, 0.06, open)
		b.oval(ink, side, -0.28, 0.022, open)
		b.line(fade(milk, 0.8), 0.012, side*1.1, -0.13, side*3, -0.17)
		b.line(fade(milk, 0.8), 0.012, side*1.1, -0.11, side*3, -0.08)
	}
	b.shape(color.NRGBA{230, 140, 140, 255}, -0.04, -0.18, 0.04, -0.18, 0, -0.13)
}

func (s *scene) paintRocket(b brush, t float64) {
	flame := 0.85 + 0.16*math.Sin(23*t)
	b.shape(color.NRGBA{255, 170, 40, 230}, -0.13, 0.45, 0.13, 0.45, 0, 0.45+0.6*flame)
	b.shape(color.NRGBA{255, 240, 150, 240}, -0.07, 0.45, 0.07, 0.45, 0, 0.45+0.34*flame)
	b.shape(s.main, -0.18, 0.1, -0.4, 0.5, -0.16, 0.44)
	b.shape(s.main, 0.18, 0.1, 0.4, 0.5, 0.16, 0.44)
	b.oval(milk, 0, -0.05, 0.2, 0.62)
	b.shape(milk, -0.18, 0.2, 0.18, 0.2, 0.14, 0.48, -0.14, 0.48)
	b.shape(s.main, 0, -0.7, 0.135, -0.5, -0.135, -0.5)
	b.oval(ink, 0, -0.16, 0.1, 0.1)
	b.oval(color.NRGBA{130, 200, 235, 255}, 0, -0.16, 0.075, 0.075)
}

func (s *scene) paintHouse(b brush, t float64) {
	for i := range 4 { // smoke
		up := math.Mod(0.25*float64(i)+0.2*t, 1)
		b.oval(fade(milk, 0.5*(1-up)), 0.26+0.08*math.Sin(4*up+t), -0.62-0.6*up, 0.05+0.09*up, 0.05+0.07*up)
	}
	b.oval(fade(ink, 0.2), 0, 0.5, 0.66, 0.06)
	b.shape(mix(s.main, ink, 0.4), 0.2, -0.62, 0.32, -0.62, 0.32, -0.2, 0.2, -0.2)
	b.shape(milk, -0.46, -0.1, 0.46, -0.1, 0.46, 0.5, -0.46, 0.5)
	b.shape(s.main, -0.6, -0.06, 0, -0.56, 0.6, -0.06)
	b.shape(color.NRGBA{110, 70, 46, 255}, -0.09, 0.14, 0.11, 0.14, 0.11, 0.5, -0.09, 0.5)
	for _, u := range [2]float64{-0.34, 0.2} {
		b.shape(color.NRGBA{255, 220, 120, 255}, u, 0.06, u+0.16, 0.06, u+0.16, 0.24, u, 0.24)
		b.line(ink, 0.016, u+0.08, 0.06, u+0.08, 0.24)
	}
}

func (s *scene) paintFlower(b brush, t float64) {
	sway := 0.06 * math.Sin(2*math.Pi*t/2.5)
	stem := color.NRGBA{46, 130, 66, 255}
	b.line(stem, 0.06, 0, 0.6, sway/2, 0.2, sway, -0.2)
	b.shape(stem, 0.01, 0.45, 0.3, 0.2, 0.2, 0.45)
	b.shape(stem, 0.0, 0.4, -0.28, 0.12, -0.2, 0.38)
	for i := range 9 {
		sin, cos := math.Sincos(2*math.Pi*float64(i)/9 + 0.15*sway)
		b.oval(mix(s.main, milk, 0.12*float64(i%2)), sway+0.24*cos, -0.25+0.24*sin, 0.14, 0.14)
	}
	b.oval(mix(s.second, color.NRGBA{250, 200, 40, 255}, 0.6), sway, -0.25, 0.17, 0.17)
}
