package kit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCSVHoldsNoFormula(t *testing.T) {
	var b strings.Builder
	require.NoError(t, NewCSV(&b).Row([]string{"=cmd|' /C calc'!A0", "+1", "-2.5", "-", "@x", "＝1+1", "－x", " =1", "a=b", "two, \"three\"", "\x1b[2Jx\ny", ""}))
	require.Equal(t, "'=cmd|' /C calc'!A0,'+1,-2.5,'-,'@x,'＝1+1,'－x,' =1,a=b,\"two, \"\"three\"\"\",␛[2Jx y,\n", b.String())
}
