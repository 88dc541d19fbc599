package postgres

import (
	"context"
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// comes waits for a value; false when the channel was closed.
func comes(t *testing.T, c <-chan struct{}) bool {
	t.Helper()
	select {
	case _, ok := <-c:
		return ok
	case <-time.After(time.Minute):
		require.FailNow(t, "nothing came")
		return false
	}
}

// TestServerDown: while the server is away methods fail with a word about it, and go on
// when it is back.
func TestServerDown(t *testing.T) {
	t.Parallel()
	p, dsn := newProxy(t, server.Database(t))
	s := openAt(t, dsn)
	j := storetest.NewJob("kept")
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(j)}))
	p.cut() // connections of the pool die unseen
	_, err := s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	p.cut()
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("x"))}))
	p.setDown(true)
	_, err = s.Get(t.Context(), j.ID)
	require.ErrorContains(t, err, s.Place())
	require.Error(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("y"))}))
	_, err = s.Claim(t.Context(), jobs.Claim{Owner: "A", Profile: "p"})
	require.Error(t, err)
	p.setDown(false)
	_, err = s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	page, err := s.List(t.Context(), jobs.Query{})
	require.NoError(t, err)
	assert.Len(t, page.Jobs, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Get(ctx, j.ID)
	require.ErrorIs(t, err, context.Canceled)
}

// TestLostCommit loses the server's answer to a commit: the store finds out that it was
// written, and writes nothing twice.
func TestLostCommit(t *testing.T) {
	t.Parallel()
	p, dsn := newProxy(t, server.Database(t))
	s := openAt(t, dsn)
	j := storetest.NewJob("once")
	p.loseCommit(j.ID) // the insert goes in one piece with its commit
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(j)}))
	w := storetest.Plan(j)
	w.Token = 1
	p.loseCommit("lost in the middle")
	w.Events[0].Message = "lost in the middle"
	rev, err := s.Commit(t.Context(), w)
	require.NoError(t, err)
	d, err := s.Detail(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Len(t, d.Events, 2)
	got, err := s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, got.Rev, rev)
}

// TestWatch: what another store writes is told; own writes are not.
func TestWatch(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	p, by := newProxy(t, dsn)
	a, b := openAt(t, by), openAt(t, dsn)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	written, err := a.Watch(ctx)
	require.NoError(t, err)
	require.NoError(t, b.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("x"))}))
	assert.True(t, comes(t, written))
	require.NoError(t, b.SetPause(t.Context(), jobs.Pause{Profile: "p", At: time.Now()}, true))
	assert.True(t, comes(t, written))

	p.setDown(true)
	assert.True(t, comes(t, written), "something may go untold now")
	assert.True(t, comes(t, written), "and now")
	p.setDown(false)
	require.Eventually(t, func() bool { // it listens again
		for len(written) > 0 {
			<-written
		}
		if b.Release(t.Context(), "nobody") != nil {
			return false
		}
		select {
		case <-written:
		case <-time.After(200 * time.Millisecond):
			return false
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.conns) > 0
	}, time.Minute, 10*time.Millisecond)
	cancel()
	for comes(t, written) { // closed at the end
	}
}

func TestOpenFails(t *testing.T) {
	t.Parallel()
	none, err := url.Parse(server.Database(t))
	require.NoError(t, err)
	none.Path = "/none"
	_, err = Open(t.Context(), none.String(), Options{})
	require.ErrorContains(t, err, "createdb")
	assert.False(t, Away(err), "that does not pass")
	assert.False(t, Away(context.Canceled))
	for _, dsn := range []string{"", "mysql://x/y", "postgres://", "postgres://u:hidden@h", "postgres://u:hid%zz@h/db",
		"postgres://u:hidden@h:port/db", "postgres://u:hidden@h/db?sslmode=hidden", "postgres://u:hidden@h/db?search_path=A-b"} {
		_, err := Open(t.Context(), dsn, Options{})
		require.Error(t, err, dsn)
		assert.NotContains(t, err.Error(), "hid", dsn)
		assert.Error(t, CheckDSN(dsn), dsn)
		assert.NotContains(t, Redact(dsn), "u:hid", dsn)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	_, err = Open(ctx, "postgres://u:hidden@127.0.0.1:1/db", Options{})
	require.Error(t, err)
	assert.True(t, Away(err), "a server that is not there may come")
	assert.NotContains(t, err.Error(), "hidden")
	assert.ErrorContains(t, err, "postgres://u:xxxxx@127.0.0.1:1/db")
	for e := err; e != nil; e = errors.Unwrap(e) {
		assert.NotContains(t, e.Error(), "hidden")
	}
}
