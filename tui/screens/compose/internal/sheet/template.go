package sheet

import (
	"maps"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/tui/screen"
)

// template says how the prompt is meant, and what it yields as a template.
type template struct {
	Mode batch.PromptMode
	Vars map[string]string

	got         TemplateMsg
	have        bool
	busy, stale bool
}

// TemplateMsg brings a prompt that was read as a template.
type TemplateMsg struct {
	prompt string
	vars   map[string]string
	batch.Template
}

// look counts what the prompt yields, when it may be a template and has changed since. At most one
// look is under way.
func (t *template) look(prompt string, files batch.Wildcards) tea.Cmd {
	switch {
	case !batch.MayBeTemplate(prompt):
		t.have = false
		return nil
	case t.busy:
		t.stale = true
		return nil
	case t.have && t.got.prompt == prompt && maps.Equal(t.got.vars, t.Vars):
		return nil
	}
	t.busy, t.stale = true, false
	vars := maps.Clone(t.Vars)
	return func() tea.Msg { return TemplateMsg{prompt, vars, batch.Read(prompt, vars, files)} }
}

// finding says under Checks how a prompt is meant, of which that many copies are made; key shows
// and changes that.
func (t *template) finding(prompt string, copies int, key string) []catalog.Problem {
	if !t.have || t.got.Plain || !batch.MayBeTemplate(prompt) {
		return nil
	}
	p := catalog.Problem{Field: client.FieldPrompt, Severity: catalog.Info}
	mistake := ""
	if t.got.Err != nil {
		mistake = client.CleanLine(t.got.Err.Error())
		p.Severity = catalog.Warn
	}
	prompts := batch.Numbered(t.got.Count, "prompt")
	switch {
	case t.Mode == batch.AsText && mistake != "":
		p.Severity = catalog.Info
		p.Message = "the prompt is sent as it is, braces and all"
	case t.Mode == batch.AsText:
		p.Message = "the prompt is sent as it is, braces and all; as a template it would make " + prompts
	case t.Mode == batch.Undecided && mistake != "":
		p.Message = "the prompt reads like a template with a mistake, submitting asks: " + mistake
	case t.Mode == batch.Undecided:
		p.Message = "template: " + prompts + "; submitting shows them, and asks whether it is one"
	case mistake != "":
		p.Severity = catalog.Block
		p.Message = "template: " + mistake
	case t.Mode == batch.SomePrompts:
		p.Message = "template: prompts drawn at random of " + prompts
	default:
		p.Message = "template: " + prompts
		if copies > 1 {
			p.Message += ", " + human.Plural(copies, "job") + " of each"
		}
	}
	if key != "" {
		p.Message += "; " + key + " shows and changes it"
	}
	return []catalog.Problem{p}
}

// corner says the same in the prompt's border, in a few cells.
func (t *template) corner() string {
	switch {
	case !t.have || t.got.Plain || t.Mode == batch.AsText:
		return ""
	case t.got.Err != nil:
		return "template? ─ "
	}
	return batch.Numbered(t.got.Count, "prompt") + " ─ "
}

// asks reports whether submitting a prompt shows first what it yields: it is a template, or might
// be one and nobody has said so. Any other prompt is sent as it is.
func (t *template) asks(prompt string) bool {
	return t.Mode != batch.AsText && batch.Changes(prompt, t.Mode.Template())
}

// took takes over how a draft's prompt is meant. A job's prompt was not a template: its braces were
// meant literally.
func (t *template) took(from screen.ComposeDraft) {
	t.Mode, t.Vars = batch.PromptMode(from.Expand), maps.Clone(from.Vars)
	if from.Job != "" && batch.MayBeTemplate(from.Draft.Prompt) {
		t.Mode = batch.AsText
	}
	if !slices.Contains([]batch.PromptMode{batch.Undecided, batch.AsText, batch.EveryPrompt, batch.SomePrompts}, t.Mode) {
		t.Mode = batch.Undecided
	}
}

// Read takes over how the prompt reads as a template; again reports that the prompt has changed
// meanwhile.
func (t *template) Read(msg TemplateMsg) (again bool) {
	t.busy, t.have, t.got = false, true, msg
	return t.stale
}

// LookAtTemplate reads the prompt of the form as a template.
func (m *Sheet) LookAtTemplate(files batch.Wildcards) tea.Cmd {
	return m.Template.look(m.Form.Text(client.FieldPrompt), files)
}

// AsksFirst reports whether submitting the form shows first what it yields.
func (m *Sheet) AsksFirst() bool { return m.Template.asks(m.Form.Text(client.FieldPrompt)) }
