package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client/text"
)

func TestPattern(t *testing.T) {
	t.Parallel()
	p := text.Pattern(`^a+$`)
	require.True(t, p().MatchString("aa"))
	require.Same(t, p(), p(), "it is compiled once")
	bad := text.Pattern(`(`)
	require.Panics(t, func() { bad() }, "and not before it is asked for")
}
