package mediainfo

import (
	"errors"
	"io"
	"math"
	"strings"
)

// ebmlMagic is what a WebM or another Matroska file begins with.
const ebmlMagic = "\x1a\x45\xdf\xa3"

// Elements that are looked at.
const (
	idHead            = 0x1a45dfa3
	idDocType         = 0x4282
	idSegment         = 0x18538067
	idInfo            = 0x1549a966
	idScale           = 0x2ad7b1
	idDuration        = 0x4489
	idTracks          = 0x1654ae6b
	idTrack           = 0xae
	idTrackType       = 0x83
	idCodec           = 0x86
	idDefaultDuration = 0x23e383
	idVideo           = 0xe0
	idWidth           = 0xb0
	idHeight          = 0xba
	idAudio           = 0xe1
	idRate            = 0xb5
	idChannels        = 0x9f
	idBits            = 0x6264
)

// maxCodecName is how long the name of a codec may be; those that are known have some 30 bytes.
const maxCodecName = 128

// webm reads the heads of a WebM, or of another Matroska file, and no media data. At damage it
// keeps what it has read.
func (info *Info) webm(r io.ReaderAt, size int64) error {
	info.Kind, info.Format = Video, "Matroska"
	e := &elements{r, maxHeads}
	found := false
	err := e.each(0, size, func(in element) (bool, error) {
		switch in.id {
		case idHead:
			return false, info.docType(e, in)
		case idSegment:
			found = true
			return true, info.segment(e, in)
		}
		return false, nil
	})
	if err == nil && !found {
		err = errors.New("no segment in it")
	}
	if info.Codec == "" && info.AudioCodec != "" {
		info.Kind = Audio
	}
	return err
}

func (info *Info) docType(e *elements, head element) error {
	return e.each(head.at, head.end, func(in element) (bool, error) {
		if in.id != idDocType {
			return false, nil
		}
		p, err := e.bytes(in, maxCodecName)
		if string(p) == "webm" {
			info.Format = "WebM"
		}
		return true, err
	})
}

// segment reads what stands before the media data, and behind it where there is a way to that.
func (info *Info) segment(e *elements, segment element) error {
	left := 2
	return e.each(segment.at, segment.end, func(in element) (_ bool, err error) {
		switch in.id {
		case idInfo:
			left--
			err = info.length(e, in)
		case idTracks:
			left--
			err = e.each(in.at, in.end, func(in element) (bool, error) {
				if in.id != idTrack {
					return false, nil
				}
				return false, info.ebmlTrack(e, in)
			})
		}
		return left == 0, err
	})
}

// length reads the duration.
func (info *Info) length(e *elements, in element) error {
	scale, units := uint64(1e6), 0.0 // nanoseconds a unit, and how many of those
	err := e.each(in.at, in.end, func(in element) (_ bool, err error) {
		switch in.id {
		case idScale:
			scale, err = e.whole(in)
		case idDuration:
			units, err = e.float(in)
		}
		return false, err
	})
	info.Duration = seconds(units * float64(scale) / 1e9)
	return err
}

// matroskaTrack is what is known of one track.
type matroskaTrack struct {
	kind, width, height, channels, bits uint64
	every                               uint64 // nanoseconds a frame
	rate                                float64
	codec                               string
}

// ebmlTrack takes what is known of one track; the first of a kind counts.
func (info *Info) ebmlTrack(e *elements, track element) error {
	t := matroskaTrack{channels: 1}
	err := t.read(e, track)
	const video, audio = 1, 2
	switch {
	case t.kind == video && info.Codec == "":
		info.Codec, info.Width, info.Height = t.codec, few(t.width), few(t.height)
		if t.every > 0 {
			info.FPS = 1e9 / float64(t.every)
		}
	case t.kind == audio && info.AudioCodec == "":
		info.AudioCodec, info.Channels, info.Bits = t.codec, few(t.channels), few(t.bits)
		if t.rate > 0 && t.rate < 1<<20 {
			info.Rate = int(t.rate)
		}
	}
	return err
}

// few is a number of pixels, channels or bits; 0 for what none can have.
func few(n uint64) int {
	if n > math.MaxUint16 {
		return 0
	}
	return int(n)
}

// read takes over what an element holds, and those in it.
func (t *matroskaTrack) read(e *elements, in element) error {
	return e.each(in.at, in.end, func(in element) (_ bool, err error) {
		switch in.id {
		case idVideo, idAudio:
			err = t.read(e, in)
		case idTrackType:
			t.kind, err = e.whole(in)
		case idCodec:
			var p []byte
			p, err = e.bytes(in, maxCodecName)
			t.codec = codecName(string(p))
		case idDefaultDuration:
			t.every, err = e.whole(in)
		case idWidth:
			t.width, err = e.whole(in)
		case idHeight:
			t.height, err = e.whole(in)
		case idRate:
			t.rate, err = e.float(in)
		case idChannels:
			t.channels, err = e.whole(in)
		case idBits:
			t.bits, err = e.whole(in)
		}
		return false, err
	})
}

// codecName is the name of a codec as people know it: "vp9" for V_VP9, "avc" for
// V_MPEG4/ISO/AVC.
func codecName(id string) string {
	_, name, _ := strings.Cut(id, "_")
	return ascii(strings.ToLower(name[strings.LastIndexByte(name, '/')+1:]))
}
