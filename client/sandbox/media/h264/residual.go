package h264

// This file turns a prediction into levels and the decoded macroblock, and
// writes both kinds of macroblocks.

// codeIntra writes an Intra 16x16 macroblock. base is the first of its
// mb_type numbers: 1 in I slices, 6 in P slices (Tables 7-11 and 7-13). The
// luma prediction is already in predY.
func (e *Encoder) codeIntra(base uint32, choice lumaChoice) {
	mb := &e.mb
	chroma := e.chooseChroma()
	e.intraLuma()
	e.chromaResidual(&e.intra.chroma, false)
	mbType := base + uint32(choice.mode) + 4*mb.cbpChroma
	if mb.cbpLuma != 0 {
		mbType += 12
	}
	e.w.ue(mbType)
	e.w.ue(chromaMode[chroma])
	e.w.se(0) // mb_qp_delta
	// The DC levels use the class of block 0 and are not counted.
	e.vlc.residual(&e.w, mb.lumaDC[:], tokenClass(e.lumaNeighbours(0)))
	e.writeLuma(15)
	e.writeChroma()
}

// codeInter writes the macroblock as a P_L0_16x16 with no motion, or skips it
// if nothing is left to say.
func (e *Encoder) codeInter() {
	mb := &e.mb
	e.predictInter()
	e.interLuma()
	e.chromaResidual(&e.inter.chroma, true)
	if mb.cbpLuma == 0 && mb.cbpChroma == 0 {
		e.skip()
		return
	}
	e.w.ue(e.skipRun)
	e.skipRun = 0
	e.w.ue(0) // mb_type: P_L0_16x16
	e.w.se(0) // mvd_l0, x
	e.w.se(0) // and y
	e.w.ue(interCBP[mb.cbpChroma<<4|mb.cbpLuma])
	e.w.se(0) // mb_qp_delta
	e.writeLuma(16)
	e.writeChroma()
}

// predictInter copies the macroblock of the picture before.
func (e *Encoder) predictInter() {
	mb := &e.mb
	for y := range 16 {
		copy(mb.predY[y*16:y*16+16], e.ref.Y[e.lumaAt()+y*e.ref.Stride:])
	}
	for y := range 8 {
		copy(mb.predC[0][y*8:y*8+8], e.ref.Cb[e.chromaAt()+y*e.ref.CStride:])
		copy(mb.predC[1][y*8:y*8+8], e.ref.Cr[e.chromaAt()+y*e.ref.CStride:])
	}
}

// difference loads source minus prediction of a 4x4 block at (x, y).
func (b *block) difference(src []uint8, stride int, pred []uint8, predStride, x, y int) {
	for row := range 4 {
		s := src[(y+row)*stride+x:][:4]
		p := pred[(y+row)*predStride+x:][:4]
		for i := range 4 {
			b[row*4+i] = int32(s[i]) - int32(p[i])
		}
	}
}

// add stores prediction plus residual.
func (b *block) add(dst []uint8, stride int, pred []uint8, predStride, x, y int) {
	for row := range 4 {
		d := dst[(y+row)*stride+x:][:4]
		p := pred[(y+row)*predStride+x:][:4]
		for i := range 4 {
			d[i] = clip(int32(p[i]) + b[row*4+i])
		}
	}
}

// intraLuma codes the luma of an Intra 16x16 macroblock: AC levels by block,
// DC levels of all blocks together.
func (e *Encoder) intraLuma() {
	mb, q := &e.mb, &e.intra.luma
	src, rec := e.src.Y[e.lumaAt():], e.rec.Y[e.lumaAt():]
	var (
		blocks [16]block
		dc     block
	)
	mb.cbpLuma = 0
	for i := range blocks {
		b := &blocks[i]
		b.difference(src, e.src.Stride, mb.predY[:], 16, 4*blockX[i], 4*blockY[i])
		b.forward()
		dc[4*blockY[i]+blockX[i]] = b[0]
		if q.levels(b, mb.luma[i][:], 1) {
			mb.cbpLuma = 15
		}
	}
	q.lumaDC(&dc, mb.lumaDC[:])
	for i := range blocks {
		b := &blocks[i]
		b[0] = dc[4*blockY[i]+blockX[i]]
		b.inverse()
		b.add(rec, e.rec.Stride, mb.predY[:], 16, 4*blockX[i], 4*blockY[i])
	}
}

// interLuma codes the luma of an inter macroblock. An 8x8 block in which only
// a stray small level is left is not worth its bits and is dropped.
func (e *Encoder) interLuma() {
	mb, q := &e.mb, &e.inter.luma
	src, rec := e.src.Y[e.lumaAt():], e.rec.Y[e.lumaAt():]
	mb.cbpLuma = 0
	for quarter := range 4 {
		var blocks [4]block
		score := 0
		for i := range blocks {
			at := 4*quarter + i
			blocks[i].difference(src, e.src.Stride, mb.predY[:], 16, 4*blockX[at], 4*blockY[at])
			blocks[i].forward()
			if q.levels(&blocks[i], mb.luma[at][:], 0) {
				score += weight(mb.luma[at][:])
			}
		}
		if score > 1 {
			mb.cbpLuma |= 1 << quarter
		} else {
			blocks = [4]block{}
		}
		for i := range blocks {
			at := 4*quarter + i
			blocks[i].inverse()
			blocks[i].add(rec, e.rec.Stride, mb.predY[:], 16, 4*blockX[at], 4*blockY[at])
		}
	}
}

