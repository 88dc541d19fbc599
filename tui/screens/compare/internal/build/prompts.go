package build

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/zone"
)

// maxPrompts bounds those that are typed here; a suite's file may have more.
const maxPrompts = 50

// A prompt of several lines is edited in one: a sign stands for each line end, so that none is lost.
const lineEnd = "␊"

// prompts are those of the plan, of which one is edited. There is always one, which may be blank.
type prompts struct {
	all    []string
	at     int
	editor *form.Editor
}

func newPrompts() prompts { return prompts{all: []string{""}, editor: form.NewEditor(false)} }

// set makes a prompt the only one, unless it is among them: then it is the one that is edited.
func (p *prompts) set(text string) {
	if i := slices.Index(p.all, text); i >= 0 && !p.blank() {
		p.goTo(i)
		return
	}
	p.all = []string{text}
	p.goTo(0)
}

// current is the one that is edited.
func (p *prompts) current() string { return p.all[p.at] }

// first is the first one that is not blank, "" for none.
func (p *prompts) first() string {
	for _, text := range p.all {
		if text = strings.TrimSpace(text); text != "" {
			return text
		}
	}
	return ""
}

func (p *prompts) blank() bool { return p.first() == "" }

// goTo edits another prompt.
func (p *prompts) goTo(i int) {
	p.at = max(0, min(i, len(p.all)-1))
	p.editor.SetValue(strings.ReplaceAll(p.all[p.at], "\n", lineEnd))
}

// update takes a key of the edited prompt, and reports whether that changed it.
func (p *prompts) update(k tea.KeyMsg, w int) bool {
	if k.Paste {
		s := strings.NewReplacer("\r\n", lineEnd, "\r", lineEnd, "\n", lineEnd).Replace(strings.TrimRight(string(k.Runes), "\r\n"))
		k.Runes = []rune(s)
	}
	p.editor.Update(k, w)
	text := strings.ReplaceAll(p.editor.Value(), lineEnd, "\n")
	if text == p.all[p.at] {
		return false
	}
	p.all[p.at] = text
	return true
}

// add begins another prompt below.
func (p *prompts) add() {
	if len(p.all) < maxPrompts {
		p.all = slices.Insert(p.all, p.at+1, "")
		p.goTo(p.at + 1)
	}
}

// drop takes the edited prompt out; the only one is emptied.
func (p *prompts) drop() {
	if len(p.all) == 1 {
		p.all[0] = ""
	} else {
		p.all = slices.Delete(p.all, p.at, p.at+1)
	}
	p.goTo(min(p.at, len(p.all)-1))
}

// window is the first of so many prompts in sight.
func (p *prompts) window(rows int) int { return max(0, min(p.at-rows+1, len(p.all)-rows)) }

// line is a prompt in one line of w cells, with the cursor in sight where it is edited.
func (p *prompts) line(st *themes.Styles, i, w int, editing bool) string {
	mark := func(s string) string { return zone.Mark(fmt.Sprintf("prompt:%d", i), widgets.Line(s, w)) }
	sign := widgets.NewInk(st.Accent).Text("❯ ")
	room := max(1, w-2)
	empty := widgets.NewInk(st.Placeholder).Text("a prompt, the same for every model")
	ink := widgets.NewInk(st.Value)
	editing = editing && i == p.at
	switch {
	case p.all[i] == "" && editing:
		return mark(sign + widgets.NewInk(st.Cursor).Text(" ") + empty)
	case p.all[i] == "":
		return mark(sign + empty)
	case !editing:
		return mark(sign + ink.Text(client.CleanLine(strings.ReplaceAll(p.all[i], "\n", lineEnd))))
	}
	left, under, right := p.editor.Split()
	left, under, right = client.CleanLine(left), client.CleanLine(cmp.Or(under, " ")), client.CleanLine(right)
	if over := widgets.Width(left) + widgets.Width(under) + 1 - room; over > 0 {
		left = ansi.TruncateLeft(left, over+1, widgets.Ellipsis)
	}
	return mark(sign + ink.Text(left) + widgets.NewInk(st.Cursor).Text(under) + ink.Text(right))
}
