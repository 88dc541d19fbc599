package library_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/library"
	"darkroom/jobs/filter"
)

func TestViews(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config", "views.yaml")
	v := library.OpenViews(path)
	all, err := v.All()
	require.NoError(t, err)
	assert.Equal(t, filter.BuiltIn(), all, "without a file, those of the program")

	for _, name := range []string{"one", "two", "three"} {
		require.NoError(t, v.Save(filter.View{Name: name, Filter: "tag:" + name, Own: true}, 0))
	}
	require.NoError(t, v.Save(filter.View{Name: "Three", Filter: "age<1h"}, 1))
	require.NoError(t, v.Save(filter.View{Name: "one", Filter: "tag:uno"}, 0))
	require.NoError(t, v.Save(filter.View{Name: "stuck", Filter: "is:stuck age>2h"}, 0))
	all, err = library.OpenViews(path).All()
	require.NoError(t, err)
	n := len(filter.BuiltIn())
	require.Len(t, all, n+3)
	assert.Equal(t, "is:stuck age>2h", all[2].Filter, "in the place of the program's")
	assert.Equal(t, []filter.View{
		{Name: "Three", Filter: "age<1h", Own: true}, {Name: "one", Filter: "tag:uno", Own: true}, {Name: "two", Filter: "tag:two", Own: true},
	}, all[n:])

	require.NoError(t, v.Remove("STUCK"))
	require.NoError(t, v.Remove("one"))
	require.ErrorContains(t, v.Remove("stuck"), "comes with the program")
	require.ErrorIs(t, v.Remove("one"), library.ErrNoView)
	require.ErrorContains(t, v.Save(filter.View{Name: "x", Filter: "foo<3"}, 0), "foo< is not a filter")
	all, err = v.All()
	require.NoError(t, err)
	assert.Len(t, all, n+2)
	st, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), st.Mode().Perm())
}

// TestViewsThatCannotBeRead: the program's are there all the same, and the file stays as it is.
func TestViewsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "views.yaml")
	text := []byte("views: [{name: a, filter: 'nope:x'}]")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	v := library.OpenViews(path)
	all, err := v.All()
	require.ErrorContains(t, err, "view a: nope: is not a filter")
	assert.Equal(t, filter.BuiltIn(), all)
	require.Error(t, v.Save(filter.View{Name: "b", Filter: "x"}, 0))
	left, err := os.ReadFile(path) //nolint:gosec // the test's own
	require.NoError(t, err)
	assert.Equal(t, text, left)
}
