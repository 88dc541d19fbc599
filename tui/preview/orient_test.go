package preview

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo"
)

// cornered is a picture of 32x16 whose corners differ, as a JPEG of an orientation.
func cornered(t *testing.T, o int, grey bool, order binary.AppendByteOrder) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 32, 16))
	for y := range 16 {
		for x := range 32 {
			img.Set(x, y, corners[y/8*2+x/16])
		}
	}
	var of image.Image = img
	if grey {
		g := image.NewGray(img.Rect)
		for y := range 16 {
			for x := range 32 {
				g.Set(x, y, img.At(x, y))
			}
		}
		of = g
	}
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, of, &jpeg.Options{Quality: 100}))
	name := "MM"
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		name = "II"
	}
	tiff := order.AppendUint16([]byte(name), 42)
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 2)
	for _, e := range [][2]int{{0x010f, 1}, {0x0112, o}} {
		tiff = order.AppendUint16(tiff, uint16(e[0]))
		tiff = order.AppendUint16(tiff, 3)
		tiff = order.AppendUint32(tiff, 1)
		tiff = order.AppendUint16(tiff, uint16(e[1]))
		tiff = order.AppendUint16(tiff, 0)
	}
	part := append([]byte("Exif\x00\x00"), tiff...)
	head := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(part)+2))
	return append(append(head, part...), b.Bytes()[2:]...)
}

var corners = []color.RGBA{{200, 40, 40, 255}, {40, 200, 40, 255}, {40, 40, 200, 255}, {220, 220, 220, 255}}

// A camera that was held on its side says so, and viewers turn the picture.
func TestPicturesAreTurnedAsTheirCameraSays(t *testing.T) {
	t.Parallel()
	for o, want := range map[int][]int{ // which corner is seen at the top left, top right, bottom left, bottom right
		0: {0, 1, 2, 3}, 1: {0, 1, 2, 3}, 2: {1, 0, 3, 2}, 3: {3, 2, 1, 0}, 4: {2, 3, 0, 1},
		5: {0, 2, 1, 3}, 6: {2, 0, 3, 1}, 7: {3, 1, 2, 0}, 8: {1, 3, 0, 2}, 9: {0, 1, 2, 3},
	} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, grey := range []bool{false, true} {
				data := cornered(t, o, grey, order)
				img, err := Decode(context.Background(), bytes.NewReader(data), DefaultLimits())
				require.NoError(t, err)
				size := image.Pt(32, 16)
				if o >= 5 && o <= 8 {
					size = image.Pt(16, 32)
				}
				require.Equal(t, size, img.Bounds().Size(), "%d", o)
				for i, corner := range want {
					x, y := size.X/4+i%2*size.X/2, size.Y/4+i/2*size.Y/2
					r, g, b, _ := img.At(x, y).RGBA()
					c := corners[corner]
					if grey {
						y := color.GrayModel.Convert(c).(color.Gray).Y
						c = color.RGBA{y, y, y, 255}
					}
					assert.InDelta(t, c.R, r>>8, 12, "orientation %d, corner %d", o, i)
					assert.InDelta(t, c.G, g>>8, 12, "orientation %d, corner %d", o, i)
					assert.InDelta(t, c.B, b>>8, 12, "orientation %d, corner %d", o, i)
				}
				path := filepath.Join(t.TempDir(), "turned.jpg")
				require.NoError(t, os.WriteFile(path, data, 0o600))
				info, err := mediainfo.Read(t.Context(), path)
				require.NoError(t, err)
				assert.Equal(t, size, image.Pt(info.Width, info.Height))
			}
		}
	}
}

// What image/jpeg can decode into is turned as its pixels one by one would be.
func TestPlanesAreTurnedAsPixelsAre(t *testing.T) {
	t.Parallel()
	const w, h = 23, 10
	fill := func(b []byte) {
		for i := range b {
			b[i] = byte(i*7 + i/5)
		}
	}
	cmyk := image.NewCMYK(image.Rect(0, 0, w, h))
	fill(cmyk.Pix)
	pictures := []image.Image{cmyk}
	for _, r := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422,
		image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410} {
		p := image.NewYCbCr(image.Rect(0, 0, w, h), r)
		fill(p.Y)
		fill(p.Cb)
		fill(p.Cr)
		pictures = append(pictures, p)
	}
	for _, p := range pictures {
		for o := upright; o <= 8; o++ {
			out := o.turned(p)
			y, ok := out.(*image.YCbCr)
			in, _ := p.(*image.YCbCr)
			for py := range out.Bounds().Dy() {
				for px := range out.Bounds().Dx() {
					fx, fy := o.source(px, py, w, h)
					if ok { // colours lie between pixels: the plane of brightness is exact
						require.Equal(t, in.Y[in.YOffset(fx, fy)], y.Y[y.YOffset(px, py)])
						continue
					}
					wr, wg, wb, _ := p.At(fx, fy).RGBA()
					r, g, b, _ := out.At(px, py).RGBA()
					require.Equal(t, [3]uint32{wr >> 8, wg >> 8, wb >> 8}, [3]uint32{r >> 8, g >> 8, b >> 8}, "%T %d", p, o)
				}
			}
		}
	}
}
