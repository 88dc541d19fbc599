package create

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client/catalog"
)

func TestListsTakeOneItemAFlag(t *testing.T) {
	t.Parallel()
	f := &fieldFlag{field: catalog.Field{Name: "element_list", Kind: catalog.List}}
	v := flagValue{f, "element-list"}
	for _, s := range []string{`{"element_id": 1}`, `[{"element_id": 2}, {"element_id": 3}]`} {
		require.NoError(t, v.Set(s))
	}
	got, err := f.value()
	require.NoError(t, err)
	b, err := json.Marshal(got)
	require.NoError(t, err)
	require.JSONEq(t, `[{"element_id":1},{"element_id":2},{"element_id":3}]`, string(b))
}
