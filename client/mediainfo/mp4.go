package mediainfo

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"time"
)

// maxRuns is how many runs of frames of one length are read to tell the rate of a track.
const maxRuns = 1 << 18

// mp4 reads the index of an MP4, wherever in the file it is, and no media data. At damage it keeps
// what it has read.
func (info *Info) mp4(r io.ReaderAt, size int64) error {
	info.Kind, info.Format = Video, "MP4"
	b := &boxes{r, maxHeads}
	moov, ok, err := b.find(box{end: size}, "moov")
	switch {
	case err != nil:
		return err
	case !ok:
		return errors.New("no moov in it")
	}
	err = b.each(moov.at, moov.end, func(in box) (_ bool, err error) {
		switch in.name {
		case "mvhd":
			var c clock
			c, err = b.clock(in)
			if d := c.length(); d > 0 {
				info.Duration = d
			}
		case "trak":
			err = info.track(b, in)
		}
		return false, err
	})
	if info.Codec == "" && info.AudioCodec != "" {
		info.Kind = Audio
	}
	return err
}

// track takes what is known of one track; the first of a kind counts.
func (info *Info) track(b *boxes, trak box) error {
	mdia, ok, err := b.find(trak, "mdia")
	if !ok {
		return err
	}
	kind, err := b.handler(mdia)
	first := kind == "vide" && info.Codec == "" || kind == "soun" && info.AudioCodec == ""
	if err != nil || !first {
		return err
	}
	stbl, ok, err := b.find(mdia, "minf", "stbl")
	if !ok {
		return err
	}
	codec, e, err := b.entry(stbl)
	switch {
	case err != nil || codec == "":
		return err
	case kind == "soun":
		info.AudioCodec = codec
		info.Channels, info.Rate = int(binary.BigEndian.Uint16(e[16:])), int(binary.BigEndian.Uint16(e[24:]))
		return nil
	}
	info.Codec = codec
	info.Width, info.Height = int(binary.BigEndian.Uint16(e[24:])), int(binary.BigEndian.Uint16(e[26:]))
	return info.fps(b, mdia, stbl)
}

// handler says what a track is of: "vide", "soun"; "" where it does not say.
func (b *boxes) handler(mdia box) (string, error) {
	hdlr, ok, err := b.find(mdia, "hdlr")
	if !ok {
		return "", err
	}
	var h [12]byte // version, what was there before, the kind
	if err := b.read(hdlr, h[:]); err != nil {
		return "", err
	}
	return string(h[8:]), nil
}

// entry reads the beginning of the first description of a track's samples: the name of
// their codec, and what pictures and sounds tell at different places; "" where there is none.
func (b *boxes) entry(stbl box) (codec string, e [28]byte, err error) {
	stsd, ok, err := b.find(stbl, "stsd")
	stsd.at += 8 // version, count of descriptions
	if !ok || stsd.end-stsd.at < 8 {
		return "", e, err
	}
	first, err := b.head(stsd.at, stsd.end)
	if err != nil {
		return "", e, err
	}
	err = b.read(first, e[:])
	return ascii(first.name), e, err
}

// clock is a length in units of a scale.
type clock struct {
	scale uint32 // units a second
	units uint64
}

func (c clock) length() time.Duration { return ticks(float64(c.units), c.scale) }

// clock reads it from the head of a movie or of a track's media.
func (b *boxes) clock(in box) (clock, error) {
	var h [32]byte // as much as the longer version has up to the end of the length
	short := h[:20]
	if err := b.read(in, short); err != nil {
		return clock{}, err
	}
	if h[0] == 0 {
		c := clock{binary.BigEndian.Uint32(h[12:]), uint64(binary.BigEndian.Uint32(h[16:]))}
		if c.units == math.MaxUint32 { // not known
			c.units = 0
		}
		return c, nil
	}
	if err := b.read(in, h[:]); err != nil {
		return clock{}, err
	}
	return clock{binary.BigEndian.Uint32(h[20:]), binary.BigEndian.Uint64(h[24:])}, nil
}

// fps takes the mean rate of frames from how long each of them shows.
func (info *Info) fps(b *boxes, mdia, stbl box) error {
	mdhd, ok, err := b.find(mdia, "mdhd")
	if !ok {
		return err
	}
	c, err := b.clock(mdhd)
	if err != nil {
		return err
	}
	stts, ok, err := b.find(stbl, "stts")
	if !ok {
		return err
	}
	var h [8]byte // version, count of runs
	if err := b.read(stts, h[:]); err != nil {
		return err
	}
	n := int64(binary.BigEndian.Uint32(h[4:]))
	stts.at += int64(len(h))
	if n > (stts.end-stts.at)/8 {
		return errDamaged
	}
	runs := make([]byte, 8*min(n, maxRuns))
	if err := b.read(stts, runs); err != nil {
		return err
	}
	var frames, length float64
	for ; len(runs) > 0; runs = runs[8:] {
		count := float64(binary.BigEndian.Uint32(runs))
		frames += count
		length += count * float64(binary.BigEndian.Uint32(runs[4:]))
	}
	if length > 0 {
		info.FPS = frames * float64(c.scale) / length
	}
	if info.Duration == 0 && n <= maxRuns {
		info.Duration = ticks(length, c.scale)
	}
	return nil
}

// ticks is a length in units of a time scale; 0 when it makes no sense.
func ticks(n float64, scale uint32) time.Duration {
	if scale == 0 {
		return 0
	}
	return seconds(n / float64(scale))
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
