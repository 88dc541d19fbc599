package document

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/intake"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
)

// ActBringBack is the action of [Document.BringBack].
const ActBringBack = "compose.bring-back"

// Fill puts a draft from elsewhere into the form. What was there can be brought back.
func (d *Document) Fill(from screen.ComposeDraft) tea.Cmd {
	if from.Draft.Cut { // a form has no place for the rest
		return screen.Toast(screen.Bad, client.ErrCut.Error())
	}
	d.Sheet.Take(from)
	d.Side.ShowForm()
	return d.replaced()
}

// replaced follows up the replacement of the form: until it is changed, undo brings the former one
// back.
func (d *Document) replaced() tea.Cmd {
	d.tried = false
	cmd := d.Touched()
	d.unfilled = d.Saver.Revision()
	return cmd
}

// FillFrom puts a request that was read into the form, with what no request says: how the prompt is
// meant, and the jobs that the draft comes from. What names its source.
func (d *Document) FillFrom(got intake.Result, rest screen.ComposeDraft, what string) tea.Cmd {
	draft := got.Draft.Clone()
	if draft.Model == "" { // then it goes with what is chosen
		c := d.Sheet.Chosen[draft.Modality]
		draft.Model = c.Model
		if draft.ModelName == "" {
			draft.ModelName = c.ModelName
		}
	}
	draft.Parents = rest.Draft.Parents
	rest.Draft, rest.Format = draft, got.Format
	cmd := d.Fill(rest)
	said := d.WithBack(fmt.Sprintf("%s: %s", what, Gist(got)))
	if got.Secret {
		said += "; the key in it was not kept"
	}
	return tea.Batch(cmd, screen.Toast(screen.Good, said))
}

// Gist is a request in a few words.
func Gist(got intake.Result) string {
	d := &got.Draft
	parts := []string{string(d.Modality)}
	for _, s := range []string{d.Model, d.ModelName, d.Mode} {
		if s != "" {
			parts = append(parts, client.CleanLine(s))
		}
	}
	if got.Format != "" {
		parts = append(parts, "format "+client.CleanLine(got.Format))
	}
	parts = append(parts, human.Plural(len(d.Values), "value"))
	if n := len(d.Extra); n > 0 {
		parts = append(parts, human.Plural(n, "raw addition"))
	}
	return strings.Join(parts, " · ")
}

// WithBack adds to a text how to bring back the form that was there, if there was one.
func (d *Document) WithBack(text string) string {
	if key := d.o.Keys.Keys(ActBringBack); key != "" && len(d.Sheet.Formers) > 0 {
		text += "; " + key + " brings back what was there"
	}
	return text
}

// Clear empties the form. What was there can be brought back, by a key that means that alone.
func (d *Document) Clear() tea.Cmd {
	if !d.Sheet.Blank() {
		d.Sheet.Empty()
		return tea.Batch(d.replaced(), screen.Toast(screen.Info, d.WithBack("cleared")))
	}
	if d.Sheet.Copies() > 1 {
		return d.Set(sheet.RowCopies, sheet.OneCopy)
	}
	return screen.Toast(screen.Info, d.WithBack("the form is empty"))
}

// OffBack says why no former form can be brought back, "" when one can.
func (d *Document) OffBack() string {
	if len(d.Sheet.Formers) == 0 {
		return "nothing was cleared or replaced"
	}
	return ""
}

// BringBack replaces this form by the newest former one.
func (d *Document) BringBack() tea.Cmd {
	if !d.Sheet.Restore() {
		return nil
	}
	return d.replaced()
}

// Undo takes a fill back if nothing was changed since; false when there is none, or the key means
// something else.
func (d *Document) Undo(key string) (tea.Cmd, bool) {
	if key != "ctrl+_" && key != "ctrl+z" || d.unfilled != d.Saver.Revision() || d.unfilled == 0 || len(d.Sheet.Formers) == 0 {
		return nil, false
	}
	return d.BringBack(), true
}

// GoTo shows the form and puts the focus on one of its fields.
func (d *Document) GoTo(field string) {
	d.Side.ShowForm()
	d.Sheet.GoTo(field)
}

// NextProblem shows the next finding and goes to it.
func (d *Document) NextProblem() {
	d.Side.ShowForm()
	if i := d.Sheet.NextProblem(); i >= 0 {
		d.Side.Checks.Reveal(sheet.ZoneCheck, i)
	}
}

// Label is what a field is called in the form.
func (d *Document) Label(field string) string {
	if f, ok := d.o.Catalog.Field(d.Sheet.Modality, field); ok && f.Label != "" {
		return f.Label
	}
	return field
}
