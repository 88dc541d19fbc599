package h264

import (
	"image"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// written shows what a writer holds as digits.
func written(w *bitWriter) string {
	var b strings.Builder
	n := w.bitLen()
	bytes := append([]byte{}, w.buf...)
	if w.n > 0 {
		bytes = append(bytes, byte(w.acc<<(8-w.n)))
	}
	for i := range n {
		b.WriteByte('0' + bytes[i/8]>>(7-i%8)&1)
	}
	return b.String()
}

func TestExpGolomb(t *testing.T) {
	t.Parallel()
	for v, want := range map[uint32]string{0: "1", 1: "010", 2: "011", 3: "00100", 6: "00111", 7: "0001000", 25: "000011010", 254: "000000011111111"} {
		w := &bitWriter{}
		w.ue(v)
		assert.Equal(t, want, written(w), "ue(%d)", v)
	}
	for v, want := range map[int32]string{0: "1", 1: "010", -1: "011", 2: "00100", -2: "00101", 13: "000011010", -13: "000011011"} {
		w := &bitWriter{}
		w.se(v)
		assert.Equal(t, want, written(w), "se(%d)", v)
	}
}

func TestBitWriterCrossesBytes(t *testing.T) {
	t.Parallel()
	w := &bitWriter{}
	w.put(0b101, 3)
	w.put(0xffffffff, 32)
	w.put(0, 2)
	assert.Equal(t, "101"+strings.Repeat("1", 32)+"00", written(w))
	w.trailing()
	assert.Equal(t, []byte{0xbf, 0xff, 0xff, 0xff, 0xe4}, w.buf)
}

func TestNALUnitHasNoStartCode(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []byte{0x65, 0, 0, 3, 0, 0, 3, 1, 0, 0, 3, 3, 0, 0, 4, 0, 0, 3, 0},
		nalUnit(0x65, []byte{0, 0, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 0}))
}

// TestCodesArePrefixFree looks for slips in the tables: no code may begin
// another one of its table, and each table must have all its codes.
func TestCodesArePrefixFree(t *testing.T) {
	t.Parallel()
	v := newVLCTables()
	tables := map[string][]code{}
	counts := map[string]int{}
	names := []string{"token 0-1", "token 2-3", "token 4-7", "token 8", "token DC"}
	for class, name := range names {
		for total := range v.coeffToken[class] {
			tables[name] = append(tables[name], v.coeffToken[class][total][:]...)
		}
		counts[name] = 62
	}
	counts["token DC"] = 14
	for i := 1; i <= 15; i++ {
		name := "zeros " + string(rune('a'+i))
		tables[name], counts[name] = v.totalZeros[i][:], 17-i
	}
	for i := 1; i <= 3; i++ {
		name := "DC zeros " + string(rune('a'+i))
		tables[name], counts[name] = v.totalZerosDC[i][:], 5-i
	}
	for i := 1; i <= 7; i++ {
		name := "run " + string(rune('a'+i))
		tables[name], counts[name] = v.runBefore[i][:], i+1
	}
	counts["run "+string(rune('a'+7))] = 15
	for name, codes := range tables {
		n := 0
		for i, a := range codes {
			if a.n == 0 {
				continue
			}
			n++
			for k, b := range codes {
				if i != k && b.n >= a.n {
					assert.NotEqual(t, a.bits, b.bits>>(b.n-a.n), "%s: code %d begins code %d", name, i, k)
				}
			}
		}
		assert.Equal(t, counts[name], n, name)
	}
}

// TestTransformRoundTrip checks that what is quantised comes back within one
// step of the quantiser.
func TestTransformRoundTrip(t *testing.T) {
	t.Parallel()
	random := noise(7)
	for _, qp := range []int{0, 10, 22, 34} {
		q := newQuantiser(qp, true)
		step := 0.625 * math.Pow(2, float64(qp)/6)
		for range 50 {
			var b, want block
			var levels [16]int32
			for i := range b {
				b[i] = int32(random.next()%401) - 200
			}
			want = b
			b.forward()
			q.levels(&b, levels[:], 0)
			b.inverse()
			for i := range b {
				assert.InDelta(t, want[i], b[i], 2*step+1, "qp %d", qp)
			}
		}
	}
}

