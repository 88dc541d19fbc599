// Package filterbar is the line in which jobs are filtered: it is typed into, says at once what is
// wrong and what a term takes, and completes terms. What is typed is read by jobs/filter.
package filterbar

import (
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/filter"
	"darkroom/themes"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/zone"
)

// example stands in the line as long as nothing is typed.
const example = `words  "a text"  state:failed  age<1h  code:429  is:slow  -tag:x  model:NAME  profile:all`

// Zone is that of the line.
const Zone = "filter"

// Bar is the line. Make it with [New].
type Bar struct {
	input  *form.Editor
	paper  form.Paper
	now    func() time.Time
	typing bool
	wrong  string
	hint   string // while it is typed
}

// New is an empty line; times that are typed are those of now's zone.
func New(now func() time.Time) Bar {
	in := form.NewEditor(false)
	in.Limit = filter.MaxText
	return Bar{input: in, now: now}
}

// SetStyles sets the styles.
func (b *Bar) SetStyles(st *themes.Styles) { b.paper = form.NewPaper(st) }

// Text is the filter as it was typed.
func (b *Bar) Text() string { return b.input.Value() }

// SetText replaces the filter.
func (b *Bar) SetText(text string) { b.input.SetValue(client.CleanLine(text)) }

// Begin has the keys typed into it, End no more.
func (b *Bar) Begin() {
	b.typing = true
	b.hint = hint(b.Text())
}

// End ends the typing.
func (b *Bar) End() { b.typing = false }

// Typing reports whether it is typed into.
func (b *Bar) Typing() bool { return b.typing }

// Wrong is what is wrong with the filter, "" for nothing.
func (b *Bar) Wrong() string { return b.wrong }

// Hint is how the last word can go on, or what its term takes, in a clean line; "" where it is not
// typed, or there is nothing to say.
func (b *Bar) Hint() string {
	if !b.typing {
		return ""
	}
	return b.hint
}

// Key takes a key while the filter is typed, and reports whether the text has changed. A tab
// completes the last word, or ends the typing where it cannot.
func (b *Bar) Key(msg tea.KeyMsg) (changed bool) {
	before := b.Text()
	switch msg.String() {
	case "tab":
		if to := complete(before); to != "" {
			b.SetText(to)
			b.hint = hint(to)
			return true
		}
		b.End()
		return false
	case "enter", "down":
		b.End()
		return false
	case "esc":
		b.End()
		b.SetText("")
		return before != ""
	}
	if msg.Type == tea.KeyRunes { // typed and pasted text is made safe to draw
		msg.Runes = []rune(client.CleanLine(string(msg.Runes)))
	}
	_, changed = b.input.Update(msg, 0)
	b.hint = hint(b.Text())
	return changed
}

// Query reads the filter; false where it says nothing, which [Bar.Wrong] then tells.
func (b *Bar) Query() (jobs.Query, bool) {
	q, err := filter.Parse(b.Text(), b.now())
	b.wrong = ""
	if err != nil {
		b.wrong = client.CleanLine(err.Error())
	}
	return q, err == nil
}

// Has reports whether a term stands in the filter.
func (b *Bar) Has(term string) bool {
	return slices.ContainsFunc(words(b.Text()), func(w string) bool { return strings.EqualFold(w, term) })
}

// Add puts a term behind the filter.
func (b *Bar) Add(term string) { b.SetText(strings.TrimSpace(b.Text() + " " + term)) }

// Remove takes the terms that begin so out of the filter.
func (b *Bar) Remove(begin string) {
	b.SetText(strings.Join(slices.DeleteFunc(words(b.Text()), func(w string) bool {
		return strings.HasPrefix(strings.ToLower(w), begin)
	}), " "))
}

// words are the parts of a filter, with their quotes.
func words(text string) (out []string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		n := strings.IndexAny(text, " \t")
		if text[0] == '"' {
			if n = strings.IndexByte(text[1:], '"'); n >= 0 {
				n += 2
			}
		}
		if n < 0 {
			n = len(text)
		}
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

// last is the word that is typed, "" behind a blank.
func last(text string) string { return text[strings.LastIndexAny(text, " \t")+1:] }

// complete is the filter with the last word completed as far as it goes, "" where there is nothing to
// complete.
func complete(text string) string {
	all := filter.Complete(text)
	if last(text) == "" || len(all) == 0 {
		return ""
	}
	to := all[0]
	for _, s := range all[1:] {
		for !strings.HasPrefix(s, to) {
			to = to[:len(to)-1]
		}
	}
	if len(to) <= len(text) {
		to = all[0]
	}
	if to == text {
		return ""
	}
	return to
}

// hint says how the last word goes on: the terms and values that begin so, or what its term takes.
func hint(text string) string {
	word := last(text)
	if word == "" || strings.Count(text, `"`)%2 == 1 {
		return ""
	}
	bare := strings.ToLower(strings.TrimPrefix(word, "-"))
	var ways []string
	for _, s := range filter.Complete(text) {
		if w := last(s); w != word {
			ways = append(ways, w)
		}
	}
	about := ""
	for _, t := range filter.Terms() {
		if strings.HasPrefix(bare, t.Name) || len(ways) == 1 && strings.TrimPrefix(ways[0], "-") == t.Name {
			about = t.Name + t.Takes + "  " + t.Help
		}
	}
	switch {
	case len(ways) > 0 && about != "":
		return "tab " + strings.Join(ways, " ") + "  · " + about
	case len(ways) > 0:
		return "tab " + strings.Join(ways, " ")
	}
	return about
}

// View is the line in w cells. Clears and opens are the keys of these.
func (b *Bar) View(ink *inks.Set, clears, opens string, w int) string {
	line := ""
	switch {
	case b.typing:
		line = ink.Accent.Text("/ ") + b.input.Field(b.paper, example, true, w-2)
	case b.Text() != "":
		line = widgets.Spread(ink.Accent.Text("/ ")+ink.Text.Text(widgets.Truncate(client.CleanLine(b.Text()), w-14)), ink.Faint.Text(clears+" clears"), w)
	default:
		line = ink.Faint.Text(opens + " filter")
	}
	return zone.Mark(Zone, widgets.Line(line, w))
}
