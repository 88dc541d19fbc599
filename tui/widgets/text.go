package widgets

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"darkroom/tui/cells"
	"darkroom/tui/widgets/zone"
)

// Ellipsis stands where text was cut off.
const Ellipsis = "…"

// tabWidth is how many blanks a tab becomes: in a frame a tab would move the cursor by
// an amount that nothing here can know.
const tabWidth = 4

// Width is the number of cells that the widest line of s takes.
func Width(s string) int {
	widest := 0
	for {
		line, rest, more := strings.Cut(s, "\n")
		widest = max(widest, lineWidth(line))
		if !more {
			return widest
		}
		s = rest
	}
}

// Height is the number of lines of s; the empty text has one.
func Height(s string) int { return strings.Count(s, "\n") + 1 }

// lineWidth measures one line.
func lineWidth(s string) int { return cells.Width(s) }

// Decode takes the first escape sequence or grapheme cluster off s: what it is, how many
// cells it takes, how many bytes, and the state for the next call (0 for the first). It is
// ansi.DecodeSequence, but an ASCII character stays together with the marks that join it,
// so that the sum of all cells is what [Width] says.
func Decode(s string, state byte) (seq string, cells, n int, next byte) {
	if state == 0 && len(s) > 1 && s[0] >= 0x20 && s[0] < 0x7f && s[1] >= 0x80 {
		seq, cells = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		return seq, cells, len(seq), 0
	}
	return ansi.DecodeSequence(s, state, nil)
}

// Truncate cuts each line of s to w cells and ends a cut one with an ellipsis. Styles
// and zone marks stay whole.
func Truncate(s string, w int) string { return eachLine(s, func(l string) string { return cut(l, w) }) }

// Pad fills each line of s with blanks to w cells on the right; longer lines stay.
func Pad(s string, w int) string {
	return eachLine(s, func(l string) string { return l + blanks(w-lineWidth(l)) })
}

// PadLeft fills each line of s with blanks to w cells on the left; longer lines stay.
func PadLeft(s string, w int) string {
	return eachLine(s, func(l string) string { return blanks(w-lineWidth(l)) + l })
}

// Center puts each line of s in the middle of w cells, cut when longer.
func Center(s string, w int) string {
	return eachLine(s, func(l string) string {
		l = cut(l, w)
		free := max(0, w-lineWidth(l))
		return blanks(free/2) + l + blanks(free-free/2)
	})
}

// Line makes s exactly one line of w cells: line ends become blanks, the rest is cut
// with an ellipsis or filled with blanks.
func Line(s string, w int) string {
	if strings.ContainsAny(s, "\r\n\t") {
		s = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(s)
	}
	return exact(s, w)
}

// Fit makes s exactly w cells wide and h lines high: lines are cut with an ellipsis or filled,
// surplus lines are dropped, missing ones are blank. Zones that reach into the dropped part end at
// the last line.
func Fit(s string, w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	return strings.Join(fitLines(s, w, h), "\n")
}

// fitLines is Fit as lines.
func fitLines(s string, w, h int) []string {
	lines := make([]string, 0, h)
	for len(lines) < h {
		line, rest, more := strings.Cut(s, "\n")
		line = exact(line, w)
		if more && len(lines) == h-1 {
			line += zone.Ends(rest)
		}
		lines = append(lines, line)
		if !more {
			break
		}
		s = rest
	}
	for len(lines) < h {
		lines = append(lines, blanks(w))
	}
	return lines
}

// WrapLines is [Wrap] as lines, at most limit of them; the last one ends with an
// ellipsis when there were more. A limit of 0 is none.
func WrapLines(s string, w, limit int) []string {
	lines := strings.Split(Wrap(s, w), "\n")
	if limit > 0 && len(lines) > limit {
		lines = lines[:limit]
		lines[limit-1] = cut(lines[limit-1]+" "+Ellipsis, w)
	}
	return lines
}

// JoinColumns puts blocks side by side with gap blanks between them. Each block is
// filled to its widest line and to the height of the highest block.
func JoinColumns(gap int, blocks ...string) string {
	if len(blocks) == 0 {
		return ""
	}
	height := 0
	for _, b := range blocks {
		height = max(height, Height(b))
	}
	rows := make([]strings.Builder, height)
	for i, b := range blocks {
		w := Width(b)
		for y, line := range fitLines(b, w, height) {
			if i > 0 {
				rows[y].WriteString(blanks(gap))
			}
			rows[y].WriteString(line)
		}
	}
	out := make([]string, height)
	for y := range rows {
		out[y] = rows[y].String()
	}
	return strings.Join(out, "\n")
}

// Spread puts left and right at the two ends of w cells. When both do not fit, right
// goes first, then left is cut.
func Spread(left, right string, w int) string {
	left, right = expandTabs(left), expandTabs(right)
	free := w - lineWidth(left) - lineWidth(right)
	if right == "" || free < 1 {
		return exact(left, w)
	}
	return left + blanks(free) + right
}

// exact is one line of w cells.
func exact(s string, w int) string {
	s = expandTabs(s)
	n := lineWidth(s)
	if n > w {
		s = cut(s, w)
		n = lineWidth(s)
	}
	return s + blanks(w-n)
}

func cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	s = expandTabs(s)
	if n := lineWidth(s); n <= w {
		return s
	} else if n == len(s) && isASCII(s) {
		return s[:w-1] + Ellipsis
	}
	return ansi.Truncate(s, w, Ellipsis)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}

// expandTabs also drops carriage returns.
func expandTabs(s string) string {
	if strings.IndexByte(s, '\t') < 0 && strings.IndexByte(s, '\r') < 0 { // each in one go, unlike ContainsAny
		return s
	}
	return strings.NewReplacer("\t", blanks(tabWidth), "\r", "").Replace(s)
}

const manyBlanks = "                                                                                                                                                                                                                                                                "

// blanks is n blanks, none for n below 1.
func blanks(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(manyBlanks):
		return manyBlanks[:n]
	default:
		return strings.Repeat(" ", n)
	}
}

func eachLine(s string, f func(string) string) string {
	if !strings.Contains(s, "\n") {
		return f(s)
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = f(l)
	}
	return strings.Join(lines, "\n")
}

// TrimBlank removes the blank lines at the end.
func TrimBlank(lines []string) []string {
	for len(lines) > 1 && strings.TrimSpace(ansi.Strip(lines[len(lines)-1])) == "" {
		lines = lines[:len(lines)-1]
	}
	return slices.Clone(lines)
}

// Middle shortens a line in its middle, since the names of files differ at both ends.
func Middle(text string, w int) string {
	if Width(text) <= w {
		return text
	}
	head := Truncate(text, (w+1)/2)
	runes := []rune(text)
	from := len(runes)
	for from > 0 && Width(string(runes[from-1:])) <= w-Width(head) {
		from--
	}
	return head + string(runes[from:])
}
