package compose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/widgets/helpbar"
)

// Under one heading a key means one thing; the form's own keys come first, or those of the
// dialog that is open.
func TestTheHelpHasAHeadingForEachDialog(t *testing.T) {
	b := start(t, 120, 34)
	groups := helpbar.Groups(b.m, "Compose")
	assert.Equal(t, "Compose", groups[0].Title)
	titles := map[string]bool{}
	for _, g := range groups {
		assert.NotEmpty(t, g.Title)
		assert.False(t, titles[g.Title], g.Title)
		titles[g.Title] = true
		means := map[string]string{}
		for _, k := range g.Bindings {
			for _, name := range strings.Fields(k.Help().Key) {
				assert.Empty(t, means[name], "%s under %q is also %q", name, g.Title, k.Help().Desc)
				means[name] = k.Help().Desc
			}
		}
	}
	b.Key("ctrl+g")
	assert.Equal(t, "In the choice of a model", helpbar.Groups(b.m)[0].Title)
	b.Key("esc", "alt+s")
	assert.Equal(t, "In a batch", helpbar.Groups(b.m)[0].Title)
}
