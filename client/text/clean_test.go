package text_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/text"
)

func TestCleanShowsWhatItRemoved(t *testing.T) {
	for in, want := range map[string]string{
		"plain text, ünïcode 雨 \u2014 ok":  "plain text, ünïcode 雨 \u2014 ok",
		"a\nb\tc":                          "a\nb\tc",
		"a\r\nb":                           "a\nb",
		"a\rb":                             "a␍b",
		"\x1b[31mred\x1b[0m":               "␛[31mred␛[0m",
		"\x1b]52;c;aGk=\a":                 "␛]52;c;aGk=␇",
		"\u009b31m":                        "<U+009B>31m",
		"a\x00b\x7f":                       "a␀b␡",
		"abc\u202egpj.exe":                 "abc<U+202E>gpj.exe",
		"\u2066x\u2069":                    "<U+2066>x<U+2069>",
		"zero\u200bwidth\ufeff":            "zero<U+200B>width<U+FEFF>",
		"soft\u00adhyphen":                 "soft<U+00AD>hyphen",
		"tag\U000e0041":                    "tag<U+E0041>",
		"\U0010eeee":                       "<U+10EEEE>",
		"\ue000":                           "<U+E000>",
		"bad\xffutf\xc3":                   "bad<xFF>utf<xC3>",
		"a\u2028b":                         "a<U+2028>b",
		"\u3164":                           "<U+3164>",
		"\U0001F469\u200d\U0001F680":       "\U0001F469\u200d\U0001F680", // an astronaut stays one
		"❤\ufe0f\u200d\U0001F525":          "❤\ufe0f\u200d\U0001F525",
		"1\ufe0f\u20e3 2\u20e3":            "1\u20e3 2\u20e3",
		"1\ufe0f #\ufe0e":                  "1<U+FE0F> #<U+FE0E>",
		"a\u200db":                         "a<U+200D>b",
		"\U0001F469\u200dx":                "\U0001F469<U+200D>x",
		"x\ufe0f":                          "x<U+FE0F>",
		"\U0001F469\u200d\u200d\U0001F680": "\U0001F469<U+200D><U+200D>\U0001F680",
	} {
		assert.Equal(t, want, text.Clean(in), "%q", in)
	}
}

func TestCleanLineIsOneLine(t *testing.T) {
	assert.Equal(t, "a b c d", text.CleanLine("a\nb\tc\r\nd"))
	assert.Equal(t, "a␍b", text.CleanLine("a\rb"))
}

func TestCleanJSONSaysTheSame(t *testing.T) {
	in := "{\"a\u009b\u202e\U0010eeee\": [\"\x7f\u200d \xff \u2028 雨 \U0001F469\u200d\U0001F680 \\u001b\"],\n\t\"b\": 1}"
	out := text.CleanJSON([]byte(in))
	assert.Equal(t, text.Clean(string(out)), string(out))
	assert.Contains(t, string(out), `"a\u009b\u202e\udbfb\udeee"`)
	var want, got any
	require.NoError(t, json.Unmarshal([]byte(in), &want))
	require.NoError(t, json.Unmarshal(out, &got))
	assert.Equal(t, want, got)
	plain := []byte(`{"a":"雨"}`)
	assert.Equal(t, unsafe.SliceData(plain), unsafe.SliceData(text.CleanJSON(plain)), "copied")
}

func FuzzCleanJSON(f *testing.F) {
	for _, s := range []string{`"a"`, "\"\u009b\xff\x7f\"", "[\"\U0010ffff\", \"\\ud800\"]", "\"1\ufe0f\u20e3\"", "\"\u2028\u200d\"", "[1,\r\n2]\r"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var want, got any
		if json.Unmarshal(b, &want) != nil {
			return
		}
		out := text.CleanJSON(b)
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%q becomes %q: %v", b, out, err)
		}
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("%q becomes %q", b, out)
		}
		if text.Clean(string(out)) != string(out) {
			t.Fatalf("%q is not clean", out)
		}
	})
}

func TestCleanReturnsTheSameString(t *testing.T) {
	for _, s := range []string{"plain", "a\nb", "ünïcode 雨 \U0001F469\u200d\U0001F680"} {
		assert.Equal(t, unsafe.StringData(s), unsafe.StringData(text.Clean(s)), "%q was copied", s)
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "a\x1b[2Jb", "\U0001F469\u200d\U0001F680\u200d", "\xff\xfe\r\n\r", "1\ufe0f\ufe0f", "\u202e\u2066\u061c", "\U0010ffff\ufdd0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, clean := range []func(string) string{text.Clean, text.CleanLine} {
			out := clean(s)
			if !utf8.ValidString(out) {
				t.Fatalf("%q: not UTF-8", out)
			}
			if again := clean(out); again != out {
				t.Fatalf("%q becomes %q: not idempotent", out, again)
			}
			for _, r := range strings.NewReplacer("\n", "", "\t", "", "\u200d", "", "\ufe0e", "", "\ufe0f", "").Replace(out) {
				if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp) {
					t.Fatalf("%q holds %U", out, r)
				}
			}
		}
		if strings.ContainsAny(text.CleanLine(s), "\n\t\r") {
			t.Fatal("more than a line")
		}
	})
}

func BenchmarkClean(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("a line of an answer\n", 200),
		"text":  strings.Repeat("雨 über der Salzebene\n", 200),
		"dirty": strings.Repeat("a \x1b[31mred\x1b[0m line\n", 200),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				text.Clean(s)
			}
		})
	}
}

func TestTextIsClipped(t *testing.T) {
	for in, want := range map[string]string{"": "", "abc": "abc", "塩塩塩": "塩塩塩", "塩塩塩a": "塩塩…", "🪁🪁🪁🪁": "🪁🪁…"} {
		assert.Equal(t, want, text.Clip(in, 3), in)
	}
}
