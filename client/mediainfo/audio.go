package mediainfo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// WaveSteps is how many steps [Info].Wave has at most.
const WaveSteps = 240

const (
	waveReads = 2 << 10 // bytes that are read for one step
	maxChunks = 1000    // parts of a WAV that are looked at
)

// wav reads the head of a WAV and samples of it for the wave form.
func (info *Info) wav(r io.ReaderAt, size int64) error {
	info.Kind, info.Format = Audio, "WAV"
	at := int64(12)
	var head [8]byte
	format := 0
	for range maxChunks {
		if _, err := r.ReadAt(head[:], at); err != nil {
			break
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		at += 8
		switch string(head[:4]) {
		case "fmt ":
			var f [16]byte
			if length < 16 {
				return errDamaged
			}
			if _, err := r.ReadAt(f[:], at); err != nil {
				return errDamaged
			}
			format = int(binary.LittleEndian.Uint16(f[0:]))
			info.Channels = int(binary.LittleEndian.Uint16(f[2:]))
			info.Rate = int(binary.LittleEndian.Uint32(f[4:]))
			info.Bits = int(binary.LittleEndian.Uint16(f[14:]))
			info.AudioCodec = wavCodec(format)
		case "data":
			// A length that a streaming writer never filled in means "to the end".
			length = min(length, size-at)
			return info.wavData(r, at, length, format)
		}
		at += length + length&1
	}
	return errors.New("no sound in it")
}

func wavCodec(format int) string {
	switch format {
	case 1, 0xfffe:
		return "pcm"
	case 3:
		return "float"
	default:
		return ""
	}
}

func (info *Info) wavData(r io.ReaderAt, at, length int64, format int) error {
	frame := int64(info.Channels) * int64(info.Bits/8)
	if frame <= 0 || info.Rate <= 0 {
		return errDamaged
	}
	info.Duration = seconds(float64(length/frame) / float64(info.Rate))
	if info.Bits != 16 || format == 3 || length < frame {
		return nil
	}
	steps := min(WaveSteps, length/frame)
	buf := make([]byte, waveReads)
	info.Wave = make([]float64, 0, steps)
	for i := range steps {
		from := length / frame * i / steps * frame
		n, err := r.ReadAt(buf[:min(int64(len(buf)), length-from)], at+from)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		peak := 0.0
		for j := 0; j+1 < n; j += 2 {
			v := int16(binary.LittleEndian.Uint16(buf[j:])) //nolint:gosec // two's complement
			peak = max(peak, math.Abs(float64(v))/32768)
		}
		info.Wave = append(info.Wave, peak)
	}
	return nil
}

// flac reads the first block of a FLAC, which describes the stream.
func (info *Info) flac(head []byte) error {
	info.Kind, info.Format, info.AudioCodec = Audio, "FLAC", "flac"
	if len(head) < 26 || head[4]&0x7f != 0 {
		return errDamaged
	}
	v := binary.BigEndian.Uint64(head[18:26]) // 20 bits rate, 3 channels, 5 bits, 36 samples
	info.Rate = int(v >> 44)                  //nolint:gosec // 20 bits
	info.Channels = int(v>>41&7) + 1
	info.Bits = int(v>>36&31) + 1
	if info.Rate > 0 {
		info.Duration = seconds(float64(v&(1<<36-1)) / float64(info.Rate))
	}
	return nil
}

func isMP3(head []byte) bool {
	if bytes.HasPrefix(head, []byte("ID3")) {
		return true
	}
	_, ok := mp3Frame(head)
	return ok
}

// frameInfo is what the head of an MPEG audio frame says.
type frameInfo struct{ rate, channels, bitrate, samples int }

// mp3Frame reads the head of a layer III frame.
func mp3Frame(b []byte) (frameInfo, bool) {
	if len(b) < 4 || b[0] != 0xff || b[1]&0xe0 != 0xe0 || b[1]>>1&3 != 1 {
		return frameInfo{}, false
	}
	version, rateAt, brAt := b[1]>>3&3, b[2]>>2&3, b[2]>>4
	if version == 1 || rateAt == 3 || brAt == 0 || brAt == 15 {
		return frameInfo{}, false
	}
	f := frameInfo{channels: 2, samples: 1152}
	f.rate = []int{44100, 48000, 32000}[rateAt]
	f.bitrate = []int{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}[brAt] * 1000
	if version != 3 {
		f.samples = 576
		f.rate /= 2
		if version == 0 {
			f.rate /= 2
		}
		f.bitrate = []int{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}[brAt] * 1000
	}
	if b[3]>>6 == 3 {
		f.channels = 1
	}
	return f, true
}

// mp3 reads the first frame. Its count of frames, when the encoder left one there, gives
// the duration; otherwise it is estimated from the bit rate.
func (info *Info) mp3(r io.ReaderAt, head []byte, size int64) error {
	info.Kind, info.Format, info.AudioCodec = Audio, "MP3", "mp3"
	start := int64(0)
	if bytes.HasPrefix(head, []byte("ID3")) {
		if len(head) < 10 {
			return errDamaged
		}
		start = 10 + int64(head[6]&0x7f)<<21 + int64(head[7]&0x7f)<<14 + int64(head[8]&0x7f)<<7 + int64(head[9]&0x7f)
		head = make([]byte, 8<<10)
		n, err := r.ReadAt(head, start)
		if n == 0 && err != nil {
			return errDamaged
		}
		head = head[:n]
	}
	f, at, ok := firstFrame(head)
	if !ok {
		return errDamaged
	}
	info.Rate, info.Channels = f.rate, f.channels
	if i := bytes.Index(head[at:min(len(head), at+200)], []byte("Xing")); i < 0 {
		i = bytes.Index(head[at:min(len(head), at+200)], []byte("Info"))
		if i >= 0 && info.frames(head[at+i:], f) {
			return nil
		}
	} else if info.frames(head[at+i:], f) {
		return nil
	}
	info.Duration, info.About = seconds(float64(size-start-int64(at))*8/float64(f.bitrate)), true
	return nil
}

func firstFrame(b []byte) (frameInfo, int, bool) {
	for i := 0; i+4 <= len(b); i++ {
		if f, ok := mp3Frame(b[i:]); ok {
			return f, i, true
		}
	}
	return frameInfo{}, 0, false
}

// frames takes the duration from the count of frames in an encoder's note.
func (info *Info) frames(tag []byte, f frameInfo) bool {
	if len(tag) < 12 || binary.BigEndian.Uint32(tag[4:])&1 == 0 {
		return false
	}
	n := binary.BigEndian.Uint32(tag[8:])
	info.Duration = seconds(float64(n) * float64(f.samples) / float64(f.rate))
	return true
}
