package tuitest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
)

// goldens gives every golden of the screens and dialogs to a test.
func goldens(t *testing.T, look func(path, text string)) {
	t.Helper()
	seen := 0
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".golden" {
			return err
		}
		seen++
		b, err := os.ReadFile(path) // #nosec G304 -- a golden of ours
		look(path, string(b))
		return err
	}))
	require.Greater(t, seen, 100, "the goldens were found")
}

// TestScreensSpeakACreatorsLanguage: what is drawn, as the goldens of all screens have it, names no
// section of the interface document, outside of Models, which has the sources, and says of nothing
// that it is "not shown". "Not documented" is said once, not over and over.
func TestScreensSpeakACreatorsLanguage(t *testing.T) {
	never := regexp.MustCompile(`GATEWAY|§|\bnot shown\b`)
	sections := regexp.MustCompile(`[\[(](Endpoints|Model identifiers|Mode and model rules|What the service does|Video task|Image request|Music and sound request|Limits)\b`)
	again := regexp.MustCompile(`type is not documented|(bounds|values) are not documented`)
	goldens(t, func(path, text string) {
		said := text
		assert.Empty(t, never.FindString(said), path)
		assert.LessOrEqual(t, len(again.FindAllString(text, -1)), 1, path)
		if !strings.Contains(path, "screens/models") {
			assert.Empty(t, sections.FindString(text), path)
		}
	})
}

// TestScreensCallFieldsByTheirLabels: a field that has a label in the form is called by it, outside
// of Models, which says how a field is called where, of the wire view, and of bodies, where names stand
// in quotes.
func TestScreensCallFieldsByTheirLabels(t *testing.T) {
	names := map[string]bool{}
	c := catalogtest.Catalog(t)
	for _, m := range client.Modalities() {
		for _, f := range c.AllFields(m) {
			for _, n := range append([]string{f.Name}, f.Aliases...) {
				names[n] = strings.Contains(n, "_") && !slices.Contains(catalog.ContentTypes(), n)
			}
		}
	}
	for _, x := range append(c.Models(client.Video), c.Models(client.Image)...) {
		for _, mode := range x.ModeNames() {
			delete(names, mode) // which is chosen by its name
		}
	}
	require.True(t, names["aspect_ratio"])
	name := regexp.MustCompile("[^a-z0-9_\"'.=/-][a-z]+(_[a-z]+)+")
	goldens(t, func(path, text string) {
		if strings.Contains(path, "screens/models") || strings.HasPrefix(filepath.Base(path), "wire-") {
			return
		}
		for i, line := range strings.Split(text, "\n") {
			for _, s := range name.FindAllString(line, -1) {
				assert.False(t, names[s[1:]], "%s:%d: %s", path, i+1, s[1:])
			}
		}
	})
}

// TestNoMoneyOnTheEmbeddedGateway: where nothing is paid for, nothing is said of it.
func TestNoMoneyOnTheEmbeddedGateway(t *testing.T) {
	money := regexp.MustCompile(`(?i)\b(billed|charged?|paid|costs?)\b`)
	seen := 0
	goldens(t, func(path, text string) {
		if regexp.MustCompile(`● sandbox|Profile +sandbox`).MatchString(text) {
			seen++
			assert.Empty(t, money.FindString(text), path)
		}
	})
	require.Positive(t, seen)
}
