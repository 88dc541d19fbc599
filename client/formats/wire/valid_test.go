package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func seeds() []string {
	return []string{
		`{}`, `[]`, ` {"a" : [1 , -0, 0.5e+10, 1E9] , "b":{"c":null,"d":true,"e":false}} `, `{"a":"\u00e9\n\"\\ \/ x"}`, "\"\xff\xfe\"", `"\ud800"`,
		``, ` `, `{`, `}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `[1,]`, `[,1]`, `01`, `-`, `-a`, `1.`, `.5`, `1e`, `1e+`, `+1`, `tru`, `nulll`, `"`, `"\`, `"\u12`, `"\u12g4"`,
		"\"\n\"", `{"a":1}{}`, `{"a":1} x`, `{1:2}`, `{"a" 1}`, "\ufeff{}", `"\x"`, `nul`, `[1 2]`, `{"a":1 "b":2}`,
		strings.Repeat("[", 600) + strings.Repeat("]", 600), strings.Repeat("[", 600), strings.Repeat(`{"a":`, 11000) + "1" + strings.Repeat("}", 11000),
	}
}

func TestValid(t *testing.T) {
	t.Parallel()
	for _, s := range seeds() {
		assert.Equal(t, json.Valid([]byte(s)), valid([]byte(s)), "%.60q", s)
	}
}

// FuzzValid compares with encoding/json.
func FuzzValid(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		require.Equal(t, json.Valid([]byte(s)), valid([]byte(s)), "%q", s)
	})
}

func BenchmarkValid(b *testing.B) {
	body := []byte(`{"id":"vid_0123456789abcdef","object":"video","status":"in_progress","progress":42,"model":"famI-omni","seconds":"6",` +
		`"prompt":"` + strings.Repeat("a paper boat on a lake ", 14) + `","created_at":1772366310,"metadata":{"seed":9007199254740993,"ratio":"16:9"}}`)
	for name, f := range map[string]func([]byte) bool{"ours": valid, "json": json.Valid} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				f(body)
			}
		})
	}
}
