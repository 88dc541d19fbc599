package document_test

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/intake"
	"darkroom/client/kept"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/autosave"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/document/documenttest"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
)

// disk keeps the prompt of each kind.
type disk map[client.Modality]string

func (d disk) Load(k client.Modality) (kept.Draft, bool, error) {
	prompt, ok := d[k]
	return kept.Draft{Draft: client.Draft{Modality: k, Prompt: prompt}}, ok, nil
}

func (d disk) Save(x kept.Draft) error {
	d[x.Draft.Modality] = x.Draft.Prompt
	return nil
}

// told counts what a document tells of itself.
type told struct{ refreshed, changed, touched int }

func open(t *testing.T, drafts autosave.Drafts) (*document.Document, *told) {
	t.Helper()
	n := &told{}
	return documenttest.New(t, func(o *document.Options) {
		o.Drafts = drafts
		o.Watcher = document.Watcher{
			Refreshed: func() { n.refreshed++ },
			Changed:   func() tea.Cmd { n.changed++; return nil },
			Touched:   func() tea.Cmd { n.touched++; return nil },
		}
	}), n
}

var run = documenttest.Run

func draft(prompt string) screen.ComposeDraft {
	return screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Prompt: prompt}}
}

func TestAChangeIsFollowed(t *testing.T) {
	kept := disk{}
	d, n := open(t, kept)
	run(d, d.Init())
	*n = told{}
	run(d, d.Set(client.FieldPrompt, "a kite"))
	assert.Equal(t, 1, n.touched)
	assert.Equal(t, 1, n.changed)
	assert.NotZero(t, n.refreshed)
	assert.EqualValues(t, 1, d.Changes())
	require.NotNil(t, d.Sheet.Made)
	assert.Equal(t, "a kite", string(d.Sheet.Made.Body))
	assert.True(t, d.Saver.Pending())

	run(d, d.Followed())
	assert.Equal(t, 1, n.touched, "what changes by itself is nobody's work")
	assert.EqualValues(t, 1, d.Changes())

	cmd, mine := d.Update(autosave.TickMsg{})
	assert.True(t, mine)
	run(d, cmd)
	assert.Equal(t, "a kite", kept[client.Video])
	assert.False(t, d.Saver.Pending())
	_, mine = d.Update(screen.ShownMsg{})
	assert.False(t, mine)
}

func TestTheNewestDraftIsMade(t *testing.T) {
	d, _ := open(t, nil)
	first := d.Side.Make()
	d.Sheet.Form.SetText(client.FieldPrompt, "newer")
	d.Refresh()
	assert.Nil(t, d.Side.Make(), "one at a time")
	run(d, first)
	assert.Equal(t, "newer", string(d.Sheet.Made.Body))
}

func TestAFormThatIsReplacedComesBack(t *testing.T) {
	d, _ := open(t, nil)
	run(d, d.Set(client.FieldPrompt, "mine"))
	_, ok := d.Undo("ctrl+z")
	assert.False(t, ok, "that is the text's undo")
	run(d, d.Fill(draft("another")))
	assert.Equal(t, "another", d.Sheet.Draft.Prompt)
	assert.Equal(t, "x; alt+z brings back what was there", d.WithBack("x"))
	_, ok = d.Undo("x")
	assert.False(t, ok)
	cmd, ok := d.Undo("ctrl+z")
	require.True(t, ok)
	run(d, cmd)
	assert.Equal(t, "mine", d.Sheet.Draft.Prompt)
	run(d, d.Fill(draft("another")))
	run(d, d.Set(client.FieldPrompt, "another one"))
	_, ok = d.Undo("ctrl+z")
	assert.False(t, ok, "something was changed since")

	assert.Equal(t, []string{"cleared; alt+z brings back what was there"}, run(d, d.Clear()))
	assert.Empty(t, d.Sheet.Draft.Prompt)
	d.Sheet.Form.SetText(sheet.RowCopies, "3")
	run(d, d.Clear())
	assert.Equal(t, 1, d.Sheet.Copies(), "first the number")
	assert.Equal(t, []string{"the form is empty; alt+z brings back what was there"}, run(d, d.Clear()))
	assert.Empty(t, d.Sheet.Draft.Prompt, "what clears brings nothing back")
	run(d, d.BringBack())
	assert.Equal(t, "another one", d.Sheet.Draft.Prompt)

	cut := draft("x")
	cut.Draft.Cut = true
	assert.Equal(t, []string{client.ErrCut.Error()}, run(d, d.Fill(cut)))
	assert.Equal(t, "another one", d.Sheet.Draft.Prompt)
}

