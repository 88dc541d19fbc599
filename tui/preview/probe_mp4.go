package preview

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/Eyevinn/mp4ff/mp4"
)

const (
	maxMoov  = 16 << 20 // bytes of the index that are read
	maxBoxes = 1000     // boxes at the top that are looked at
)

// mp4 reads the index of an MP4, wherever in the file it is, and no media data.
func (info *Info) mp4(r io.ReaderAt, size int64) error {
	info.Kind, info.Format = Video, "MP4"
	raw, err := findBox(r, size, "moov")
	if err != nil {
		return err
	}
	box, err := mp4.DecodeBox(0, bytes.NewReader(raw))
	if err != nil {
		return errDamaged
	}
	moov, ok := box.(*mp4.MoovBox)
	if !ok {
		return errDamaged
	}
	if h := moov.Mvhd; h != nil {
		info.Duration = ticks(h.Duration, h.Timescale)
	}
	for _, t := range moov.Traks {
		info.track(t)
	}
	if info.Codec == "" && info.AudioCodec != "" {
		info.Kind = Audio
	}
	return nil
}

// findBox reads a box at the top of the file, whole with its head.
func findBox(r io.ReaderAt, size int64, name string) ([]byte, error) {
	at := int64(0)
	var head [16]byte
	for range maxBoxes {
		n, err := r.ReadAt(head[:], at)
		if n < 8 {
			return nil, fmt.Errorf("no %s in it", name)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		length := int64(binary.BigEndian.Uint32(head[:4]))
		switch {
		case length == 0:
			length = size - at
		case length == 1 && n == 16:
			big := binary.BigEndian.Uint64(head[8:])
			if big > math.MaxInt64 {
				return nil, errDamaged
			}
			length = int64(big)
		}
		if length < 8 || length > size-at {
			return nil, errDamaged
		}
		if string(head[4:8]) != name {
			at += length
			continue
		}
		if length > maxMoov {
			return nil, fmt.Errorf("its index has %d bytes, at most %d are read", length, maxMoov)
		}
		raw := make([]byte, length)
		if _, err := r.ReadAt(raw, at); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return raw, nil
	}
	return nil, fmt.Errorf("no %s in it", name)
}

// track takes what is known of one track; the first of a kind counts.
func (info *Info) track(t *mp4.TrakBox) {
	if t == nil || t.Mdia == nil || t.Mdia.Minf == nil || t.Mdia.Minf.Stbl == nil || t.Mdia.Minf.Stbl.Stsd == nil {
		return
	}
	stbl := t.Mdia.Minf.Stbl
	for _, c := range stbl.Stsd.Children {
		switch e := c.(type) {
		case *mp4.VisualSampleEntryBox:
			if info.Codec != "" {
				continue
			}
			info.Codec = ascii(e.Type())
			info.Width, info.Height = int(e.Width), int(e.Height)
			info.fps(t.Mdia.Mdhd, stbl.Stts)
		case *mp4.AudioSampleEntryBox:
			if info.AudioCodec != "" {
				continue
			}
			info.AudioCodec = ascii(e.Type())
			info.Channels, info.Rate = int(e.ChannelCount), int(e.SampleRate)
		}
	}
}

func (info *Info) fps(mdhd *mp4.MdhdBox, stts *mp4.SttsBox) {
	if mdhd == nil || stts == nil {
		return
	}
	var samples, length uint64
	for i, n := range stts.SampleCount {
		samples += uint64(n)
		length += uint64(n) * uint64(stts.SampleTimeDelta[i])
	}
	if length > 0 {
		info.FPS = float64(samples) * float64(mdhd.Timescale) / float64(length)
	}
	if info.Duration == 0 {
		info.Duration = ticks(length, mdhd.Timescale)
	}
}

// ticks is a length in units of a time scale; 0 when it makes no sense.
func ticks(n uint64, scale uint32) time.Duration {
	if scale == 0 {
		return 0
	}
	return seconds(float64(n) / float64(scale))
}

// seconds is a duration; 0 for what no file can honestly say.
func seconds(s float64) time.Duration {
	const most = 1000 * 3600
	if !(s >= 0 && s <= most) {
		return 0
	}
	return time.Duration(s * float64(time.Second))
}

// ascii keeps the printable characters of a name that comes from a file.
func ascii(s string) string {
	out := make([]byte, 0, 8)
	for i := range len(s) {
		if c := s[i]; c > ' ' && c < 0x7f && len(out) < 8 {
			out = append(out, c)
		}
	}
	return string(out)
}
