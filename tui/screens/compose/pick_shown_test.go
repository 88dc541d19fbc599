package compose

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/screen"
)

// TestStarsOfOtherScreens are known when this one shows again: Models gives them too.
func TestStarsOfOtherScreens(t *testing.T) {
	b, k := pickBench(t, 120, 34, 3, nil)
	b.Send(screen.HiddenMsg{})
	_, err := k.Star("famK-3.0-480p", true)
	assert.NoError(t, err)
	b.Send(screen.ShownMsg{})
	assert.Equal(t, "famK-3.0-480p", b.ids()[0])
}
