package kit

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBetween(t *testing.T) {
	t.Parallel()
	a, b := 1.0, 2.5
	require.Equal(t, []string{"1 to 2.5", "1 or more", "2.5 or less", ""},
		[]string{Between(&a, &b), Between(&a, nil), Between(nil, &b), Between(nil, nil)})
}
