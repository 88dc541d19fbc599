//go:build unix

package pgtest

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// envChild makes the test binary one that starts a server and waits to be killed.
const envChild = "PGTEST_CHILD"

func TestDatabase(t *testing.T) {
	t.Parallel()
	s := &Server{}
	t.Cleanup(s.Stop)
	if os.Getenv(envChild) != "" {
		a := s.Database(t)
		fmt.Fprintf(os.Stderr, "\nat %s\n", s.dir)
		_ = a
		select {}
	}
	a, b := s.Database(t), s.Database(t)
	assert.NotEqual(t, a, b)
	s.Exec(t, a, "CREATE TABLE x (y int)")
	c, err := pgx.Connect(t.Context(), b)
	require.NoError(t, err)
	_, err = c.Exec(t.Context(), "SELECT * FROM x")
	require.Error(t, err, "each test has its own")
	require.NoError(t, c.Close(t.Context()))
	dir := s.dir
	s.Stop()
	assert.NoDirExists(t, dir)
}

// TestKilled: a test binary that is killed leaves no server and no folder behind.
func TestKilled(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0], "-test.run=^TestDatabase$")
	cmd.Env = append(os.Environ(), envChild+"=1")
	out, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var dir string
	_, err = fmt.Fscanf(out, "\nat %s\n", &dir)
	require.NoError(t, err)
	require.DirExists(t, dir)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed
	require.Eventually(t, func() bool {
		_, err := os.Stat(dir)
		return os.IsNotExist(err)
	}, time.Minute, 20*time.Millisecond)
}
