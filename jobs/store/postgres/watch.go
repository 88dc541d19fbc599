package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// tellEvery is the least time between two notifications of one store. They are sent beside the
	// transactions that they tell of: within these each commit would wait for the other's, which
	// halves the rate or worse. Losing one with its process does no harm: they are hints, and jobs
	// without a lease are looked for anyway.
	tellEvery = 100 * time.Millisecond
	tellLimit = 5 * time.Second

	// listenAlive is how often a quiet connection is checked.
	listenAlive = 30 * time.Second
	// After a break the connection is made again, after longer and longer pauses; meanwhile a look
	// is due every listenBlind.
	listenAgain    = 100 * time.Millisecond
	listenAgainMax = 30 * time.Second
	listenBlind    = time.Second
)

// teller tells other processes of writes.
type teller struct {
	news chan struct{} // capacity one
	quit context.CancelFunc
	done chan struct{}
}

func (s *Store) start() {
	ctx, cancel := context.WithCancel(context.Background())
	s.news, s.quit, s.done = make(chan struct{}, 1), cancel, make(chan struct{})
	go s.telling(ctx)
}

// stop ends the teller, after the notification that is still due.
func (s *Store) stop() {
	s.quit()
	<-s.done
}

// tell notes that there is something to tell; it does not wait.
func (s *Store) tell() {
	select {
	case s.news <- struct{}{}:
	default:
	}
}

func (s *Store) telling(ctx context.Context) {
	defer close(s.done)
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			select {
			case <-s.news:
				s.notify()
			default:
			}
			return
		case <-s.news:
		}
		s.notify()
		pause.Reset(tellEvery)
		select {
		case <-pause.C:
		case <-ctx.Done():
		}
	}
}

// notify sends one notification. A failure is not reported: the next write meets it too, and the
// others look by themselves.
func (s *Store) notify() {
	ctx, cancel := context.WithTimeout(context.Background(), tellLimit)
	defer cancel()
	_, _ = s.pool.Exec(ctx, "SELECT pg_notify($1, $2)", s.topic, s.name)
}

// Watch implements jobs.Watcher, by LISTEN on a connection of its own. While that is broken, the
// channel gets a value each second, since something may have gone untold, and one more when the
// connection is back.
func (s *Store) Watch(ctx context.Context) (<-chan struct{}, error) {
	conn, err := s.listen(ctx)
	if err != nil {
		return nil, s.explain(err)
	}
	written := make(chan struct{}, 1)
	go func() {
		defer close(written)
		for conn != nil {
			s.hear(ctx, conn, written)
			conn = s.relisten(ctx, written)
		}
	}()
	return written, nil
}

func (s *Store) listen(ctx context.Context) (*pgx.Conn, error) {
	conn, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{s.topic}.Sanitize()); err != nil {
		hangUp(conn)
		return nil, err
	}
	return conn, nil
}

// hangUp closes a connection that may be dead, within a moment.
func hangUp(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = conn.Close(ctx)
}

// hear passes on what others tell, until the connection breaks or ctx ends.
func (s *Store) hear(ctx context.Context, conn *pgx.Conn, written chan<- struct{}) {
	defer hangUp(conn)
	for ctx.Err() == nil {
		wait, cancel := context.WithTimeout(ctx, listenAlive)
		n, err := conn.WaitForNotification(wait)
		quiet := wait.Err() != nil && ctx.Err() == nil
		cancel()
		switch {
		case err == nil && n.Payload != s.name:
			hint(written)
		case err == nil: // our own
		case quiet && !conn.IsClosed():
			alive, cancel := context.WithTimeout(ctx, connectLimit)
			err := conn.Ping(alive)
			cancel()
			if err != nil {
				return
			}
		default:
			return
		}
	}
}

// relisten makes the connection again; it returns nil when ctx ends.
func (s *Store) relisten(ctx context.Context, written chan<- struct{}) *pgx.Conn {
	blind := time.NewTicker(listenBlind)
	defer blind.Stop()
	hint(written)
	for wait := listenAgain; ; wait = min(2*wait, listenAgainMax) {
		again := time.NewTimer(wait)
		for tried := false; !tried; {
			select {
			case <-again.C:
				tried = true
			case <-blind.C:
				hint(written)
			case <-ctx.Done():
				again.Stop()
				return nil
			}
		}
		if conn, err := s.listen(ctx); err == nil {
			hint(written)
			return conn
		}
	}
}

func hint(written chan<- struct{}) {
	select {
	case written <- struct{}{}:
	default:
	}
}
