// Package deflate compresses bodies as histories keep them.
package deflate

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"sync"
)

// compressed is the name of the one encoding; "" is that of a body as it is.
const compressed = "deflate"

// maxBody bounds a decompressed body: nothing larger is ever written.
const maxBody = 1 << 30

// writers are used again: each has some hundred kilobytes of tables.
var writers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.DefaultCompression)
	if err != nil {
		return nil // not with this level
	}
	return w
}}

// Pack compresses a body of at least from bytes, where that makes it smaller. packed is never nil.
func Pack(body []byte, from int) (enc string, packed []byte) {
	if body == nil {
		body = []byte{}
	}
	if len(body) < from {
		return "", body
	}
	w, ok := writers.Get().(*flate.Writer)
	if !ok {
		return "", body
	}
	defer writers.Put(w)
	var buf bytes.Buffer
	w.Reset(&buf)
	if _, err := w.Write(body); err != nil {
		return "", body
	}
	if err := w.Close(); err != nil || buf.Len() >= len(body) {
		return "", body
	}
	return compressed, buf.Bytes()
}

// Unpack returns the body that [Pack] was given.
func Unpack(enc string, packed []byte) ([]byte, error) {
	switch enc {
	case "":
		return packed, nil
	case compressed:
		r := flate.NewReader(bytes.NewReader(packed))
		body, err := io.ReadAll(io.LimitReader(r, maxBody))
		if err = errors.Join(err, r.Close()); err != nil {
			return nil, fmt.Errorf("a kept body is damaged: %w", err)
		}
		return body, nil
	default:
		return nil, fmt.Errorf("a body is kept in an unknown encoding %q", enc)
	}
}
