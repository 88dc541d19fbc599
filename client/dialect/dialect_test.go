package dialect_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/catalog"
	"darkroom/client/dialect"
)

func embedded(t testing.TB) *catalog.Catalog {
	t.Helper()
	cat, err := catalog.Embedded()
	require.NoError(t, err)
	return cat
}

const whole = `version: 1
title: ours
segments: {famN: songs}
paths:
  music: {query: "/songs/get/{id}"}
models:
  famA3: [acme-3, acme-3-latest]
  famA3-fast: acme-3
model_names: {famF-v1: f1}
engines: {famN-v5: s5, "126": a1}
wire_names:
  videos: {image: first_frame}
omit: [external_task_id]
`

func TestAFileIsReadAndWritten(t *testing.T) {
	t.Parallel()
	f, err := dialect.Parse([]byte(whole), "ours.yaml")
	require.NoError(t, err)
	assert.Empty(t, dialect.Lint([]byte(whole), "ours.yaml", embedded(t)))
	d := f.Dialect("ours")
	assert.Equal(t, "ours", d.Name)
	assert.Equal(t, "/songs/get/{id}", d.Paths["music"].Query)
	assert.Equal(t, []string{"acme-3", "acme-3-latest"}, d.Models["famA3"])
	assert.Equal(t, []string{"famA3", "famA3-fast"}, d.CatalogModels("acme-3"), "two models may have one name")
	b, err := f.Bytes("made by\nhand")
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(b), "# made by\n# hand\n"), "%s", b)
	again, err := dialect.Parse(b, "again.yaml")
	require.NoError(t, err, "%s", b)
	assert.Equal(t, f, again)
	assert.False(t, f.Empty())
}

// TestMistakesHaveAPlace: each is told with line and column, and with what is allowed.
func TestMistakesHaveAPlace(t *testing.T) {
	t.Parallel()
	cat := embedded(t)
	for _, x := range []struct {
		name, text, says string
		line, column     int
	}{
		{"no version", "segments: {}\n", "version: 1", 0, 0},
		{"another version", "title: x\nversion: 2\n", "version is 2", 2, 1},
		{"an unknown key", "version: 1\nsegmets: {famN: x}\n", `unknown field "segmets"`, 2, 1},
		{"an unknown key inside", "version: 1\npaths:\n  music: {fetch: /x}\n", `unknown field "fetch"`, 3, 11},
		{"a key twice", "version: 1\nmodels: {famA3: x, famA3: y}\n", "already defined", 2, 20},
		{"a segment", "version: 1\nsegments: {famZ: x}\n", "famF, famN", 2, 12},
		{"a word with a slash", "version: 1\nsegments: {famN: a/b}\n", "one word", 2, 12},
		{"a word that climbs", "version: 1\nsegments: {famN: ..}\n", ". and ..", 2, 12},
		{"a format", "version: 1\npaths:\n  air: {create: /x}\n", "videos, content", 3, 3},
		{"another host", "version: 1\npaths:\n  music: {create: //e.org/x}\n", "names a host", 3, 11},
		{"no id", "version: 1\npaths:\n  music: {query: /x}\n", "{id} is missing", 3, 11},
		{"an id in a create", "version: 1\npaths:\n  music: {create: '/x/{id}'}\n", "has no id", 3, 11},
		{"a query in a path", "version: 1\npaths:\n  music: {query: '/x?id={id}'}\n", "no query", 3, 11},
		{"no such path", "version: 1\npaths:\n  images: {query: '/x/{id}'}\n", "has no query path", 3, 12},
		{"a model", "version: 1\nmodels:\n  famA4: x\n", "famA3", 3, 3},
		{"a name that is empty", "version: 1\nmodels: {famA3: ''}\n", "empty", 2, 10},
		{"no name", "version: 1\nmodels: {famA3: []}\n", "missing", 2, 10},
		{"a name twice", "version: 1\nmodels: {famA3: [a, a]}\n", "twice", 2, 10},
		{"a name with a line", "version: 1\nmodels: {famA3: \"a\\nb\"}\n", "no name has", 2, 10},
		{"a model_name", "version: 1\nmodel_names: {famF-v9: x}\n", "famF-v1-5", 2, 15},
		{"an engine", "version: 1\nengines: {famZ: x}\n", "famN-v5.5", 2, 11},
		{"the format of a wire name", "version: 1\nwire_names: {air: {image: x}}\n", "videos, content", 2, 14},
		{"a field", "version: 1\nwire_names: {videos: {picture: x}}\n", "image", 2, 23},
		{"a wire name", "version: 1\nwire_names: {videos: {image: 'a..b'}}\n", "not a name of a field", 2, 23},
		{"a name that is taken", "version: 1\nwire_names: {videos: {image: prompt}}\n", "the name of prompt", 2, 23},
		{"omit", "version: 1\nomit: [air]\n", "not a field", 2, 1},
		{"omit the model", "version: 1\nomit: [model]\n", "always sent", 2, 1},
		{"two documents", "version: 1\n---\nversion: 1\n", "more than one", 2, 1},
		{"no YAML", "version: [\n", "", 1, 10},
		{"a list", "- 1\n", "", 1, 1},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			all := dialect.Lint([]byte(x.text), "d.yaml", cat)
			require.Len(t, all, 1, "%v", all)
			var e *catalog.Error
			require.ErrorAs(t, all[0], &e)
			assert.Contains(t, e.Message, x.says)
			assert.Equal(t, []int{x.line, x.column}, []int{e.Line, e.Column}, e.Message)
			assert.Equal(t, "d.yaml", e.Name)
		})
	}
	many := dialect.Lint([]byte("version: 1\nsegments: {famZ: x}\nmodels: {famA4: y, famA3: z}\nomit: [air]\n"), "d.yaml", cat)
	assert.Len(t, many, 3, "all of them are told")
	large := dialect.Lint([]byte("version: 1\n# "+strings.Repeat("x", 200<<10)), "d.yaml", cat)
	require.Len(t, large, 1)
	assert.ErrorContains(t, large[0], "at most")
}

