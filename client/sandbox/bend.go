package sandbox

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// recorder remembers the status of an answer. An answer that a fault is to act on is
// held back until it is whole.
type recorder struct {
	http.ResponseWriter
	status int
	wrote  bool
	class  class
	script script // of the request's header
	bent   *bending
	leave  func() // frees the slot of a large body; nil for none
}

// bending is what a fault does to an answer.
type bending struct {
	forms     forms
	instead   *apiError // sent in place of the answer
	html      bool
	reset     bool
	truncated bool
	body      bytes.Buffer
}

// bend makes the answer one that is held back. It must be called before anything is
// written.
func (r *recorder) bend() *bending {
	if r.bent == nil {
		r.bent = &bending{}
	}
	return r.bent
}

func (r *recorder) WriteHeader(status int) {
	if !r.wrote {
		r.status, r.wrote = status, true
	}
	if r.bent == nil {
		r.ResponseWriter.WriteHeader(status)
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	r.wrote = true
	if r.bent != nil {
		return r.bent.body.Write(b)
	}
	return r.ResponseWriter.Write(b)
}

// FlushError sends what was written so far; of an answer that is held back, nothing.
func (r *recorder) FlushError() error {
	if r.bent != nil {
		return nil
	}
	return http.NewResponseController(r.ResponseWriter).Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

const webPage = "<!DOCTYPE html>\n<html><head><title>Console</title></head><body><div id=\"root\"></div></body></html>\n"

// settle decides on the final form of an answer that was held back.
func (r *recorder) settle() {
	b := r.bent
	h := r.Header()
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if b.instead != nil && r.status < 400 {
		b.body.Reset()
		b.instead.head(h)
		r.status = b.instead.status
		b.body.Write(b.instead.body())
		h.Set("Content-Type", "application/json")
	}
	if strings.HasPrefix(h.Get("Content-Type"), "application/json") {
		out := b.forms.apply(b.body.Bytes(), r.status)
		b.body.Reset()
		b.body.Write(out)
	}
	if b.html {
		b.body.Reset()
		b.body.WriteString(webPage)
		r.status = http.StatusOK
		h.Set("Content-Type", "text/html; charset=utf-8")
	}
}

// send sends an answer that was held back. A reset ends in a panic where the
// connection cannot be had, as net/http wants it.
func (r *recorder) send(method string) {
	b := r.bent
	body := b.body.Bytes()
	if method != http.MethodHead && r.status != http.StatusNotModified && r.status != http.StatusNoContent {
		r.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	r.ResponseWriter.WriteHeader(r.status)
	if b.reset || b.truncated {
		body = body[:len(body)/2]
	}
	_, _ = r.ResponseWriter.Write(body) // a client that went away needs no answer
	if !b.reset {
		return
	}
	rc := http.NewResponseController(r.ResponseWriter)
	_ = rc.Flush()
	conn, _, err := rc.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // RST instead of FIN
	}
	_ = conn.Close()
}

// apply bends a JSON body; one that cannot be read stays as it is.
func (f forms) apply(body []byte, status int) []byte {
	if f == (forms{}) || len(bytes.TrimSpace(body)) == 0 {
		return body
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return body
	}
	if m, ok := v.(map[string]any); ok && f.Flat && status >= 400 {
		v = flatError(m)
	}
	if f.NoURL {
		v = dropURLs(v)
	}
	if f.ErrorURL && status < 400 {
		v = errorAsURL(v)
	}
	if f.Millis {
		v = inMillis("", v)
	}
	if f.Types {
		v = otherTypes("", v)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return body
	}
	return append(out, '\n')
}

// flatError is the other error shape that gateways use.
func flatError(m map[string]any) any {
	e, ok := m["error"].(map[string]any)
	if !ok {
		return m
	}
	return map[string]any{"code": e["code"], "message": e["message"], "data": nil}
}

var resultKeys = map[string]bool{"video_url": true, "url": true, "cover_url": true, "last_frame_url": true, "watermarked_url": true,
	"audio_url": true, "image_url": true, "result_url": true, "b64_json": true}

// dropURLs removes every place that names a result, also in JSON inside a string.
func dropURLs(v any) any {
	switch t := v.(type) {
	case map[string]any:
		for k, x := range t {
			if resultKeys[k] {
				delete(t, k)
				continue
			}
			t[k] = dropURLs(x)
		}
	case []any:
		for i := range t {
			t[i] = dropURLs(t[i])
		}
	case string:
		var inner any
		if strings.HasPrefix(t, "[") && json.Unmarshal([]byte(t), &inner) == nil {
			if b, err := json.Marshal(dropURLs(inner)); err == nil {
				return string(b)
			}
		}
	}
	return v
}

// errorAsURL moves the error of a failed task into result_url, where some gateways
// leave it.
func errorAsURL(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for _, k := range []string{"data", "output"} {
		if inner, ok := m[k].(map[string]any); ok {
			m[k] = errorAsURL(inner)
			return m
		}
	}
	text := ""
	for _, k := range []string{"error", "fail_reason", "err_code", "message", "code"} {
		switch t := m[k].(type) {
		case map[string]any:
			text, _ = t["message"].(string)
		case string:
			text = t
		}
		if text != "" {
			break
		}
	}
	if text == "" {
		return m
	}
	for _, k := range []string{"error", "fail_reason", "err_code", "message", "code"} {
		delete(m, k)
	}
	m["result_url"] = text
	return m
}

var timeKeys = map[string]bool{"created_at": true, "updated_at": true, "started_at": true, "completed_at": true, "created": true,
	"submit_time": true, "start_time": true, "finish_time": true}

// inMillis turns times in seconds into milliseconds.
func inMillis(key string, v any) any {
	switch t := v.(type) {
	case map[string]any:
		for k, x := range t {
			t[k] = inMillis(k, x)
		}
	case []any:
		for i := range t {
			t[i] = inMillis("", t[i])
		}
	case json.Number:
		if n, err := t.Int64(); err == nil && timeKeys[key] && n > 0 && n < 1e11 {
			return json.Number(strconv.FormatInt(n*1000, 10))
		}
	}
	return v
}

// otherTypes gives values other types than the documented ones: numbers become text,
// texts of digits numbers, items null, other lists of results text, and progress
// a percentage.
func otherTypes(key string, v any) any {
	switch t := v.(type) {
	case map[string]any:
		for k, x := range t {
			t[k] = otherTypes(k, x)
		}
	case []any:
		for i := range t {
			t[i] = otherTypes("", t[i])
		}
		if key == "creations" {
			if b, err := json.Marshal(t); err == nil {
				return string(b)
			}
		}
	case json.Number:
		if key == "progress" {
			return t.String() + "%"
		}
		return t.String()
	case string:
		switch {
		case key == "items":
			return nil
		case (key == "created_at" || key == "seconds") && only(t, idDigits) && t != "":
			return json.Number(t)
		}
	}
	return v
}
