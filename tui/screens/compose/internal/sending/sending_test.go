package sending

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/jobs"
	dialog "darkroom/tui/dialogs/batch"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/document/documenttest"
	"darkroom/tui/screens/compose/internal/late"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/tuitest"
)

// engine journals whatever it is told to, or fails.
type engine struct {
	jobs.Doer
	sent []client.Draft
	err  error
}

func (e *engine) Submit(_ context.Context, s []jobs.Submission) ([]string, error) {
	ids := make([]string, len(s))
	for i := range s {
		e.sent = append(e.sent, s[i].Draft)
		ids[i] = fmt.Sprint("job-", i)
	}
	return ids, e.err
}

// forms are batches of a document; none of their dialogs opens.
type forms struct {
	doc    *document.Document
	opened int
}

func (f *forms) Open(dialog.Kind, bool) tea.Cmd { f.opened++; return nil }
func (f *forms) Copies(n int) batch.Input       { return batch.Input{Base: f.doc.Sheet.Draft, Count: n} }

// desk is a sender and what is around it.
type desk struct {
	*Sender
	doc     *document.Document
	engine  engine
	forms   forms
	over    screen.Stack
	blocked string
	said    []string
}

func newDesk(t *testing.T, prompt string) *desk {
	t.Helper()
	d := &desk{doc: documenttest.New(t), over: screen.NewStack(keys.New(nil), tuitest.Styles(t), func(any) tea.Cmd { return nil })}
	d.forms.doc = d.doc
	d.Sender = New(Options{Jobs: &d.engine, Doc: d.doc, Over: &d.over, Batches: &d.forms, Blocked: func() string { return d.blocked }, Key: "^S"})
	path := filepath.Join(t.TempDir(), "in.png")
	require.NoError(t, os.WriteFile(path, []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), 0o600))
	d.run(d.doc.Fill(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: prompt,
		Values: client.Values{"image": client.FileURL(path)}}}))
	d.said = nil
	return d
}

// run does what commands bring, as the screen does.
func (d *desk) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case references.Msg:
		if changed := d.doc.Sheet.Resolved(msg); len(changed) > 0 {
			d.run(d.Found(changed, d.doc.Followed))
		}
		if msg.Then == references.Submit {
			d.run(d.Send())
		}
	case SentMsg:
		d.run(d.Sent(msg))
	default:
		d.said = append(d.said, documenttest.Run(d.doc, func() tea.Msg { return msg })...)
	}
}

func TestWhatIsSentIsWhatWasSubmitted(t *testing.T) {
	d := newDesk(t, "a kite")
	look := d.Submit()
	require.NotNil(t, look, "its file is looked at")
	assert.True(t, d.busy)
	assert.NotEmpty(t, d.Off())
	d.run(d.Submit())
	assert.Equal(t, []string{"not submitted again: " + still}, d.said)
	d.run(look)
	require.Len(t, d.engine.sent, 1)
	assert.Equal(t, "submitted famI-omni, job job-0 (Queue shows it)", d.said[1])
	assert.False(t, d.busy)

	look = d.Submit()
	d.run(d.doc.Set(client.FieldPrompt, "a boat"))
	d.run(look)
	assert.Len(t, d.engine.sent, 1)
	assert.Contains(t, d.said[2], "the form changed while its files were checked; ^S submits it as it is now")
	assert.False(t, d.busy)
}

func TestAPathThatIsFoundIsNoChange(t *testing.T) {
	d := newDesk(t, "a kite")
	path, _ := client.FilePath(d.doc.Sheet.Draft.Values["image"].(string))
	d.run(d.doc.Set("image", path))
	left := d.doc.Left("image")
	look := d.Submit()
	d.run(left)
	d.run(look)
	require.Len(t, d.engine.sent, 1)
	assert.Equal(t, client.FileURL(path), d.engine.sent[0].Values["image"])
}

func TestWhyNothingIsSubmitted(t *testing.T) {
	d := newDesk(t, "a kite")
	d.blocked = "look at it first"
	d.run(d.Submit())
	d.blocked = ""
	d.over.Open(&screenDialog{})
	assert.Equal(t, late.OverForm, d.Off())
	d.run(d.Submit())
	d.over.Clear()
	d.run(d.doc.Set("image", "/no/such/file.png"))
	d.run(d.Submit())
	require.Len(t, d.said, 2)
	assert.Equal(t, "not submitted: look at it first", d.said[0])
	assert.Equal(t, "not submitted: "+late.OverForm, d.said[1])
	assert.Contains(t, d.Refused(), "/no/such/file.png", "the form says it at the field")
	d.Unsay()
	assert.Empty(t, d.Refused())
	assert.Empty(t, d.engine.sent)
	assert.False(t, d.busy)
}

// screenDialog is one that does nothing.
type screenDialog struct{ screen.Base }

func (*screenDialog) Update(tea.Msg) tea.Cmd { return nil }
func (*screenDialog) View() string           { return "" }

func TestEachSubmissionHasItsOwnAnswer(t *testing.T) {
	d := newDesk(t, "a kite")
	list := []batch.Job{{Draft: client.Draft{Model: "m"}}, {Draft: client.Draft{Model: "n"}}}
	d.engine.err = errors.New("disk full")
	old := d.SendBatch(dialog.Submit{Jobs: list[:1]})().(SentMsg)
	d.run(d.Sent(old))
	assert.Equal(t, []string{"not submitted, nothing was sent: disk full"}, d.said)
	assert.Equal(t, "not submitted: disk full", d.doc.Sheet.Refusal.Text)
	d.engine.err = jobs.ErrUnclear
	d.run(d.SendBatch(dialog.Submit{Jobs: list}))
	assert.Contains(t, d.said[1], "perhaps submitted: ")

	d.engine.err = nil
	master := uint64(7)
	send := d.SendBatch(dialog.Submit{Jobs: list, Master: &master})
	assert.Empty(t, d.doc.Sheet.Refusal.Text)
	d.Sent(old)
	assert.True(t, d.busy, "it is older than what is on its way")
	d.run(send)
	assert.Equal(t, "submitted several models, 2 jobs (Queue shows it); drawn with 7, which makes the same again", d.said[2])
	assert.False(t, d.busy)
}
