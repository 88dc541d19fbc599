package jsonquery

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestADeepValueEndsTheFilterAndNotTheProgram(t *testing.T) {
	f, err := Compile(`1, reduce range(100000) as $_ (null; [.])`)
	require.NoError(t, err)
	out, err := f.Run(t.Context(), []byte(`{}`))
	assert.Len(t, out, 1)
	assert.ErrorContains(t, err, "deeper than 10000 levels")
}
