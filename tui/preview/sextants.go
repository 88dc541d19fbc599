package preview

// sextant returns the character for a set of sixths in the text colour: 1 upper left, 2 upper
// right, 4 and 8 the middle, 16 and 32 the lower ones. Not all fonts have it.
func sextant(mask int) rune {
	switch mask {
	case 0:
		return ' '
	case 21:
		return '▌'
	case 42:
		return '▐'
	case 63:
		return '█'
	}
	at := mask - 1
	if mask > 21 {
		at--
	}
	if mask > 42 {
		at--
	}
	return 0x1fb00 + rune(at)
}

// sext draws the six pixels of a cell in the two colours that come nearest to them.
func (p *painter) sext(x, y int) {
	var px [6]rgb
	flat := true
	for i := range px {
		px[i] = p.at(2*x+i%2, 3*y+i/2)
		flat = flat && px[i] == px[0]
	}
	if flat {
		p.flat(p.code(px[0]))
		return
	}
	mask, front, back := split6(px)
	fg, bg := p.code(front), p.code(back)
	if mask == 0 || fg == bg {
		p.flat(bg)
		return
	}
	if fg == p.bg || bg == p.fg { // the same cell, with fewer changes
		fg, bg, mask = bg, fg, 63&^mask
	}
	p.set(fg, bg)
	p.buf = append(p.buf, string(sextant(mask))...)
}

// split6 is split for six pixels, which can be divided in 32 different ways.
func split6(px [6]rgb) (mask int, front, back rgb) {
	var all [3]int
	for _, c := range px {
		add(&all, c)
	}
	bestScore, bestCount := -1, 0
	var bestSum [3]int
	for m := range 32 { // the last sixth is always of the background
		var s [3]int
		n := 0
		for i := range 5 {
			if m>>i&1 == 1 {
				add(&s, px[i])
				n++
			}
		}
		score := 0
		for ch := range 3 {
			o := all[ch] - s[ch]
			// 60 is divisible by every group size, so that integers are exact.
			score += o * o * 60 / (6 - n)
			if n > 0 {
				score += s[ch] * s[ch] * 60 / n
			}
		}
		if score > bestScore {
			mask, bestScore, bestCount, bestSum = m, score, n, s
		}
	}
	back = mean([3]int{all[0] - bestSum[0], all[1] - bestSum[1], all[2] - bestSum[2]}, 6-bestCount)
	if bestCount > 0 {
		front = mean(bestSum, bestCount)
	}
	return mask, front, back
}

func add(sum *[3]int, c rgb) {
	sum[0] += int(c.r)
	sum[1] += int(c.g)
	sum[2] += int(c.b)
}
