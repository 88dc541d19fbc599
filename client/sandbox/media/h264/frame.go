package h264

import "image"

// Frame is one picture in YCbCr 4:2:0, 8 bits, limited range (16..235),
// BT.709. The planes have the coded size, a multiple of 16 luma samples each
// way; what lies outside Width x Height is cropped away by the decoder.
type Frame struct {
	Width, Height   int // shown size, in luma samples
	Stride, CStride int // samples from row to row, luma and chroma
	Rows, CRows     int // coded rows, luma and chroma
	Y, Cb, Cr       []uint8
}

// NewFrame makes a black frame for a shown size of width x height.
func NewFrame(width, height int) *Frame {
	f := &Frame{Width: width, Height: height, Stride: (width + 15) &^ 15, Rows: (height + 15) &^ 15}
	f.CStride, f.CRows = f.Stride/2, f.Rows/2
	f.Y = make([]uint8, f.Stride*f.Rows)
	f.Cb = make([]uint8, f.CStride*f.CRows)
	f.Cr = make([]uint8, f.CStride*f.CRows)
	for i := range f.Y {
		f.Y[i] = 16
	}
	for i := range f.Cb {
		f.Cb[i], f.Cr[i] = 128, 128
	}
	return f
}

// SetRGBA converts img, whose bounds must have the frame's shown size, and
// repeats its last row and column into the coded border. Alpha is ignored.
func (f *Frame) SetRGBA(img *image.RGBA) {
	for y := 0; y < f.Height; y += 2 {
		at := img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y)
		f.convertRows(y, img.Pix[at:at+4*f.Width], img.Pix[at+img.Stride:at+img.Stride+4*f.Width])
	}
	padPlane(f.Y, f.Stride, f.Width, f.Height)
	padPlane(f.Cb, f.CStride, f.Width/2, f.Height/2)
	padPlane(f.Cr, f.CStride, f.Width/2, f.Height/2)
}

// convertRows converts rows y and y+1, given as RGBA bytes. The factors are
// BT.709's, scaled by 2^16.
func (f *Frame) convertRows(y int, top, bottom []uint8) {
	y0 := f.Y[y*f.Stride : y*f.Stride+f.Width]
	y1 := f.Y[(y+1)*f.Stride : (y+1)*f.Stride+f.Width]
	cb := f.Cb[y/2*f.CStride:]
	cr := f.Cr[y/2*f.CStride:]
	for x := 0; x < f.Width; x += 2 {
		var r, g, b int32
		for i, p := range [2][]uint8{top[4*x : 4*x+8], bottom[4*x : 4*x+8]} {
			row := y0
			if i == 1 {
				row = y1
			}
			r0, g0, b0 := int32(p[0]), int32(p[1]), int32(p[2])
			r1, g1, b1 := int32(p[4]), int32(p[5]), int32(p[6])
			row[x] = uint8((11966*r0 + 40254*g0 + 4064*b0 + 16<<16 + 1<<15) >> 16)
			row[x+1] = uint8((11966*r1 + 40254*g1 + 4064*b1 + 16<<16 + 1<<15) >> 16)
			r, g, b = r+r0+r1, g+g0+g1, b+b0+b1
		}
		// r, g and b are sums of four.
		cb[x/2] = uint8((-6596*r - 22189*g + 28785*b + 128<<18 + 1<<17) >> 18)
		cr[x/2] = uint8((28785*r - 26145*g - 2640*b + 128<<18 + 1<<17) >> 18)
	}
}

func padPlane(p []uint8, stride, width, height int) {
	for y := range height {
		row := p[y*stride : (y+1)*stride]
		for x := width; x < stride; x++ {
			row[x] = row[width-1]
		}
	}
	last := p[(height-1)*stride : height*stride]
	for y := height; y < len(p)/stride; y++ {
		copy(p[y*stride:(y+1)*stride], last)
	}
}
