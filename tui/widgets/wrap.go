package widgets

import (
	"strings"
)

// Wrap breaks the lines of s at blanks, and within words that are too long, to at most w cells (a
// character of two cells where w is 1 is left out). A style that continues past a break is ended
// before it and set again after it: nothing runs into the neighbours of the text.
func Wrap(s string, w int) string {
	if w <= 0 {
		return ""
	}
	s = expandTabs(s)
	if isASCII(s) && len(s) <= w {
		return s
	}
	b := wrapper{w: w}
	state := byte(0)
	for len(s) > 0 {
		seq, cells, n, next := Decode(s, state)
		s, state = s[n:], next
		switch {
		case seq == "\n":
			b.flushWord()
			b.newline()
		case cells == 0:
			b.escape(seq)
		case seq == " ":
			b.flushWord()
			b.space++
		default:
			b.add(seq, cells)
		}
	}
	b.flushWord()
	b.out.WriteString(b.line.String())
	return b.out.String()
}

// wrapper builds wrapped lines. A word is collected until it is known to fit.
type wrapper struct {
	w          int
	out, line  strings.Builder
	used       int // cells of line
	space      int // blanks between line and word
	word       strings.Builder
	wordCells  int
	style      string // sequences in force at the end of the word
	wordStyled bool   // the word holds sequences
}

// escape keeps a sequence without width together with its word.
func (b *wrapper) escape(seq string) {
	b.word.WriteString(seq)
	b.wordStyled = true
	switch {
	case seq == sgrReset || seq == "\x1b[m":
		b.style = ""
	case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
		b.style += seq
	}
}

func (b *wrapper) add(seq string, cells int) {
	if cells > b.w {
		return
	}
	if b.wordCells+cells > b.w { // longer than a line: break within the word
		b.flushWord()
		b.newline()
	}
	b.word.WriteString(seq)
	b.wordCells += cells
}

// flushWord puts the word on the line, or on the next one when it does not fit.
func (b *wrapper) flushWord() {
	if b.wordCells == 0 && !b.wordStyled {
		return
	}
	if b.used > 0 && b.used+b.space+b.wordCells > b.w {
		// The style at the break is that of the line, not that at the end of the word.
		after := b.style
		b.style = styleAfter(b.line.String())
		b.newline()
		b.style = after
	}
	b.space = min(b.space, b.w-b.used-b.wordCells)
	b.line.WriteString(blanks(b.space))
	b.line.WriteString(b.word.String())
	b.used += b.space + b.wordCells
	b.space, b.wordCells, b.wordStyled = 0, 0, false
	b.word.Reset()
}

// newline ends the line. Blanks at its end are dropped.
func (b *wrapper) newline() {
	if b.style != "" {
		b.line.WriteString(sgrReset)
	}
	b.out.WriteString(b.line.String())
	b.out.WriteByte('\n')
	b.line.Reset()
	b.line.WriteString(b.style)
	b.used, b.space = 0, 0
}

// styleAfter is the style in force at the end of a line that began without any.
func styleAfter(line string) string {
	style := ""
	for {
		i := strings.Index(line, "\x1b[")
		if i < 0 {
			return style
		}
		end := strings.IndexByte(line[i:], 'm')
		if end < 0 {
			return style
		}
		if seq := line[i : i+end+1]; seq == sgrReset || seq == "\x1b[m" {
			style = ""
		} else {
			style += seq
		}
		line = line[i+end+1:]
	}
}
