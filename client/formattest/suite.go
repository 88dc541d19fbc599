// Package formattest is the conformance suite that every wire format passes.
package formattest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// Cases is what the suite needs to know about a format. Golden bodies are in
// testdata/<name>.golden.json beside the test; UPDATE_GOLDEN=1 writes them anew.
type Cases struct {
	// QueryOnly is set for a format that creates nothing.
	QueryOnly bool
	// Creates are drafts that have a wire form. Together they use every field.
	Creates []Create
	// Refused are drafts with a value that has no wire form.
	Refused []Refused
	// Answers are bodies of status 200.
	Answers []Answer
}

// Create is a draft and what becomes of it.
type Create struct {
	Name    string // of the golden file
	Draft   client.Draft
	Dropped []string // canonical names, in any order
}

// Refused is a draft that cannot be encoded; the error has to name Field.
type Refused struct {
	Field string
	Draft client.Draft
}

// Answer is a body and the task in it.
type Answer struct {
	Name   string
	Create bool // it answers a create
	Body   string
	Fails  bool // the decoder has to refuse it
	ID     string
	Format string // when another format queries the task
	Status client.Status
	URLs   []string
}

// Suite runs every check against a format.
func Suite(t *testing.T, f client.Format, c Cases) {
	t.Helper()
	t.Run("identity", func(t *testing.T) { identity(t, f, c) })
	if c.QueryOnly {
		t.Run("creates nothing", func(t *testing.T) {
			_, _, err := f.EncodeCreate(client.Draft{Model: "famA3", Prompt: "x"})
			require.Error(t, err)
		})
	} else {
		t.Run("encode", func(t *testing.T) { encode(t, f, c) })
		t.Run("every field", func(t *testing.T) { everyField(t, f, c) })
		t.Run("dropped", func(t *testing.T) { dropped(t, f, c) })
		t.Run("refused values", func(t *testing.T) { refused(t, f, c) })
		t.Run("large integers", func(t *testing.T) { largeIntegers(t, f, c) })
		t.Run("raw additions", func(t *testing.T) { extra(t, f, c) })
	}
	t.Run("ids are escaped", func(t *testing.T) { escaped(t, f) })
	t.Run("answers", func(t *testing.T) { answers(t, f, c) })
	t.Run("hostile answers", func(t *testing.T) { hostile(t, f) })
	t.Run("unknown states", func(t *testing.T) { unknownStates(t, f) })
	t.Run("unknown fields", func(t *testing.T) { unknownFields(t, f) })
	t.Run("concurrent", func(t *testing.T) { concurrent(t, f, c) })
}

func identity(t *testing.T, f client.Format, c Cases) {
	assert.Regexp(t, `^[a-z][a-z0-9-]*$`, f.Name())
	assert.NotEmpty(t, f.Label())
	assert.Equal(t, f.Label(), client.CleanLine(f.Label()))
	assert.Equal(t, c.QueryOnly, len(f.Modalities()) == 0)
	seen := map[string]bool{}
	for _, w := range f.Fields() {
		assert.False(t, seen[w.Canonical], "%s is listed twice", w.Canonical)
		seen[w.Canonical] = true
		assert.NotEmpty(t, w.Wire)
	}
}

func encode(t *testing.T, f client.Format, c Cases) {
	for _, k := range c.Creates {
		t.Run(k.Name, func(t *testing.T) {
			before, err := json.Marshal(k.Draft)
			require.NoError(t, err)
			req, drop, err := f.EncodeCreate(k.Draft)
			require.NoError(t, err)
			assert.Equal(t, "POST", req.Method)
			if conf, ok := f.(client.Configurable); ok {
				assert.Equal(t, conf.CreatePath(), req.Path, "the client puts the configured path there")
			} else {
				assert.True(t, strings.HasPrefix(req.Path, "/"))
			}
			assert.ElementsMatch(t, k.Dropped, names(drop))
			for _, d := range drop {
				assert.NotEmpty(t, d.Reason, d.Field)
			}
			golden(t, k.Name, req.Body)
			after, err := json.Marshal(k.Draft)
			require.NoError(t, err)
			assert.Equal(t, string(before), string(after), "the draft was changed")
			again, _, err := f.EncodeCreate(k.Draft)
			require.NoError(t, err)
			assert.Equal(t, string(req.Body), string(again.Body), "the body is not stable")
		})
	}
}

