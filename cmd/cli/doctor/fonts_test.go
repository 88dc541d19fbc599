package doctor

import (
	"testing"

	"darkroom/client/sandbox/media/fonts"

	"github.com/stretchr/testify/require"
)

func TestFontsThatAreNotThere(t *testing.T) {
	t.Parallel()
	x := &examiner{tell: func(Finding) {}, report: report{State: OK}}
	x.fonts(fonts.New(t.TempDir()))
	require.Len(t, x.report.Findings, 1)
	f := x.report.Findings[0]
	require.Equal(t, Better, f.State)
	require.Contains(t, f.Found, "no font for Chinese, Japanese, Korean, Arabic, emoji")
	require.NotEmpty(t, f.Do)

	require.Contains(t, fontsOf("pacman", []string{"cjk", "emoji"}), "noto-fonts-cjk noto-fonts-emoji")
	require.Equal(t, "install fonts for that, such as Noto's", fontsOf("brew", []string{"cjk"}))
}
