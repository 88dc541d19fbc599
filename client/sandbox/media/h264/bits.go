package h264

import "math/bits"

// bitWriter collects bits, most significant first (ISO/IEC 14496-10, 7.2).
// The zero value is an empty writer.
type bitWriter struct {
	buf []byte
	acc uint64 // the low n bits are not in buf yet
	n   uint
}

func (w *bitWriter) reset() {
	w.buf, w.acc, w.n = w.buf[:0], 0, 0
}

// put appends the low count bits of v; count is at most 32.
func (w *bitWriter) put(v uint32, count uint) {
	w.acc = w.acc<<count | uint64(v)&(1<<count-1)
	w.n += count
	for w.n >= 8 {
		w.n -= 8
		w.buf = append(w.buf, byte(w.acc>>w.n))
	}
}

func (w *bitWriter) flag(v bool) {
	if v {
		w.put(1, 1)
		return
	}
	w.put(0, 1)
}

// ue appends an unsigned Exp-Golomb code (9.1). v must be below 2^31.
func (w *bitWriter) ue(v uint32) {
	length := uint(bits.Len32(v + 1))
	w.put(0, length-1)
	w.put(v+1, length)
}

// se appends a signed Exp-Golomb code (9.1.1).
func (w *bitWriter) se(v int32) {
	if v > 0 {
		w.ue(uint32(2*v - 1))
		return
	}
	w.ue(uint32(-2 * v))
}

// trailing ends an RBSP: a one, then zeros to the byte boundary (7.3.2.11).
func (w *bitWriter) trailing() {
	w.put(1, 1)
	if w.n > 0 {
		w.put(0, 8-w.n)
	}
}

// nalUnit wraps an RBSP in a NAL unit with its header byte, adding the
// emulation prevention bytes of 7.4.1.1, so that no start code can occur
// inside. The result has no start code and no length in front.
func nalUnit(header byte, rbsp []byte) []byte {
	out := make([]byte, 0, len(rbsp)+len(rbsp)/64+8)
	out = append(out, header)
	zeros := 0
	for _, b := range rbsp {
		if zeros >= 2 && b <= 3 {
			out = append(out, 3)
			zeros = 0
		}
		out = append(out, b)
		if b == 0 {
			zeros++
		} else {
			zeros = 0
		}
	}
	return out
}
