package improve

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Slight reports whether a part changes no more than capitals and full stops: nobody wants to decide
// on those. They follow the other changes.
func Slight(p Part) bool { return !p.Same() && plainly(p.Old) == plainly(p.New) }

// plainly is a text without capitals and full stops.
func plainly(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '。' {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// Choices returns the indices of the parts that a person decides on.
func Choices(parts []Part) []int {
	var out []int
	for i := range parts {
		if !parts[i].Same() && !Slight(parts[i]) {
			out = append(out, i)
		}
	}
	return out
}

// Following is take for all parts: a slight change is made once any other one is.
func Following(parts []Part, take func(i int) bool) func(i int) bool {
	any := false
	for _, i := range Choices(parts) {
		any = any || take(i)
	}
	return func(i int) bool { return take(i) || any && Slight(parts[i]) }
}

// Ending is what is put behind the text with the chosen parts: the mark that ended the sentence,
// where it went with a part that was not chosen.
func Ending(parts []Part, take func(i int) bool) string {
	take = Following(parts, take)
	last, whole, any := "", "", false
	for i, p := range parts {
		text := p.Old
		if !p.Same() && take(i) {
			text, any = p.New, true
		}
		if text != "" {
			last = text
		}
		if p.New != "" {
			whole = p.New
		}
	}
	end, _ := utf8.DecodeLastRuneInString(whole)
	got, _ := utf8.DecodeLastRuneInString(last)
	if any && strings.ContainsRune(".!?。！？", end) && (unicode.IsLetter(got) || unicode.IsNumber(got)) {
		return string(end)
	}
	return ""
}

// Compose returns the text with the chosen parts, and with the slight changes that follow them.
func Compose(parts []Part, take func(i int) bool) string {
	return Apply(parts, Following(parts, take)) + Ending(parts, take)
}

// Sentence says what a part changes, in one line, so that it can be chosen by reading it.
func Sentence(p Part) string {
	was, is := phrase(p.Old), phrase(p.New)
	switch {
	case was == "" && is == "":
		return "line ends and signs"
	case was == "":
		return is
	case is == "":
		return "without “" + was + "”"
	default:
		return is + " (was: " + was + ")"
	}
}

// phrase is a stretch of a text without the signs at its ends that join it to the rest.
func phrase(s string) string {
	return strings.Join(strings.Fields(strings.Trim(s, " \t\r\n,;:.，、；：。")), " ")
}