// golden compares an indented body with its file.
func golden(t *testing.T, name string, body []byte) {
	var b bytes.Buffer
	require.NoError(t, json.Indent(&b, body, "", "  "))
	b.WriteByte('\n')
	path := filepath.Join("testdata", name+".golden.json")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll("testdata", 0o750))
		require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	}
	want, err := os.ReadFile(filepath.Clean(path))
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String())
}

// everyField checks that each field of the table is set by some case and arrives where
// the table says.
func everyField(t *testing.T, f client.Format, c Cases) {
	arrived := map[string]bool{}
	for _, k := range c.Creates {
		req, _, err := f.EncodeCreate(k.Draft)
		require.NoError(t, err)
		for _, w := range f.Fields() {
			if at(req.Body, k.Draft.WireName(w.Canonical, w.Wire)) != nil {
				arrived[w.Canonical] = true
			}
		}
	}
	for _, w := range f.Fields() {
		assert.True(t, arrived[w.Canonical], "no case carries %s", w.Canonical)
	}
}

// at is the value at a dotted place, nil for none; "x[]" is the first item of x.
func at(body []byte, place string) json.RawMessage {
	raw := json.RawMessage(body)
	for _, k := range strings.Split(place, ".") {
		k, first := strings.CutSuffix(k, "[]")
		var m map[string]json.RawMessage
		if json.Unmarshal(raw, &m) != nil {
			return nil
		}
		raw = m[k]
		if first {
			var l []json.RawMessage
			if json.Unmarshal(raw, &l) != nil || len(l) == 0 {
				return nil
			}
			raw = l[0]
		}
	}
	return raw
}

func dropped(t *testing.T, f client.Format, c Cases) {
	d := c.Creates[0].Draft.Clone()
	if d.Values == nil {
		d.Values = client.Values{}
	}
	d.Values["no_such_field"] = "x"
	_, drop, err := f.EncodeCreate(d)
	require.NoError(t, err)
	assert.Contains(t, names(drop), "no_such_field")
}

func names(l []client.Dropped) []string {
	var out []string
	for _, d := range l {
		out = append(out, d.Field)
	}
	return out
}

func refused(t *testing.T, f client.Format, c Cases) {
	for _, r := range c.Refused {
		_, _, err := f.EncodeCreate(r.Draft)
		if assert.Error(t, err, r.Field) {
			assert.Contains(t, err.Error(), r.Field)
		}
	}
}

func largeIntegers(t *testing.T, f client.Format, c Cases) {
	const big = "9007199254740993" // 2^53 + 1
	d := c.Creates[0].Draft.Clone()
	d.Extra = map[string]json.RawMessage{"big": json.RawMessage(big)}
	req, _, err := f.EncodeCreate(d)
	require.NoError(t, err)
	assert.Equal(t, big, string(at(req.Body, "big")))
	for _, w := range f.Fields() {
		switch w.Canonical {
		case client.FieldModel, client.FieldModelName, client.FieldMode, client.FieldPrompt:
			continue
		}
		d := client.Draft{Model: c.Creates[0].Draft.Model, Values: client.Values{w.Canonical: json.Number(big)}}
		req, _, err := f.EncodeCreate(d)
		if err != nil {
			continue // no field for numbers
		}
		if raw := string(at(req.Body, w.Wire)); raw != "" {
			assert.Contains(t, raw, big, w.Canonical)
		}
	}
}

func extra(t *testing.T, f client.Format, c Cases) {
	d := c.Creates[0].Draft.Clone()
	d.Extra = map[string]json.RawMessage{"model": json.RawMessage(`"other"`), "zz": json.RawMessage(`{"a": [1, 2]}`)}
	req, _, err := f.EncodeCreate(d)
	require.NoError(t, err)
	assert.JSONEq(t, `"other"`, string(at(req.Body, "model")))
	assert.JSONEq(t, `{"a":[1,2]}`, string(at(req.Body, "zz")))
	d.Extra = map[string]json.RawMessage{"zz": json.RawMessage(`{`)}
	_, _, err = f.EncodeCreate(d)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "zz")
}
