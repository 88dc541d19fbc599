package compose

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/screens/compose/internal/attach"
	"darkroom/tui/screens/compose/internal/sheet"
)

func TestAReferenceIsAddedWhereTheFocusIs(t *testing.T) {
	b := start(t, 120, 40)
	b.pick("famK-3.0")
	b.m.sheet.Chosen[client.Video] = sheet.Choice{Model: "famK-3.0", Mode: "reference_material"}
	b.m.doc.Refresh()
	b.m.sheet.More = true
	b.m.doc.Refresh()
	b.View()
	require.True(t, b.m.sheet.Form.Focus("audios"), "%v", b.m.sheet.Fields)
	b.Type("https://e.com/a.mp3")
	b.Key("esc", "alt+a")
	assert.Equal(t, "audios", b.m.sheet.Form.Focused())
	b.Type("https://e.com/b.mp3")
	assert.Equal(t, []any{"https://e.com/a.mp3", "https://e.com/b.mp3"}, b.m.sheet.Draft.Values["audios"])
}

func TestAddingAReferenceWhereTheModeTakesNone(t *testing.T) {
	b := start(t, 120, 40)
	b.pick("famA3")
	b.m.sheet.Chosen[client.Video] = sheet.Choice{Model: "famA3", Mode: "t2v"}
	b.m.doc.Refresh()
	require.Empty(t, attach.Place(b.m.sheet))
	b.Key("alt+a")
	require.True(t, b.m.over.Has(refs.ScopeFiles), "a file is chosen, as by alt+o")
	assert.Contains(t, toast(t, b).Text, "mode t2v takes no references: the mode follows the file")
	b.Key("esc")

	b.Click("compose/#kind/o2") // music
	b.Key("alt+a")
	assert.Contains(t, toast(t, b).Text, "takes no references; alt+o finds a model that takes a file")
}
