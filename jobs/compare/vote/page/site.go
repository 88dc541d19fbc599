package page

import (
	"crypto/subtle"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"darkroom/client"
	"darkroom/jobs/compare/vote"
	"darkroom/jobs/compare/vote/neutral"
)

//go:embed page.html
var pageHTML []byte

//go:embed page.css
var pageCSS []byte

//go:embed page.js
var pageJS []byte

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#888" d="M0 1h3v6H0zM5 1h3v6H5z"/></svg>`

// maxBody bounds what a page sends, in bytes.
const maxBody = 8 << 10

// policy allows a page what it has itself, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// site answers the browser.
type site struct {
	session *vote.Session
	host    string // as the browser must name it
	token   string // the first part of every path
	ticket  atomic.Pointer[string]
	end     func()
	mux     *http.ServeMux // of what comes after the token
}

// address is that of the page.
func (s *site) address() string { return "http://" + s.host + "/" + s.token + "/" }

// once is an address that leads to the page the first time that it is asked for.
func (s *site) once() string { return "http://" + s.host + "/" + *s.ticket.Load() }

func (s *site) routes() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", static("text/html; charset=utf-8", pageHTML))
	m.HandleFunc("GET /page.css", static("text/css; charset=utf-8", pageCSS))
	m.HandleFunc("GET /page.js", static("text/javascript; charset=utf-8", pageJS))
	m.HandleFunc("GET /icon.svg", static("image/svg+xml", []byte(icon)))
	m.HandleFunc("GET /state", func(w http.ResponseWriter, _ *http.Request) { s.state(w) })
	m.HandleFunc("GET /pair/{ballot}", s.pair)
	m.HandleFunc("GET /file/{ballot}/{side}", s.file)
	m.HandleFunc("POST /vote", s.act(func(a said) error { return s.session.Vote(a.Ballot, a.Answer) }))
	m.HandleFunc("POST /undo", s.act(func(said) error { return s.session.Undo() }))
	m.HandleFunc("POST /rate", s.act(func(a said) error { return s.session.Rate(a.Ballot, a.Side, a.Stars) }))
	m.HandleFunc("POST /note", s.act(func(a said) error { return s.session.Note(a.Ballot, a.Side, a.Text) }))
	m.HandleFunc("POST /reveal", s.act(func(said) error { _, err := s.session.Reveal(); return err }))
	m.HandleFunc("POST /end", s.act(func(said) error { s.end(); return nil }))
	return m
}

func static(mediaType string, b []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		_, _ = w.Write(b)
	}
}

// ServeHTTP implements http.Handler: it answers who knows the token, by the name that a page of ours
// has, and nobody on behalf of another site.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h["Date"] = nil // says when an answer was made
	if !s.ours(r) {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	token, rest, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if t := s.ticket.Load(); !ok && t != nil && r.Method == http.MethodGet && same(token, *t) && s.ticket.CompareAndSwap(t, nil) {
		http.Redirect(w, r, "/"+s.token+"/", http.StatusSeeOther)
		return
	}
	if !same(token, s.token) || !ok || path.Clean("/"+rest) != "/"+rest {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	inner := r.Clone(r.Context())
	inner.URL.Path, inner.URL.RawPath = "/"+rest, ""
	s.mux.ServeHTTP(w, inner)
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// ours reports whether a request comes from a page of ours or from the person: another name for this
// host would be that of a site that had it point here.
func (s *site) ours(r *http.Request) bool {
	_, port, _ := net.SplitHostPort(s.host)
	local := "localhost:" + port
	if r.Host != s.host && r.Host != local {
		return false
	}
	if o := r.Header.Get("Origin"); o != "" && o != "http://"+s.host && o != "http://"+local {
		return false
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "none" || site == "same-origin"
}

// said is what a page sends.
type said struct {
	Ballot string      `json:"ballot"`
	Answer vote.Answer `json:"answer"`
	Side   vote.Side   `json:"side"`
	Stars  int         `json:"stars"`
	Text   string      `json:"text"`
}

// act does what a page asks for, and answers with the state after it.
func (s *site) act(do func(said) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Type") != "application/json" { // which no form of another site can send
			http.Error(w, "send JSON", http.StatusUnsupportedMediaType)
			return
		}
		var a said
		b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err == nil {
			err = json.Unmarshal(b, &a)
		}
		if err != nil {
			http.Error(w, "that is nothing a page sends", http.StatusBadRequest)
			return
		}
		switch err := do(a); {
		case errors.Is(err, vote.ErrStale), errors.Is(err, vote.ErrNoUndo), errors.Is(err, vote.ErrRevealed):
			fail(w, http.StatusConflict, err)
		case err != nil:
			fail(w, http.StatusUnprocessableEntity, err)
		default:
			s.state(w)
		}
	}
}

func fail(w http.ResponseWriter, code int, err error) {
	answer(w, code, map[string]string{"error": client.CleanLine(err.Error())})
}

func answer(w http.ResponseWriter, code int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		code, b = http.StatusInternalServerError, []byte(`{"error":"this cannot be told"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(b)
}

// shown is all that a page shows.
type shown struct {
	Ballot   *vote.Ballot  `json:"ballot"` // nil when every pair had its turn
	Progress vote.Progress `json:"progress"`
	Result   *vote.Result  `json:"result,omitempty"` // after the reveal
	Words    []string      `json:"words,omitempty"`
}

func (s *site) state(w http.ResponseWriter) {
	out := shown{Progress: s.session.Progress()}
	if b, ok := s.session.Ballot(); ok {
		out.Ballot = &b
	}
	if out.Progress.Revealed {
		r, err := s.session.Reveal()
		if err != nil {
			fail(w, http.StatusInternalServerError, err)
			return
		}
		out.Result, out.Words = &r, r.Words()
	}
	answer(w, http.StatusOK, out)
}

// pair tells when the files of a ballot are ready, and what they are.
func (s *site) pair(w http.ResponseWriter, r *http.Request) {
	sides, ok := s.sides(w, r)
	if !ok {
		return
	}
	answer(w, http.StatusOK, map[string]any{"kind": sides[0].Kind, "risk": sides[0].Risk})
}

// sides are the files of the ballot that is shown; false when why there are none was answered.
func (s *site) sides(w http.ResponseWriter, r *http.Request) (sides [2]neutral.File, ok bool) {
	sides, err := s.session.Media(r.Context(), r.PathValue("ballot"))
	switch {
	case errors.Is(err, vote.ErrStale):
		fail(w, http.StatusConflict, err)
	case err != nil:
		fail(w, http.StatusUnprocessableEntity, err)
	}
	return sides, err == nil
}

// file sends one side of the ballot that is shown, whole or in parts.
func (s *site) file(w http.ResponseWriter, r *http.Request) {
	at, ok := map[string]int{"a": 0, "b": 1}[r.PathValue("side")]
	if !ok {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	sides, ok := s.sides(w, r)
	if !ok {
		return
	}
	f, err := os.Open(sides[at].Path) // #nosec G703 -- of the session's own folder
	if err != nil {                   // judged meanwhile
		fail(w, http.StatusConflict, vote.ErrStale)
		return
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	if err != nil {
		fail(w, http.StatusConflict, vote.ErrStale)
		return
	}
	w.Header().Set("Content-Type", sides[at].MediaType)
	// No name, and a time of nothing: neither a date nor a tag tells the sides apart.
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(f, 0, st.Size()))
}
