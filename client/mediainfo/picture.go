package mediainfo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// PictureFormat is the format of a picture by its first bytes: "PNG", "JPEG", "GIF", "WebP"; "" for
// anything else.
func PictureFormat(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return "PNG"
	case bytes.HasPrefix(head, []byte{0xff, 0xd8, 0xff}):
		return "JPEG"
	case bytes.HasPrefix(head, []byte("GIF8")):
		return "GIF"
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return "WebP"
	}
	return ""
}

// PictureConfig reads the head of a picture of a format of [PictureFormat].
func PictureConfig(format string, r io.Reader) (image.Config, error) {
	switch format {
	case "PNG":
		return png.DecodeConfig(r)
	case "JPEG":
		return jpeg.DecodeConfig(r)
	case "GIF":
		return gif.DecodeConfig(r)
	case "WebP":
		return webp.DecodeConfig(r)
	}
	return image.Config{}, errors.New("not a picture")
}

// picture takes the size from the head of a picture, which follows all the metadata of cameras and
// programs.
func (info *Info) picture(r io.ReaderAt, size int64, head []byte) error {
	info.Kind, info.Format = Picture, PictureFormat(head)
	cfg, err := PictureConfig(info.Format, io.NewSectionReader(r, 0, size))
	if err != nil {
		return err
	}
	info.Width, info.Height = cfg.Width, cfg.Height
	if Orientation(head) > 4 {
		info.Width, info.Height = cfg.Height, cfg.Width
	}
	return nil
}

const upright = 1

// Orientation is how to turn a picture before showing it, in EXIF's numbers, from the head of a
// JPEG, which may be cut anywhere: 1 for upright, 2 to 8 for the mirrorings and quarter turns, of
// which those from 5 on swap width and height. It is 1 for other files, and where the value is
// missing or makes no sense.
func Orientation(data []byte) int {
	const start, app1, scan = 0xd8, 0xe1, 0xda
	if len(data) < 4 || data[0] != 0xff || data[1] != start {
		return upright
	}
	for at := 2; at+4 <= len(data) && data[at] == 0xff && data[at+1] != scan; {
		length := int(binary.BigEndian.Uint16(data[at+2:]))
		part := data[at+4 : max(at+4, min(at+2+length, len(data)))]
		if exif, ok := bytes.CutPrefix(part, []byte("Exif\x00\x00")); ok && data[at+1] == app1 {
			return exifOrientation(exif)
		}
		at += 2 + length
	}
	return upright
}

// exifOrientation looks for the orientation among the entries of the first directory of a TIFF.
func exifOrientation(tiff []byte) int {
	const entry, tag, short = 12, 0x0112, 3 // bytes, the tag, its type
	if len(tiff) < 8 {
		return upright
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(tiff[:2]) == "MM" {
		order = binary.BigEndian
	}
	first := int64(order.Uint32(tiff[4:]))
	if first+2 > int64(len(tiff)) {
		return upright
	}
	n := int(order.Uint16(tiff[first:]))
	for rest := tiff[first+2:]; n > 0 && len(rest) >= entry; n, rest = n-1, rest[entry:] {
		if order.Uint16(rest) == tag && order.Uint16(rest[2:]) == short {
			if o := int(order.Uint16(rest[8:])); o >= upright && o <= 8 {
				return o
			}
			return upright
		}
	}
	return upright
}
