package inspect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
)

func TestTheWorstErrorTellsTheCode(t *testing.T) {
	t.Parallel()
	require.Equal(t, kit.ExitAuth, kit.Code(worst([]error{kit.NotFound("x"), &client.APIError{HTTPStatus: 401}})))
	require.Equal(t, kit.ExitNotFound, kit.Code(worst([]error{kit.NotFound("x")})))
	require.Equal(t, kit.ExitOK, kit.Code(worst(nil)))
}
