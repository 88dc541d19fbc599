package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"

	"darkroom/client/text"
)

const (
	// bodyCap bounds a request body; data URIs of pictures fit.
	bodyCap = 48 << 20
	// valuesCap bounds the values of a JSON body: many small ones take fifty times their
	// length in memory.
	valuesCap = 100_000
	// bodySmall is what each request may read at once; of those that go on only bodySlots
	// are at work at a time.
	bodySmall = 1 << 20
	bodySlots = 8
)

// readBody reads a request body as one JSON object, numbers as json.Number. With form
// it takes multipart/form-data too, as public SDKs send it to /v1/videos: values are
// text, and files become data URIs.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, form bool) (map[string]any, error) {
	if enc := r.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return nil, badRequest("", "Content-Encoding %q: bodies are taken uncompressed", text.Clip(enc, 40))
	}
	body := &gated{Reader: http.MaxBytesReader(w, r.Body, s.bodyCap), enter: func() error { return s.enter(w, r) }}
	ct := r.Header.Get("Content-Type")
	mt, params, err := mime.ParseMediaType(ct)
	switch {
	case ct == "" || err == nil && (mt == "application/json" || strings.HasSuffix(mt, "+json")):
		b, err := io.ReadAll(body)
		if err != nil {
			return nil, readError(err)
		}
		return parseObject(b)
	case form && err == nil && mt == "multipart/form-data" && params["boundary"] != "":
		return readForm(multipart.NewReader(body, params["boundary"]))
	default:
		return nil, badRequest("", "Content-Type %q: allowed is application/json", text.Clip(ct, 60))
	}
}

// gated is a body that waits for a slot before it is read beyond bodySmall.
type gated struct {
	io.Reader
	enter func() error
	n     int
}

func (g *gated) Read(p []byte) (int, error) {
	if g.n >= bodySmall && g.enter != nil {
		if err := g.enter(); err != nil {
			return 0, err
		}
		g.enter = nil
	}
	n, err := g.Reader.Read(p)
	g.n += n
	return n, err
}

// enter takes one of the slots for large bodies, until the answer is sent or leave is
// called.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) error {
	rec, ok := w.(*recorder)
	if !ok || rec.leave != nil {
		return nil
	}
	select {
	case s.large <- struct{}{}:
		rec.leave = sync.OnceFunc(func() { <-s.large })
		return nil
	case <-r.Context().Done():
		return r.Context().Err()
	}
}

// leave frees the slot of a large body, whose content is kept by now.
func leave(w http.ResponseWriter) {
	if rec, ok := w.(*recorder); ok && rec.leave != nil {
		rec.leave()
	}
}

func readError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return &apiError{status: http.StatusRequestEntityTooLarge, Code: "body_too_large", Type: typeInvalid,
			Message: "the request body is above the limit of 48 MiB"}
	}
	return badRequest("", "the request body could not be read: %s", text.Clip(err.Error(), 100))
}

// parseObject decodes exactly one JSON object; errors tell where they are.
func parseObject(b []byte) (map[string]any, error) {
	if len(b) > valuesCap && countValues(b) > valuesCap {
		return nil, badRequest("", "the body has more than %d values", valuesCap)
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, jsonError(b, dec.InputOffset(), err)
	}
	end := dec.InputOffset()
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		line, col := position(b, end)
		return nil, badRequest("", "the body is not one JSON object: more text at byte %d (line %d, column %d)", end, line, col)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, badRequest("", "the body must be a JSON object, as {\"model\": \"...\"}")
	}
	return m, nil
}

// countValues is how many values and names a JSON text has at most, found without
// decoding it.
func countValues(b []byte) int {
	n := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '[', '{', ',', ':':
			n++
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		}
	}
	return n
}

func jsonError(b []byte, at int64, err error) error {
	var se *json.SyntaxError
	switch {
	case len(bytes.TrimSpace(b)) == 0:
		return badRequest("", "the body is empty: a JSON object is required")
	case errors.As(err, &se):
		at = max(se.Offset-1, 0)
	case errors.Is(err, io.ErrUnexpectedEOF):
		at = int64(len(b))
		err = errors.New("unexpected end of JSON input")
	}
	line, col := position(b, at)
	return badRequest("", "the body is not valid JSON: %s at byte %d (line %d, column %d)", text.Clip(err.Error(), 80), at, line, col)
}

// position tells line and column, from 1, of a byte.
func position(b []byte, at int64) (line, col int) {
	b = b[:min(max(at, 0), int64(len(b)))]
	line = bytes.Count(b, []byte{'\n'}) + 1
	return line, len(b) - bytes.LastIndexByte(b, '\n')
}
