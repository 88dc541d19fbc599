//go:build unix

// Package pgtest runs a PostgreSQL server for tests: its own cluster in a temporary folder,
// on a Unix socket, without fsync. Only tests import it. A machine without the server's
// programs fails the tests, with a message that says what to install.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// startLimit bounds the making and the start of a cluster.
const startLimit = 60 * time.Second

// Secret is the role that has to give Password; every other one is trusted.
const (
	Secret   = "secret"
	Password = "pa/ss:w@rd%" // #nosec G101 -- of a cluster that lives for one test
)

// Server starts a cluster when a test first needs one, and runs it until Stop. The zero
// value is ready. A server that outlives its test binary, as when that is killed, notices
// it by the end of a pipe, stops and removes its folder.
type Server struct {
	once  sync.Once
	err   error
	dir   string
	watch *exec.Cmd
	pipe  *os.File
	count atomic.Int64
	// Durable, set before the first use, makes commits wait for the disk.
	Durable bool
}

// Database makes an empty database and returns its address. It is removed with the server.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	s.once.Do(func() { s.err = s.start() })
	if s.err != nil {
		t.Fatalf("a PostgreSQL server for the tests: %v", s.err)
	}
	name := fmt.Sprintf("t%d", s.count.Add(1))
	if err := s.exec("postgres", "CREATE DATABASE "+name); err != nil {
		t.Fatalf("a database for the test: %v", err)
	}
	return s.address(name)
}

// Exec runs a statement in a database that Database made, as its owner.
func (s *Server) Exec(t testing.TB, dsn, statement string) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err == nil {
		err = s.exec(strings.TrimPrefix(u.Path, "/"), statement)
	}
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// Dump is all that a database holds, as pg_dump writes it.
func (s *Server) Dump(t testing.TB, dsn string) string {
	t.Helper()
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(filepath.Join(bin, "pg_dump"), "--inserts", "-d", dsn).Output() //nolint:gosec // a program of the server
	if err != nil {
		t.Fatalf("pg_dump: %v", err)
	}
	return string(out)
}

// socket is the path of the server's socket, once there is a database.
func (s *Server) socket() string { return filepath.Join(s.dir, ".s.PGSQL.5432") }

func (s *Server) address(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User("tester"), Path: "/" + database,
		RawQuery: url.Values{"host": {s.dir}}.Encode()}
	return u.String()
}

func (s *Server) exec(database, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	c, err := pgx.Connect(ctx, s.address(database))
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, statement)
	return errors.Join(err, c.Close(ctx))
}

// Stop ends the server, if there is one, and removes its folder.
func (s *Server) Stop() {
	s.once.Do(func() { s.err = errors.New("it was stopped") })
	if s.pipe != nil {
		_ = s.pipe.Close()
		_ = s.watch.Wait()
		s.pipe = nil
	}
}

// Halt ends the server as a crash does, with all its connections; Resume starts it again.
// What was committed is there. Halt returns when nobody can connect, Resume when one can.
func (s *Server) Halt(t testing.TB) {
	t.Helper()
	s.order(t, "stop", func() bool {
		c, err := net.Dial("unix", s.socket())
		if err != nil {
			return true
		}
		_ = c.Close()
		return false
	})
}

// Resume starts again a server that Halt ended.
func (s *Server) Resume(t testing.TB) {
	t.Helper()
	s.order(t, "start", func() bool { return s.exec("postgres", "SELECT 1") == nil })
}

func (s *Server) order(t testing.TB, word string, done func() bool) {
	t.Helper()
	if _, err := fmt.Fprintln(s.pipe, word); err != nil {
		t.Fatalf("%s of the server: %v", word, err)
	}
	for end := time.Now().Add(startLimit); !done(); <-time.After(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s of the server: it takes more than %s", word, startLimit)
		}
	}
}

