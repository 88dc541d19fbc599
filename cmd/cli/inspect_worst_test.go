package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func TestTheWorstErrorTellsTheCode(t *testing.T) {
	t.Parallel()
	require.Equal(t, ExitAuth, codeOf(worst([]error{notFound("x"), &client.APIError{HTTPStatus: 401}})))
	require.Equal(t, ExitNotFound, codeOf(worst([]error{notFound("x")})))
	require.Equal(t, ExitOK, codeOf(worst(nil)))
}
