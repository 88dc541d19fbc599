package sandbox

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
)

const (
	// bodyCap bounds a request body; data URIs of pictures fit.
	bodyCap   = 48 << 20
	partsCap  = 200
	formField = 1 << 20 // bytes of a form value that is not a file
)

// readBody reads a request body as one JSON object, numbers as json.Number. With form
// it takes multipart/form-data too, as public SDKs send it to /v1/videos: values are
// text, and files become data URIs.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, form bool) (map[string]any, error) {
	if enc := r.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return nil, badRequest("", "Content-Encoding %q: bodies are taken uncompressed", shorten(enc, 40))
	}
	r.Body = http.MaxBytesReader(w, r.Body, s.bodyCap)
	ct := r.Header.Get("Content-Type")
	mt, params, err := mime.ParseMediaType(ct)
	switch {
	case ct == "" || err == nil && (mt == "application/json" || strings.HasSuffix(mt, "+json")):
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, readError(err)
		}
		return parseObject(b)
	case form && err == nil && mt == "multipart/form-data" && params["boundary"] != "":
		return readForm(multipart.NewReader(r.Body, params["boundary"]))
	default:
		return nil, badRequest("", "Content-Type %q: allowed is application/json", shorten(ct, 60))
	}
}

func readError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return &apiError{status: http.StatusRequestEntityTooLarge, Code: "body_too_large", Type: typeInvalid,
			Message: "the request body is above the limit of 48 MiB"}
	}
	return badRequest("", "the request body could not be read: %s", shorten(err.Error(), 100))
}

// parseObject decodes exactly one JSON object; errors tell where they are.
func parseObject(b []byte) (map[string]any, error) {
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
	return badRequest("", "the body is not valid JSON: %s at byte %d (line %d, column %d)", shorten(err.Error(), 80), at, line, col)
}

// position tells line and column, from 1, of a byte.
func position(b []byte, at int64) (line, col int) {
	b = b[:min(max(at, 0), int64(len(b)))]
	line = bytes.Count(b, []byte{'\n'}) + 1
	return line, len(b) - bytes.LastIndexByte(b, '\n')
}

// readForm turns a form into the object that the JSON form would be. A name that
// comes twice, or ends in "[]", is a list.
func readForm(mr *multipart.Reader) (map[string]any, error) {
	out := map[string]any{}
	for range partsCap {
		p, err := mr.NextPart()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, readError(err)
		}
		name, list := strings.CutSuffix(p.FormName(), "[]")
		v, err := partValue(p)
		if err != nil {
			return nil, err
		}
		switch old := out[name].(type) {
		case nil:
			if out[name] = v; list {
				out[name] = []any{v}
			}
		case []any:
			out[name] = append(old, v)
		default:
			out[name] = []any{old, v}
		}
	}
	return nil, badRequest("", "the form has more than %d parts", partsCap)
}

// partValue is a form value as JSON would carry it. A value that is itself a JSON
// object or list stands for it.
func partValue(p *multipart.Part) (any, error) {
	b, err := io.ReadAll(p)
	if err != nil {
		return nil, readError(err)
	}
	if p.FileName() != "" {
		mt, _, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
		if err != nil || mt == "application/octet-stream" {
			mt, _, _ = mime.ParseMediaType(http.DetectContentType(b))
		}
		return "data:" + mt + ";base64," + base64.StdEncoding.EncodeToString(b), nil
	}
	if len(b) > formField && !bytes.HasPrefix(b, []byte("data:")) {
		return nil, badRequest(p.FormName(), "%s: form values are limited to 1 MiB", shorten(p.FormName(), 60))
	}
	if t := bytes.TrimSpace(b); len(t) > 0 && (t[0] == '{' || t[0] == '[') {
		dec := json.NewDecoder(bytes.NewReader(t))
		dec.UseNumber()
		var v any
		if dec.Decode(&v) == nil && dec.InputOffset() == int64(len(t)) {
			return v, nil
		}
	}
	return string(b), nil
}
