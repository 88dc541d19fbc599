package paint

import (
	"image"
	"math"
	"strings"
)

// replace gives a picture's number other pixels.
func (p *pictures) replace(number int, img *image.RGBA) error {
	p.mu.Lock()
	protocol, colors, pic := p.protocol, p.colors, p.byNumber[uint8(number)]
	p.mu.Unlock()
	if number <= 0 || number > maxPictures || pic == nil || img.Bounds().Empty() {
		return ErrNoPictures
	}
	next := picture{size: img.Bounds().Size()}
	if err := p.fill(&next, protocol, img, colors); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byNumber[pic.number] != pic || p.protocol != protocol || protocol != KittyPictures && next.size != pic.size {
		return ErrNoPictures // it was dropped meanwhile, or the cells are others
	}
	pic.size, pic.kitty, pic.sixel, pic.inline = next.size, next.kitty, next.sixel, next.inline
	pic.moving, pic.sent, pic.next = true, false, 0
	if protocol != KittyPictures {
		p.moved[pic.number] = true
	} else if pic.there {
		p.enqueue(pic.number)
	}
	return nil
}

// whole returns all of a picture at once, within synchronised output, so that tmux passes it on in
// one piece: kitty forgets the old pixels first, and would show that.
func (pic *picture) whole(id int) string {
	pic.next = 0
	all := pic.chunks(id, math.MaxInt)
	pic.sent, pic.there = true, true
	return syncBegin + all + syncEnd
}

// takeMoved returns the pictures whose pixels are to be painted anew over their cells.
func (p *pictures) takeMoved() map[uint8]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.moved) == 0 {
		return nil
	}
	moved := p.moved
	p.moved = map[uint8]bool{}
	return moved
}

// renew appends what shows pictures with their newest pixels: these are painted over the cells,
// which are not touched, so that nothing flickers. Kitty looks for a picture when it draws the
// cells: the cells of one that has only just arrived are written once more.
func (s *screen) renew(dst []byte) []byte {
	moved := s.pics.takeMoved()
	if len(moved) == 0 || !s.known {
		return dst // a full paint comes, with the newest pixels
	}
	s.body, s.spots = s.body[:0], s.spots[:0]
	if s.pics.using() == KittyPictures {
		s.rewrite(moved)
	} else {
		s.eachCell(moved, func(x, y int, _ cell, p part) { s.spots = append(s.spots, spot{x, y, p}) })
		s.body = s.pics.overCells(s.body, s.spots, s.shown.height)
	}
	if len(s.body) == 0 {
		return dst
	}
	dst = append(append(dst, syncBegin...), s.body...)
	if c := s.shown.cursor; c.shown {
		dst = appendMove(dst, c.x, c.y)
	}
	return append(dst, syncEnd...)
}

// rewrite writes the cells of some pictures again.
func (s *screen) rewrite(numbers map[uint8]bool) {
	nextX, nextY := -1, -1
	s.eachCell(numbers, func(x, y int, c cell, _ part) {
		if x != nextX || y != nextY {
			s.moveTo(x, y)
		}
		s.put(x, y, c)
		nextX, nextY = x+c.width, y
	})
	s.setPen(pen{})
}

// eachCell calls f for the cells of some pictures that the terminal shows.
func (s *screen) eachCell(numbers map[uint8]bool, f func(x, y int, c cell, p part)) {
	for y, text := range s.lines {
		if !strings.Contains(text, placeholder) {
			continue
		}
		l, x := parseLine(s.a, text, s.shown.width), 0
		s.a = l.cells
		for _, c := range l.cells {
			if strings.HasPrefix(c.text, placeholder) {
				if p, ok := s.pics.partOf(c); ok && numbers[p.number] {
					f(x, y, c, p)
				}
			}
			x += c.width
		}
	}
}
