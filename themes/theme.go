// Package themes holds the colours of the console: palettes, which are data, and the
// styles made from them. Everything that is drawn takes its looks from here.
package themes

import (
	"embed"
	"fmt"
	"strings"
)

// Theme is a set of colours with a name, as a palette file describes it.
type Theme struct {
	// Name is what the configuration calls it: lower case letters, digits and "-".
	Name string `yaml:"name" json:"name"`
	// Title is for people.
	Title string `yaml:"title" json:"title"`
	// Dark says for which background the colours were chosen.
	Dark bool `yaml:"dark" json:"dark"`
	// Fill says that the background is painted in every cell; without it the terminal's own
	// background and text colours stay.
	Fill bool `yaml:"fill" json:"fill"`
	// Contrast is the least contrast ratio of text to its background that the theme promises; 4.5
	// (WCAG AA) if the file does not say.
	Contrast float64 `yaml:"contrast" json:"contrast"`
	// Palette holds the colours; all are required.
	Palette Palette `yaml:"palette" json:"palette"`
}

//go:embed palettes/*.yaml
var palettes embed.FS

// The names of the built-in themes.
const (
	Dark         = "dark"
	Light        = "light"
	HighContrast = "high-contrast"
	Safelight    = "safelight"
	Dusk         = "dusk"
	Paper        = "paper"
)

// defaultContrast is WCAG's AA for normal text.
const defaultContrast = 4.5

// Names lists the built-in themes in the order in which they are offered.
func Names() []string { return []string{Dark, Light, HighContrast, Safelight, Dusk, Paper} }

// Get loads one built-in theme, and reads no other. For an unknown name the error lists the known
// ones.
func Get(name string) (Theme, error) {
	data, err := palettes.ReadFile("palettes/" + name + ".yaml")
	if err != nil {
		return Theme{}, unknown(name, Names())
	}
	return Load(name, data)
}

func unknown(name string, names []string) error {
	return fmt.Errorf("theme %q: unknown; there are %s", name, strings.Join(names, ", "))
}

// Load reads one palette file. Name is the file name without its extension, and the file must
// agree. Unknown keys, missing and malformed colours are errors that say where; low contrast is
// not: see [Lint].
func Load(name string, data []byte) (Theme, error) {
	r := read(name, data)
	if len(r.wrong) == 0 {
		return r.theme, nil
	}
	m, more := r.wrong[0], ""
	if n := len(r.wrong) - 1; n > 0 {
		more = fmt.Sprintf("; and %d more, see `darkroom themes lint %s`", n, name)
	}
	return Theme{}, fmt.Errorf("theme %q: [%d:%d] %s%s", name, m.Line, m.Column, m.Message, more)
}
