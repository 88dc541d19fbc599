package postgres

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// proxy is a way to the server that can be cut.
type proxy struct {
	dir  string
	l    net.Listener
	real string

	mu    sync.Mutex
	down  bool
	conns map[net.Conn]bool
	stuck chan struct{} // nothing goes through until it is closed; nil for all goes
	// swallow, where set, cuts a connection when a message to the server holds it, after
	// the message has gone through: its answer is lost.
	swallow []byte
}

// newProxy makes a way to the server of dsn, and returns the address by it.
func newProxy(t *testing.T, dsn string) (*proxy, string) {
	t.Helper()
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	p := &proxy{real: filepath.Join(u.Query().Get("host"), ".s.PGSQL.5432"), conns: map[net.Conn]bool{}, dir: t.TempDir()}
	if len(p.dir) > 60 { // what a socket's path has room for
		p.dir = filepath.Dir(p.real)
	}
	p.l, err = net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.l.Close(); p.cut() })
	go func() {
		for {
			c, err := p.l.Accept()
			if err != nil {
				return
			}
			p.serve(c)
		}
	}()
	u.Host, u.RawQuery = p.l.Addr().String(), "sslmode=disable"
	return p, u.String()
}

func (p *proxy) serve(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		_ = c.Close()
		return
	}
	s, err := net.Dial("unix", p.real)
	if err != nil {
		_ = c.Close()
		return
	}
	p.conns[c], p.conns[s] = true, true
	go p.copy(s, c, true)
	go p.copy(c, s, false)
}

func (p *proxy) copy(to, from net.Conn, up bool) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		p.mu.Lock()
		lose := up && p.swallow != nil && bytes.Contains(buf[:n], p.swallow)
		if lose {
			p.swallow = nil
		}
		stuck := p.stuck
		p.mu.Unlock()
		if stuck != nil {
			<-stuck
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
		if lose {
			_ = from.Close()
			_, _ = io.Copy(io.Discard, to) // until the server has done it
			return
		}
	}
}

// cut breaks all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
	p.conns = map[net.Conn]bool{}
}

func (p *proxy) setDown(down bool) {
	p.mu.Lock()
	p.down = down
	p.mu.Unlock()
	if down {
		p.cut()
	}
}

// setStuck lets nothing through any more, and breaks nothing either.
func (p *proxy) setStuck(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stuck != nil {
		close(p.stuck)
		p.stuck = nil
	}
	if on {
		p.stuck = make(chan struct{})
	}
}

// loseCommit loses the answer to the next commit.
func (p *proxy) loseCommit(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.swallow = []byte(text)
}
