package h264

// Quantiser multipliers and dequantiser scales for the three position
// classes of a 4x4 block (8.5.9), by QP modulo 6: both coordinates even, both
// odd, the rest.
var (
	quantScale   = [6][3]int32{{13107, 5243, 8066}, {11916, 4660, 7490}, {10082, 4194, 6554}, {9362, 3647, 5825}, {8192, 3355, 5243}, {7282, 2893, 4559}}
	dequantScale = [6][3]int32{{10, 16, 13}, {11, 18, 14}, {13, 20, 16}, {14, 23, 18}, {16, 25, 20}, {18, 29, 23}}

	// positionClass by raster index.
	positionClass = [16]uint8{0, 2, 0, 2, 2, 1, 2, 1, 0, 2, 0, 2, 2, 1, 2, 1}
	// zigzag maps scan order to raster index.
	zigzag = [16]uint8{0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15}

	// chromaQPTable continues the luma QP from 30 up (Table 8-15).
	chromaQPTable = [22]int{29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39}
)

// maxLevel is the largest level that a level_prefix of 15 surely carries.
const maxLevel = 2000

func chromaQP(qp int) int {
	if qp < 30 {
		return qp
	}
	return chromaQPTable[qp-30]
}

// block is a 4x4 block in raster order: samples, differences or coefficients.
type block [16]int32

// forward applies the 4x4 integer transform in place.
func (b *block) forward() {
	for i := 0; i < 16; i += 4 {
		s03, d03 := b[i]+b[i+3], b[i]-b[i+3]
		s12, d12 := b[i+1]+b[i+2], b[i+1]-b[i+2]
		b[i], b[i+2] = s03+s12, s03-s12
		b[i+1], b[i+3] = 2*d03+d12, d03-2*d12
	}
	for i := range 4 {
		s03, d03 := b[i]+b[i+12], b[i]-b[i+12]
		s12, d12 := b[i+4]+b[i+8], b[i+4]-b[i+8]
		b[i], b[i+8] = s03+s12, s03-s12
		b[i+4], b[i+12] = 2*d03+d12, d03-2*d12
	}
}

// inverse is the decoder's transform of scaled coefficients (8.5.12.2),
// rounded, in place.
func (b *block) inverse() {
	for i := 0; i < 16; i += 4 {
		e0, e1 := b[i]+b[i+2], b[i]-b[i+2]
		e2, e3 := b[i+1]>>1-b[i+3], b[i+1]+b[i+3]>>1
		b[i], b[i+3] = e0+e3, e0-e3
		b[i+1], b[i+2] = e1+e2, e1-e2
	}
	for i := range 4 {
		e0, e1 := b[i]+b[i+8], b[i]-b[i+8]
		e2, e3 := b[i+4]>>1-b[i+12], b[i+4]+b[i+12]>>1
		b[i], b[i+12] = (e0+e3+32)>>6, (e0-e3+32)>>6
		b[i+4], b[i+8] = (e1+e2+32)>>6, (e1-e2+32)>>6
	}
}

// hadamard is the 4x4 transform of the luma DC values, its own inverse but
// for the scale.
func (b *block) hadamard() {
	for i := 0; i < 16; i += 4 {
		s01, d01 := b[i]+b[i+1], b[i]-b[i+1]
		s23, d23 := b[i+2]+b[i+3], b[i+2]-b[i+3]
		b[i], b[i+1], b[i+2], b[i+3] = s01+s23, s01-s23, d01-d23, d01+d23
	}
	for i := range 4 {
		s01, d01 := b[i]+b[i+4], b[i]-b[i+4]
		s23, d23 := b[i+8]+b[i+12], b[i+8]-b[i+12]
		b[i], b[i+4], b[i+8], b[i+12] = s01+s23, s01-s23, d01-d23, d01+d23
	}
}

// quantiser holds what one QP and one prediction kind need.
type quantiser struct {
	qp      int
	shift   uint  // 15 + qp/6
	round   int32 // added before the shift
	scale   [3]int32
	descale [3]int32 // dequantScale << qp/6
}

// newQuantiser rounds to a third for intra and a sixth for inter blocks.
func newQuantiser(qp int, intra bool) quantiser {
	q := quantiser{qp: qp, shift: 15 + uint(qp)/6, scale: quantScale[qp%6]}
	q.round = int32(1) << q.shift / 6
	if intra {
		q.round = int32(1) << q.shift / 3
	}
	for i, v := range dequantScale[qp%6] {
		q.descale[i] = v << (qp / 6)
	}
	return q
}

func quantise(c, scale, round int32, shift uint) int32 {
	level := int32(min((int64(abs32(c))*int64(scale)+int64(round))>>shift, maxLevel))
	if c < 0 {
		return -level
	}
	return level
}

// levels quantises coefficients from scan position first on into out (zigzag
// order), puts the scaled values that a decoder will see back into b, and
// reports whether any level is not zero.
func (q *quantiser) levels(b *block, out []int32, first int) bool {
	nonzero := false
	for i := first; i < 16; i++ {
		at := zigzag[i]
		class := positionClass[at]
		level := quantise(b[at], q.scale[class], q.round, q.shift)
		out[i-first] = level
		b[at] = level * q.descale[class]
		nonzero = nonzero || level != 0
	}
	return nonzero
}

// lumaDC transforms and quantises the 16 DC values of an Intra16x16
// macroblock (raster order of 4x4 blocks) and replaces them by the decoder's
// scaled values (8.5.10).
func (q *quantiser) lumaDC(dc *block, out []int32) bool {
	dc.hadamard()
	nonzero := false
	for i, at := range zigzag {
		c := (dc[at] + 1) >> 1
		level := quantise(c, q.scale[0], 2*q.round, q.shift+1)
		out[i] = level
		dc[at] = level
		nonzero = nonzero || level != 0
	}
	dc.hadamard()
	for i := range dc {
		if q.qp >= 12 {
			dc[i] = dc[i] * q.descale[0] >> 2
			continue
		}
		scale, down := dequantScale[q.qp%6][0], uint(2-q.qp/6)
		dc[i] = (dc[i]*scale + 1<<(down-1)) >> down
	}
	return nonzero
}

// chromaDC does the same for the four DC values of one chroma plane
// (8.5.11).
func (q *quantiser) chromaDC(dc *[4]int32, out []int32) bool {
	butterfly := func() {
		a, b, c, d := dc[0], dc[1], dc[2], dc[3]
		dc[0], dc[1], dc[2], dc[3] = a+b+c+d, a-b+c-d, a+b-c-d, a-b-c+d
	}
	butterfly()
	nonzero := false
	for i, c := range dc {
		level := quantise(c, q.scale[0], 2*q.round, q.shift+1)
		out[i], dc[i] = level, level
		nonzero = nonzero || level != 0
	}
	butterfly()
	for i := range dc {
		dc[i] = dc[i] * q.descale[0] >> 1
	}
	return nonzero
}