func TestQuantiseKeepsWhatCodesCanCarry(t *testing.T) {
	t.Parallel()
	q := newQuantiser(0, true)
	b := block{0: 1 << 20, 1: -1 << 20}
	var levels [16]int32
	require.True(t, q.levels(&b, levels[:], 0))
	assert.Equal(t, int32(maxLevel), levels[0])
	assert.Equal(t, int32(-maxLevel), levels[1])
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []Config{
		{Width: 15, Height: 16, FPS: 8}, {Width: 17, Height: 16, FPS: 8}, {Width: 16, Height: 14, FPS: 8}, {Width: 64, Height: 63, FPS: 8},
		{Width: 64, Height: 64}, {Width: 64, Height: 64, FPS: 121}, {Width: 8194, Height: 16, FPS: 1}, {Width: 8192, Height: 8192, FPS: 1}, {Width: -64, Height: 64, FPS: 8},
	} {
		_, err := New(c)
		assert.ErrorIs(t, err, errConfig, "%+v", c)
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ w, h, fps, want int }{
		{11, 9, 8, 10}, {30, 17, 8, 21}, {45, 36, 25, 30}, {80, 45, 30, 31}, {120, 68, 30, 40}, {240, 135, 24, 51}, {999, 2, 8, 0},
	} {
		assert.Equal(t, c.want, levelFor(c.w*c.h, max(c.w, c.h), c.fps), "%+v", c)
	}
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	e, err := New(Config{Width: 32, Height: 32, FPS: 8})
	require.NoError(t, err)
	for _, qp := range []int{-1, 52} {
		_, err = e.Encode(NewFrame(32, 32), false, qp)
		require.Error(t, err)
	}
	_, err = e.Encode(NewFrame(32, 48), false, 20)
	require.Error(t, err)
}

// TestStandingPictureCostsNothing checks that a frame equal to the one before
// is skipped whole.
func TestStandingPictureCostsNothing(t *testing.T) {
	t.Parallel()
	e, err := New(Config{Width: 320, Height: 180, FPS: 8})
	require.NoError(t, err)
	img := image.NewRGBA(image.Rect(0, 0, 320, 180))
	random := noise(3)
	paint(img, 1, &random)
	f := NewFrame(320, 180)
	f.SetRGBA(img)
	first, err := e.Encode(f, false, 24)
	require.NoError(t, err)
	assert.Equal(t, byte(nalIDR), first[0], "the first picture stands alone whether asked to or not")
	assert.Greater(t, len(first), 3000)
	before := e.Recon().I420()
	second, err := e.Encode(f, false, 24)
	require.NoError(t, err)
	assert.Equal(t, byte(nalSlice), second[0])
	assert.Less(t, len(second), 12)
	assert.Equal(t, before, e.Recon().I420())
}

// TestReconIsClose checks the picture quality, which ffmpeg cannot: a stream
// can be valid and show mud.
func TestReconIsClose(t *testing.T) {
	t.Parallel()
	e, err := New(Config{Width: 98, Height: 54, FPS: 8})
	require.NoError(t, err)
	img := image.NewRGBA(image.Rect(0, 0, 98, 54))
	f := NewFrame(98, 54)
	random := noise(5)
	for i := range 4 {
		paint(img, i, &random)
		f.SetRGBA(img)
		_, err = e.Encode(f, false, 12)
		require.NoError(t, err)
		want, got := f.I420(), e.Recon().I420()
		sum := 0.0
		for k := range want {
			sum += math.Abs(float64(want[k]) - float64(got[k]))
		}
		assert.Less(t, sum/float64(len(want)), 1.2, "frame %d", i)
	}
}

func TestSetRGBAIsBT709(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rgb, yuv [3]uint8 }{
		{[3]uint8{0, 0, 0}, [3]uint8{16, 128, 128}}, {[3]uint8{255, 255, 255}, [3]uint8{235, 128, 128}},
		{[3]uint8{255, 0, 0}, [3]uint8{63, 102, 240}}, {[3]uint8{0, 255, 0}, [3]uint8{173, 42, 26}}, {[3]uint8{0, 0, 255}, [3]uint8{32, 240, 118}},
	} {
		img := image.NewRGBA(image.Rect(3, 5, 21, 23)) // not at the origin
		for i := 0; i < len(img.Pix); i += 4 {
			copy(img.Pix[i:], c.rgb[:])
			img.Pix[i+3] = 255
		}
		f := NewFrame(18, 18)
		f.SetRGBA(img)
		for _, at := range []int{0, len(f.Y) - 1} { // the border too
			assert.InDelta(t, c.yuv[0], f.Y[at], 1)
		}
		assert.InDelta(t, c.yuv[1], f.Cb[len(f.Cb)-1], 1)
		assert.InDelta(t, c.yuv[2], f.Cr[len(f.Cr)-1], 1)
	}
}

// bitLen is the number of bits written so far.
func (w *bitWriter) bitLen() int { return len(w.buf)*8 + int(w.n) }

// Recon is the last encoded picture as a decoder shows it. It stays valid
// until the next but one call of Encode, and must not be changed.
func (e *Encoder) Recon() *Frame { return e.rec }

// I420 returns the shown part as planar 4:2:0 bytes: all of Y, then Cb, then
// Cr, without padding.
func (f *Frame) I420() []byte {
	out := make([]byte, 0, f.Width*f.Height*3/2)
	for y := range f.Height {
		out = append(out, f.Y[y*f.Stride:y*f.Stride+f.Width]...)
	}
	for _, plane := range [2][]uint8{f.Cb, f.Cr} {
		for y := range f.Height / 2 {
			out = append(out, plane[y*f.CStride:y*f.CStride+f.Width/2]...)
		}
	}
	return out
}
