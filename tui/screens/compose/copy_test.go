package compose

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// referring is a form with one reference.
func referring(t *testing.T, ref string) *bench {
	t.Helper()
	b := realBench(t, 120, 34)
	b.Send(screen.ComposeDraft{Format: "videos", Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "a kite",
		Values: client.Values{"image": ref}}})
	b.Sent = nil
	return b
}

// pictureOf is a file with a picture of so many bytes, and the text that it is sent as.
func pictureOf(t *testing.T, n int) (path, uri string) {
	t.Helper()
	data := append(append([]byte{}, pngHead...), make([]byte, n)...)
	path = filepath.Join(t.TempDir(), "in.png")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path, "data:image/png;base64," + base64.StdEncoding.EncodeToString(data)
}

// What is copied is what is sent, not what shows in its place.
func TestTheWholeRequestIsCopied(t *testing.T) {
	path, uri := pictureOf(t, 2_000)
	for _, ref := range []string{client.FileURL(path), uri} {
		b := referring(t, ref)
		require.NotContains(t, body(b), uri)
		for _, key := range []string{"f6", "alt+y"} {
			b.Key(key)
			msg, ok := tuitest.Last[screen.CopyMsg](b.Driver)
			require.True(t, ok)
			assert.Contains(t, msg.Text, uri)
			assert.NotContains(t, msg.Text, "…")
			assert.Equal(t, "the request", msg.What)
		}
		b.Key("f4", "f6")
		b.Type("videos json")
		b.Key("enter")
		msg, _ := tuitest.Last[screen.CopyMsg](b.Driver)
		assert.Equal(t, "the videos request", msg.What)
		assert.Contains(t, msg.Text, uri)
	}
}

// What is more than a clipboard takes is shortened, and says so, and how to get it whole.
func TestALongRequestIsCopiedShortened(t *testing.T) {
	path, uri := pictureOf(t, 200_000)
	b := referring(t, client.FileURL(path))
	b.Key("f6")
	msg, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	require.True(t, ok)
	assert.Contains(t, msg.What, "SHORTENED: whole it has 26")
	assert.Contains(t, msg.What, "F3 shows the curl command, which has all of it")
	assert.Less(t, len(msg.Text), 1_000)
	b.Key("f3", "f6")
	msg, _ = tuitest.Last[screen.CopyMsg](b.Driver)
	assert.Equal(t, "the curl command", msg.What)
	assert.Contains(t, msg.Text, "$(base64 < '"+path+"'", "the file itself is packed by the shell")

	b = referring(t, uri)
	b.Key("f3", "f6")
	_, ok = tuitest.Last[screen.CopyMsg](b.Driver)
	assert.False(t, ok, "no terminal takes it, so nothing is said to be copied")
	assert.Contains(t, toast(t, b).Text, "nothing was copied: the curl command has 26")
	assert.Contains(t, toast(t, b).Text, "keep that in a file")

	require.NoError(t, os.Remove(path))
	b = referring(t, "https://x.invalid/a.png")
	b.m.sheet.Form.SetText(client.FieldPrompt, strings.Repeat("word ", 20_000))
	b.Send(screen.ActionMsg{ID: "compose.next-field"})
	_ = b.m.doc.Changed(client.FieldPrompt)
	b.Key("f2", "f6")
	_, ok = tuitest.Last[screen.CopyMsg](b.Driver)
	assert.False(t, ok)
	assert.Contains(t, toast(t, b).Text, "nothing was copied: the request has 100 kB")
}

// A file that went away is told; nothing is copied then.
func TestARequestThatCanNotBeReadIsNotCopied(t *testing.T) {
	path, _ := pictureOf(t, 2_000)
	b := referring(t, client.FileURL(path))
	require.NoError(t, os.Remove(path))
	b.Key("f6")
	_, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	assert.False(t, ok)
	assert.Contains(t, toast(t, b).Text, "nothing was copied: ")
	assert.Contains(t, toast(t, b).Text, "no such file")
}

// body is the request that shows.
func body(b *bench) string {
	return string(b.m.doc.Side.Request.Preview().Body)
}
