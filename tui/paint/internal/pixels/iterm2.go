package pixels

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"strconv"
)

// movingQuality is the JPEG quality of moving pictures: each is sent anew, and seen for a moment.
const movingQuality = 80

// AppendInline writes the part r of a picture as iTerm2 takes it, to fill cols x rows
// cells from the cursor on. The terminal scales it to them.
func AppendInline(dst []byte, img *image.RGBA, r image.Rectangle, cols, rows int, moving bool) []byte {
	r = r.Intersect(img.Bounds())
	if r.Empty() {
		return dst
	}
	var file bytes.Buffer
	var err error
	if part := img.SubImage(r); moving {
		err = jpeg.Encode(&file, part, &jpeg.Options{Quality: movingQuality})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, part)
	}
	if err != nil { // of what cannot be: memory takes everything
		return dst
	}
	dst = append(dst, "\x1b]1337;File=inline=1;size="...)
	dst = strconv.AppendInt(dst, int64(file.Len()), 10)
	dst = append(dst, ";width="...)
	dst = strconv.AppendInt(dst, int64(cols), 10)
	dst = append(dst, ";height="...)
	dst = strconv.AppendInt(dst, int64(rows), 10)
	dst = append(dst, ";preserveAspectRatio=0;doNotMoveCursor=1:"...)
	dst = base64.StdEncoding.AppendEncode(dst, file.Bytes())
	return append(dst, '\a')
}
