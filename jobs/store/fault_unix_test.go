//go:build unix

package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// The process that is killed works on this file of its folder, as the environment says.
const (
	testFile = "h.db"
	envWork  = "STORE_TEST_WORK"
)

// TestMain is the tests', or a process that works on a history until it is killed.
func TestMain(m *testing.M) {
	if work := os.Getenv(envWork); work != "" {
		if err := toil(testFile, work); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// portion is how many records one import has.
const portion = 20

// toil does one kind of work again and again.
func toil(path, work string) error {
	ctx := context.Background()
	if work == "restore" {
		_, _ = fmt.Fprintln(os.Stdout, "ready")
		for {
			if _, err := Restore(ctx, path, newest(path)); err != nil {
				return err
			}
		}
	}
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	if work == "limit" {
		return limited(ctx, s)
	}
	_, _ = fmt.Fprintln(os.Stdout, "ready")
	for {
		switch work {
		case "backup":
			_, err = s.Backup(ctx)
		case "commit":
			err = commitAll(ctx, s)
		case "import":
			_, err = s.Import(ctx, someRecords(portion))
		case "prune":
			if _, err = s.Import(ctx, someRecords(portion)); err == nil {
				_, err = s.Prune(ctx, jobs.Prune{States: []jobs.State{jobs.Failed}})
			}
			if err == nil {
				err = breathe(ctx, maxBreath)
			}
		}
		if err != nil {
			return err
		}
	}
}

func newest(path string) string {
	b := backups(path)
	return b[len(b)-1]
}

// someRecords are ended jobs that share a body, and each have one.
func someRecords(n int) []jobs.Record {
	out := make([]jobs.Record, n)
	for i := range out {
		j := storetest.NewJob("a kite")
		j.State, j.Tags = jobs.Failed, []string{"x"}
		own, shared := []byte(j.ID), []byte("shared")
		out[i] = jobs.Record{Job: j,
			Current: map[jobs.PayloadKind]string{jobs.PayloadRequest: jobs.PayloadSHA(shared), jobs.PayloadAnswer: jobs.PayloadSHA(own)},
			Bodies:  map[string][]byte{jobs.PayloadSHA(shared): shared, jobs.PayloadSHA(own): own},
			Events:  []jobs.Event{{At: storetest.Base, Kind: jobs.EventState, To: jobs.Failed, PayloadSHA: jobs.PayloadSHA(own)}}}
	}
	return out
}

// start begins a process that works on a history, and waits until it is at it.
func start(t *testing.T, path, work string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), envWork+"="+work)
	cmd.Dir = filepath.Dir(path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", line)
	return cmd
}

// TestKilled kills a process with SIGKILL while it backs up, imports, prunes and restores:
// what is found is a sound history, and nothing that was there before is gone.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, work := range []string{"backup", "import", "prune", "restore"} {
		t.Run(work, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), testFile)
			s, err := Open(t.Context(), path)
			require.NoError(t, err)
			kept := insertOne(t, s, "kept", jobs.Completed)
			_, err = s.Backup(t.Context())
			require.NoError(t, err)
			require.NoError(t, s.Close())
			for range 6 {
				cmd := start(t, path, work)
				// At any point of it; a wait that ends by itself would be no kill.
				select {
				case <-t.Context().Done():
				case <-time.After(time.Duration(rand.IntN(60)) * time.Millisecond): //nolint:gosec // any will do
				}
				require.NoError(t, cmd.Process.Kill())
				_ = cmd.Wait()
				s, err := Open(t.Context(), path)
				require.NoError(t, err)
				d, err := s.Detail(t.Context(), kept.ID)
				require.NoError(t, err)
				require.Equal(t, "kept", string(d.Request))
				n, err := s.Count(t.Context())
				require.NoError(t, err)
				if work != "prune" { // which may find what several imports left, and take it in portions
					assert.EqualValues(t, 1, n%portion, "portions are whole")
				}
				require.NoError(t, s.Close())
				h, err := Examine(t.Context(), path, false)
				require.NoError(t, err)
				assert.Empty(t, h.Findings)
				require.NotEmpty(t, h.Backups)
			}
			s, err = Open(t.Context(), path)
			require.NoError(t, err)
			_, err = s.Backup(t.Context())
			require.NoError(t, err)
			parts, err := filepath.Glob(filepath.Join(BackupDir(path), partPrefix+"*"))
			require.NoError(t, err)
			assert.Empty(t, parts, "what was left over is gone")
			require.NoError(t, s.Close())
		})
	}
}

