package request

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// gateway echoes drafts; one format of its reaches nothing.
type gateway struct{}

func (gateway) Preview(d client.Draft, format string) (client.Preview, error) {
	if format == "shut" {
		return client.Preview{}, errors.New("no path is configured")
	}
	body := fmt.Sprintf("{\n  %q: %q\n}", "prompt", d.Prompt)
	return client.Preview{Format: format, Label: format, Method: "POST", Path: "/v1/" + format, Body: []byte(body), Bytes: len(body)}, nil
}

func (gateway) Curl(d client.Draft, format string) (string, error) {
	return fmt.Sprintf("curl /v1/%s -d '%s'", format, d.Prompt), nil
}

func (g gateway) Body(_ context.Context, d client.Draft, format string) ([]byte, error) {
	p, err := g.Preview(d, format)
	return p.Body, err
}

func source(prompt string, formats ...string) Source {
	d := client.Draft{Model: "m", Prompt: prompt}
	return Source{Draft: d, Format: "videos", Wide: d, Formats: formats}
}

func shown(t *testing.T, s Source, tab Tab) *Pane {
	t.Helper()
	p := New(gateway{}, tuitest.Styles(t))
	p.SetSize(60, 20)
	p.Show(tab)
	require.False(t, p.Take(p.Make(s)().(MadeMsg)))
	return &p
}

func TestTheNewestDraftWins(t *testing.T) {
	p := New(gateway{}, tuitest.Styles(t))
	p.SetSize(60, 20)
	assert.Nil(t, p.Preview())
	assert.Empty(t, p.Head())
	first := p.Make(source("a"))
	require.NotNil(t, first)
	assert.Nil(t, p.Make(source("ab")), "one at a time")
	assert.True(t, p.Take(first().(MadeMsg)), "made anew")
	assert.False(t, p.Take(p.Make(source("ab"))().(MadeMsg)))
	assert.Contains(t, p.View(), "ab")
	assert.Contains(t, p.Head(), "POST /v1/videos")
}

func TestEveryFormatShows(t *testing.T) {
	p := shown(t, source("a kite", "videos", "shut"), Wire)
	assert.Contains(t, p.View(), "● videos")
	assert.Contains(t, p.View(), "not here: no path is configured")
	assert.Contains(t, p.Head(), "through 2 formats")
	list := p.Choices()
	require.Len(t, list, 4)
	assert.Empty(t, list[0].Off)
	assert.NotEmpty(t, list[2].Off)
	p.Show(JSON)
	assert.Nil(t, p.Choices())
}

func TestWhatShowsIsCopied(t *testing.T) {
	s := source("a kite", "videos", "shut")
	copied := func(p *Pane, id string) screen.CopyMsg {
		msg, ok := p.Copy(s, id, "F3")().(screen.CopyMsg)
		require.True(t, ok)
		return msg
	}
	assert.Equal(t, "the request", copied(shown(t, s, JSON), "").What)
	assert.Equal(t, "the curl command", copied(shown(t, s, Curl), "").What)
	p := shown(t, s, Wire)
	assert.Equal(t, "the curl command of videos", copied(p, "0/curl").What)
	assert.Equal(t, "the videos request", copied(p, "0/json").What)
	for _, id := range []string{"2/json", "x", "1/json"} {
		assert.Nil(t, p.Copy(s, id, ""), id)
	}
}

func TestLongDataIsNotShown(t *testing.T) {
	uri := "data:image/png;base64," + strings.Repeat("QUJD", 1000)
	p := shown(t, source(uri), Curl)
	assert.NotContains(t, p.View(), "QUJDQUJD")
	msg := p.Copy(source(uri), "", "")().(screen.CopyMsg)
	assert.Contains(t, msg.Text, uri, "to be copied it is whole")
}

func TestZonesOfThePane(t *testing.T) {
	for id, want := range map[string]bool{"compose-tab/0": true, "compose-tab/2": true, "compose-tab/3": false, "compose-tab/x": false, "else": false} {
		_, ok := TabAt(id)
		assert.Equal(t, want, ok, id)
	}
	id, ok := CopyAt("compose-wire/1/json")
	assert.True(t, ok)
	assert.Equal(t, "1/json", id)
	assert.True(t, Holds(Zone))
	assert.True(t, Holds("compose-wire/1/json"))
	assert.False(t, Holds("compose-tab/0"))
}
