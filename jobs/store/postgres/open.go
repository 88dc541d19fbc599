// Package postgres keeps the history of jobs in a PostgreSQL database, for consoles and
// pollers on many machines that share one queue (see [Open]); it implements jobs.Store and
// jobs.Watcher. The suite in jobs/store/storetest says what it guarantees.
package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"darkroom/jobs"
)

// defaultConns bounds the connections of a store, besides the one that listens.
const defaultConns = 8

// connectLimit bounds the making of one connection.
const connectLimit = 10 * time.Second

// Options of a Store; the zero value has all defaults.
type Options struct {
	// Conns bounds the connections, besides the one that listens; 0 for 8, or for
	// pool_max_conns of the address.
	Conns int
	// Wall is this machine's clock; nil for time.Now.
	Wall func() time.Time
}

// Store is a history in a PostgreSQL database. It is safe for concurrent use, by many
// processes on many machines.
type Store struct {
	pool  *pgxpool.Pool
	place string   // the address without a password
	hide  []string // texts that no error may hold
	space int64    // of the advisory locks of this history, see since.go
	name  string   // of this store among those that notify
	topic string   // of the notifications
	skew  skew
	hurry time.Duration // quickLimit
	teller
	ends sync.Once
}

var (
	_ jobs.Store   = (*Store)(nil)
	_ jobs.Watcher = (*Store)(nil)
)

// Open opens the history at an address like postgres://user@host/database; TLS, passwords
// and everything else are as in libpq: the address, PGPASSWORD, PGSSLMODE, ~/.pgpass. It
// makes the schema when there is none, brings an older one up to date, and refuses a newer
// one (*NewerError) and a schema of others (ErrForeign). No error holds the password.
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	cfg, schema, err := parse(dsn)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	s := newStore(dsn, schema, cfg, o)
	if s.pool, err = pgxpool.NewWithConfig(context.WithoutCancel(ctx), cfg); err != nil {
		return nil, s.explain(err)
	}
	if err := s.prepare(ctx, schema); err != nil {
		s.pool.Close()
		return nil, s.explain(err)
	}
	s.start()
	return s, nil
}

func newStore(dsn, schema string, cfg *pgxpool.Config, o Options) *Store {
	cfg.ConnConfig.ConnectTimeout = connectLimit
	if o.Conns > 0 {
		cfg.MaxConns = int32(o.Conns)
	} else if u, err := url.Parse(dsn); err == nil && !u.Query().Has("pool_max_conns") {
		cfg.MaxConns = defaultConns
	}
	s := &Store{
		place: Redact(dsn), topic: "darkroom_" + schema,
		name: fmt.Sprintf("%x", rand.Uint64()), //nolint:gosec // no secret
		skew: skew{wall: o.Wall}, hurry: quickLimit,
	}
	if s.skew.wall == nil {
		s.skew.wall = time.Now
	}
	if p := cfg.ConnConfig.Password; p != "" {
		s.hide = []string{p, url.QueryEscape(p), url.PathEscape(p)}
	}
	return s
}

// prepare migrates the schema, and reads what the store has to know of the database.
func (s *Store) prepare(ctx context.Context, schema string) error {
	steps, err := migrations()
	if err != nil {
		return err
	}
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	err = migrate(ctx, conn.Conn(), schema, s.place, steps)
	if err == nil {
		var oid uint32
		err = conn.QueryRow(ctx, "SELECT oid FROM pg_namespace WHERE nspname = $1", schema).Scan(&oid)
		s.space = lockSpace(oid)
	}
	conn.Release()
	if err != nil {
		return err
	}
	return s.sync(ctx)
}

// Place is the address, without a password.
func (s *Store) Place() string { return s.place }

// Close sends the others the last notification, if one is due, and closes the connections.
func (s *Store) Close() error {
	s.ends.Do(func() {
		s.stop()
		s.pool.Close()
	})
	return nil
}

// connect makes a connection outside the pool.
func (s *Store) connect(ctx context.Context) (*pgx.Conn, error) {
	return pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig.Copy())
}
