package compose

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// held is a form with a reference that is looked at before it is sent, and the look after ^S.
func held(t *testing.T) (*bench, tea.Cmd) {
	t.Helper()
	b := start(t, 120, 40)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "a kite",
		Values: client.Values{"image": client.FileURL(file(t, "in.png", png))}}})
	look := pressed(t, b.m, "ctrl+s")
	require.NotNil(t, look)
	return b, look
}

// What is sent is what was submitted: neither another draft that came while the files were
// looked at, nor a template that nobody has seen the prompts of, nor one more word.
func TestWhatWasSubmittedIsWhatIsSent(t *testing.T) {
	another := screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "t2v", Prompt: "ANOTHER {a|b}"}}
	for name, change := range map[string]func(b *bench){
		"another draft":    func(b *bench) { b.Send(another) },
		"a word":           func(b *bench) { b.Type(" and more") },
		"another model":    func(b *bench) { b.pick("famA3") },
		"another duration": func(b *bench) { b.m.sheet.Form.SetText("duration", "7"); _ = b.m.doc.Changed("duration") },
		"a template":       func(b *bench) { b.Type(" {a|b}") },
	} {
		t.Run(name, func(t *testing.T) {
			b, look := held(t)
			change(b)
			b.Send(look())
			assert.Empty(t, b.jobs.got)
			assert.Contains(t, toast(t, b).Text, "not submitted, nothing was sent: the form changed")
			assert.Contains(t, toast(t, b).Text, "^S submits it as it is now")
			assert.Empty(t, b.m.sending.Off())
		})
	}
	b, look := held(t)
	b.Send(look())
	require.Len(t, b.jobs.got, 1, "nothing was changed")
	b, look = held(t)
	b.Type("!")
	b.Key("backspace")
	b.Send(look())
	require.Len(t, b.jobs.got, 1, "nor is anything when it is back")
}

// A path that becomes a reference on the way is no change of anybody's.
func TestAPathThatIsFoundIsNoChange(t *testing.T) {
	b := start(t, 120, 40)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "a kite"}})
	path := file(t, "in.png", png)
	b.m.doc.GoTo("image")
	_, _ = b.m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(path)})
	left := pressed(t, b.m, "tab")
	look := pressed(t, b.m, "ctrl+s")
	b.Send(left())
	b.Send(look())
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, client.FileURL(path), b.jobs.got[0][0].Draft.Values["image"])
}

// A path that is found when its field is gone, and nothing was ever submitted, is the field's
// when that comes back.
func TestAPathThatIsFoundWhenItsFieldIsGone(t *testing.T) {
	b := start(t, 120, 40)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "a kite"}})
	path := file(t, "in.png", png)
	b.m.doc.GoTo("image")
	_, _ = b.m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(path)})
	left := pressed(t, b.m, "tab")
	b.pick("famA3")
	require.NotContains(t, b.m.sheet.Wide, "image")
	b.Send(left())
	b.pick("famI-omni")
	assert.Equal(t, client.FileURL(path), b.m.sheet.Draft.Values["image"])
}

// Over an open dialog the palette's Submit is the dialog's, or it is none.
func TestSubmitOverADialogIsTheDialogs(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a {red|blue} kite")
	b.Key("alt+s")
	require.True(t, b.m.over.Has(batch.Scope))
	b.Send(screen.ActionMsg{ID: "compose.submit"})
	require.Len(t, b.jobs.got, 1)
	assert.Len(t, b.jobs.got[0], 8, "the batch that shows")
	assert.False(t, b.m.over.Has(batch.Scope))
	for _, key := range []string{"ctrl+g", "alt+p", "alt+P", "alt+o"} {
		b, _ = batchBench(t, 120, 34)
		t.Setenv("HOME", t.TempDir())
		b.Type("a kite")
		b.Key(key)
		require.True(t, b.m.Capturing())
		assert.NotEmpty(t, off(t, b, "compose.submit"), key)
		b.Send(screen.ActionMsg{ID: "compose.submit"})
		assert.Empty(t, b.jobs.got, key)
		assert.Contains(t, toast(t, b).Text, "not submitted: a dialog is open", key)
	}
}

// off is why an action is offered and cannot be done.
func off(t *testing.T, b *bench, id string) string {
	t.Helper()
	for _, a := range b.m.Actions() {
		if a.ID == id {
			return a.Off
		}
	}
	require.Fail(t, "no action "+id)
	return ""
}

