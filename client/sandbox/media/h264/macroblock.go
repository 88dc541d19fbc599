package h264

// macroblock is the work space of the macroblock being coded.
type macroblock struct {
	x, y  int // in macroblocks
	edges edges

	predY [256]uint8
	predC [2][64]uint8
	tryY  [256]uint8

	lumaDC   [16]int32
	luma     [16][16]int32 // levels by block in coding order
	chromaDC [2][4]int32
	chroma   [2][4][16]int32

	cbpLuma   uint32 // a bit for each 8x8 block
	cbpChroma uint32 // 0 none, 1 DC, 2 DC and AC
}

// blockX and blockY place the 4x4 luma blocks, in coding order, in units of
// four samples (6.4.3).
var (
	blockX = [16]int{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}
	blockY = [16]int{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3}
)

// interBias favours the inter prediction in the choice against intra: its
// header is shorter, and what it copies is known to be good.
const interBias = 256

// macroblock codes one macroblock of the current picture.
func (e *Encoder) macroblock(x, y int, idr bool) {
	e.mb.x, e.mb.y = x, y
	if idr {
		e.codeIntra(1, e.chooseLuma())
		return
	}
	if e.unchanged() {
		e.skip()
		return
	}
	interCost := e.sadAgainst(e.ref.Y[e.lumaAt():], e.ref.Stride)
	if interCost > 16*16*3 {
		if choice := e.chooseLuma(); choice.cost+interBias < interCost {
			e.w.ue(e.skipRun)
			e.skipRun = 0
			e.codeIntra(6, choice)
			return
		}
	}
	e.codeInter()
}

func (e *Encoder) lumaAt() int   { return e.mb.y*16*e.src.Stride + e.mb.x*16 }
func (e *Encoder) chromaAt() int { return e.mb.y*8*e.src.CStride + e.mb.x*8 }

// unchanged reports whether the source samples are those of the frame before.
func (e *Encoder) unchanged() bool {
	at := e.lumaAt()
	for range 16 {
		if [16]uint8(e.src.Y[at:]) != [16]uint8(e.last.Y[at:]) {
			return false
		}
		at += e.src.Stride
	}
	at = e.chromaAt()
	for range 8 {
		if [8]uint8(e.src.Cb[at:]) != [8]uint8(e.last.Cb[at:]) || [8]uint8(e.src.Cr[at:]) != [8]uint8(e.last.Cr[at:]) {
			return false
		}
		at += e.src.CStride
	}
	return true
}

// skip makes the macroblock a P_Skip: the decoder copies it from the picture
// before (all motion is zero, so the predicted motion is too).
func (e *Encoder) skip() {
	e.skipRun++
	e.clearCounts()
	at := e.lumaAt()
	for range 16 {
		copy(e.rec.Y[at:at+16], e.ref.Y[at:at+16])
		at += e.rec.Stride
	}
	at = e.chromaAt()
	for range 8 {
		copy(e.rec.Cb[at:at+8], e.ref.Cb[at:at+8])
		copy(e.rec.Cr[at:at+8], e.ref.Cr[at:at+8])
		at += e.rec.CStride
	}
}

// sadAgainst is the sum of absolute luma differences to a prediction.
func (e *Encoder) sadAgainst(pred []uint8, stride int) int32 {
	var sum int32
	at := e.lumaAt()
	for y := range 16 {
		src, p := e.src.Y[at:at+16], pred[y*stride:y*stride+16]
		for i, v := range src {
			sum += abs32(int32(v) - int32(p[i]))
		}
		at += e.src.Stride
	}
	return sum
}

// lumaChoice is an Intra 16x16 mode and its cost; the prediction is in predY.
type lumaChoice struct {
	mode int
	cost int32
}

// chooseLuma finds the cheapest Intra 16x16 mode.
func (e *Encoder) chooseLuma() lumaChoice {
	mb := &e.mb
	mb.edges.load(e.rec.Y, e.rec.Stride, mb.x*16, mb.y*16, 16)
	best := lumaChoice{mode: -1}
	for _, mode := range [4]int{predDC, predPlane, predVertical, predHorizontal} {
		if !mb.edges.allows(mode) {
			continue
		}
		mb.edges.predict(mb.tryY[:], 16, mode)
		cost := e.sadAgainst(mb.tryY[:], 16)
		if best.mode < 0 || cost < best.cost {
			best = lumaChoice{mode, cost}
			mb.predY = mb.tryY
		}
	}
	return best
}

// chooseChroma finds the cheapest chroma mode and predicts both planes.
func (e *Encoder) chooseChroma() int {
	mb := &e.mb
	var both [2]edges
	planes := [2][]uint8{e.rec.Cb, e.rec.Cr}
	sources := [2][]uint8{e.src.Cb, e.src.Cr}
	for i := range both {
		both[i].load(planes[i], e.rec.CStride, mb.x*8, mb.y*8, 8)
	}
	bestMode, bestCost := -1, int32(0)
	var try [2][64]uint8
	for _, mode := range [4]int{predDC, predPlane, predVertical, predHorizontal} {
		if !both[0].allows(mode) {
			continue
		}
		var cost int32
		for i := range both {
			both[i].predict(try[i][:], 8, mode)
			cost += sad8(sources[i][e.chromaAt():], e.src.CStride, &try[i])
		}
		if bestMode < 0 || cost < bestCost {
			bestMode, bestCost = mode, cost
			mb.predC = try
		}
	}
	return bestMode
}

func sad8(src []uint8, stride int, pred *[64]uint8) int32 {
	var sum int32
	for y := range 8 {
		for x, v := range src[y*stride : y*stride+8] {
			sum += abs32(int32(v) - int32(pred[y*8+x]))
		}
	}
	return sum
}
