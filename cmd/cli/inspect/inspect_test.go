package inspect

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/lookup"
)

func TestTheWorstErrorTellsTheCode(t *testing.T) {
	t.Parallel()
	require.Equal(t, kit.ExitAuth, kit.Code(worst([]error{kit.NotFound("x"), &client.APIError{HTTPStatus: 401}})))
	require.Equal(t, kit.ExitNotFound, kit.Code(worst([]error{kit.NotFound("x")})))
	require.Equal(t, kit.ExitOK, kit.Code(worst(nil)))
}

// TestAHistoryThatCouldNotBeReadIsTold once, whatever the gateway says, and to machines for each id.
func TestAHistoryThatCouldNotBeReadIsTold(t *testing.T) {
	t.Parallel()
	cat, err := catalog.Embedded()
	require.NoError(t, err)
	var out, errOut bytes.Buffer
	o := &options{k: kit.New(&kit.IO{Out: &out, Err: &errOut}, "v")}
	p := o.printer(cat, list{all: make([]asked, 2)})
	for i := range 2 {
		f, _ := newFound(cat, "", lookup.Result{HistoryErr: errors.New("disk\x1b[2J I/O error")})
		require.Equal(t, "disk␛[2J I/O error", f.HistoryError)
		p.add(i, f, nil)
	}
	require.Equal(t, "darkroom: the history was not looked at: disk␛[2J I/O error\n", errOut.String())
}