// limited backs up where no file may grow beyond a half of what is needed.
func limited(ctx context.Context, s *SQLite) error {
	signal.Ignore(syscall.SIGXFSZ)
	if _, err := s.Import(ctx, someRecords(150)); err != nil {
		return err
	}
	if err := s.w.do(ctx, func(t *tx) error {
		_, err := t.exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
		return err
	}); err != nil {
		return err
	}
	st, err := os.Stat(s.path)
	if err != nil {
		return err
	}
	half := uint64(st.Size() / 2) //nolint:gosec // not negative
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: half, Max: half}); err != nil {
		return err
	}
	if _, err := s.Backup(ctx); err == nil {
		return errors.New("the backup was made")
	}
	_, _ = fmt.Fprintln(os.Stdout, "ready")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// TestBackupWithoutRoom: a backup that does not fit leaves nothing behind, and the one of
// before stays.
func TestBackupWithoutRoom(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), testFile)
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	insertOne(t, s, "kept", jobs.Completed)
	b, err := s.Backup(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.NoError(t, start(t, path, "limit").Wait())
	n, err := CheckBackup(t.Context(), b.Path)
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	parts, err := filepath.Glob(filepath.Join(BackupDir(path), partPrefix+"*"))
	require.NoError(t, err)
	assert.Empty(t, parts)
	h, err := Examine(t.Context(), path, false)
	require.NoError(t, err)
	assert.Empty(t, h.Findings)
	assert.EqualValues(t, 151, h.Jobs)
}

// TestDiskFull: what does not fit is said and written nowhere; reading goes on, and so
// does writing when there is room again.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	j := insertOne(t, s, "kept", jobs.Completed)
	limit := func(pages int) {
		require.NoError(t, s.w.do(t.Context(), func(tx *tx) error {
			var n int
			return tx.row(fmt.Sprintf("PRAGMA max_page_count = %d", pages)).Scan(&n)
		}))
	}
	limit(1) // the file as it is
	_, err := s.Import(t.Context(), someRecords(300))
	require.ErrorContains(t, err, "the disk of the history")
	require.ErrorContains(t, err, "is full")
	n, err := s.Count(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 1, n)
	_, err = s.Detail(t.Context(), j.ID)
	require.NoError(t, err)
	_, err = s.Prune(t.Context(), jobs.Prune{Before: time.Now().AddDate(-50, 0, 0)})
	require.NoError(t, err)
	limit(1 << 30)
	added, err := s.Import(t.Context(), someRecords(100))
	require.NoError(t, err)
	assert.Equal(t, 100, added)
}

// TestTwoProcesses: one imports and prunes in a process of its own while this one writes,
// lists, backs up and exports.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), testFile))
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	cmd := start(t, s.Path(), "prune")
	first, err := s.Look(t.Context())
	require.NoError(t, err)
	var mine []string
	for range 20 {
		mine = append(mine, insertOne(t, s, "mine", jobs.Completed).ID)
		_, err := s.List(t.Context(), jobs.Query{Text: "kite"})
		require.NoError(t, err)
		_, err = s.Records(t.Context(), "", 50)
		require.NoError(t, err)
	}
	_, err = s.Backup(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.SetPause(t.Context(), jobs.Pause{Profile: "p", At: storetest.Base}, true))
	require.Eventually(t, func() bool {
		v, err := s.Look(t.Context())
		return err == nil && v != first
	}, time.Minute, time.Millisecond, "each sees that the other wrote")
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	for _, id := range mine {
		_, err := s.Get(t.Context(), id)
		require.NoError(t, err)
	}
	h, err := Examine(t.Context(), s.Path(), false)
	require.NoError(t, err)
	assert.Empty(t, h.Findings)
}
