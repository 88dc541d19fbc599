package media

import (
	"encoding/binary"
	"math"
)

// wav encodes channels of equally many samples as 16-bit PCM in a RIFF file. Samples beyond -1..1
// are limited.
func wav(rate int, sides ...[]float32) []byte {
	const bytesPerSample = 2
	channels := len(sides)
	size := len(sides[0]) * channels * bytesPerSample
	b := make([]byte, 0, 44+size)
	le := binary.LittleEndian
	b = append(b, "RIFF"...)
	b = le.AppendUint32(b, uint32(36+size))
	b = append(b, "WAVEfmt "...)
	b = le.AppendUint32(b, 16)
	b = le.AppendUint16(b, 1) // PCM
	b = le.AppendUint16(b, uint16(channels))
	b = le.AppendUint32(b, uint32(rate))
	b = le.AppendUint32(b, uint32(rate*channels*bytesPerSample))
	b = le.AppendUint16(b, uint16(channels*bytesPerSample))
	b = le.AppendUint16(b, 8*bytesPerSample)
	b = append(b, "data"...)
	b = le.AppendUint32(b, uint32(size))
	for i := range sides[0] {
		for _, side := range sides {
			b = le.AppendUint16(b, pcm(side[i]))
		}
	}
	return b
}

func pcm(v float32) uint16 {
	v = max(-1, min(v, 1))
	return uint16(int16(math.Round(float64(v) * 32767)))
}
