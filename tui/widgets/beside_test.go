package widgets_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/widgets"
)

func TestBesideKeepsLinesTogether(t *testing.T) {
	assert.Equal(t, "a1\nb2\n 3", widgets.Beside("a\nb\n ", "1\n2\n3"))
	assert.Equal(t, "a1", widgets.Beside("a", "1"))
	assert.Equal(t, "a1\nb2\n3", widgets.BesideLines([]string{"a", "b"}, []string{"1", "2", "3"}))
	assert.Equal(t, "a\nb", widgets.BesideLines([]string{"a", "b"}, nil))
	assert.Equal(t, "1", widgets.BesideLines(nil, []string{"1"}))
}
