package jsonview_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/jsonview"
)

// clean stands for client.Clean: it makes control characters visible.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return '·'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

func show(t testing.TB, body string) string {
	t.Helper()
	return strings.Join(jsonview.Render(tuitest.Styles(t), []byte(body), clean), "\n")
}

func TestJSONIsIndentedWithOrderAndDigitsKept(t *testing.T) {
	got := show(t, ` {"z":1.00,"a":12345678901234567890.10,"z":-0e5,"list":[1,[],{},[true,null]],"s":"你好\n\"q\" \\ \u001b[31m\u00e9"} `)
	assert.Equal(t, `{
  "z": 1.00,
  "a": 12345678901234567890.10,
  "z": -0e5,
  "list": [
    1,
    [],
    {},
    [
      true,
      null
    ]
  ],
  "s": "你好\n\"q\" \\ ·[31mé"
}`, got)
	for _, s := range []string{`1`, `"x"`, `null`, `[]`, `{}`} {
		assert.Equal(t, s, show(t, s))
	}
}

func TestWhatIsNoJSONIsText(t *testing.T) {
	for body, want := range map[string]string{
		"<html>\n<body>bad \x1b[2J gateway": "<html>\n<body>bad ·[2J gateway",
		`{"a":1} trailing`:                  `{"a":1} trailing`,
		`{"a":}`:                            `{"a":}`,
		`[1,]`:                              `[1,]`,
		`{"a" 1}`:                           `{"a" 1}`,
		`{a:1}`:                             `{a:1}`,
		`[01]`:                              `[01]`,
		`"\x"`:                              `"\x"`,
		`nul`:                               `nul`,
		`[1 2]`:                             `[1 2]`,
		`[}`:                                `[}`,
		``:                                  ``,
		`{"a":1`:                            `{"a":1`,
		"\"a\nb\"":                          "\"a\nb\"",
	} {
		assert.Equal(t, want, show(t, body), body)
	}
}

func TestItIsJSONExactlyWhenEncodingJSONSaysSo(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	bits := strings.Split(`{|}|[|]|,|:|"a"|"\n"|"\u12"|1|-|0.5e3|true|nul|null| |"|\|x|01`, "|")
	for range 10_000 {
		var b strings.Builder
		for range 1 + r.IntN(8) {
			b.WriteString(bits[r.IntN(len(bits))])
		}
		body := b.String()
		require.Equal(t, json.Valid([]byte(body)), jsonview.Parse([]byte(body), clean).JSON, "%q", body)
	}
}

func TestHugeStringsAreCut(t *testing.T) {
	for _, unit := range []string{"A", "u", "你", `\u4f60`, `\ud83d\ude00`, `\\`, `\"`} {
		body := `{"b64":"` + strings.Repeat(unit, 300_000) + `","after":1}`
		doc := jsonview.Parse([]byte(body), clean)
		require.True(t, doc.JSON, unit)
		lines := doc.Lines(tuitest.Styles(t), nil)
		require.Len(t, lines, 4, unit)
		assert.Less(t, len(lines[1]), 4000)
		assert.Contains(t, lines[1], "…\" +")
		assert.NotContains(t, lines[1], "\ufffd", unit)
		assert.Contains(t, lines[2], `"after": 1`)
	}
}

func TestHugeBodiesAreCut(t *testing.T) {
	doc := jsonview.Parse([]byte("["+strings.Repeat("1,", 500_000)+"1]"), clean)
	assert.True(t, doc.JSON)
	assert.True(t, doc.Cut)
	lines := doc.Lines(tuitest.Styles(t), nil)
	assert.LessOrEqual(t, len(lines), 20_002)
	assert.Contains(t, lines[len(lines)-1], "more bytes")

	doc = jsonview.Parse([]byte(`["`+strings.Repeat("x", 9<<20)+`"]`), clean)
	assert.True(t, doc.Cut)

	doc = jsonview.Parse([]byte(strings.Repeat("no json\n", 1<<20)), clean)
	assert.False(t, doc.JSON)
	assert.True(t, doc.Cut)
	assert.LessOrEqual(t, doc.Len(), 20_100)

	doc = jsonview.Parse([]byte(strings.Repeat("[", 100_000)), clean)
	assert.False(t, doc.JSON, "deeper than encoding/json goes")
	deep := show(t, strings.Repeat("[", 500)+"1"+strings.Repeat("]", 500))
	assert.Less(t, widest(deep), 90, "the indent is bounded")
}

func widest(s string) int {
	w := 0
	for l := range strings.SplitSeq(s, "\n") {
		w = max(w, len(l))
	}
	return w
}

func TestFolding(t *testing.T) {
	doc := jsonview.Parse([]byte(`{"a":{"b":[1,2],"c":3},"d":[4]}`), clean)
	st := tuitest.Styles(t)
	folded := map[int]bool{1: true}
	assert.Equal(t, []string{`{`, `  "a": { … },`, `  "d": [`, `    4`, `  ]`, `}`}, doc.Lines(st, folded))
	assert.Equal(t, 1, doc.Index(1, folded))
	assert.Equal(t, 8, doc.Index(2, folded), "the line after the folded branch")
	assert.Equal(t, []string{`{ … }`}, doc.Lines(st, map[int]bool{0: true}))
}

func TestColours(t *testing.T) {
	th, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	st := themes.Make(th, r, false)
	got := strings.Join(jsonview.Render(st, []byte(`{"k":[1,"s",true]}`), clean), "\n")
	for want, style := range map[string]lipgloss.Style{`"k"`: st.JSONKey, `1`: st.JSONNumber, `"s"`: st.JSONString, `true`: st.JSONWord} {
		assert.Contains(t, got, style.Render(want))
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,"\u00e9\ud83d\ude00"]}`, "\"\x80\"", "{", "[\x1b[31m]", strings.Repeat(`"\\`, 2000), "null\x00"} {
		f.Add([]byte(s))
	}
	st := tuitest.Styles(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		doc := jsonview.Parse(body, clean)
		if len(body) < 100_000 && !doc.Cut && doc.JSON != json.Valid(body) {
			t.Fatalf("JSON is %v, encoding/json says otherwise", doc.JSON)
		}
		for _, l := range doc.Lines(st, nil) {
			if !utf8.ValidString(l) || strings.ContainsAny(l, "\x1b\n\r\x00") || ansi.Strip(l) != l {
				t.Fatalf("not clean: %q", l)
			}
		}
	})
}

func BenchmarkRender(b *testing.B) {
	th, _ := themes.Get(themes.Dark)
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	st := themes.Make(th, r, false)
	var body strings.Builder
	body.WriteString("[")
	for i := range 1000 {
		fmt.Fprintf(&body, `{"id":"task_%d","n":%d,"ok":true},`, i, i)
	}
	body.WriteString("0]")
	for b.Loop() {
		jsonview.Render(st, []byte(body.String()), clean)
	}
}
