package elide

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestElide(t *testing.T) {
	t.Parallel()
	raw := bytes.Repeat([]byte{0, 1, 2, 253, 254, 255, 7}, 1000)
	mark := fmt.Sprintf("<base64 %d bytes sha256:%x>", len(raw), sha256.Sum256(raw))
	std := base64.StdEncoding.EncodeToString(raw)
	for name, tc := range map[string]struct{ in, want string }{
		"bare":         {`{"b64_json":"` + std + `","x":1}`, `{"b64_json":"` + mark + `","x":1}`},
		"data URI":     {`{"image":"data:image/png;base64,` + std + `"}`, `{"image":"data:image/png;base64,` + mark + `"}`},
		"escaped":      {`["` + strings.ReplaceAll(std, "/", `\/`) + `"]`, `["` + mark + `"]`},
		"URL kind":     {`["` + base64.RawURLEncoding.EncodeToString(raw) + `"]`, `["` + mark + `"]`},
		"two":          {`["` + std + `", "a", "` + std + `"]`, `["` + mark + `", "a", "` + mark + `"]`},
		"wrapped":      {`["` + strings.Join(chunks(std, 76), `\r\n`) + `"]`, `["` + mark + `"]`},
		"packed":       {`{"items":"[{\"b64_json\":\"` + std + `\",\"n\":1}]"}`, `{"items":"[{\"b64_json\":\"` + mark + `\",\"n\":1}]"}`},
		"packed twice": {`["[\"[\\\"` + strings.ReplaceAll(std, "/", `\/`) + `\\\"]\"]"]`, `["[\"[\\\"` + mark + `\\\"]\"]"]`},
		"in a text":    {`["not a picture: data:image/png;base64,` + std + ` (field image)"]`, `["not a picture: data:image/png;base64,` + mark + ` (field image)"]`},
		"a token":      {`["https://h/v.mp4?token=` + strings.Repeat("aB3d", 300) + `"]`, ""},
		"words":        {`["` + strings.Repeat("a kite over salt. ", 100) + `"]`, ""},
		"short":        {`{"id":"` + strings.Repeat("a", 400) + `"}`, ""},
		"no JSON":      {`"` + std, ""},
		"quotes":       {`["\"` + strings.Repeat(`\"`, 600) + `"]`, ""},
	} {
		want := tc.want
		if want == "" {
			want = tc.in
		}
		got := string(JSON([]byte(tc.in)))
		assert.Equal(t, want, got, name)
		assert.Equal(t, got, string(JSON([]byte(got))), "idempotent: %s", name)
	}
}

func chunks(s string, n int) (out []string) {
	for len(s) > n {
		out, s = append(out, s[:n]), s[n:]
	}
	return append(out, s)
}

func FuzzElide(f *testing.F) {
	f.Add([]byte(`{"a":"` + strings.Repeat("QUJD", 300) + `"}`))
	f.Add([]byte(`"` + strings.Repeat(`\`, 700) + `"`))
	f.Add([]byte(`["[\"` + strings.Repeat("QUJD", 300) + `\"]"]`))
	f.Add([]byte(`["data:image/png;base64,` + strings.Repeat("QUJD", 300) + `=="]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		out := JSON(b)
		require.Equal(t, before, b, "the body is not touched")
		require.LessOrEqual(t, len(out), len(b))
		if json.Valid(b) {
			require.True(t, json.Valid(out))
		}
	})
}