// TestFieldsThatShareAPlaceMayShareAnother: as all images of the vendor-style format.
func TestFieldsThatShareAPlaceMayShareAnother(t *testing.T) {
	t.Parallel()
	text := "version: 1\nwire_names: {ent: {image: pictures, images: pictures, reference_images: pictures, end_image: pictures}}\n"
	assert.Empty(t, dialect.Lint([]byte(text), "d.yaml", embedded(t)))
}

// TestWhatIsShippedIsRight: each can be used as it is, and says where it is from.
func TestWhatIsShippedIsRight(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"dashscope-wan", "suno-kling"}, dialect.Examples())
	for _, name := range dialect.Examples() {
		data, ok := dialect.Example(name)
		require.True(t, ok)
		assert.Empty(t, dialect.Lint(data, name, embedded(t)))
		f, err := dialect.Parse(data, name+".yaml")
		require.NoError(t, err)
		assert.NotEmpty(t, f.Origin, "its origin is said")
		assert.NotEmpty(t, f.Title)
	}
	_, ok := dialect.Example("../x")
	assert.False(t, ok)
}

func FuzzLint(f *testing.F) {
	f.Add(whole)
	f.Add("version: 1\npaths: {music: {query: '/{id}'}}")
	cat := embedded(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(dialect.Lint([]byte(text), "d.yaml", cat)) > 0 {
			return
		}
		d, err := dialect.Parse([]byte(text), "d.yaml")
		require.NoError(t, err)
		b, err := d.Bytes("")
		require.NoError(t, err)
		again, err := dialect.Parse(b, "d.yaml")
		require.NoError(t, errors.Unwrap(err), "%s", b)
		assert.Equal(t, d.Dialect("x"), again.Dialect("x"))
	})
}
