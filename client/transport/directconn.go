package transport

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"darkroom/client/text"
)

var errHeadTooLarge = fmt.Errorf("the head of the answer is larger than %d MiB", directHead>>20)

// directConn is one connection of a [directTransport]. One goroutine at a time has it.
type directConn struct {
	owner *directTransport
	raw   net.Conn // below TLS
	conn  net.Conn
	br    *bufio.Reader // reads through Read
	bw    *bufio.Writer
	since time.Time // of being idle
	heard bool      // a byte of the present answer came
	left  int64     // what its head may still have; below 0 for any number
}

// Read implements io.Reader for br: it bounds the head of an answer.
func (c *directConn) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, errHeadTooLarge
	}
	if c.left > 0 && int64(len(p)) > c.left {
		p = p[:c.left]
	}
	n, err := c.conn.Read(p)
	c.heard = c.heard || n > 0
	if c.left > 0 {
		c.left -= int64(n)
	}
	return n, err
}

func (c *directConn) close() { _ = c.conn.Close() }

// exchange sends a request and reads the head of its answer; the connection goes back to
// its owner when the body has been read. After an error it is closed.
func (c *directConn) exchange(r *http.Request) (*http.Response, error) {
	stop := context.AfterFunc(r.Context(), func() { _ = c.raw.SetDeadline(time.Unix(1, 0)) })
	c.heard, c.left = false, directHead
	resp, err := c.ask(r)
	if err != nil {
		stop()
		c.close()
		return nil, err
	}
	c.left = -1
	b := &directBody{c: c, ctx: r.Context(), body: resp.Body, stop: stop, reuse: !resp.Close}
	if resp.Body == http.NoBody {
		b.end(io.EOF)
		return resp, nil
	}
	resp.Body = b
	return resp, nil
}

func (c *directConn) ask(r *http.Request) (*http.Response, error) {
	pack := len(r.Header["Accept-Encoding"]) == 0 && len(r.Header["Range"]) == 0
	if err := c.write(r, pack); err != nil {
		return nil, err
	}
	for {
		resp, err := http.ReadResponse(c.br, r)
		switch {
		case c.left == 0: // the parser may see no more than a line cut short
			return nil, errHeadTooLarge
		case err != nil:
			return nil, err
		case resp.StatusCode == http.StatusSwitchingProtocols:
			return nil, errors.New("the gateway switched to another protocol, which was not asked for")
		case resp.StatusCode < 200:
			continue // an early word; the head's limit bounds how many
		}
		if pack && strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") && resp.Body != http.NoBody {
			resp.Body = &unpacked{packed: resp.Body}
			resp.Header.Del("Content-Encoding")
			resp.Header.Del("Content-Length")
			resp.ContentLength, resp.Uncompressed = -1, true
		}
		return resp, nil
	}
}

// write sends a request's head; it refuses names and values that no header can carry.
func (c *directConn) write(r *http.Request, pack bool) error {
	uri := r.URL.RequestURI()
	if !ascii(uri) {
		return fmt.Errorf("%q is not a path that a request can carry", text.CleanLine(uri))
	}
	w := c.bw
	w.Reset(c.conn)
	_, _ = w.WriteString("GET ")
	_, _ = w.WriteString(uri)
	_, _ = w.WriteString(" HTTP/1.1\r\nHost: ")
	_, _ = w.WriteString(r.URL.Host)
	_, _ = w.WriteString("\r\n")
	if pack {
		_, _ = w.WriteString("Accept-Encoding: gzip\r\n")
	}
	if err := r.Header.Write(w); err != nil {
		return err
	}
	_, _ = w.WriteString("\r\n")
	return w.Flush()
}

// directBody is an answer's body that gives its connection back. As with net/http, Close
// may come while a Read waits.
type directBody struct {
	c     *directConn
	ctx   context.Context
	body  io.ReadCloser
	stop  func() bool
	reuse bool

	mu  sync.Mutex
	err error // why nothing more comes
}

func (b *directBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	err := b.err
	b.mu.Unlock()
	if err != nil {
		return 0, err
	}
	n, err := b.body.Read(p)
	if err != nil {
		if err != io.EOF && b.ctx.Err() != nil {
			err = context.Cause(b.ctx)
		}
		b.end(err)
	}
	return n, err
}

// Close implements io.Closer. An unread rest is not waited for: the connection is closed.
func (b *directBody) Close() error {
	b.end(http.ErrBodyReadAfterClose)
	return nil
}

// end releases the connection, once. It is kept if the answer was read whole, the server keeps it
// as well, nothing came after the answer, and the context has not ended.
func (b *directBody) end(why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return
	}
	b.err = why
	undisturbed := b.stop()
	if why == io.EOF && b.reuse && undisturbed && b.c.br.Buffered() == 0 {
		b.c.owner.keep(b.c)
		return
	}
	b.c.close()
}

// unpacked is a gzip body, opened at the first read.
type unpacked struct {
	packed io.ReadCloser
	z      *gzip.Reader
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.z == nil {
		z, err := gzip.NewReader(u.packed)
		if err != nil {
			return 0, fmt.Errorf("the answer says gzip and is not: %w", err)
		}
		u.z = z
	}
	return u.z.Read(p)
}

func (u *unpacked) Close() error { return u.packed.Close() }

// quiet reports whether an idle connection is open with nothing to read: neither its end nor
// unsolicited bytes, which would be taken for the next answer.
func (c *directConn) quiet() bool {
	sc, ok := c.raw.(syscall.Conn)
	if !ok || !c.unsaid() {
		return false
	}
	rc, err := sc.SyscallConn()
	if err != nil {
		return false
	}
	var b [1]byte
	still := false
	err = rc.Read(func(fd uintptr) bool {
		_, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		still = errors.Is(err, syscall.EAGAIN)
		return true
	})
	return err == nil && still
}

// unsaid reports that TLS has buffered no bytes that already came.
func (c *directConn) unsaid() bool {
	if c.raw == c.conn {
		return true
	}
	if c.raw.SetReadDeadline(time.Unix(1, 0)) != nil {
		return false
	}
	var b [1]byte
	n, err := c.conn.Read(b[:])
	return n == 0 && errors.Is(err, os.ErrDeadlineExceeded) && c.raw.SetReadDeadline(time.Time{}) == nil
}
