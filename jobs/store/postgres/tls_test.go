package postgres

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// bare is a server without TLS that asks for passwords in clear, as somebody on the way would.
type bare struct {
	port int
	mu   sync.Mutex
	got  bytes.Buffer
}

func newBare(t *testing.T) *bare {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	addr, ok := l.Addr().(*net.TCPAddr)
	require.True(t, ok)
	b := &bare{port: addr.Port}
	var wg sync.WaitGroup
	t.Cleanup(func() { _ = l.Close(); wg.Wait() })
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { b.serve(c) })
		}
	})
	return b
}

// serve speaks as much of the protocol as a password takes: it refuses TLS, and asks for the
// password in clear.
func (b *bare) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	for {
		var head [4]byte
		if _, err := io.ReadFull(c, head[:]); err != nil {
			return
		}
		rest := make([]byte, binary.BigEndian.Uint32(head[:])-4)
		if _, err := io.ReadFull(c, rest); err != nil {
			return
		}
		if binary.BigEndian.Uint32(rest) == 80877103 { // SSLRequest
			_, _ = c.Write([]byte("N"))
			continue
		}
		_, _ = c.Write([]byte{'R', 0, 0, 0, 8, 0, 0, 0, 3}) // AuthenticationCleartextPassword
		said := make([]byte, 1024)
		n, _ := c.Read(said)
		b.mu.Lock()
		b.got.Write(rest)
		b.got.Write(said[:n])
		b.mu.Unlock()
		return
	}
}

func (b *bare) heard() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.got.String()
}

// TestPasswordsDoNotTravelInClear: before, a server or anybody on the way that said it has no TLS
// got the password. 0.0.0.0 leads to this machine and is no loopback address.
func TestPasswordsDoNotTravelInClear(t *testing.T) {
	for name, c := range map[string]struct {
		host, query, mode string
		clear             bool
	}{
		"off loopback":             {"0.0.0.0", "", "", false},
		"loopback":                 {"127.0.0.1", "", "", true},
		"by name":                  {"localhost", "", "", true},
		"written out":              {"0.0.0.0", "?sslmode=disable", "", true},
		"prefer, written out":      {"0.0.0.0", "?sslmode=prefer", "", true},
		"require, written out":     {"0.0.0.0", "?sslmode=require", "", false},
		"in the environment":       {"0.0.0.0", "", "disable", true},
		"required in the settings": {"127.0.0.1", "?sslmode=require", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PGSSLMODE", c.mode)
			t.Setenv("PGPASSWORD", "")
			b := newBare(t)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			_, err := Open(ctx, fmt.Sprintf("postgres://u:hunter2@%s:%d/db%s", c.host, b.port, c.query), Options{})
			require.Error(t, err)
			require.NotContains(t, err.Error(), "hunter2")
			if c.clear {
				require.Contains(t, b.heard(), "hunter2", "the test sees what is sent")
				return
			}
			require.Empty(t, b.heard(), "neither the password nor who asks")
			require.ErrorContains(t, err, "TLS is required")
			require.ErrorContains(t, err, "sslmode=disable")
		})
	}
}

func TestTLSIsRequiredOfEachHost(t *testing.T) {
	t.Setenv("PGSSLMODE", "")
	cfg, _, err := parse("postgres://u@/db?host=127.0.0.1,db.example&port=1,2")
	require.NoError(t, err)
	type way struct {
		host string
		tls  bool
	}
	tlsOf := func(c *tls.Config) bool { return c != nil }
	ways := []way{{cfg.ConnConfig.Host, tlsOf(cfg.ConnConfig.TLSConfig)}}
	for _, f := range cfg.ConnConfig.Fallbacks {
		ways = append(ways, way{f.Host, tlsOf(f.TLSConfig)})
	}
	require.Contains(t, ways, way{"db.example", true})
	require.NotContains(t, ways, way{"db.example", false})
	require.Contains(t, ways, way{"127.0.0.1", false})

	for host, want := range map[string]bool{"/run/postgresql": true, "127.8.9.1": true, "::1": true, "LOCALHOST": true, "::ffff:127.0.0.1": true,
		"127.0.0.1.evil.example": false, "10.0.0.1": false, "db": false, "": false, "127.1": false} {
		require.Equal(t, want, local(host), host)
	}
}