// The answer to one submission is not taken for that to another: a batch on its way would be
// sent a second time.
func TestEachSubmissionHasItsOwnAnswer(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a kite")
	b.jobs.err = errors.New("disk full")
	single := pressed(t, b.m, "ctrl+s")
	failed := single()
	b.jobs.err = nil
	assert.False(t, b.m.over.Has(batch.Scope))
	_, _ = b.m.Update(failed)
	require.Empty(t, b.m.sending.Off())
	b.Key("alt+s")
	require.True(t, b.m.over.Has(batch.Scope))
	held := pressed(t, b.m, "ctrl+s")
	require.Contains(t, b.View(), "writing 4 jobs down")
	b.Send(failed) // once more, as from a submission that is older than the dialog
	assert.NotEmpty(t, b.m.sending.Off())
	assert.Contains(t, b.View(), "writing 4 jobs down", "the batch is on its way")
	assert.NotContains(t, b.View(), "nothing was sent")
	b.Key("ctrl+s")
	b.deliver(held)
	assert.Len(t, b.jobs.got, 1)
	assert.False(t, b.m.over.Has(batch.Scope))
}

// deliver runs a command that was held.
func (b *bench) deliver(cmd tea.Cmd) { drain(b.m, cmd, false) }

// A dialog does not send while the form's own job is being written down.
func TestABatchWaitsForTheSingleJob(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a kite")
	b.Key("alt+s")
	require.True(t, b.m.over.Has(batch.Scope))
	_ = b.m.sending.SendBatch(batch.Submit{Jobs: []rules.Job{{}}}) // which is not run
	b.Key("ctrl+s")
	assert.Empty(t, b.jobs.got)
	assert.Contains(t, toast(t, b).Text, "still being written down")
}

// A dialog counts what the form holds, also when the palette changed that behind it.
func TestADialogCountsTheFormThatIsThere(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "t2v", Prompt: "former"}},
		screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "t2v", Prompt: "newer"}})
	b.Key("alt+s")
	require.True(t, b.m.over.Has(batch.Scope))
	b.Send(screen.ActionMsg{ID: "compose.bring-back"})
	require.True(t, b.m.over.Has(batch.Scope))
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, "former", b.jobs.got[0][0].Draft.Prompt)
}

// A result that comes when somebody went on writing takes no form away: it waits.
func TestAResultThatComesLateWaits(t *testing.T) {
	b, _ := resultBench(t, 120, 34)
	b.Type("mine")
	_, late := b.m.Update(screen.ComposeResult{JobID: famFJob, As: "extend"})
	b.Type(", minutes of work")
	b.Send(late())
	assert.Equal(t, "mine, minutes of work", b.m.sheet.Draft.Prompt)
	assert.Empty(t, b.m.sheet.Formers)
	assert.Contains(t, toast(t, b).Text, "kept is the result of job 00000003: alt+v takes it")
	assert.Contains(t, b.View(), "i the form was changed and stays as it is", "as long as it waits")
	b.Key("alt+v")
	assert.Equal(t, "task-3", b.m.sheet.Draft.Values["video_id"])
	assert.NotContains(t, b.View(), "stays as it is")
	b.Key("alt+z")
	assert.Equal(t, "mine, minutes of work", b.m.sheet.Draft.Prompt)
	b.Key("alt+v")
	assert.Contains(t, toast(t, b).Text, "nothing waits")
}

// So does one that comes when a dialog was opened meanwhile: what shows there is of the form.
func TestAResultDoesNotChangeTheFormUnderADialog(t *testing.T) {
	b, _ := resultBench(t, 120, 34, func(d *Deps) { d.Shelf = &shelf{} })
	b.Type("a kite")
	_, late := b.m.Update(screen.ComposeResult{JobID: famFJob, As: "extend"})
	b.Key("alt+s")
	require.True(t, b.m.over.Has(batch.Scope))
	b.Send(late())
	assert.Equal(t, "a kite", b.m.sheet.Draft.Prompt)
	assert.NotEmpty(t, off(t, b, "compose.take-late"))
	b.Key("esc", "alt+v")
	assert.Equal(t, "a boat 🪁 塩の平原", b.m.sheet.Draft.Prompt)
}

// A job from the history that comes late waits as well, and brings what was asked of it: not
// what was asked of another one.
func TestJobsOfThePastThatComeLate(t *testing.T) {
	b, _ := pastBench(t, 30, 120, 34)
	b.Type("mine")
	b.Key("ctrl+r", "down")
	whole := pressed(t, b.m, "alt+enter")
	b.Key("ctrl+r")
	prompt := pressed(t, b.m, "enter")
	b.Send(prompt())
	assert.Equal(t, "kite 15 over 塩の平原 🪁\nand מישור המלח", b.m.sheet.Draft.Prompt)
	assert.Equal(t, "famA3", b.m.sheet.Draft.Model, "the prompt alone")
	b.Send(whole())
	assert.Equal(t, "famA3", b.m.sheet.Draft.Model)
	b.Key("alt+v")
	assert.Equal(t, "famI-omni", b.m.sheet.Draft.Model, "the other one was wanted whole")
	assert.Equal(t, "kite 14 over 塩の平原 🪁\nand מישור המלח", b.m.sheet.Draft.Prompt)
}

