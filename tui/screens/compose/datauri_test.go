package compose

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/findings"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/form"
)

func dataURI(n int) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(png+strings.Repeat("\x01\x02\x03", n/3)))
}

func TestFilesShowTheirSize(t *testing.T) {
	b, field := referenceBench(t, 120, 40)
	path := file(t, "kite.png", png+strings.Repeat("x", 214_000))
	b.Type(path)
	b.Key("tab")
	assert.Contains(t, b.View(), "214 kB, 285 kB as data URI")
	b.Key("shift+tab")
	require.Equal(t, field, b.m.sheet.Form.Focused())
	assert.Contains(t, b.View(), "kite.png 214 kB, 285 kB as data URI; data URIs are not")
	assert.False(t, findings.Has(b.m.sheet.Problems, field, catalog.Warn))
}

func TestSizesOfFilesThatCameWithADraft(t *testing.T) {
	path := file(t, "flat.png", png+strings.Repeat("x", 99_000))
	b := start(t, 120, 40)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "p",
		Values: client.Values{"reference_images": []any{client.FileURL(path), "https://example.org/a.png"}}}})
	assert.Contains(t, b.View(), "flat.png 99 kB, 132 kB")
	rows := b.m.sheet.Rows()
	at := slices.IndexFunc(rows, func(r form.Field) bool { return r.ID == "reference_images" })
	assert.Contains(t, rows[at].Detail, references.NotShown)
}

func TestHeavyFilesAreWarnedOf(t *testing.T) {
	b, field := referenceBench(t, 120, 60)
	path := filepath.Join(t.TempDir(), "big.png")
	require.NoError(t, os.WriteFile(path, []byte(png), 0o600))
	require.NoError(t, os.Truncate(path, 3_500_000))
	b.Type(path)
	b.Key("tab")
	require.True(t, findings.Has(b.m.sheet.Problems, field, catalog.Warn))
	view := strings.Join(strings.Fields(b.View()), " ")
	assert.Contains(t, view, "big.png 3.5 MB, 4.7 MB")
	for _, p := range b.m.sheet.Problems {
		if p.Severity == catalog.Warn && p.Field == field {
			assert.Contains(t, p.Message, "4.0 MB")
			assert.Contains(t, p.Message, "give an http(s) URL")
		}
	}
	require.NoError(t, os.Truncate(path, 1_000_000))
	b.Key("ctrl+s")
	assert.False(t, findings.Has(b.m.sheet.Problems, field, catalog.Warn), "it is looked at again before it is sent")
	assert.Len(t, b.jobs.got, 1)
}

func TestPastedDataIsFolded(t *testing.T) {
	b, field := referenceBench(t, 120, 40)
	uri := dataURI(300_000)
	b.Paste(uri)
	assert.Less(t, len(b.m.sheet.Form.Text(field)), 200, "the form does not hold it")
	assert.Equal(t, uri, b.m.sheet.Draft.Values[field], "the draft does")
	b.Key("tab")
	view := b.View()
	assert.Contains(t, view, "data:image/png;base64,…(400 kB")
	assert.NotContains(t, draftOf(b), uri[40:80])
	b.Key("f3")
	assert.NotContains(t, b.View(), uri[40:80], "the command shows without it")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, uri, b.jobs.got[0][0].Draft.Values[field])

	b.Send(screen.HiddenMsg{})
	assert.Equal(t, uri, b.drafts.kept[client.Video].Draft.Values[field], "and so does the disk")
	m, _, _ := newModel(t, keeping(b.drafts))
	again := tuitest.NewScreen(t, m, 120, 40)
	assert.Less(t, len(m.sheet.Form.Text(field)), 200)
	assert.Equal(t, uri, m.sheet.Draft.Values[field])
	assert.NotContains(t, again.View(), uri[40:80])
}

func TestPastedDataInLinesIsOne(t *testing.T) {
	b, _ := referenceBench(t, 120, 40)
	require.True(t, b.m.sheet.Form.Focus("reference_images"))
	uri := dataURI(3000)
	wrapped := uri[:60] + "\r\n" + uri[60:700] + "\n" + uri[700:] + "\n"
	b.Paste(wrapped)
	assert.Equal(t, []any{uri}, b.m.sheet.Draft.Values["reference_images"])
	b.Key("enter")
	b.Paste(dataURI(6000))
	assert.Equal(t, []any{uri, dataURI(6000)}, b.m.sheet.Draft.Values["reference_images"])
	b.Key("tab")
	assert.Contains(t, b.View(), "2 pasted, 12 kB as data URIs")
}

func TestAChangedStandInIsNotSent(t *testing.T) {
	b, field := referenceBench(t, 120, 40)
	b.Paste(dataURI(3000))
	b.Key("backspace")
	assert.True(t, findings.Has(b.m.sheet.Problems, field, catalog.Block))
	b.Key("ctrl+s")
	assert.Empty(t, b.jobs.got)
	assert.Contains(t, b.m.sending.Refused(), "undo that, or paste it again")
	require.True(t, b.m.sheet.Form.Focus(field))
	b.Key("ctrl+_")
	assert.Equal(t, dataURI(3000), b.m.sheet.Draft.Values[field])
}

func TestHeavyDataIsWarnedOf(t *testing.T) {
	b, field := referenceBench(t, 200, 60)
	b.Paste(dataURI(3_100_000))
	require.True(t, findings.Has(b.m.sheet.Problems, field, catalog.Warn))
	assert.Contains(t, b.View(), "pasted image/png, 4.1 MB as data URI, more than 4.0 MB")
}

func TestTheEditorGetsTheWhole(t *testing.T) {
	b, field := referenceBench(t, 120, 40)
	uri := dataURI(3000)
	b.Paste(uri)
	b.Key("ctrl+o")
	edit, ok := tuitest.Last[screen.EditMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, uri, edit.Text)
	b.Send(screen.EditedMsg{Tag: edit.Tag, Text: dataURI(6000) + "\n"})
	assert.Equal(t, dataURI(6000), b.m.sheet.Draft.Values[field])
	assert.Less(t, len(b.m.sheet.Form.Text(field)), 200)
}

// BenchmarkKeyWithData types into the prompt while a field holds a long data URI.
func BenchmarkKeyWithData(b *testing.B) {
	m, _, _ := newModel(b)
	m.SetSize(200, 60)
	m.sheet.Fill(client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "a kite",
		Values: client.Values{"image": dataURI(3_000_000)}}, "")
	m.sheet.Form.Focus(client.FieldPrompt)
	_ = m.View()
	b.ReportAllocs()
	for b.Loop() {
		_, _ = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'x'}})
		_ = m.View()
		_, _ = m.Update(tea.KeyMsg{Type: tea.KeyBackspace})
		_ = m.View()
	}
}
