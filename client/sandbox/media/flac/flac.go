// Package flac writes sound as FLAC frames that hold the samples as they are, without compression: the
// one lossless sound that browsers play in an MP4, and little code.
package flac

import (
	"encoding/binary"
	"math"
)

// Rate is how many samples there are in a second.
const Rate = 32_000

// Block is how many samples a frame has; the last one has what is left.
const Block = 4096

// Info is the metadata block that describes a stream of n samples: one channel, 16 bits. It is the
// last and only one.
func Info(n int) []byte {
	const last, length, bits = 0x80, 34, 16
	b := []byte{last, 0, 0, length}
	b = binary.BigEndian.AppendUint16(b, Block)
	b = binary.BigEndian.AppendUint16(b, Block)
	b = append(b, 0, 0, 0, 0, 0, 0) // the sizes of frames are not told
	// 20 bits of rate, 3 of channels less one, 5 of bits less one, 36 of samples.
	b = binary.BigEndian.AppendUint64(b, uint64(Rate)<<44|uint64(bits-1)<<36|uint64(n)&(1<<36-1))
	return append(b, make([]byte, 16)...) // no checksum of the samples
}

// Frames encodes one channel of samples from -1 to 1.
func Frames(samples []float32) [][]byte {
	var out [][]byte
	for at := 0; at < len(samples); at += Block {
		out = append(out, frame(len(out), samples[at:min(at+Block, len(samples))]))
	}
	return out
}

// frame encodes the samples of frame i.
func frame(i int, samples []float32) []byte {
	const (
		sizeWhole, sizeTold = 12 << 4, 7 << 4 // 4096 samples; how many stands at the end of the head
		rate32k, mono16     = 8, 4 << 1
		verbatim            = 1 << 1
	)
	b := []byte{0xff, 0xf8, sizeWhole | rate32k, mono16}
	if len(samples) != Block {
		b[2] = sizeTold | rate32k
	}
	b = appendNumber(b, i)
	if len(samples) != Block {
		b = binary.BigEndian.AppendUint16(b, uint16(len(samples)-1))
	}
	b = append(b, crc8(b), verbatim)
	for _, s := range samples {
		b = binary.BigEndian.AppendUint16(b, uint16(int16(math.Round(float64(max(-1, min(s, 1)))*32767))))
	}
	return binary.BigEndian.AppendUint16(b, crc16(b))
}

// appendNumber writes a number of up to 16 bits as UTF-8 writes a character, surrogates too.
func appendNumber(b []byte, n int) []byte {
	switch {
	case n < 0x80:
		return append(b, byte(n))
	case n < 0x800:
		return append(b, 0xc0|byte(n>>6), 0x80|byte(n&0x3f))
	default:
		return append(b, 0xe0|byte(n>>12&0x0f), 0x80|byte(n>>6&0x3f), 0x80|byte(n&0x3f))
	}
}

func crc8(b []byte) byte {
	var c byte
	for _, x := range b {
		c ^= x
		for range 8 {
			if c&0x80 != 0 {
				c = c<<1 ^ 0x07
			} else {
				c <<= 1
			}
		}
	}
	return c
}

func crc16(b []byte) uint16 {
	var c uint16
	for _, x := range b {
		c ^= uint16(x) << 8
		for range 8 {
			if c&0x8000 != 0 {
				c = c<<1 ^ 0x8005
			} else {
				c <<= 1
			}
		}
	}
	return c
}
