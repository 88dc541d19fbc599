package preview

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestADecoderIsHandedLittleAndNothingInTheEnd(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(context.Background())
	r := &reader{ctx, bytes.NewReader(make([]byte, 10_000)), atOnce}
	n, err := r.Read(make([]byte, 4096))
	require.NoError(t, err)
	assert.Equal(t, atOnce, n)
	stop()
	_, err = io.ReadAll(r)
	require.ErrorIs(t, err, context.Canceled)
}
