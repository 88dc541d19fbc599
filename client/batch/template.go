package batch

import (
	"math/big"
	"strings"

	"darkroom/client/expand"
)

// Template is a prompt parsed as a template.
type Template struct {
	Plain bool // the prompt is not a template
	Count *big.Int
	Err   error
}

// MayBeTemplate reports whether a prompt might be a template: a cheap test, so that plain prompts
// need not be parsed.
func MayBeTemplate(prompt string) bool {
	return strings.Contains(prompt, "{") || strings.Contains(prompt, "__")
}

// Read counts the prompts that a template makes. Files are opened only if the prompt is a template.
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

// Changes reports whether a prompt is a template, or looks like one with a mistake, so that other
// texts than the prompt itself would be sent. A prompt whose only special characters are escaped
// counts only if said: somebody called it a template.
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

// Numbered returns a possibly astronomical number with its noun.
func Numbered(n *big.Int, noun string) string {
	if n == nil {
		return "no " + noun
	}
	if n.IsInt64() && n.Int64() == 1 {
		return "1 " + noun
	}
	return expand.Number(n) + " " + noun + "s"
}

// PromptMode says whether a prompt is text or a template, or that nobody has said.
type PromptMode string

// The modes.
const (
	Undecided   PromptMode = ""
	AsText      PromptMode = "text"
	EveryPrompt            = PromptMode(expand.Every)
	SomePrompts            = PromptMode(expand.Random)
)

// Template reports whether somebody said that the prompt is a template.
func (p PromptMode) Template() bool { return p == EveryPrompt || p == SomePrompts }

// Expand returns how the prompt is expanded.
func (p PromptMode) Expand() expand.Mode {
	if p.Template() {
		return expand.Mode(p)
	}
	return expand.AsIs
}

// Label returns the mode in words.
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
