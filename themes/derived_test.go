package themes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
)

func TestDerivedIsMadeOnceForEachStyles(t *testing.T) {
	type one struct{ name string }
	type other struct{ name string }
	made := 0
	from := func(s *themes.Styles) *one { made++; return &one{s.Name} }
	all, err := themes.Builtin()
	require.NoError(t, err)
	a, b := themes.Make(all[0], nil, true), themes.Make(all[1], nil, true)
	assert.Equal(t, all[0].Name, themes.Derived(a, from).name)
	assert.Same(t, themes.Derived(a, from), themes.Derived(a, from))
	assert.Equal(t, all[1].Name, themes.Derived(b, from).name, "other styles have their own")
	assert.Equal(t, 2, made)
	assert.Equal(t, "else", themes.Derived(a, func(*themes.Styles) *other { return &other{"else"} }).name, "and so has another type")
	assert.Empty(t, themes.Derived(new(themes.Styles), from).name, "styles made by hand keep nothing")
}
