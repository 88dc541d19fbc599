package drift

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHowFarTheLookIs(t *testing.T) {
	t.Parallel()
	require.Equal(t, "120 of 4000 jobs looked through, 700 answers", far(120, 700, 4000))
	require.Equal(t, "1 job looked through, 1 answer", far(1, 1, -1), "of the last days, nobody knows how many")
	require.Equal(t, "0 of 0 jobs looked through, 0 answers", far(0, 0, 0))
}
