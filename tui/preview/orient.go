package preview

import (
	"image"
)

// orientation says how to turn a picture before it is shown, by EXIF's numbers: 1 for not at all, 2
// to 8 for mirrorings and quarter turns. From 5 on, width and height change places.
type orientation int

const upright orientation = 1

// swaps reports whether width and height change places.
func (o orientation) swaps() bool { return o > 4 }

// source returns where in the original of w x h a pixel of the turned picture comes from.
func (o orientation) source(x, y, w, h int) (int, int) {
	switch o {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, h - 1 - x
	case 7:
		return w - 1 - y, h - 1 - x
	case 8:
		return w - 1 - y, x
	default:
		return x, y
	}
}

// turned returns a picture turned for display. That takes as much memory again. What JPEGs are
// decoded into is turned plane by plane, since turning pixel by pixel takes twenty times as long.
func (o orientation) turned(img image.Image) image.Image {
	if o == upright {
		return img
	}
	size := img.Bounds().Size()
	to := image.Rectangle{Max: size}
	if o.swaps() {
		to.Max = image.Pt(size.Y, size.X)
	}
	switch img := img.(type) {
	case *image.Gray:
		out := image.NewGray(to)
		o.plane(plane{img.Pix, img.Stride, 1}, plane{out.Pix, out.Stride, 1}, size, to.Max)
		return out
	case *image.CMYK:
		out := image.NewCMYK(to)
		o.plane(plane{img.Pix, img.Stride, 4}, plane{out.Pix, out.Stride, 4}, size, to.Max)
		return out
	case *image.YCbCr:
		if ratio, ok := o.ratio(img.SubsampleRatio); ok {
			out := image.NewYCbCr(to, ratio)
			o.plane(plane{img.Y, img.YStride, 1}, plane{out.Y, out.YStride, 1}, size, to.Max)
			from := chroma(size, img.SubsampleRatio)
			into := chroma(to.Max, ratio)
			o.plane(plane{img.Cb, img.CStride, 1}, plane{out.Cb, out.CStride, 1}, from, into)
			o.plane(plane{img.Cr, img.CStride, 1}, plane{out.Cr, out.CStride, 1}, from, into)
			return out
		}
	}
	out := image.NewRGBA(to)
	for y := range to.Max.Y {
		for x := range to.Max.X {
			fx, fy := o.source(x, y, size.X, size.Y)
			out.Set(x, y, img.At(img.Bounds().Min.X+fx, img.Bounds().Min.Y+fy))
		}
	}
	return out
}

// ratio returns the subsampling of the turned picture; false if package image has none that fits.
func (o orientation) ratio(r image.YCbCrSubsampleRatio) (image.YCbCrSubsampleRatio, bool) {
	switch {
	case !o.swaps() || r == image.YCbCrSubsampleRatio444 || r == image.YCbCrSubsampleRatio420:
		return r, true
	case r == image.YCbCrSubsampleRatio422:
		return image.YCbCrSubsampleRatio440, true
	case r == image.YCbCrSubsampleRatio440:
		return image.YCbCrSubsampleRatio422, true
	default:
		return r, false
	}
}

// chroma returns the size of the colour planes of a picture that begins at 0, 0.
func chroma(size image.Point, r image.YCbCrSubsampleRatio) image.Point {
	half, quarter := func(n int) int { return (n + 1) / 2 }, func(n int) int { return (n + 3) / 4 }
	switch r {
	case image.YCbCrSubsampleRatio422:
		return image.Pt(half(size.X), size.Y)
	case image.YCbCrSubsampleRatio420:
		return image.Pt(half(size.X), half(size.Y))
	case image.YCbCrSubsampleRatio440:
		return image.Pt(size.X, half(size.Y))
	case image.YCbCrSubsampleRatio411:
		return image.Pt(quarter(size.X), size.Y)
	case image.YCbCrSubsampleRatio410:
		return image.Pt(quarter(size.X), half(size.Y))
	default:
		return size
	}
}

// plane is one plane of a picture: the bytes, how many make a row, and how many a pixel.
type plane struct {
	pix           []byte
	stride, bytes int
}

// plane turns one plane of a size into one of another.
func (o orientation) plane(from, to plane, size, out image.Point) {
	for y := range out.Y {
		row := to.pix[y*to.stride:]
		for x := range out.X {
			fx, fy := o.source(x, y, size.X, size.Y)
			copy(row[x*to.bytes:(x+1)*to.bytes], from.pix[fy*from.stride+fx*from.bytes:])
		}
	}
}