// A preset is taken by the dialog that it was chosen in.
func TestAPresetOfAnEarlierDialog(t *testing.T) {
	b, _ := presetBench(t, 120, 34)
	b.Type("mine")
	b.Key("alt+p")
	b.Type("kites")
	first := pressed(t, b.m, "enter")
	b.Key("esc", "alt+p")
	b.Type("rain")
	second := pressed(t, b.m, "enter")
	b.Send(first())
	assert.Equal(t, "mine", b.m.sheet.Draft.Prompt)
	b.Send(second())
	assert.Equal(t, "slow piano", b.m.sheet.Draft.Prompt)
}

// A path that was typed is taken by the dialog that it was typed into.
func TestAPathOfADialogThatWasLeft(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	path := pictures(t, t.TempDir(), "a.png")[0]
	b := start(t, 120, 34)
	b.Key("alt+o")
	b.Type(path)
	look := pressed(t, b.m, "enter")
	b.Key("esc")
	b.Send(look())
	assert.Empty(t, b.m.sheet.Draft.Values["reference_images"])
	assert.Empty(t, b.m.sheet.Draft.Values["image"])
}

// While something pasted is looked at, no result takes the form away that it goes into.
func TestAResultWaitsForAPaste(t *testing.T) {
	b, _ := resultBench(t, 120, 34)
	b.Type("mine ")
	_, late := b.m.Update(screen.ComposeResult{JobID: famFJob, As: "extend"})
	_, look := b.m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/no/such/file.png"), Paste: true})
	b.Send(late())
	b.Send(look())
	assert.Equal(t, "mine /no/such/file.png", b.m.sheet.Draft.Prompt)
	b.Key("alt+v")
	assert.Equal(t, "task-3", b.m.sheet.Draft.Values["video_id"])
}

// A text from the editor goes into the form that it was taken out of.
func TestATextFromTheEditorThatComesLate(t *testing.T) {
	b := start(t, 120, 34)
	b.Type("mine")
	b.Key("ctrl+o")
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: "another"}})
	b.Send(screen.EditedMsg{Text: "mine, edited", Tag: client.FieldPrompt})
	assert.Equal(t, "another", b.m.sheet.Draft.Prompt)
	b.Key("alt+z", "alt+v")
	assert.Equal(t, "mine, edited", b.m.sheet.Draft.Prompt, "nothing of it is lost")
	b.Key("ctrl+o")
	b.Send(screen.EditedMsg{Text: "an item", Tag: tagItem})
	b.Key("alt+v")
	msg, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	require.True(t, ok, "nor of an item whose dialog is gone")
	assert.Equal(t, "an item", msg.Text)
}

// The request in the editor is of one form: its template, the jobs that it comes from and what
// it is compared with stay, and it takes the place of no other form.
func TestTheEditedRequestStaysWhatItWas(t *testing.T) {
	b := realBench(t, 120, 34)
	ref := "https://x.test/last.png"
	from := screen.ComposeDraft{Job: "0198c0de-0000-7000-8000-0000deadbeef", Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v",
		Prompt: "a ${colour} kite", Values: client.Values{"image": ref}, Parents: []client.Parent{{Job: "job-1", As: "i2v", Ref: ref}}}}
	b.Send(from)
	b.m.sheet.Template.Mode, b.m.sheet.Template.Vars = rules.EveryPrompt, map[string]string{"colour": "{red|blue}"}
	b.edited(t, func(s string) string { return strings.Replace(s, "kite", "KITE", 1) })
	assert.Equal(t, "a ${colour} KITE", b.m.sheet.Draft.Prompt)
	assert.Equal(t, rules.EveryPrompt, b.m.sheet.Template.Mode)
	assert.Equal(t, map[string]string{"colour": "{red|blue}"}, b.m.sheet.Template.Vars)
	assert.Equal(t, from.Draft.Parents, b.m.sheet.Draft.Descent())
	require.NotNil(t, b.m.sheet.Origin)
	require.Len(t, b.m.sheet.Differ, 1)
	assert.Equal(t, "a ${colour} kite", b.m.sheet.Differ[0].Was)

	b.Sent = nil
	b.Key("alt+j")
	msg, ok := tuitest.Last[screen.EditMsg](b.Driver)
	require.True(t, ok)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: "another"}})
	b.Send(screen.EditedMsg{Text: strings.Replace(msg.Text, "KITE", "boat", 1), Tag: tagRequest})
	assert.Equal(t, "another", b.m.sheet.Draft.Prompt)
	b.Key("alt+v")
	assert.Equal(t, "a ${colour} boat", b.m.sheet.Draft.Prompt)
	assert.Equal(t, from.Draft.Parents, b.m.sheet.Draft.Descent())
	b.Key("alt+z")
	assert.Equal(t, "another", b.m.sheet.Draft.Prompt)
}
