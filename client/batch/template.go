package batch

import (
	"math/big"
	"strings"

	"darkroom/client/expand"
)

// Template is a prompt that was read as one.
type Template struct {
	Plain bool // it is none
	Count *big.Int
	Err   error
}

// MayBeTemplate spares plain prompts the reading.
func MayBeTemplate(prompt string) bool {
	return strings.Contains(prompt, "{") || strings.Contains(prompt, "__")
}

// Read counts what a prompt makes as a template. Files are opened only when it is one.
func Read(prompt string, vars map[string]string, files Wildcards) Template {
	t, err := expand.Parse(prompt)
	if err != nil {
		return Template{Err: err}
	}
	if t.Plain() {
		return Template{Plain: true}
	}
	lib := expand.NewLibrary(nil)
	if files != nil {
		w, done, err := files()
		if err != nil {
			return Template{Err: err}
		}
		defer done()
		lib = expand.NewLibrary(w)
	}
	x, err := t.Bind(vars, lib)
	if err != nil {
		return Template{Err: err}
	}
	return Template{Count: x.Count()}
}

// Changes reports whether a prompt would be sent as another text, or may be: it is a template, or
// reads like one with a mistake. With escapes, which make characters text, it is one only where
// somebody said so.
func Changes(prompt string, said bool) bool {
	if !MayBeTemplate(prompt) && (!said || !strings.Contains(prompt, `\`)) {
		return false
	}
	t, err := expand.Parse(prompt)
	if err != nil || !t.Plain() {
		return true
	}
	if !said {
		return false
	}
	x, err := t.Bind(nil, nil) // a template that has escapes only
	if err != nil {
		return true
	}
	one, err := x.At(new(big.Int))
	return err != nil || one != prompt
}

// Numbered is a number that may be astronomical, with its noun.
func Numbered(n *big.Int, noun string) string {
	if n == nil {
		return "no " + noun
	}
	if n.IsInt64() && n.Int64() == 1 {
		return "1 " + noun
	}
	return expand.Number(n) + " " + noun + "s"
}

// PromptMode says what a prompt is: nobody said so, text, or a template.
type PromptMode string

// The modes.
const (
	Undecided   PromptMode = ""
	AsText      PromptMode = "text"
	EveryPrompt            = PromptMode(expand.Every)
	SomePrompts            = PromptMode(expand.Random)
)

// Template reports whether somebody said that the prompt is one.
func (p PromptMode) Template() bool { return p == EveryPrompt || p == SomePrompts }

// Expand is how the prompt is filled in.
func (p PromptMode) Expand() expand.Mode {
	if p.Template() {
		return expand.Mode(p)
	}
	return expand.AsIs
}

// Label is the mode in words.
func (p PromptMode) Label() string {
	switch p {
	case AsText:
		return "text as it is"
	case EveryPrompt:
		return "template"
	case SomePrompts:
		return "template, at random"
	default:
		return "not decided"
	}
}
