package datauri

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func uri(n int) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x01\x02\x03", n/3)))
}

func TestFoldAndUnfold(t *testing.T) {
	d := New()
	long, other := uri(900), uri(1200)
	for _, text := range []string{
		"", "https://example.org/data:x", "data:", "data:,", "data:image/png;base64,AAAA", "data: not one, at all " + strings.Repeat("x", 400),
		long, long + "\n" + other, `[{"type":"image_url","image_url":{"url":"` + long + `"}}]`, "a " + long + " b 塩", "data:data:" + long,
	} {
		folded := d.Fold(text)
		assert.LessOrEqual(t, len(folded), 600, "%.40s", text)
		assert.Equal(t, text, d.Unfold(folded), "%.40s", text)
		assert.Equal(t, folded, d.Fold(folded), "folding again changes nothing: %.40s", text)
	}
	v := map[string]any{"a": long, "b": []any{long, true, map[string]any{"c": other}}, "d": "x"}
	small := d.Shrink(v)
	assert.NotEqual(t, v, small)
	assert.Equal(t, v, d.Expand(small))
	assert.Equal(t, long, v["a"], "what is given is not changed")
}

func FuzzFold(f *testing.F) {
	f.Add("data:image/png;base64,", 300)
	f.Add(`{"url":"data:`, 2)
	f.Fuzz(func(t *testing.T, s string, n int) {
		d := New()
		text := s + strings.Repeat("A", min(max(n, 0), 2000)) + s
		folded := d.Fold(text)
		if !strings.Contains(text, "…(") && d.Unfold(folded) != text {
			t.Fatalf("%q became %q", text, d.Unfold(folded))
		}
	})
}