func (s *Server) start() error {
	bin, err := programs()
	if err != nil {
		return err
	}
	// The path of a socket has room for some hundred bytes.
	parent := os.TempDir()
	if len(parent) > 40 {
		parent = "/tmp"
	}
	if s.dir, err = os.MkdirTemp(parent, "pgtest"); err != nil {
		return err
	}
	attr, err := account(s.dir)
	if err != nil {
		return errors.Join(err, os.RemoveAll(s.dir))
	}
	data := filepath.Join(s.dir, "data")
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	initdb := exec.CommandContext(ctx, filepath.Join(bin, "initdb"), "-D", data, "-U", "tester", //nolint:gosec // a program of the server
		"-E", "UTF8", "--no-locale", "--no-sync", "-A", "trust")
	initdb.SysProcAttr, initdb.Dir = attr, s.dir
	if out, err := initdb.CombinedOutput(); err != nil {
		return errors.Join(fmt.Errorf("initdb: %w\n%s", err, out), os.RemoveAll(s.dir))
	}
	if err := s.configure(data); err != nil {
		return errors.Join(err, os.RemoveAll(s.dir))
	}
	if err := s.run(bin, data, attr); err != nil {
		return err
	}
	return s.ready(ctx)
}

// configure adds the settings, and the one role that has a password.
func (s *Server) configure(data string) error {
	durable := "off"
	if s.Durable {
		durable = "on"
	}
	settings := fmt.Sprintf(`
listen_addresses = ''
unix_socket_directories = '%s'
fsync = %s
full_page_writes = %s
max_connections = 300
logging_collector = off
`, s.dir, durable, durable)
	f, err := os.OpenFile(filepath.Join(data, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(settings)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	hba := "local all " + Secret + " scram-sha-256\nlocal all all trust\n"
	return os.WriteFile(filepath.Join(data, "pg_hba.conf"), []byte(hba), 0o600)
}

// guard starts the server, and ends it when its own standard input ends: a pipe of the test binary,
// which the kernel closes however the binary ends. "stop" and "start" on it end the server as a
// crash does, and start it again.
const guard = `start() { "$1" -D "$2" </dev/null >>"$3/log" 2>&1 & p=$!; }
start "$@"
while read -r word; do
	case $word in
	stop) kill -QUIT $p; wait $p ;;
	start) start "$@" ;;
	esac
done
kill -QUIT $p 2>/dev/null
wait $p
rm -rf "$3"`

func (s *Server) run(bin, data string, attr *attributes) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	s.watch = exec.Command("/bin/sh", "-c", guard, "sh", filepath.Join(bin, "postgres"), data, s.dir) //nolint:gosec // a program of the server
	s.watch.SysProcAttr, s.watch.Dir, s.watch.Stdin = attr, s.dir, r
	if err := s.watch.Start(); err != nil {
		return errors.Join(err, r.Close(), w.Close(), os.RemoveAll(s.dir))
	}
	s.pipe = w
	return r.Close()
}

// ready waits for the server to answer.
func (s *Server) ready(ctx context.Context) error {
	for {
		err := s.exec("postgres", "SELECT 1")
		if err == nil {
			return s.exec("postgres", "CREATE ROLE "+Secret+" LOGIN SUPERUSER PASSWORD '"+Password+"'")
		}
		t := time.NewTimer(20 * time.Millisecond)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			_ = s.pipe.Close()
			return fmt.Errorf("it does not answer: %w\n%s", err, log)
		}
	}
}

// programs finds the folder of the server's programs, the newest version first.
func programs() (string, error) {
	dirs, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	slices.SortFunc(dirs, func(a, b string) int { return len(b)*1000 - len(a)*1000 + strings.Compare(b, a) })
	if p, err := exec.LookPath("initdb"); err == nil {
		if p, err = filepath.EvalSymlinks(p); err == nil {
			dirs = append([]string{filepath.Dir(p)}, dirs...)
		}
	}
	for _, d := range append(dirs, "/usr/local/pgsql/bin", "/opt/homebrew/bin") {
		if executable(filepath.Join(d, "initdb")) && executable(filepath.Join(d, "postgres")) {
			return d, nil
		}
	}
	return "", errors.New("initdb and postgres were not found in PATH or /usr/lib/postgresql: `make tools` installs them, or install the package postgresql")
}

func executable(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0
}
