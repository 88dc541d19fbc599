package catalog

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFieldParse(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		text string
		want any
		err  string
	}{
		{Integer, " 9007199254740993 ", json.Number("9007199254740993"), ""},
		{Integer, "many", "many", "is not a number"},
		{Number, "0x10", "0x10", "is not a number"},
		{Boolean, "On", true, ""},
		{Boolean, "perhaps", "perhaps", "true or false"},
		{Medias, "a.png\n\n b.png\n", []any{"a.png", "b.png"}, ""},
		{Object, `{"a":1}`, map[string]any{"a": json.Number("1")}, ""},
		{Object, `[1]`, `[1]`, "a JSON object"},
		{List, `{"element_id":7}`, []any{map[string]any{"element_id": json.Number("7")}}, ""},
		{List, `{`, `{`, "is not JSON"},
		{Text, " x ", "x", ""},
		{Lines, "a\n b ", "a\n b ", ""},
	} {
		got, err := Field{Name: "f", Kind: c.kind}.Parse(c.text)
		if c.err == "" {
			require.NoError(t, err, c.text)
		} else {
			require.ErrorContains(t, err, c.err)
		}
		require.Equal(t, c.want, got, c.text)
	}
}
