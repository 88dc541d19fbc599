package attach

import (
	"context"
	"errors"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
	"darkroom/client/media"
	"darkroom/jobs"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/document/documenttest"
	"darkroom/tui/screens/compose/internal/late"
	"darkroom/tui/tuitest"
)

// past is a history of one job.
type past struct{ job jobs.Job }

func (past) List(context.Context, jobs.Query) (jobs.Page, error) { return jobs.Page{}, nil }

func (p past) Get(_ context.Context, id string) (jobs.Job, error) {
	if id != p.job.ID {
		return jobs.Job{}, errors.New("no such job")
	}
	return p.job, nil
}

// table is a form that references go into.
type table struct {
	*References
	doc  *document.Document
	over screen.Stack
	late *late.Box
	left int
}

func newTable(t *testing.T, h History) *table {
	t.Helper()
	b := &table{doc: documenttest.New(t)}
	b.over = screen.NewStack(keys.Map{}, tuitest.Styles(t), func(a any) tea.Cmd { return b.Answer(a) })
	b.over.SetSize(120, 34)
	b.late = late.New("alt+v", func() late.State { return late.State{Edits: b.doc.Changes(), Fills: b.doc.Sheet.Fills} })
	leave := func() tea.Cmd { b.left++; return nil }
	b.References = New(Options{Catalog: catalogtest.Catalog(t), Keys: keys.Map{}, History: h}, b.doc, Around{Over: &b.over, Late: b.late, Leave: leave})
	b.fill(client.Draft{Modality: client.Video, Model: "famA3", Mode: "i2v", Prompt: "a kite"})
	return b
}

func (b *table) fill(d client.Draft) { b.run(b.doc.Fill(screen.ComposeDraft{Draft: d})) }

func (b *table) run(cmd tea.Cmd) []string { return documenttest.Run(b.doc, cmd) }

func images(paths ...string) (out []media.File) {
	for _, p := range paths {
		out = append(out, media.File{Path: p, Kind: "image"})
	}
	return out
}

