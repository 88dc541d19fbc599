package h264

// Intra 16x16 and chroma prediction (8.3.3, 8.3.4). One predictor serves
// both: it fills a size x size block from the reconstructed samples above and
// to the left of it.

// Luma prediction modes, by their number in mb_type.
const (
	predVertical = iota
	predHorizontal
	predDC
	predPlane
)

// chromaMode maps a luma mode number to the chroma mode number, in which the
// order is DC, horizontal, vertical, plane.
var chromaMode = [4]uint32{predVertical: 2, predHorizontal: 1, predDC: 0, predPlane: 3}

// edges are the reconstructed neighbours of a block.
type edges struct {
	top, left       [16]int32
	corner          int32
	hasTop, hasLeft bool
}

// load reads the neighbours of the size x size block at (x, y) of a plane.
func (e *edges) load(plane []uint8, stride, x, y, size int) {
	e.hasTop, e.hasLeft = y > 0, x > 0
	at := y*stride + x
	if e.hasTop {
		for i, v := range plane[at-stride : at-stride+size] {
			e.top[i] = int32(v)
		}
	}
	if e.hasLeft {
		for i := range size {
			e.left[i] = int32(plane[at+i*stride-1])
		}
	}
	if e.hasTop && e.hasLeft {
		e.corner = int32(plane[at-stride-1])
	}
}

// allows reports whether the neighbours that a mode needs exist.
func (e *edges) allows(mode int) bool {
	switch mode {
	case predVertical:
		return e.hasTop
	case predHorizontal:
		return e.hasLeft
	case predPlane:
		return e.hasTop && e.hasLeft
	}
	return true
}

// predict fills dst (size x size, raster order) with a mode that allows
// permits.
func (e *edges) predict(dst []uint8, size, mode int) {
	switch mode {
	case predVertical:
		for i := range dst[:size*size] {
			dst[i] = uint8(e.top[i%size])
		}
	case predHorizontal:
		for i := range dst[:size*size] {
			dst[i] = uint8(e.left[i/size])
		}
	case predPlane:
		e.plane(dst, size)
	default:
		if size == 16 {
			fillDC(dst, 16, 0, 0, 16, e.mean(0, 0, 16, true, true))
			return
		}
		// Each 4x4 quarter of a chroma block has its own mean; the two off
		// the diagonal look only at their own edge when it exists.
		fillDC(dst, 8, 0, 0, 4, e.mean(0, 0, 4, true, true))
		fillDC(dst, 8, 4, 0, 4, e.mean(4, 0, 4, true, !e.hasTop))
		fillDC(dst, 8, 0, 4, 4, e.mean(0, 4, 4, !e.hasLeft, true))
		fillDC(dst, 8, 4, 4, 4, e.mean(4, 4, 4, true, true))
	}
}

// mean is the rounded mean of n samples above from x and n to the left from
// y, of those edges that are asked for and exist; 128 with neither.
func (e *edges) mean(x, y, n int, useTop, useLeft bool) uint8 {
	var sum, count int32
	if useTop && e.hasTop {
		for _, v := range e.top[x : x+n] {
			sum += v
		}
		count += int32(n)
	}
	if useLeft && e.hasLeft {
		for _, v := range e.left[y : y+n] {
			sum += v
		}
		count += int32(n)
	}
	if count == 0 {
		return 128
	}
	return uint8((sum + count/2) / count)
}

func fillDC(dst []uint8, stride, x, y, n int, v uint8) {
	for row := y; row < y+n; row++ {
		for col := x; col < x+n; col++ {
			dst[row*stride+col] = v
		}
	}
}

// plane is the plane prediction: a gradient fitted to both edges.
func (e *edges) plane(dst []uint8, size int) {
	half := size / 2
	at := func(edge *[16]int32, i int) int32 {
		if i < 0 {
			return e.corner
		}
		return edge[i]
	}
	var h, v int32
	for i := range half {
		h += int32(i+1) * (e.top[half+i] - at(&e.top, half-2-i))
		v += int32(i+1) * (e.left[half+i] - at(&e.left, half-2-i))
	}
	a := 16 * (e.left[size-1] + e.top[size-1])
	factor := int32(34)
	if size == 16 {
		factor = 5
	}
	b, c := (factor*h+32)>>6, (factor*v+32)>>6
	start := a + 16 - int32(half-1)*(b+c)
	for y := range size {
		value := start + int32(y)*c
		for x := range size {
			dst[y*size+x] = clip(value >> 5)
			value += b
		}
	}
}

func clip(v int32) uint8 {
	return uint8(max(0, min(v, 255)))
}
