package themes

import "fmt"

// Builtin loads all built-in themes in the order of [Names].
func Builtin() ([]Theme, error) {
	var all []Theme
	for _, n := range Names() {
		t, err := Get(n)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// Problems lists, for people, the pairs of colours that are drawn on each other and
// have less contrast than the theme promises. The built-in themes have none; a palette
// of a person's own is only warned about.
func (t Theme) Problems() []string {
	p := t.Palette
	var out []string
	need := func(name, fg, onName, bg string) {
		if c := Contrast(fg, bg); c < t.Contrast {
			out = append(out, fmt.Sprintf("%s on %s: contrast %.1f, should be %.1f", name, onName, c, t.Contrast))
		}
	}
	for _, c := range p.tokens() {
		switch c.name {
		case "background", "surface", "overlay", "selection", "border", "on-accent":
		default:
			need(c.name, c.value, "background", p.Background)
		}
	}
	need("text", p.Text, "surface", p.Surface)
	need("text", p.Text, "overlay", p.Overlay)
	need("text", p.Text, "selection", p.Selection)
	need("muted", p.Muted, "surface", p.Surface)
	need("muted", p.Muted, "overlay", p.Overlay)
	need("on-accent", p.OnAccent, "accent", p.Accent)
	return out
}
