package migration_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"darkroom/jobs/store/migration"
)

func TestSteps(t *testing.T) {
	files := fstest.MapFS{"migrations/0002.sql": {Data: []byte("two")}, "migrations/0001.sql": {Data: []byte("one")}}
	steps, err := migration.Steps(files)
	require.NoError(t, err)
	require.Equal(t, []string{"one", "two"}, steps)

	files["migrations/0004.sql"] = &fstest.MapFile{}
	_, err = migration.Steps(files)
	require.ErrorContains(t, err, "0004.sql is not migrations/0003.sql")
}
