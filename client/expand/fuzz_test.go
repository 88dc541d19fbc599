package expand

import (
	"errors"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"darkroom/client"
)

// FuzzTemplate: any text is a template or an error with a place, its prompts can be made,
// and text without any construct stays as it is.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"", "{a|b}", "{1-2$$ $$a|{b|c}|__w__}", "${v} {${v}|x}", "${d:{a|__w__}}${d}", `\{a|b\} \\__w__`, "{{{", "__w____w__", "{2$$__w__}", `{"a":{"b":"{c|d}"}}`, "{a|\n红|b"} {
		f.Add(s, "x\n{y|z ${v}}\n# c")
	}
	f.Fuzz(func(t *testing.T, prompt, lines string) {
		if len(prompt) > 4096 || len(lines) > 4096 {
			return
		}
		tpl, err := Parse(prompt)
		if err != nil {
			told(t, err)
			return
		}
		x, err := tpl.Bind(map[string]string{"v": "{1|2}", "u": "${v}u"}, NewLibrary(files("w.txt", lines)))
		if err != nil {
			told(t, err)
			return
		}
		first, err := x.First(3)
		if err == nil && len(first) == 0 {
			t.Fatal("no prompt at all")
		}
		if _, err := x.At(new(big.Int).Sub(x.Count(), big.NewInt(1))); err != nil && !errors.Is(err, errLong) && !errors.Is(err, errSteps) {
			t.Fatal(err)
		}
		if _, err := x.Random(2, 1); err != nil && !errors.Is(err, errLong) && !errors.Is(err, errSteps) {
			t.Fatal(err)
		}
		for _, s := range first {
			if !utf8.ValidString(s) {
				t.Fatalf("%q", s)
			}
		}
		if tpl.Plain() && !strings.Contains(prompt, `\`) && first[0] != prompt {
			t.Fatalf("%q became %q", prompt, first[0])
		}
	})
}

// told checks an error of somebody's text: it has a place, and is fit to show.
func told(t *testing.T, err error) {
	var e *Error
	if !errors.As(err, &e) {
		if !errors.Is(err, errUncountable) {
			t.Fatalf("no place: %v", err)
		}
		return
	}
	if e.Message == "" || e.Name == "" || e.Line == 0 && !strings.Contains(e.Message, "no line") && !strings.Contains(e.Message, "bytes") {
		t.Fatalf("%+v", e)
	}
	if s := e.Error(); client.CleanLine(s) != s {
		t.Fatalf("%q", s)
	}
}
