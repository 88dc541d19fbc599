package compose

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAValueThatIsNoChoiceShowsAndIsNotLost(t *testing.T) {
	b := start(t, 120, 40)
	b.Type("a kite")
	b.pick("famA3")
	require.True(t, b.m.sheet.Form.Focus("resolution"))
	b.Type("720p")
	b.pick("famK-3.0")
	require.Equal(t, "720p", b.m.sheet.Draft.Values["resolution"])
	assert.Contains(t, b.View(), "auto ‹720p›·720P·  not among the choices")
	require.True(t, b.m.sheet.Form.Focus("resolution"))
	b.Key("right")
	assert.Equal(t, "720P", b.m.sheet.Draft.Values["resolution"])
	assert.Contains(t, b.View(), "720p ‹720P›  720p is none of them")
	b.Key("left")
	assert.Equal(t, "720p", b.m.sheet.Draft.Values["resolution"], "it can be chosen again")
	b.Key("left")
	assert.NotContains(t, b.m.sheet.Draft.Values, "resolution")
	b.Key("right")
	assert.Equal(t, "720p", b.m.sheet.Draft.Values["resolution"])
	b.pick("famA3")
	assert.Equal(t, "720p", b.m.sheet.Form.Text("resolution"))
	b.Key("ctrl+x")
	assert.NotContains(t, b.View(), "not among", "a new form knows nothing of it")
}
