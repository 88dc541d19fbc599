package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/widgets"
)

// inks are the styles of a conversation, made once for a theme.
type inks struct {
	plain                               bool // colours do not show
	text, strong, muted, faint, code    widgets.Ink
	accent, good, warn, bad, border, on widgets.Ink
	label, value, hint                  widgets.Ink
}

func newInks(st *themes.Styles) *inks {
	return &inks{
		plain: st.Plain,
		text:  widgets.NewInk(st.Text), strong: widgets.NewInk(st.Strong), muted: widgets.NewInk(st.Muted),
		faint: widgets.NewInk(st.Faint), code: widgets.NewInk(st.Code), accent: widgets.NewInk(st.Accent),
		good: widgets.NewInk(st.Good), warn: widgets.NewInk(st.Warn), bad: widgets.NewInk(st.Bad),
		border: widgets.NewInk(st.Border), on: widgets.NewInk(st.BorderFocus),
		label: widgets.NewInk(st.Label), value: widgets.NewInk(st.Value), hint: widgets.NewInk(st.Placeholder),
	}
}

// layPiece lays out a piece of a text in lines of at most w cells. The text is hostile until it is
// cleaned here.
func (k *inks) layPiece(s *source, p *piece, w int) []string {
	line := client.Clean(s.text[p.from:p.to])
	switch p.kind {
	case fenceOpen:
		lang := widgets.Truncate(client.CleanLine(language(line)), max(1, w-16))
		if lang == "" {
			lang = "code"
		}
		return []string{k.border.Text("╭─ ") + k.muted.Text(lang) + k.border.Text(" ─")}
	case fenceClose:
		return []string{k.border.Text("╰─")}
	case code:
		return prefix(hard(line, max(1, w-2)), k.border.Text("│ "), k.border.Text("│ "), k.code)
	}
	if !s.marks {
		ink := k.text
		if s.quiet {
			ink = k.muted
		}
		return wrap(ink.Text(line), w)
	}
	if p.kind == more {
		return wrap(k.inline(line, k.text), w)
	}
	return k.layLine(line, w)
}

// layLine lays out one line of Markdown.
func (k *inks) layLine(line string, w int) []string {
	line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " ")
	body := strings.TrimLeft(line, " ")
	indent := min(len(line)-len(body), 12, max(0, w/4))
	pad := strings.Repeat(" ", indent)
	switch {
	case body == "":
		return []string{""}
	case rule(body):
		return []string{k.border.Text(strings.Repeat("─", max(1, min(w, 40))))}
	case heading(body) > 0:
		n := heading(body)
		if k.plain {
			n = 0
		}
		return wrap(k.inline(strings.TrimLeft(body[n:], " "), k.strong), w)
	case strings.HasPrefix(body, ">"):
		bar := pad + k.accent.Text("▌ ")
		return prefix(wrap(k.inline(strings.TrimPrefix(body[1:], " "), k.muted), max(1, w-indent-2)), bar, bar, widgets.Ink{})
	}
	if mark, rest := bullet(body); mark != "" {
		shown := mark
		if len(mark) == 1 {
			shown = "•"
		}
		n := indent + widgets.Width(shown) + 1
		if n > w/2 {
			return wrap(k.inline(line, k.text), w)
		}
		return prefix(wrap(k.inline(rest, k.text), w-n), pad+k.accent.Text(shown)+" ", strings.Repeat(" ", n), widgets.Ink{})
	}
	return prefix(wrap(k.inline(body, k.text), max(1, w-indent)), pad, pad, widgets.Ink{})
}

// heading is the level of a heading, 0 for none.
func heading(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "#"))
	if n == 0 || n > 6 || n == len(s) || s[n] != ' ' {
		return 0
	}
	return n
}

// rule reports whether a line is a horizontal rule: three or more of one sign.
func rule(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	return len(s) >= 3 && strings.ContainsRune("-*_", rune(s[0])) && strings.Trim(s, s[:1]) == ""
}

// bullet is the mark of a list item, "-" or "12.", and what follows it.
func bullet(s string) (mark, rest string) {
	n := len(s) - len(strings.TrimLeft(s, "0123456789"))
	switch {
	case n == 0 && strings.ContainsRune("-*+", rune(s[0])):
		n = 1
	case n == 0 || n > 9 || n == len(s) || s[n] != '.' && s[n] != ')':
		return "", ""
	default:
		n++
	}
	if n >= len(s) || s[n] != ' ' {
		return "", ""
	}
	return s[:n], strings.TrimLeft(s[n:], " ")
}

// inline sets bold text and code within a line. Without colours the marks stay, since
// nothing else would show them.
func (k *inks) inline(s string, base widgets.Ink) string {
	if k.plain || !strings.ContainsAny(s, "*_`") {
		return base.Text(s)
	}
	var b strings.Builder
	from := 0
	flush := func(to int) { b.WriteString(base.Text(s[from:to])) }
	for i := 0; i < len(s); {
		switch s[i] {
		case '`':
			t := ticks(s[i:])
			if end := tickEnd(s, i+len(t), t); end > 0 {
				flush(i)
				b.WriteString(k.code.Text(strings.Trim(s[i+len(t):end], " ")))
				i = end + len(t)
				from = i
				continue
			}
			i += len(t)
		case '*', '_':
			if end := boldEnd(s, i); end > 0 {
				flush(i)
				b.WriteString(k.inline(s[i+2:end], k.strong))
				i = end + 2
				from = i
				continue
			}
			i += len(s[i:]) - len(strings.TrimLeft(s[i:], s[i:i+1]))
		default:
			i++
		}
	}
	flush(len(s))
	return b.String()
}

// tickEnd is where the code that begins at from ends: at a run of as many backticks.
func tickEnd(s string, from int, t string) int {
	for i := from; i < len(s); {
		n := strings.IndexByte(s[i:], '`')
		if n < 0 {
			return 0
		}
		i += n
		r := ticks(s[i:])
		if len(r) == len(t) && i > from {
			return i
		}
		i += len(r)
	}
	return 0
}

// boldEnd is where the bold text that begins with two marks at i ends, 0 for none.
func boldEnd(s string, i int) int {
	mark := strings.Repeat(s[i:i+1], 2)
	if !strings.HasPrefix(s[i:], mark) || i+2 >= len(s) || s[i+2] == ' ' || s[i+2] == s[i] {
		return 0
	}
	if before, _ := utf8.DecodeLastRuneInString(s[:i]); s[i] == '_' && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
		return 0 // within a name, as in a__b__c
	}
	n := strings.Index(s[i+3:], mark)
	if n < 0 {
		return 0
	}
	return i + 3 + n
}

func wrap(s string, w int) []string { return strings.Split(widgets.Wrap(s, max(1, w)), "\n") }

// hard breaks a line anywhere, so that none of it is changed.
func hard(s string, w int) []string {
	s = strings.ReplaceAll(s, "\t", "    ")
	if s == "" {
		return []string{""}
	}
	return strings.Split(ansi.Hardwrap(s, w, true), "\n")
}

// prefix puts one text before the first line and another before the following lines.
func prefix(lines []string, first, next string, ink widgets.Ink) []string {
	for i, l := range lines {
		if i == 0 {
			lines[i] = first + ink.Text(l)
		} else {
			lines[i] = next + ink.Text(l)
		}
	}
	return lines
}