func TestFilesGoWhereTheyBelong(t *testing.T) {
	b := newTable(t, nil)
	said := b.run(b.Take(images("/x/a.png", "/x/b.png"), "image"))
	assert.Equal(t, "file:///x/a.png", b.doc.Sheet.Draft.Values["image"])
	require.Len(t, said, 1)
	assert.Contains(t, said[0], "takes one file: it is a.png now, without b.png")

	b.fill(client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v"})
	said = b.run(b.Take(images("/x/a.png"), ""))
	assert.Equal(t, "r2v", b.doc.Sheet.Effective().Mode, "the mode follows the file")
	assert.Equal(t, []any{"file:///x/a.png"}, b.doc.Sheet.Draft.Values["reference_images"])
	assert.Equal(t, []string{"the mode is now reference to video, which takes " + b.doc.Label("reference_images")}, said)

	b.fill(client.Draft{Modality: client.Speech, Prompt: "words"})
	said = b.run(b.Take(append(images("/x/a.png"), media.File{Path: "/x/v.mp4", Kind: "video"}), ""))
	assert.True(t, b.over.Has(choose.Scope), "which model takes it is asked")
	assert.Equal(t, []string{"not taken yet: v.mp4; drop the rest again once a model takes it"}, said)
	assert.Equal(t, "a.png, b.png, c.png and 1 more", names(images("/x/a.png", "/x/b.png", "/x/c.png", "/x/d.png")))
}

func TestThePlaceOfAReference(t *testing.T) {
	b := newTable(t, nil)
	assert.Equal(t, "image", Place(b.doc.Sheet))
	b.fill(client.Draft{Modality: client.Video, Model: "famA3", Mode: "t2v"})
	assert.Empty(t, Place(b.doc.Sheet))
	said := b.run(b.FilesInstead())
	assert.True(t, b.over.Has(refs.ScopeFiles))
	require.NotEmpty(t, said)
	assert.Contains(t, said[len(said)-1], "mode t2v takes no references: the mode follows the file")
	b.over.Clear()
	b.fill(client.Draft{Modality: client.Music})
	said = b.run(b.FilesInstead())
	assert.Nil(t, b.over.Top())
	assert.Contains(t, said[0], "takes no references; choosing a file finds a model that takes a file")
}

func TestAResultIsGoneOnWith(t *testing.T) {
	job := jobs.Job{ID: "0198c0de-00000001", State: jobs.Completed, Draft: client.Draft{Modality: client.Image, Model: "famL", Prompt: "a lighthouse"},
		Assets: []client.Asset{{Kind: client.AssetImage, URL: "https://media.invalid/1.png"}}}
	b := newTable(t, past{job})
	// take has a result come; meanwhile is what the person does before.
	take := func(id, as string, meanwhile func()) []string {
		cmd := b.TakeResult(screen.ComposeResult{JobID: id, As: as})
		if meanwhile != nil {
			meanwhile()
		}
		return b.run(b.Update(cmd()))
	}
	said := take(job.ID, "reference", nil)
	assert.Equal(t, 1, b.left, "what was open is about the former form")
	assert.Equal(t, "https://media.invalid/1.png", b.doc.Sheet.Draft.Values["image"])
	assert.Contains(t, said[0], "the result of job 00000001 is in "+b.doc.Label("image"))
	assert.Equal(t, []client.Parent{{Job: job.ID, As: "reference", Ref: "https://media.invalid/1.png"}}, b.doc.Sheet.Draft.Descent())

	assert.Contains(t, take("gone", "edit", nil)[0], "the result was not taken: no such job")
	assert.Contains(t, take(job.ID, "extend", nil)[0], "only a video can be extended")
	said = take(job.ID, "reference", func() { b.run(b.doc.Set(client.FieldPrompt, "another thought")) })
	assert.Contains(t, said[0], "the form was changed and stays as it is; kept is the result of job")
	assert.Contains(t, take(job.ID, "edit", nil)[0], "edits the result of job 00000001; alt+z brings back what was there")
	assert.Equal(t, client.Image, b.doc.Sheet.Modality)

	assert.Contains(t, b.run(b.TakeResult(screen.ComposeResult{JobID: job.ID, As: "remix"}))[0], "not a use of a result")
	none := newTable(t, nil)
	assert.Equal(t, []string{"there is no history to take the result from"}, none.run(none.TakeResult(screen.ComposeResult{As: "edit"})))
	assert.Equal(t, []string{"there is no history to look into"}, none.run(none.Results()))
	assert.Zero(t, none.left)
}

func TestWhatAReferenceIsCalled(t *testing.T) {
	for want, x := range map[string]named{
		"hero␛[2J":        {field: "content", ref: "https://x.invalid/z.png", name: "hero\x1b[2J", role: "first"},
		"kite":            {field: "images", ref: "https://x.invalid/a/kite.png?sig=1"},
		"塩 flat":          {field: "images", ref: "file:///x/塩 flat.jpg"},
		"reference_image": {field: "content", ref: "data:image/png;base64,AA==", role: "reference_image"},
		"image":           {field: "image", ref: "data:image/png;base64,AA=="},
	} {
		assert.Equal(t, want, x.called())
	}
	b := newTable(t, nil)
	assert.NotEmpty(t, b.OffName())
	b.run(b.doc.Set("image", "https://x.invalid/kite.png"))
	assert.Empty(t, b.OffName())
	said := b.run(b.Name())
	assert.Equal(t, "a kite kite", b.doc.Sheet.Draft.Prompt)
	assert.Contains(t, said[len(said)-1], "the plain name is in the prompt")
	assert.Equal(t, "no list of references has the focus", b.OffMove(1))
}

// server finds nothing.
type server struct{}

func (server) Head(context.Context, string) (client.Head, error) {
	return client.Head{StatusCode: 404, Bytes: -1}, nil
}

func TestServersAreAskedOnce(t *testing.T) {
	b := newTable(t, nil)
	shown := 0
	open := func(screen.Dialog) tea.Cmd { shown++; return nil }
	h := NewHeads(b.doc.Sheet, server{}, "", open)
	assert.Equal(t, "the focused field has no http:// or https:// reference", h.Off())
	b.run(b.doc.Set("image", "https://x.invalid/kite.png"))
	b.doc.GoTo("image")
	require.Empty(t, h.Off())
	assert.Equal(t, []string{"there is nobody to ask here"}, b.run(NewHeads(b.doc.Sheet, nil, "", open).Ask()))

	ask, ok := h.Ask()().(tea.BatchMsg)
	require.True(t, ok)
	assert.Equal(t, []string{"the servers are being asked already"}, b.run(h.Ask()))
	assert.Nil(t, h.Update(screen.ShownMsg{}))
	h.Awaited = false // the person went on
	assert.Equal(t, []string{"0 of 1 URL found by their servers; the palette shows what they say"}, b.run(h.Update(ask[1]())))
	assert.Zero(t, shown)
	h.Ask()
	assert.Equal(t, 1, shown, "what nobody has seen is shown before others are asked")
	b.doc.GoTo(client.FieldPrompt)
	assert.Empty(t, h.Off(), "also from elsewhere")
	h.Forget()
	assert.NotEmpty(t, h.Off())
}
