package flac

import (
	"bytes"
	"encoding/binary"
	"math"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ffmpeg, which checks every frame, hears the samples as they were. Some numbers of frames take one
// byte, some two and some three.
func TestFramesAreHeardAsTheyWere(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, Block - 1, Block, Block + 1, 130*Block + 7, 2050 * Block} {
		samples, want := make([]float32, n), make([]byte, 0, 2*n)
		for i := range samples {
			samples[i] = float32(1.1 * math.Sin(float64(i)/40)) // the loudest are cut
			want = binary.LittleEndian.AppendUint16(want, uint16(int16(math.Round(float64(max(-1, min(samples[i], 1)))*32767))))
		}
		stream := append([]byte("fLaC"), Info(n)...)
		stream = append(stream, bytes.Join(Frames(samples), nil)...)
		cmd := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-xerror", "-err_detect", "crccheck+explode", "-f", "flac", "-i", "-", "-f", "s16le", "-")
		cmd.Stdin = bytes.NewReader(stream)
		var told bytes.Buffer
		cmd.Stderr = &told
		got, err := cmd.Output()
		require.NoError(t, err, "%d samples: %s", n, &told)
		assert.Empty(t, told.String())
		assert.True(t, bytes.Equal(want, got), "%d samples", n)
	}
	assert.Empty(t, Frames(nil))
}
