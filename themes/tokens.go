package themes

import (
	"fmt"
	"strconv"
)

// token is a colour of a palette with the key that it has in a palette file.
type token struct{ name, value string }

func (p Palette) tokens() []token {
	return []token{
		{"background", p.Background}, {"surface", p.Surface}, {"overlay", p.Overlay},
		{"text", p.Text}, {"muted", p.Muted}, {"faint", p.Faint},
		{"accent", p.Accent}, {"good", p.Good}, {"warn", p.Warn}, {"bad", p.Bad}, {"info", p.Info},
		{"border", p.Border}, {"border-focus", p.BorderFocus}, {"selection", p.Selection},
		{"on-accent", p.OnAccent},
		{"key", p.Key}, {"string", p.String}, {"number", p.Number}, {"word", p.Word},
	}
}

// parseHex reads "#rrggbb".
func parseHex(s string) ([3]uint8, error) {
	var c [3]uint8
	if s == "" {
		return c, fmt.Errorf(`is missing, must be a colour as "#rrggbb"`)
	}
	if len(s) != 7 || s[0] != '#' {
		return c, fmt.Errorf(`is %q, must be a colour as "#rrggbb"`, s)
	}
	for i := range c {
		v, err := strconv.ParseUint(s[1+2*i:3+2*i], 16, 8)
		if err != nil {
			return c, fmt.Errorf(`is %q, must be a colour as "#rrggbb"`, s)
		}
		c[i] = uint8(v)
	}
	return c, nil
}
