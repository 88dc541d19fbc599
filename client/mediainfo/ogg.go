package mediainfo

import (
	"bytes"
	"encoding/binary"
	"io"
)

// opusRate is what Opus counts in, whatever the sound was made of.
const opusRate = 48000

// ogg reads the first packet of an Ogg file, which describes the stream, and the last page,
// which says how long it is.
func (info *Info) ogg(r io.ReaderAt, head []byte, size int64) error {
	info.Kind, info.Format = Audio, "Ogg"
	if len(head) < 28 {
		return errDamaged
	}
	packet := head[min(len(head), 27+int(head[26])):]
	skip := uint64(0)
	switch {
	case bytes.HasPrefix(packet, []byte("\x01vorbis")) && len(packet) >= 16:
		info.AudioCodec, info.Channels = "vorbis", int(packet[11])
		info.Rate = int(binary.LittleEndian.Uint32(packet[12:]))
	case bytes.HasPrefix(packet, []byte("OpusHead")) && len(packet) >= 16:
		info.AudioCodec, info.Channels, info.Rate = "opus", int(packet[9]), opusRate
		skip = uint64(binary.LittleEndian.Uint16(packet[10:]))
	default:
		return errDamaged
	}
	if info.Rate <= 0 || info.Rate > 1<<20 {
		info.Rate = 0
		return errDamaged
	}
	tail := make([]byte, min(size, headSize))
	n, err := r.ReadAt(tail, size-int64(len(tail)))
	if n < len(tail) && err != nil {
		return err
	}
	for {
		at := bytes.LastIndex(tail, []byte("OggS"))
		if at < 0 {
			return nil
		}
		if page := tail[at:]; len(page) >= 18 && bytes.Equal(page[14:18], head[14:18]) { // of the same stream
			if end := binary.LittleEndian.Uint64(page[6:]); end >= skip && end < 1<<62 {
				info.Duration = seconds(float64(end-skip) / float64(info.Rate))
				return nil
			}
		}
		tail = tail[:at]
	}
}
