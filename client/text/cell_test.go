package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client/text"
)

func TestNoCellIsAFormula(t *testing.T) {
	for in, want := range map[string]string{
		"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0", "+1": "'+1", "-2.5": "-2.5", "-": "'-", "@x": "'@x", " =1": "' =1",
		"a=b": "a=b", "\x1b[2Jx\ny": "␛[2Jx y", "": "", "\t=1": "' =1", "%x": "'%x", "|x": "'|x",
	} {
		assert.Equal(t, want, text.Cell(in), in)
	}
}

func FuzzCell(f *testing.F) {
	f.Add("=1")
	f.Add("\r\n=1")
	f.Fuzz(func(t *testing.T, s string) {
		got := strings.TrimLeft(text.Cell(s), " ")
		if got == "" {
			return
		}
		assert.NotContains(t, "=+@|%", got[:1])
		assert.NotContains(t, got, "\n")
	})
}
