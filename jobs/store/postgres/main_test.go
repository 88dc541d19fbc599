package postgres

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/postgres/pgtest"
	"darkroom/jobs/store/storetest"
)

// server is the tests' own PostgreSQL, which the first test that needs it starts.
var server pgtest.Server

func TestMain(m *testing.M) {
	if dsn := os.Getenv(envDSN); dsn != "" {
		if err := pollAndDie(dsn, os.Getenv(envServer), os.Getenv(envName)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	code := m.Run()
	server.Stop()
	os.Exit(code)
}

func openAt(t testing.TB, dsn string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dsn, Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func openTest(t testing.TB) *Store {
	t.Helper()
	return openAt(t, server.Database(t))
}

func TestSuite(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) jobs.Store { return openTest(t) })
}
