package places

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuote(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"plain", "a.b", "a[0]", `back\slash`, "]", "é", `\.`} {
		member, err := Check(Quote(name))
		require.NoError(t, err, name)
		require.Equal(t, name, member)
		p, err := parse(Quote(name))
		require.NoError(t, err)
		require.Len(t, p, 1, name)
	}
}

func FuzzPlace(f *testing.F) {
	for _, s := range []string{"a", "a.b", "a[0].b", `a\.b[1]`, "[", "a..b", "a[0][0]"} {
		f.Add(s, `{"a":{"b":[1,{"c":null}]}}`, "7")
	}
	f.Fuzz(func(t *testing.T, at, body, value string) {
		p, err := parse(at)
		if err != nil || !json.Valid([]byte(body)) || !json.Valid([]byte(value)) {
			return
		}
		again, err := parse(strings.ReplaceAll(quoted(p), "\x00", ""))
		if !strings.Contains(at, "\x00") {
			require.NoError(t, err)
			require.Zero(t, p.compare(again))
		}
		out, err := put([]byte(body), p, 0, []byte(value))
		if err != nil {
			return
		}
		require.True(t, json.Valid(out), "%s", out)
		twice, err := put(out, p, 0, []byte(value))
		require.NoError(t, err)
		require.Equal(t, string(out), string(twice), "putting it twice changes nothing")
	})
}

// quoted is String without the cleaning.
func quoted(p place) string {
	var b strings.Builder
	for i, s := range p {
		if s.index >= 0 {
			b.WriteString(place{s}.String())
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(Quote(s.name))
	}
	return b.String()
}
