// Package themes holds the colours of the console: palettes, which are data, and the
// styles made from them. Everything that is drawn takes its looks from here.
package themes

import (
	"embed"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// Theme is a set of colours with a name, as a palette file describes it.
type Theme struct {
	// Name is what the configuration calls it: lower case letters, digits and "-".
	Name string `yaml:"name"`
	// Title is for people.
	Title string `yaml:"title"`
	// Dark says for which background the colours were chosen.
	Dark bool `yaml:"dark"`
	// Fill says that the background is painted in every cell; without it the terminal's own
	// background and text colours stay.
	Fill bool `yaml:"fill"`
	// Contrast is the least contrast ratio of text to its background that the theme promises; 4.5
	// (WCAG AA) if the file does not say.
	Contrast float64 `yaml:"contrast"`
	// Palette holds the colours; all are required.
	Palette Palette `yaml:"palette"`
}

//go:embed palettes/*.yaml
var palettes embed.FS

// The names of the built-in themes.
const (
	Dark         = "dark"
	Light        = "light"
	HighContrast = "high-contrast"
)

// defaultContrast is WCAG's AA for normal text.
const defaultContrast = 4.5

// Names lists the built-in themes in the order in which they are offered.
func Names() []string { return []string{Dark, Light, HighContrast} }

// Get loads one built-in theme, and reads no other. For an unknown name the error lists the known
// ones.
func Get(name string) (Theme, error) {
	data, err := palettes.ReadFile("palettes/" + name + ".yaml")
	if err != nil {
		return Theme{}, fmt.Errorf("theme %q: unknown; there are %s", name, strings.Join(Names(), ", "))
	}
	return Load(name, data)
}

// Load reads one palette file. Name is the file name without its extension, and the file must
// agree. Unknown keys, missing and malformed colours are errors that say where; low contrast is
// not.
func Load(name string, data []byte) (Theme, error) {
	if len(data) > maxFile {
		return Theme{}, fmt.Errorf("theme %q: the file has %d bytes, at most %d are read", name, len(data), maxFile)
	}
	var t Theme
	if err := yaml.UnmarshalWithOptions(data, &t, yaml.Strict()); err != nil {
		return Theme{}, fmt.Errorf("theme %q: %w", name, err)
	}
	if t.Contrast == 0 {
		t.Contrast = defaultContrast
	}
	if t.Title == "" {
		t.Title = t.Name
	}
	if err := t.check(name); err != nil {
		return Theme{}, fmt.Errorf("theme %q: %w", name, err)
	}
	return t, nil
}

// maxFile bounds a palette file, which is some 700 bytes.
const maxFile = 64 << 10

func (t Theme) check(name string) error {
	var errs []error
	if t.Name != name {
		errs = append(errs, fmt.Errorf("name: is %q, must be %q as the file is called", t.Name, name))
	}
	if t.Contrast < 1 || t.Contrast > 21 {
		errs = append(errs, fmt.Errorf("contrast: is %v, must be from 1 to 21", t.Contrast))
	}
	for _, c := range t.Palette.tokens() {
		if _, err := parseHex(c.value); err != nil {
			errs = append(errs, fmt.Errorf("palette.%s: %w", c.name, err))
		}
	}
	return errors.Join(errs...)
}
