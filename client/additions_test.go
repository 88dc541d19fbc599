package client

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/places"
)

// fixedFormat makes the same body of every draft, the plain raw additions on top.
type fixedFormat struct {
	Format
	body string
}

func (f fixedFormat) EncodeCreate(d Draft) (Request, []Dropped, error) {
	body := []byte(f.body)
	for name, raw := range d.Extra {
		var err error
		if body, err = places.Overlay(body, map[string]json.RawMessage{places.Quote(name): raw}); err != nil {
			return Request{}, nil, err
		}
	}
	return Request{Method: "POST", Path: "/x", Body: body}, nil, nil
}

func TestRawAdditionsInTheirPlaces(t *testing.T) {
	t.Parallel()
	const body = `{"model":"m","parameters":{"duration":5,"seed":1},"content":[{"type":"text","text":"a<b"}],"none":null}`
	for name, c := range map[string]struct {
		extra map[string]string
		want  string
	}{
		"none":              {nil, body},
		"siblings stay":     {map[string]string{"parameters.seed": "9007199254740993"}, strings.Replace(body, `"seed":1`, `"seed":9007199254740993`, 1)},
		"new member":        {map[string]string{"parameters.x": `{"a": [1, 2]}`}, strings.Replace(body, `"seed":1`, `"seed":1,"x":{"a":[1,2]}`, 1)},
		"item":              {map[string]string{"content[0].role": `"first_frame"`}, strings.Replace(body, `"a<b"`, `"a<b","role":"first_frame"`, 1)},
		"whole item":        {map[string]string{"content[0]": `{}`}, strings.Replace(body, `{"type":"text","text":"a<b"}`, `{}`, 1)},
		"one more item":     {map[string]string{"content[1]": `"x"`}, strings.Replace(body, `"a<b"}`, `"a<b"},"x"`, 1)},
		"objects are made":  {map[string]string{"a.b.c": `true`}, strings.TrimSuffix(body, "}") + `,"a":{"b":{"c":true}}}`},
		"arrays are made":   {map[string]string{"a[0][0].b": `1`}, strings.TrimSuffix(body, "}") + `,"a":[[{"b":1}]]}`},
		"null is nothing":   {map[string]string{"none.a": `1`}, strings.Replace(body, `null`, `{"a":1}`, 1)},
		"the outer first":   {map[string]string{"parameters.a": "2", "parameters": `{"z":1}`}, strings.Replace(body, `{"duration":5,"seed":1}`, `{"z":1,"a":2}`, 1)},
		"items in order":    {map[string]string{"l[1]": "1", "l[0]": "0", "l[2]": "2"}, strings.TrimSuffix(body, "}") + `,"l":[0,1,2]}`},
		"a name with a dot": {map[string]string{`a\.b`: "1", `c\[0\].d\\`: "2"}, strings.TrimSuffix(body, "}") + `,"a.b":1,"c[0]":{"d\\":2}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := Draft{Extra: map[string]json.RawMessage{}}
			for k, v := range c.extra {
				d.Extra[k] = json.RawMessage(v)
			}
			req, _, err := encodeCreate(fixedFormat{body: body}, d)
			require.NoError(t, err)
			require.Equal(t, c.want, string(req.Body))
		})
	}
}

func TestRawAdditionsThatHaveNoPlace(t *testing.T) {
	t.Parallel()
	for key, c := range map[string]struct {
		value string
		says  []string
	}{
		"":           {"1", []string{"name is missing"}},
		".a":         {"1", []string{`".a"`, "name is missing"}},
		"a.":         {"1", []string{"name is missing"}},
		"a..b":       {"1", []string{"name is missing"}},
		"[0]":        {"1", []string{"name is missing"}},
		"a[":         {"1", []string{"number from 0"}},
		"a[x]":       {"1", []string{"number from 0"}},
		"a[-1]":      {"1", []string{"number from 0"}},
		"a[+1]":      {"1", []string{"number from 0"}},
		"a[99999]":   {"1", []string{"9999"}},
		"a[0]b":      {"1", []string{"after ]"}},
		"a]":         {"1", []string{"] without a ["}},
		`a\n`:        {"1", []string{"backslash"}},
		`a\`:         {"1", []string{"backslash"}},
		"model.x":    {"1", []string{"model is not an object", "model.x"}},
		"model[0]":   {"1", []string{"model is not an array"}},
		"l[0].a":     {"1", []string{"l[0] is not an object"}},
		"l[2]":       {"1", []string{"l has 1 items", "[1] and not [2]"}},
		"p.x":        {"{", []string{"p.x", "not valid JSON"}},
		"a\x1b[2J.b": {"1", []string{"place"}},
		deep(65):     {"1", []string{"deeper than 64"}},
	} {
		_, _, err := encodeCreate(fixedFormat{body: `{"model":"m","l":["x"],"p":{}}`}, Draft{Extra: map[string]json.RawMessage{key: json.RawMessage(c.value)}})
		require.Error(t, err, key)
		for _, s := range c.says {
			assert.Contains(t, err.Error(), s, key)
		}
		assert.NotContains(t, err.Error(), "\x1b")
	}
}

func deep(n int) string { return strings.TrimSuffix(strings.Repeat("a.", n), ".") }

// TestACutDraftIsNeverEncoded: of a draft whose end was not read nothing is sent or previewed.
func TestACutDraftIsNeverEncoded(t *testing.T) {
	d := Draft{Prompt: "x", Cut: true}
	_, _, err := encodeCreate(fixedFormat{body: `{"model":"m"}`}, d)
	require.ErrorIs(t, err, ErrCut)
	_, _, err = encodeCreate(fixedFormat{body: `{"model":"m"}`}, d.WithoutFiles())
	require.ErrorIs(t, err, ErrCut)
}
