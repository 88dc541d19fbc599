package sandbox

import (
	"bytes"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"darkroom/client/sandbox/script"
)

// faultHeader carries fault rules for one request.
const faultHeader = "X-Sandbox-Fault"

// CheckFault reports what is wrong with a list of rules for [Options].Fault.
func CheckFault(rules string) error {
	_, err := script.OfOptions(rules)
	return err
}

// FaultModels returns the patterns of models that a list of rules names, without those that match one
// of the known: a misspelled one is no error, since a chat may be with any model.
func FaultModels(rules string, known []string) []string {
	sc, _ := script.OfOptions(rules)
	var out []string
	for _, r := range sc.Rules {
		if !slices.ContainsFunc(known, r.Matches) {
			out = append(out, r.Model)
		}
	}
	return out
}

// play lets a script act on the answer under way. key is what the counts of a fault
// are kept for: a task, a prompt, the server. An error is the answer.
func (s *Server) play(w http.ResponseWriter, r *http.Request, sc script.Script, key string) error {
	rec, ok := w.(*recorder)
	if !ok {
		return nil
	}
	if sc.Forms != (script.Forms{}) {
		b := rec.bend()
		b.forms = b.forms.With(sc.Forms)
	}
	var refusal error
	for i, f := range sc.Answers {
		if f.On != script.Any && f.On != rec.class || !s.turns.hit(f, string(rec.class)+"\x00"+key, i) {
			continue
		}
		switch f.Kind {
		case script.HTTP:
			e := statusError(f.HTTP)
			e.retryAfter = f.RetryAfter(s.now())
			if f.After {
				rec.bend().instead = e
			} else if refusal == nil {
				refusal = e
			}
		case script.HTML:
			rec.bend().html = true
		case script.Reset:
			rec.bend().reset = true
		case script.Truncated:
			rec.bend().truncated = true
		case script.Delay:
			if err := pause(r.Context(), time.Duration(f.Millis)*time.Millisecond); err != nil {
				return err
			}
		}
	}
	return refusal
}

// arm reads the rules of the request's header, and plays them and those of the
// options.
func (s *Server) arm(w *recorder, r *http.Request) error {
	if err := s.play(w, r, s.faults, "options"); err != nil {
		return err
	}
	lines := r.Header[faultHeader]
	if len(lines) == 0 {
		return nil
	}
	sc, err := script.OfHeader(strings.Join(lines, ";"))
	if err != nil {
		return badRequest("", "header %s: %s", faultHeader, err)
	}
	w.script = sc
	return s.play(w, r, sc, r.URL.Path)
}

// requested is the script that the request's header asks for.
func requested(w http.ResponseWriter) script.Script {
	if rec, ok := w.(*recorder); ok {
		return rec.script
	}
	return script.Script{}
}

// ownerOf is whose key came with the request that is answered.
func ownerOf(w http.ResponseWriter) string {
	if rec, ok := w.(*recorder); ok {
		return rec.owner
	}
	return ""
}

// turns counts how often each fault has come up, for skip and times. What it counts is
// lost with the process, and may be forgotten when there is a lot of it.
type turns struct {
	mu sync.Mutex
	n  map[uint64]int
}

const turnsMax = 100_000

// hit says whether it is the fault's turn.
func (t *turns) hit(f script.Fault, key string, i int) bool {
	if f.Skip == 0 && f.Times == 0 {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n == nil || len(t.n) > turnsMax {
		t.n = map[uint64]int{}
	}
	k := mix(int64(i), key)
	t.n[k]++
	n := t.n[k] - f.Skip
	return n > 0 && (f.Times == 0 || n <= f.Times)
}

// recorder remembers the status of an answer. An answer that a fault is to act on is
// held back until it is whole.
type recorder struct {
	http.ResponseWriter
	status int
	wrote  bool
	class  script.Class
	script script.Script // of the request's header
	owner  string        // whose key came with the request
	bent   *bending
	leave  func() // frees the slot of a large body; nil for none
}

// bending is what a fault does to an answer.
type bending struct {
	forms     script.Forms
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
		out := b.forms.Apply(b.body.Bytes(), r.status)
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
