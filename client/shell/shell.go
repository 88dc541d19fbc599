// Package shell splits text into words as a POSIX shell does. It expands nothing: variables and
// $(…) stay as written.
package shell

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Command is the first command of a text.
type Command struct {
	Words []string
	Here  string // the text of its here-document
	More  bool   // something follows that is none of the command
}

// Parse splits the first command of a text. With an error it returns the words up to it, the last
// one as far as it goes.
func Parse(text string) (Command, error) {
	l := &lexer{rest: strings.ReplaceAll(text, "\r\n", "\n")}
	err := l.run()
	l.end()
	return Command{l.out, l.here, strings.TrimSpace(l.rest) != ""}, err
}

// First returns at most the first most words of a command, as far as they can be read.
func First(text string, most int) []string {
	l := &lexer{rest: text, most: most}
	_ = l.run()
	l.end()
	return l.out
}

// Words splits a text that is not a command into words separated by blanks and line ends: only
// quotes and backslashes have a meaning. It returns false if one of these is not closed.
func Words(text string) ([]string, bool) {
	l := &lexer{rest: text}
	for l.rest != "" {
		switch c := l.rest[0]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			l.end()
			l.rest = l.rest[1:]
		case l.rest == `\`:
			return nil, false
		case c == '\\':
			l.literal(l.rest[1:])
		case c == '\'' || c == '"':
			if l.quoted(c) != nil {
				return nil, false
			}
		default:
			l.literal(l.rest)
		}
	}
	l.end()
	return l.out, len(l.out) > 0
}

type lexer struct {
	rest string
	out  []string
	most int // words; 0 for all
	word strings.Builder
	in   bool // a word has begun

	here string
}

var errQuote = errors.New("the command ends within quotes: is all of it there?")

func (l *lexer) end() {
	if l.in {
		l.out = append(l.out, l.word.String())
	}
	l.word.Reset()
	l.in = false
}

func (l *lexer) put(s string) { l.word.WriteString(s); l.in = true }

// run reads up to the end of the command.
func (l *lexer) run() error {
	for l.rest != "" && (l.most == 0 || len(l.out) < l.most) {
		c := l.rest[0]
		var err error
		switch {
		case c == ' ' || c == '\t':
			l.end()
			l.rest = l.rest[1:]
		case c == '\n' || c == ';' || c == '|' || c == '&':
			l.end()
			return nil
		case c == '\\':
			l.escape()
		case c == '\'' || c == '"':
			err = l.quoted(c)
		case strings.HasPrefix(l.rest, "$'"):
			err = l.ansi()
		case strings.HasPrefix(l.rest, "$("):
			err = l.command()
		case strings.HasPrefix(l.rest, "<<"):
			return l.hereDoc()
		case c == '#' && !l.in:
			return nil
		default:
			l.literal(l.rest)
		}
		if err != nil {
			return err
		}
	}
	l.end()
	return nil
}

// escape reads a backslash outside quotes; at the end of a line it joins the next line, even with
// blanks after it, as copied text has.
func (l *lexer) escape() {
	rest := l.rest[1:]
	if trimmed := strings.TrimLeft(rest, " \t"); trimmed != "" && trimmed[0] == '\n' {
		l.end()
		l.rest = trimmed[1:]
		return
	}
	l.literal(rest)
}

// literal takes the first character of the rest literally.
func (l *lexer) literal(rest string) {
	_, n := utf8.DecodeRuneInString(rest)
	l.put(rest[:n])
	l.rest = rest[n:]
}

// quoted reads text in the given kind of quotes.
func (l *lexer) quoted(by byte) error {
	if by == '"' {
		return l.double()
	}
	return l.single()
}

func (l *lexer) single() error {
	text, rest, ok := strings.Cut(l.rest[1:], "'")
	l.put(text)
	if !ok {
		return errQuote
	}
	l.rest = rest
	return nil
}

func (l *lexer) double() error {
	l.put("")
	s := l.rest[1:]
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			l.rest = s[i+1:]
			return nil
		case '\\':
			if i++; i == len(s) {
				return errQuote
			}
			switch s[i] {
			case '\n':
			case '"', '\\', '$', '`':
				l.word.WriteByte(s[i])
			default:
				l.word.WriteString(s[i-1 : i+1])
			}
		default:
			l.word.WriteByte(s[i])
		}
	}
	return errQuote
}

// ansi reads $'…', which browsers use to write bodies with quotes in them.
func (l *lexer) ansi() error {
	l.put("")
	s := l.rest[2:]
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\'':
			l.rest = s[i+1:]
			return nil
		case s[i] != '\\' || i+1 == len(s):
			l.word.WriteByte(s[i])
		default:
			i += l.ansiEscape(s[i+1:])
		}
	}
	return errQuote
}

// ansiEscape writes the character after a backslash in $'…' and returns its length.
func (l *lexer) ansiEscape(s string) int {
	if i := strings.IndexByte("ntrabfve", s[0]); i >= 0 {
		l.word.WriteByte("\n\t\r\a\b\f\v\x1b"[i])
		return 1
	}
	n := 0
	for n < min(3, len(s)) && s[n] >= '0' && s[n] <= '7' {
		n++
	}
	if n > 0 {
		code, _ := strconv.ParseUint(s[:n], 8, 32) // at most three digits of 8
		l.word.WriteByte(byte(code))
		return n
	}
	most := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	for n < most && n+1 < len(s) && strings.IndexByte("0123456789abcdefABCDEF", s[n+1]) >= 0 {
		n++
	}
	if n == 0 {
		l.word.WriteByte(s[0])
		return 1
	}
	code, _ := strconv.ParseUint(s[1:1+n], 16, 32) // at most eight digits of 16
	if s[0] == 'x' {
		l.word.WriteByte(byte(code))
	} else {
		l.word.WriteRune(rune(code))
	}
	return 1 + n
}

// command keeps $(…) as written.
func (l *lexer) command() error {
	depth := 0
	for i := range len(l.rest) {
		switch l.rest[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				l.put(l.rest[:i+1])
				l.rest = l.rest[i+1:]
				return nil
			}
		}
	}
	return errQuote
}

// hereDoc reads <<WORD and the lines after it. If the word is not quoted, a backslash makes $, `
// and itself literal.
func (l *lexer) hereDoc() error {
	l.end()
	rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(l.rest, "<<"), "-"), " \t")
	line, body, ok := strings.Cut(rest, "\n")
	if !ok {
		return errors.New("the command ends before its here-document: is all of it there?")
	}
	mark, beside, _ := strings.Cut(strings.TrimSpace(line), " ")
	bare := strings.Trim(mark, `'"`)
	quoted := bare != mark
	var b strings.Builder
	for body != "" {
		line, rest, more := strings.Cut(body, "\n")
		if line == bare {
			body = rest
			break
		}
		b.WriteString(line)
		if more {
			b.WriteByte('\n')
		}
		body = rest
	}
	l.here = b.String()
	if !quoted {
		l.here = hereEscapes.Replace(l.here)
	}
	l.rest = beside + body
	return nil
}

var hereEscapes = strings.NewReplacer(`\\`, `\`, `\$`, `$`, "\\`", "`", "\\\n", "")
