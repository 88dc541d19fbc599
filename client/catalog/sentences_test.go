package catalog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
)

// sentence is one sentence of GATEWAY.md, under an id of ours (testdata/sentences.txt has
// them all), and what has to come of it. A sentence may have several cases, one a side.
type sentence struct {
	id     string
	says   string
	as     client.Modality // "" is video
	format string          // "" is the preferred one of the model
	body   string          // a request as a person pastes it; <img> and the like are addresses
	// finds are "severity field: part of the message" in their order. Nothing else may be
	// found.
	finds []string
	to    string // method and path; "" is not looked at
	sends string // the whole body on the wire; "" is not looked at
	drops string // canonical names that the format reports, where sends is looked at
	// holds is for facts that are no request.
	holds func(t *testing.T, c *catalog.Catalog)
}

// sentences are all tables.
func sentences() []sentence {
	return slices.Concat(
		modelSentences(), commonSentences(), itemSentences(), modeSentences(), mediaSentences(),
		arraySentences(), entSentences(), entFieldSentences(), vendorSentences(), nativeSentences(),
		imageSentences(), imageRuleSentences(), musicSentences(), engineSentences(),
		answerSentences(), stateSentences(), pathSentences(), ruleSentences(),
		wireSentences(), limitSentences(), wholeSentences(),
	)
}

// words stand for addresses in bodies.
var words = strings.NewReplacer(
	"<img>", `"https://e.com/a.png"`, "<img2>", `"https://e.com/b.png"`,
	"<mp4>", `"https://e.com/a.mp4"`, "<wav>", `"https://e.com/a.wav"`,
	"<item>", `{"type":"image_url","image_url":{"url":"https://e.com/a.png"}}`,
	"<film>", `{"type":"video_url","video_url":{"url":"https://e.com/a.mp4"}}`,
)

// many is a list of n different addresses.
func many(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(`"https://e.com/%d"`, i)
	}
	return "[" + strings.Join(out, ",") + "]"
}

func TestSentences(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	gateway := previews(t, c)
	for _, s := range sentences() {
		t.Run(s.id+" "+s.says, func(t *testing.T) {
			if s.holds != nil {
				require.Empty(t, s.body, "a case is a fact or a request")
				s.holds(t, c)
				return
			}
			d := draft(t, c, s)
			s.check(t, c, d)
			s.encode(t, c, gateway, d)
		})
	}
}

// previews is a client that encodes and never sends. Paths that are not documented are set.
func previews(t *testing.T, c *catalog.Catalog) *client.Client {
	t.Helper()
	gateway, err := client.New(client.Options{
		BaseURL: "http://127.0.0.1:1", Formats: formats.All(), WireNames: c.WireNames,
		Key:         func() (string, error) { return "k", nil },
		CreatePaths: map[string]string{"tasks": "/set/tasks", "status": "/set/status", "responses": "/v1/responses"},
	})
	require.NoError(t, err)
	t.Cleanup(gateway.Close)
	return gateway
}

func draft(t *testing.T, c *catalog.Catalog, s sentence) client.Draft {
	t.Helper()
	if s.as == "" {
		s.as = client.Video
	}
	dec := json.NewDecoder(strings.NewReader(words.Replace(s.body)))
	dec.UseNumber()
	var o map[string]any
	require.NoError(t, dec.Decode(&o), s.body)
	d, problems := c.Normalize(s.as, o)
	require.Empty(t, problems, s.body)
	return d
}

func (s sentence) check(t *testing.T, c *catalog.Catalog, d client.Draft) {
	t.Helper()
	before := d.Clone()
	var got []string
	for _, p := range c.CheckFor(d, s.format) {
		got = append(got, fmt.Sprintf("%s %s: %s", p.Severity, p.Field, p.Message))
		require.Contains(t, p.Message, p.Field, "a message names its field")
		require.NotEqual(t, p.Message, p.Called("Row"), "and begins with it")
	}
	require.Equal(t, before, d, "Check changed the draft")
	require.Len(t, got, len(s.finds), "%s\n%s", s.body, strings.Join(got, "\n"))
	for i, want := range s.finds {
		head, part, _ := strings.Cut(want, ": ")
		require.True(t, strings.HasPrefix(got[i], head+": ") && strings.Contains(got[i], part), "want %q\ngot  %q", want, got[i])
	}
}

func (s sentence) encode(t *testing.T, c *catalog.Catalog, gateway *client.Client, d client.Draft) {
	t.Helper()
	if s.to == "" && s.sends == "" {
		return
	}
	if s.format == "" {
		s.format = c.DraftFormat(d)
	}
	p, err := gateway.Preview(d, s.format)
	require.NoError(t, err)
	if s.to != "" {
		require.Equal(t, s.to, p.Method+" "+p.Path)
	}
	if s.sends == "" {
		return
	}
	var sent bytes.Buffer
	require.NoError(t, json.Compact(&sent, p.Body))
	require.Equal(t, words.Replace(s.sends), sent.String())
	var dropped []string
	for _, x := range p.Dropped {
		dropped = append(dropped, x.Field)
		require.NotEmpty(t, x.Reason)
	}
	require.Equal(t, s.drops, strings.Join(dropped, " "))
}
