package edits

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/intake"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/datauri"
)

// gateway echoes an image and a prompt, drops the rest, and reads what it is told to.
type gateway struct {
	got    intake.Result
	err    error
	looked string // the format that a request was taken for
}

func (g *gateway) Preview(d client.Draft, _ string) (client.Preview, error) {
	image, _ := d.Values["image"].(string)
	return client.Preview{Format: "videos", Body: []byte(quoted(image) + quoted(d.Prompt)), Dropped: []client.Dropped{{Field: client.FieldMode}, {Field: "fps"}}}, g.err
}

func (g *gateway) ReadRequest(_ string, h intake.Hint) (intake.Result, error) {
	g.looked = h.Format
	return g.got, g.err
}

func kite() form {
	return form{draft: client.Draft{Mode: "i2v", Prompt: "a kite", Values: client.Values{"image": "file:///a b.png", "fps": "24"}}, struck: client.Values{"cfg_scale": "0.5", "seed": "7"}}
}

func opened(t *testing.T, k *requests) string {
	t.Helper()
	msg := k.open(kite(), datauri.New())()
	if r, ok := msg.(readyMsg); ok {
		msg = k.ready(r)()
	}
	edit, ok := msg.(screen.EditMsg)
	require.True(t, ok, "%v", msg)
	return edit.Text
}

func TestWhatNoRequestTellsStays(t *testing.T) {
	g := &gateway{}
	k := requests{gateway: g, key: "f10"}
	text := opened(t, &k)
	assert.Equal(t, "\"file:///a b.png\"\"a kite\"\n", text, "a reference stands as the form has it")
	assert.Nil(t, k.edited(text, intake.Hint{}), "nothing was changed")

	token := ""
	for token = range k.now.files {
		break
	}
	g.got = intake.Result{Format: "videos", Draft: client.Draft{Prompt: "a boat", Values: client.Values{"image": token, "seed": "9"}}}
	got, _, cmd, ok := k.read(k.edited("{}", intake.Hint{})().(readMsg), datauri.New())
	require.True(t, ok)
	assert.Nil(t, cmd)
	assert.Equal(t, "videos", g.looked)
	assert.Equal(t, client.Draft{Mode: "i2v", Prompt: "a boat", Values: client.Values{"image": "file:///a b.png", "fps": "24", "seed": "9", "cfg_scale": "0.5"}}, got.Draft)

	g.got.Format = "other"
	got, _, _, _ = k.read(k.edited("{}", intake.Hint{})().(readMsg), datauri.New())
	assert.Empty(t, got.Draft.Mode, "another format was written by hand")
	assert.NotContains(t, got.Draft.Values, "fps")
}

func TestWhatIsNoRequestIsOpenedAgain(t *testing.T) {
	g := &gateway{}
	k := requests{gateway: g, key: "f10"}
	opened(t, &k)
	g.err = errors.New("line 2")
	_, _, cmd, ok := k.read(k.edited("{ long work", intake.Hint{})().(readMsg), datauri.New())
	require.False(t, ok)
	assert.Equal(t, "the form is as it was: line 2; f10 opens it again as you left it", cmd().(screen.ToastMsg).Text)
	assert.Equal(t, "{ long work", opened(t, &k))
	g.err = nil
	_, _, _, ok = k.read(k.edited("{}", intake.Hint{})().(readMsg), datauri.New())
	require.True(t, ok)
	assert.True(t, strings.HasSuffix(opened(t, &k), "\"a kite\"\n"), "the mended one is forgotten")

	g.err = errors.New("no model")
	assert.Contains(t, k.ready(k.open(kite(), datauri.New())().(readyMsg))().(screen.ToastMsg).Text, "there is no request to edit yet: no model")
}