func TestARequestFillsTheForm(t *testing.T) {
	d, _ := open(t, nil)
	run(d, d.Set(client.FieldPrompt, "mine"))
	model := d.Sheet.Effective().Model
	got := intake.Result{Draft: client.Draft{Modality: client.Video, Prompt: "a kite", Values: client.Values{"duration": "6"}}, Secret: true}
	said := run(d, d.FillFrom(got, screen.ComposeDraft{Draft: client.Draft{Parents: []client.Parent{{Job: "1"}}}}, "pasted"))
	assert.Equal(t, []string{"pasted: video · 1 value; alt+z brings back what was there; the key in it was not kept"}, said)
	assert.Equal(t, "a kite", d.Sheet.Draft.Prompt)
	assert.Equal(t, model, d.Sheet.Draft.Model, "it goes with what is chosen")
	assert.Len(t, d.Sheet.Parents, 1)
}

func TestWhatWasKeptIsRead(t *testing.T) {
	d, _ := open(t, disk{client.Video: "kept"})
	run(d, d.Init())
	assert.Equal(t, "kept", d.Sheet.Draft.Prompt)

	kept := disk{client.Video: "kept"}
	d, _ = open(t, kept)
	require.NoError(t, d.Flush(false), "nothing was typed")
	d.Saver.Changed()
	require.NoError(t, d.Flush(false))
	assert.Equal(t, "kept", kept[client.Video], "who leaves at once loses nothing")

	assert.Equal(t, []string{"a draft was not read: gone"}, run(d, d.Loaded(autosave.LoadedMsg{Err: errors.New("gone")}, false)))
}

func TestTheFormShowsWhereOneGoes(t *testing.T) {
	d, _ := open(t, nil)
	for _, size := range [][2]int{{120, 34}, {80, 24}, {20, 2}} {
		d.SetSize(size[0], size[1])
		d.SetStyles(tuitest.Styles(t))
		lines := strings.Split(d.View(document.Around{Hint: "a hint", Batch: "a batch"}), "\n")
		assert.Len(t, lines, size[1])
		assert.Equal(t, size[0], widgets.Width(lines[0]))
	}
	d.SetSize(80, 24)
	run(d, d.Side.View(request.JSON))
	run(d, d.Side.View(request.Curl))
	assert.True(t, d.Side.Alone())
	assert.NotContains(t, d.View(document.Around{Hint: "a hint"}), "a hint")
	d.GoTo("duration")
	assert.False(t, d.Side.Alone())
	assert.Contains(t, tuitest.Plain(d.View(document.Around{Hint: "a hint"})), "a hint")
	assert.NotEmpty(t, d.Label("duration"))
	assert.Equal(t, "no_such_field", d.Label("no_such_field"))
	assert.NotEmpty(t, d.Side.OffChecks(), "they do not show beside a narrow form")
}

func TestWhatWaitsForALook(t *testing.T) {
	d := documenttest.New(t)
	went := 0
	goOn := func() tea.Cmd { went++; return nil }
	look := func() tea.Msg { return nil }
	d.After(nil, goOn)
	assert.Equal(t, 1, went, "there is nothing to look at")
	assert.NotNil(t, d.After(look, goOn))
	assert.Equal(t, 1, went)
	d.Looked()
	d.Looked()
	assert.Equal(t, 2, went, "once")
	d.After(look, goOn)
	d.Leave()
	d.Looked()
	assert.Equal(t, 2, went, "somebody went elsewhere")
}
