package compose

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/intake"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

const pastedKey = "sk-0123456789abcdef"

// TestAPastedPromptStaysAsItIs: what a scene calls its people and things is no key.
func TestAPastedPromptStaysAsItIs(t *testing.T) {
	b := realBench(t, 120, 34)
	for _, text := range []string{
		`{"scene":"office","characters":{"secretary":"a woman of 40"},"props":{"fortune_cookie":"cracked open"},"sign":"Secret: nobody"}`,
		`{ a storyboard: "the sign reads \"Password: open sesame\" over the door", cookie: "chocolate" }`,
	} {
		b.m.sheet.Form.SetText(client.FieldPrompt, "")
		b.Sent = nil
		b.paste(text)
		assert.Equal(t, text, b.m.sheet.Form.Text(client.FieldPrompt))
		_, told := tuitest.Last[screen.ToastMsg](b.Driver)
		assert.False(t, told)
	}
}

// TestWhatIsTakenOutOfAPasteIsTold: a text never changes without a word.
func TestWhatIsTakenOutOfAPasteIsTold(t *testing.T) {
	b := realBench(t, 120, 34)
	b.paste(`{"scene":"office","api_key":"` + pastedKey + `"}`)
	assert.Equal(t, `{"scene":"office","api_key":"`+intake.Hidden+`"}`, b.m.sheet.Form.Text(client.FieldPrompt))
	assert.Contains(t, toast(t, b).Text, "looks like a key was taken out")
}

// TestALongPasteIsNoTextAndSaysSo: it may be a request, of any size, and is no prompt.
func TestALongPasteIsNoTextAndSaysSo(t *testing.T) {
	b := realBench(t, 120, 34)
	long := strings.Repeat("A", intake.MaxKept)
	b.pasteLate(`curl https://gateway.example/v1/videos -H 'Authorization: Bearer ` + pastedKey + `' -d '` + long)()
	assert.Empty(t, b.m.sheet.Form.Text(client.FieldPrompt))
	assert.Contains(t, toast(t, b).Text, "no more than 1 MiB are looked through")
	b.pasteLate(`{"model":"famI-omni","prompt":"x","images":["data:image/png;base64,` + long + `"]}`)()
	require.True(t, b.m.over.Has(askRequest))
	b.Key("t")
	assert.Empty(t, b.m.sheet.Form.Text(client.FieldPrompt))
	assert.Contains(t, toast(t, b).Text, "no more than 1 MiB are looked through")
}

// TestAPasteThatIsNotWaitedFor: the text that the command has looked through goes in; one
// that it has not looked through goes in only when it is short.
func TestAPasteThatIsNotWaitedFor(t *testing.T) {
	for _, x := range []struct {
		name, filler string
		there        bool
	}{{"short", "x", true}, {"long", strings.Repeat("x", 16<<10), false}} {
		b := realBench(t, 120, 34)
		b.pasteLate(`curl -H 'Authorization: Bearer ` + pastedKey + `' -d '` + x.filler)
		b.Send(tea.KeyMsg{Type: tea.KeyEsc})
		got := b.m.sheet.Form.Text(client.FieldPrompt)
		assert.NotContains(t, got, pastedKey, x.name)
		assert.Equal(t, x.there, strings.HasPrefix(got, "curl"), x.name)
		if !x.there {
			assert.Contains(t, toast(t, b).Text, "not pasted", x.name)
		}
	}
}
