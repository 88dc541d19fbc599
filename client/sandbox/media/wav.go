package media

import (
	"encoding/binary"
	"math"
)

// wav encodes two channels of samples as 16-bit PCM in a RIFF file. Samples
// beyond -1..1 are limited.
func wav(left, right []float32, rate int) []byte {
	const channels, bytesPerSample = 2, 2
	size := len(left) * channels * bytesPerSample
	b := make([]byte, 0, 44+size)
	le := binary.LittleEndian
	b = append(b, "RIFF"...)
	b = le.AppendUint32(b, uint32(36+size))
	b = append(b, "WAVEfmt "...)
	b = le.AppendUint32(b, 16)
	b = le.AppendUint16(b, 1) // PCM
	b = le.AppendUint16(b, channels)
	b = le.AppendUint32(b, uint32(rate))
	b = le.AppendUint32(b, uint32(rate*channels*bytesPerSample))
	b = le.AppendUint16(b, channels*bytesPerSample)
	b = le.AppendUint16(b, 8*bytesPerSample)
	b = append(b, "data"...)
	b = le.AppendUint32(b, uint32(size))
	for i, l := range left {
		b = le.AppendUint16(b, pcm(l))
		b = le.AppendUint16(b, pcm(right[i]))
	}
	return b
}

func pcm(v float32) uint16 {
	v = max(-1, min(v, 1))
	return uint16(int16(math.Round(float64(v) * 32767)))
}