// weight rates how much the levels of a block matter: low frequencies and
// levels above one count most.
func weight(levels []int32) int {
	sum := 0
	for i, v := range levels {
		switch {
		case v == 0:
		case abs32(v) > 1:
			return 9
		case i < 3:
			sum += 3
		case i < 6:
			sum += 2
		default:
			sum++
		}
	}
	return sum
}

// chromaResidual codes both chroma planes. With thrifty, AC levels that
// hardly matter are dropped.
func (e *Encoder) chromaResidual(q *quantiser, thrifty bool) {
	mb := &e.mb
	var (
		blocks [2][4]block
		dcs    [2][4]int32
	)
	mb.cbpChroma = 0
	score := 0
	for plane, src := range [2][]uint8{e.src.Cb[e.chromaAt():], e.src.Cr[e.chromaAt():]} {
		for i := range 4 {
			b := &blocks[plane][i]
			b.difference(src, e.src.CStride, mb.predC[plane][:], 8, i%2*4, i/2*4)
			b.forward()
			dcs[plane][i] = b[0]
			if q.levels(b, mb.chroma[plane][i][:], 1) {
				score += weight(mb.chroma[plane][i][:15])
			}
		}
		if q.chromaDC(&dcs[plane], mb.chromaDC[plane][:]) {
			mb.cbpChroma = 1
		}
	}
	if score > 2 || score > 0 && !thrifty {
		mb.cbpChroma = 2
	}
	for plane, rec := range [2][]uint8{e.rec.Cb[e.chromaAt():], e.rec.Cr[e.chromaAt():]} {
		for i := range 4 {
			b := &blocks[plane][i]
			if mb.cbpChroma < 2 {
				*b = block{}
			}
			b[0] = dcs[plane][i]
			b.inverse()
			b.add(rec, e.rec.CStride, mb.predC[plane][:], 8, i%2*4, i/2*4)
		}
	}
}

// interCBP maps coded_block_pattern of an inter macroblock to codeNum
// (Table 9-4).
var interCBP = [48]uint32{
	0, 2, 3, 7, 4, 8, 17, 13, 5, 18, 9, 14, 10, 15, 16, 11,
	1, 32, 33, 36, 34, 37, 44, 40, 35, 45, 38, 41, 39, 42, 43, 19,
	6, 24, 25, 20, 26, 21, 46, 28, 27, 47, 22, 29, 23, 30, 31, 12,
}

// writeLuma writes the luma blocks of the coded 8x8 blocks and remembers
// their counts. n is 16, or 15 when the DC levels went before.
func (e *Encoder) writeLuma(n int) {
	mb, c := &e.mb, &e.counts
	for i := range 16 {
		at := (mb.y*4+blockY[i])*c.stride + mb.x*4 + blockX[i]
		if mb.cbpLuma>>(i/4)&1 == 0 {
			c.luma[at] = 0
			continue
		}
		total := e.vlc.residual(&e.w, mb.luma[i][:n], tokenClass(e.lumaNeighbours(i)))
		c.luma[at] = uint8(total)
	}
}

// writeChroma writes the chroma DC and AC levels and remembers the counts.
func (e *Encoder) writeChroma() {
	mb, c := &e.mb, &e.counts
	if mb.cbpChroma > 0 {
		for plane := range 2 {
			e.vlc.residual(&e.w, mb.chromaDC[plane][:], chromaDCClass)
		}
	}
	for plane := range 2 {
		for i := range 4 {
			x, y := mb.x*2+i%2, mb.y*2+i/2
			total := 0
			if mb.cbpChroma == 2 {
				class := tokenClass(neighbours(c.chroma[plane], c.cstride, x, y))
				total = e.vlc.residual(&e.w, mb.chroma[plane][i][:15], class)
			}
			c.chroma[plane][y*c.cstride+x] = uint8(total)
		}
	}
}

// clearCounts notes that the macroblock has no levels.
func (e *Encoder) clearCounts() {
	mb, c := &e.mb, &e.counts
	for y := range 4 {
		clear(c.luma[(mb.y*4+y)*c.stride+mb.x*4:][:4])
	}
	for plane := range 2 {
		for y := range 2 {
			clear(c.chroma[plane][(mb.y*2+y)*c.cstride+mb.x*2:][:2])
		}
	}
}

// lumaNeighbours is nC of a luma block of the macroblock.
func (e *Encoder) lumaNeighbours(i int) int {
	return neighbours(e.counts.luma, e.counts.stride, e.mb.x*4+blockX[i], e.mb.y*4+blockY[i])
}

// neighbours is nC (9.2.1): the mean of the counts to the left and above,
// rounded up, or the one that exists, or 0.
func neighbours(counts []uint8, stride, x, y int) int {
	at := y*stride + x
	switch {
	case x > 0 && y > 0:
		return (int(counts[at-1]) + int(counts[at-stride]) + 1) / 2
	case x > 0:
		return int(counts[at-1])
	case y > 0:
		return int(counts[at-stride])
	}
	return 0
}
