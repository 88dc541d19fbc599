package items

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/items"
)

// list is a field of items with a text and a look each.
type list struct {
	value any
	gone  bool
	facts map[string]items.Fact
}

func (f *list) Text() (string, bool) {
	if f.value == nil {
		return "", !f.gone
	}
	return items.Format(f.value), !f.gone
}

func (f *list) Value() any { return f.value }

func (f *list) Facts() map[string]items.Fact { return f.facts }

func (f *list) Pasted(runes []rune) []rune { return []rune(strings.ToUpper(string(runes))) }

func spec() items.Spec {
	return items.Spec{Title: "Scenes", List: true, Parts: []items.Part{
		{Path: []string{"look"}, Options: []string{"soft", "hard"}, Seen: "shown are"}, {Path: []string{"words"}, Kind: items.Lines}, {Path: []string{"name"}}}}
}

func actions() keys.Map {
	return keys.New([]keys.Action{{ID: "form.editor", Keys: []string{"ctrl+o"}}}, screen.Rows(Commands()))
}

func open(t *testing.T, f *list, at string) *tuitest.Host {
	t.Helper()
	k := actions()
	return tuitest.NewDialog(t, k, New(Options{Keys: k, Name: "scenes", Field: f, Spec: spec(), At: at, Others: []string{"form.editor"}}), 100, 30)
}

func two() *list {
	return &list{value: []any{map[string]any{"words": "one"}, map[string]any{"words": "two"}}}
}

// said is what the dialog has said last of its value.
func said(h *tuitest.Host) (last Said) {
	for _, a := range h.Answers {
		if s, ok := a.(Said); ok {
			last = s
		}
	}
	return last
}

func TestItemsAreEdited(t *testing.T) {
	h := open(t, two(), "")
	assert.False(t, h.Capturing(), "letters are keys")
	assert.True(t, h.TakesLetters())
	h.Key("J")
	assert.Equal(t, "scenes", said(h).Name)
	assert.Less(t, strings.Index(said(h).Text, "two"), strings.Index(said(h).Text, "one"))
	h.Key("d", "u", "enter")
	assert.True(t, h.Capturing())
	assert.Equal(t, "back", word(h))
	h.Key("esc")
	assert.Equal(t, "close", word(h))
	h.Key("esc")
	assert.Nil(t, h.Top())
	assert.True(t, said(h).Closed)
}

// word is what esc does by the bottom line.
func word(h *tuitest.Host) string {
	for _, b := range h.ShortHelp() {
		if b.Help().Key == "esc" {
			return b.Help().Desc
		}
	}
	return ""
}

// A letter of an action is text while one is written.
func TestLettersAreTextWithinAnItem(t *testing.T) {
	h := open(t, two(), "1")
	h.Key("tab")
	h.Type("add Down")
	assert.Contains(t, said(h).Text, "add Down")
	h.Paste("pasted")
	assert.Contains(t, said(h).Text, "PASTED", "as the field says that it stands there")
	h.Key("ctrl+o")
	assert.Equal(t, Other{"form.editor"}, h.Answers[len(h.Answers)-1])
}

func TestANewItemAndAPaste(t *testing.T) {
	f := &list{}
	h := open(t, f, "+")
	assert.Contains(t, h.View(), "item 1 of 1")
	k := actions()
	h.Show(New(Options{Keys: k, Name: "scenes", Field: f, Spec: spec(), Paste: []rune("as it was pasted")}))
	assert.Contains(t, h.View(), "Scenes")
}

func TestWhatIsOffIsSaidInTheDialog(t *testing.T) {
	h := open(t, two(), "")
	h.Key("K")
	assert.Contains(t, h.View(), "it is the first")
	for _, a := range h.Actions() {
		if a.ID == "items.up" {
			assert.Equal(t, "it is the first", a.Off)
		}
	}
	verbs := items.Actions()
	require.Len(t, h.Actions(), len(verbs))
	for i, c := range Commands() {
		assert.Equal(t, Scope+"."+verbs[i], c.ID, "in the order in which they are offered")
		assert.NotEmpty(t, c.Keys)
		assert.NotEmpty(t, c.Word)
	}
	h.Do("items.delete")
	assert.Contains(t, h.View(), "1 item")
}

func TestTheDialogFollowsItsField(t *testing.T) {
	f := two()
	h := open(t, f, "")
	f.value = append(f.value.([]any), map[string]any{"words": "three"})
	h.Send(ChangedMsg{}, LearnedMsg{})
	assert.Contains(t, h.View(), "three")
	f.gone = true
	h.Send(ChangedMsg{})
	assert.Nil(t, h.Top())
	assert.Empty(t, h.Answers, "it was not closed by a person")
}

func TestATextIsEditedElsewhere(t *testing.T) {
	h := open(t, two(), "")
	h.Send(EditMsg{})
	assert.Equal(t, Edit{Name: "scenes"}, h.Answers[0], "the whole value")
	h.Key("down", "enter")
	h.Send(EditMsg{})
	assert.Equal(t, Edit{Name: "scenes", Text: "two", Written: true}, h.Answers[len(h.Answers)-1])
	h.Send(EditedMsg{Text: "from elsewhere"})
	assert.Contains(t, said(h).Text, "from elsewhere")
}

func TestByMouse(t *testing.T) {
	h := open(t, two(), "")
	h.Click("items-row/1")
	h.Send(screen.WheelMsg{Delta: -1})
	h.Click("items-do/raw")
	assert.Nil(t, h.Top())
	assert.True(t, said(h).Raw)
}
