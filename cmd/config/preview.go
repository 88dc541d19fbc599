package config

import (
	"fmt"
	"slices"
	"strings"
)

// Preview is how pictures are drawn.
type Preview string

// Ways to draw pictures. Auto asks the terminal: kitty's protocol, iTerm2's, sixels, else
// blocks.
const (
	PreviewAuto   Preview = "auto"
	PreviewKitty  Preview = "kitty"
	PreviewITerm2 Preview = "iterm2"
	PreviewSixel  Preview = "sixel"
	PreviewBlocks Preview = "blocks"
	PreviewFine   Preview = "sextants" // finer blocks, which not all fonts have
	PreviewASCII  Preview = "ascii"
	PreviewNone   Preview = "none"
)

// Previews are the ways to draw pictures.
func Previews() []Preview {
	return []Preview{PreviewAuto, PreviewKitty, PreviewITerm2, PreviewSixel, PreviewBlocks, PreviewFine, PreviewASCII, PreviewNone}
}

// check says what is wrong with the value; "" is valid.
func (p Preview) check() error {
	if p == "" || slices.Contains(Previews(), p) {
		return nil
	}
	var names []string
	for _, n := range Previews() {
		names = append(names, string(n))
	}
	return fmt.Errorf("%q is none of %s", string(p), strings.Join(names, ", "))
}

// pickPreview takes the flag's value, else the environment's, else the file's.
func pickPreview(r Request, file File) (Preview, error) {
	for _, from := range []struct{ name, value string }{{"--preview", r.Preview}, {EnvPreview, r.Env(EnvPreview)}} {
		p := Preview(from.value)
		if err := p.check(); err != nil {
			return "", fmt.Errorf("%s: %w", from.name, err)
		}
		if p != "" {
			return p, nil
		}
	}
	if file.Preview == "" {
		return PreviewAuto, nil
	}
	return file.Preview, nil
}
