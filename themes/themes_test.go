package themes_test

import (
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
)

func TestBuiltinThemesKeepTheirContrast(t *testing.T) {
	all, err := themes.Builtin()
	require.NoError(t, err)
	require.Len(t, all, 6)
	light := 0
	for _, th := range all {
		assert.Empty(t, th.Problems(), th.Name)
		want := 4.5
		if th.Name == themes.HighContrast {
			want = 7
		}
		assert.InDelta(t, want, th.Contrast, 0, th.Name)
		if !th.Dark {
			light++
		}
	}
	assert.Equal(t, 2, light)
}

func TestContrastIsThatOfWCAG(t *testing.T) {
	assert.InDelta(t, 21, themes.Contrast("#000000", "#ffffff"), 0.001)
	assert.InDelta(t, 1, themes.Contrast("#123456", "#123456"), 0.001)
	assert.InDelta(t, 4.48, themes.Contrast("#777777", "#ffffff"), 0.01)
	assert.Zero(t, themes.Contrast("red", "#ffffff"))
}

func TestProblemsNamesThePair(t *testing.T) {
	th, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	th.Palette.Warn = th.Palette.Background
	require.Len(t, th.Problems(), 2)
	assert.Equal(t, "warn on background: contrast 1.0, should be 4.5", th.Problems()[0])
	assert.Equal(t, "warn on selection: contrast 1.6, should be 3.0", th.Problems()[1])

	th, err = themes.Get(themes.Light)
	require.NoError(t, err)
	th.Palette.Border = "#8b939e"
	assert.Equal(t, []string{"border on background: contrast 2.9, should be 3.0"}, th.Problems(), "rounded down")
	th.Contrast = 2
	assert.Empty(t, th.Problems(), "a theme that promises less needs less")
}

func palette(t *testing.T, replace ...string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("name: own\ndark: true\npalette:\n")
	for _, k := range strings.Fields("background surface overlay text muted faint accent good warn bad info border border-focus selection on-accent key string number word") {
		b.WriteString("  " + k + ": \"#a0b0c0\"\n")
	}
	return strings.NewReplacer(replace...).Replace(b.String())
}

func TestLoadTakesAPersonsOwnPalette(t *testing.T) {
	th, err := themes.Load("own", []byte(palette(t)))
	require.NoError(t, err)
	assert.Equal(t, "own", th.Title)
	assert.InDelta(t, 4.5, th.Contrast, 0)
	assert.NotEmpty(t, th.Problems(), "one colour for all is warned about, not refused")
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"unknown key":   {palette(t, "dark:", "drak:"), `unknown field "drak"`},
		"no colour":     {palette(t, `  warn: "#a0b0c0"`, `  warn: "orange"`), `palette.warn: is "orange", must be a colour as "#rrggbb"`},
		"missing":       {palette(t, "  bad: \"#a0b0c0\"\n", ""), `palette.bad: is missing`},
		"other name":    {palette(t, "name: own", "name: other"), `name: is "other", must be "own"`},
		"bad contrast":  {palette(t, "dark: true", "contrast: 40"), `contrast: is 40, must be from 1 to 21`},
		"not yaml":      {"\t{", "theme \"own\""},
		"wrong type":    {palette(t, "dark: true", "dark: [1]"), "dark"},
		"too large":     {strings.Repeat("#", 70<<10), "at most 65536 are read"},
		"empty":         {"", "name: is \"\""},
		"hash in digit": {palette(t, `  warn: "#a0b0c0"`, `  warn: "#a0b0+1"`), "palette.warn"},
	} {
		_, err := themes.Load("own", []byte(c.file))
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), c.want, name)
	}
	_, err := themes.Get("nope")
	require.ErrorContains(t, err, "dark, light, high-contrast, safelight, dusk, paper")
	_, err = themes.Get("../styles.go")
	require.Error(t, err)
}

func renderer(p termenv.Profile) *lipgloss.Renderer {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	return r
}

// every style of a Styles, by the name of its field.
func styles(s *themes.Styles) map[string]lipgloss.Style {
	out := map[string]lipgloss.Style{}
	v := reflect.ValueOf(*s)
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		if st, ok := v.Field(i).Interface().(lipgloss.Style); ok {
			out[v.Type().Field(i).Name] = st
		}
	}
	return out
}

func TestMakeFillsEveryStyle(t *testing.T) {
	all, err := themes.Builtin()
	require.NoError(t, err)
	for _, th := range all {
		s := themes.Make(th, renderer(termenv.TrueColor), false)
		require.Greater(t, len(styles(s)), 50)
		for name, st := range styles(s) {
			out := st.Render("text")
			if strings.HasPrefix(name, "Button") || strings.HasPrefix(name, "Tab") {
				assert.Equal(t, 6, lipgloss.Width(out), name)
			} else {
				assert.Equal(t, 4, lipgloss.Width(out), "%s lays out", name)
			}
			switch name {
			case "Text", "Value", "Row", "Dialog": // the terminal's own colours
			default:
				assert.Contains(t, out, "\x1b[", "%s of %s has no look", name, th.Name)
			}
		}
		assert.Equal(t, th.Name, s.Name)
		assert.NotNil(t, s.Renderer)
	}
}

func TestPlainHasNoColour(t *testing.T) {
	th, err := themes.Get(themes.HighContrast)
	require.NoError(t, err)
	s := themes.Make(th, renderer(termenv.TrueColor), true)
	for name, st := range styles(s) {
		out := st.Render("x")
		assert.NotRegexp(t, "\x1b\\[[0-9;]*[34]8;", out, name)
	}
	assert.Contains(t, s.RowSelected.Render("x"), "\x1b[7m", "what is selected still shows")
	assert.Equal(t, "a\nb", s.Backdrop("a\nb"))
}

func TestNoRendererDrawsTextOnly(t *testing.T) {
	th, err := themes.Get(themes.Light)
	require.NoError(t, err)
	s := themes.Make(th, nil, false)
	assert.True(t, s.Plain)
	for name, st := range styles(s) {
		assert.NotContains(t, st.Render("x"), "\x1b", name)
	}
}

func TestBackdropPaintsEveryCell(t *testing.T) {
	th, err := themes.Get(themes.HighContrast)
	require.NoError(t, err)
	s := themes.Make(th, renderer(termenv.TrueColor), false)
	got := s.Backdrop("a" + s.Bad.Render("b") + "c\nd")
	assert.Equal(t, 2, lipgloss.Width(got)-1)
	for line := range strings.SplitSeq(got, "\n") {
		assert.True(t, strings.HasPrefix(line, "\x1b[38;2;255;255;255;48;2;0;0;0m"), "%q", line)
		assert.True(t, strings.HasSuffix(line, "\x1b[0m"), "%q", line)
	}
	assert.Contains(t, got, "\x1b[0m\x1b[38;2;255;255;255;48;2;0;0;0mc", "set again after a style")

	dark, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	assert.Equal(t, "a", themes.Make(dark, renderer(termenv.TrueColor), false).Backdrop("a"))
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte("name: own\npalette: {text: \"#ffffff\"}"))
	f.Add([]byte("&a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		th, err := themes.Load("own", data)
		if err == nil {
			themes.Make(th, nil, false)
		}
	})
}

func BenchmarkGet(b *testing.B) {
	for b.Loop() {
		if _, err := themes.Get(themes.Dark); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMake(b *testing.B) {
	th, _ := themes.Get(themes.Dark)
	r := renderer(termenv.TrueColor)
	for b.Loop() {
		themes.Make(th, r, false)
	}
}
