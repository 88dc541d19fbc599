package linear

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
)

// maxLine bounds what is typed at one question, in bytes.
const maxLine = 1 << 20

// errLong is the answer to a line that is longer.
var errLong = errors.New("the line is longer than 1 MiB")

// lines is the standard input, a line at a time. It reads no further than the line that is wanted, so that
// a command which asks something itself gets the next one.
type lines struct {
	in      *bufio.Reader
	got     chan line
	pending bool // a line was asked for, and has not come
}

type line struct {
	text string
	err  error
}

func newLines(in io.Reader) *lines { return &lines{in: bufio.NewReader(in), got: make(chan line, 1)} }

// Read implements io.Reader, for a command that asks: it ends with the line.
func (l *lines) Read(p []byte) (int, error) {
	for i := range p {
		b, err := l.in.ReadByte()
		if err != nil {
			return i, err
		}
		if p[i] = b; b == '\n' {
			return i + 1, nil
		}
	}
	return len(p), nil
}

// next is the next line. Each time that wake has something, told is called meanwhile. At the end of the
// input it returns io.EOF.
func (l *lines) next(ctx context.Context, wake <-chan struct{}, told func()) (string, error) {
	if !l.pending {
		l.pending = true
		go func() { l.got <- l.read() }()
	}
	for {
		select {
		case got := <-l.got:
			l.pending = false
			return got.text, got.err
		case <-wake:
			told()
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// read reads up to the end of a line, and throws away what is beyond the limit.
func (l *lines) read() line {
	var b strings.Builder
	for {
		part, err := l.in.ReadSlice('\n')
		if b.Len() <= maxLine {
			b.Write(part)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case b.Len() > maxLine:
			return line{err: errLong}
		case errors.Is(err, io.EOF) && b.Len() > 0:
			err = nil // the last line has no end
		}
		return line{text: strings.TrimRight(b.String(), "\r\n"), err: err}
	}
}
