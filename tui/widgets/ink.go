package widgets

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Ink is a style reduced to the sequences around a text. It colours short pieces hundreds of times
// faster than a lipgloss style, which also does layout; make it once when the styles change. The
// zero Ink writes text unchanged.
type Ink struct{ pre, post string }

// NewInk takes colours and attributes of a style; its padding, margins, borders and
// sizes are left out.
func NewInk(s lipgloss.Style) Ink {
	s = s.Padding(0).Margin(0).Inline(true).UnsetWidth().UnsetHeight().UnsetMaxWidth()
	pre, post, ok := strings.Cut(s.Render("x"), "x")
	if !ok {
		return Ink{}
	}
	return Ink{pre: pre, post: post}
}

// Text colours one line of text; the empty text stays empty.
func (k Ink) Text(s string) string {
	if k.pre == "" || s == "" {
		return s
	}
	return k.pre + s + k.post
}

// Over colours s, which may hold styled pieces: after each of them k is set again, which keeps a
// background unbroken to the end.
func (k Ink) Over(s string) string {
	if k.pre == "" || s == "" {
		return s
	}
	if strings.Contains(s, sgrReset) {
		s = strings.ReplaceAll(s, sgrReset, sgrReset+k.pre)
	}
	return k.pre + s + k.post
}

// sgrReset is how lipgloss, and so an Ink, ends a style.
const sgrReset = "\x1b[0m"

// Begin is the sequence that sets the ink, for callers that write the pieces themselves.
func (k Ink) Begin() string { return k.pre }

// End is the sequence that ends the ink.
func (k Ink) End() string { return k.post }
