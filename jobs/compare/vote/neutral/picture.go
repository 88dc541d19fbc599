package neutral

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"time"

	"golang.org/x/image/webp"

	"darkroom/client/mediainfo"
)

// maxPixels bounds the pictures that are copied: 8K and more.
const maxPixels = 64 << 20

// pictureTime bounds how long one picture is read.
const pictureTime = 30 * time.Second

// patient reads until a context ends.
type patient struct {
	ctx context.Context //nolint:containedctx // decoders take no context
	r   io.Reader
}

func (p patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.r.Read(b[:min(len(b), 32<<10)])
}

// picture copies the pixels of a picture, turned as they are to be seen.
func picture(ctx context.Context, from, to string) error {
	ctx, cancel := context.WithTimeout(ctx, pictureTime)
	defer cancel()
	f, size, err := mediainfo.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, min(size, 64<<10))
	if _, err := io.ReadFull(f, head); err != nil {
		return err
	}
	format := mediainfo.PictureFormat(head)
	whole := func() io.Reader { return patient{ctx, io.NewSectionReader(f, 0, size)} }
	cfg, err := mediainfo.PictureConfig(format, whole())
	if err != nil {
		return err
	}
	if int64(cfg.Width)*int64(cfg.Height) > maxPixels {
		return fmt.Errorf("it has more than %d million pixels", maxPixels>>20)
	}
	decode, ok := map[string]func(io.Reader) (image.Image, error){"PNG": png.Decode, "JPEG": jpeg.Decode, "GIF": gif.Decode, "WebP": webp.Decode}[format]
	if !ok {
		return errors.New("not a picture that can be shown")
	}
	img, err := decode(whole())
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // #nosec G304 -- in our own folder
	if err != nil {
		return err
	}
	err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(out, upright(img, mediainfo.Orientation(head)))
	return errors.Join(err, out.Close())
}

// upright turns a picture by EXIF's number of its orientation.
func upright(img image.Image, orientation int) image.Image {
	if orientation <= 1 {
		return img
	}
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	if orientation > 4 {
		w, h = h, w
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			sx, sy := x, y
			if orientation > 4 {
				sx, sy = y, x
			}
			switch orientation {
			case 2, 3, 7, 8:
				sx = b.Dx() - 1 - sx
			}
			switch orientation {
			case 3, 4, 6, 7:
				sy = b.Dy() - 1 - sy
			}
			out.Set(x, y, img.At(b.Min.X+sx, b.Min.Y+sy))
		}
	}
	return out
}
