package compose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
)

const curlOfAFile = `curl -X POST https://gateway.example/v1/videos -H 'Authorization: Bearer sk-0123456789abcdef' ` +
	`-d '{"model":"famI-omni","mode":"r2v","prompt":"a kite","images":["https://example.org/kite.png","file:///home/me/.ssh/../private.png"],"zz":{"deep":["file:///home/me/note\u001b[31m.txt"]}}'`

// TestAPastedFileIsAskedForFirst: somebody else's command put any file on this machine into the
// form before.
func TestAPastedFileIsAskedForFirst(t *testing.T) {
	for key, with := range map[string]bool{"a": true, "o": false, "enter": false, "esc": false} {
		b := realBench(t, 120, 34)
		b.paste(curlOfAFile)
		b.Key("f")
		require.True(t, b.m.over.Has(askAttach))
		assert.Empty(t, b.m.sheet.Draft.Values["images"], "nothing is in the form before the answer")
		assert.True(t, b.m.Capturing())
		view := b.View()
		assert.Contains(t, view, "/home/me/private.png")
		assert.NotContains(t, view, "\x1b[31m.txt")
		b.Key(key)
		require.False(t, b.m.over.Has(askRequest))
		assert.Equal(t, "a kite", b.m.sheet.Draft.Prompt)
		want := []any{"https://example.org/kite.png"}
		if with {
			want = append(want, "file:///home/me/.ssh/../private.png")
		}
		assert.Equal(t, want, b.m.sheet.Draft.Values["images"], key)
		assert.Equal(t, with, len(b.m.sheet.Draft.Extra) > 0, key)
	}
}

func TestAPastedFileIsLeftOutWhenNobodyAnswers(t *testing.T) {
	b := realBench(t, 120, 34)
	b.paste(curlOfAFile)
	b.Key("f")
	require.Contains(t, b.m.Unsaved(), "leaves them out")
	require.NoError(t, b.m.Flush())
	assert.Equal(t, "a kite", b.m.sheet.Draft.Prompt)
	assert.Equal(t, []any{"https://example.org/kite.png"}, b.m.sheet.Draft.Values["images"])
}

// TestAFileInTheEditedRequestIsAskedFor: only those that the form did not have.
func TestAFileInTheEditedRequestIsAskedFor(t *testing.T) {
	draft := screen.ComposeDraft{Format: "ent", Draft: client.Draft{
		Modality: client.Video, Model: "famJq3-turbo", Mode: "reference_images", Prompt: "a kite",
		Values: client.Values{"images": []any{"file:///pictures/own.jpg"}},
	}}
	for key, with := range map[string]bool{"a": true, "esc": false} {
		b := realBench(t, 120, 34)
		b.Send(draft)
		b.edited(t, func(s string) string { return strings.Replace(s, "a kite", "a red kite", 1) })
		require.False(t, b.m.over.Has(askRequest), "its own file is no question")
		assert.Equal(t, "a red kite", b.m.sheet.Draft.Prompt)
		b.edited(t, func(s string) string {
			return strings.Replace(s, `"file:///pictures/own.jpg"`, `"file:///pictures/own.jpg", "file:///etc/other.png"`, 1)
		})
		require.True(t, b.m.over.Has(askAttach))
		asked := b.m.over.Top().View()
		assert.Contains(t, asked, "/etc/other.png")
		assert.NotContains(t, asked, "own.jpg")
		b.Key(key)
		want := []any{"file:///pictures/own.jpg"}
		if with {
			want = append(want, "file:///etc/other.png")
		}
		assert.Equal(t, want, b.m.sheet.Draft.Values["images"], key)
	}
}

func TestGoldensOfTheFilesOfARequest(t *testing.T) {
	files := make([]string, 9)
	for i := range files {
		files[i] = fmt.Sprintf(`"file:///home/me/pictures/%s/shot-%d.png"`, strings.Repeat("long ", i*6), i)
	}
	curl := `curl -X POST https://gateway.example/v1/videos -d '{"model":"famI-omni","mode":"r2v","prompt":"a kite","images":[` + strings.Join(files, ",") + `]}'`
	for _, s := range [][2]int{{80, 24}, {120, 34}} {
		b := realBench(t, s[0], s[1])
		b.paste(curl)
		b.Key("f")
		b.Golden(fmt.Sprintf("paste-files-%dx%d", s[0], s[1]))
	}
}
