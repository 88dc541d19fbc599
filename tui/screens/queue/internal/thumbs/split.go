package thumbs

import (
	"strings"

	"darkroom/tui/widgets"
)

// Split parts a clean line at a blank, so that the first part takes at most w cells.
func Split(text string, w int) (first, rest string) {
	if w <= 0 {
		return "", text
	}
	if len(text) <= w {
		return text, ""
	}
	for i := range w + 1 {
		if text[i] >= 0x80 {
			return splitWide(text, w)
		}
	}
	if at := strings.LastIndexByte(text[:w+1], ' '); at > 0 {
		return strings.TrimRight(text[:at], " "), strings.TrimLeft(text[at:], " ")
	}
	return text[:w], text[w:]
}

// splitWide is Split for what is not ASCII.
func splitWide(text string, w int) (first, rest string) {
	if widgets.Width(text) <= w {
		return text, ""
	}
	first, _, _ = strings.Cut(widgets.Wrap(text, w), "\n")
	rest, ok := strings.CutPrefix(text, first)
	if !ok || first == "" {
		return "", text
	}
	return first, strings.TrimLeft(rest, " ")
}

// Facts are what a row says besides its columns, the most wanted first.
type Facts struct {
	All  []string
	Must int // so many stand even where they shorten the text
}

// fit are the facts that fit into room cells behind a text, or must stand there.
func (f Facts) fit(room int) string {
	out := ""
	for i, said := range f.All {
		more := out + " · " + said
		if i >= f.Must && widgets.Width(more) > room {
			break
		}
		out = more
	}
	return out
}

// Below parts what does not fit into the first line of a row, and facts about it, into the lines below
// it, each of w cells: facts stand on a line of their own where there is one, else behind the text.
func Below(rest string, facts Facts, lines, w int) (texts, tails []string) {
	texts, tails = make([]string, lines), make([]string, lines)
	for y := range lines {
		if rest == "" {
			tails[y] = strings.TrimPrefix(facts.fit(w+len(" · ")), " · ")
			return texts, tails
		}
		if y == lines-1 {
			texts[y], tails[y] = rest, facts.fit(w-widgets.Width(rest))
			return texts, tails
		}
		texts[y], rest = Split(rest, w)
	}
	return texts, tails
}
