package sandbox

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"darkroom/client/catalog"
	"darkroom/client/sandbox/access"
	"darkroom/client/sandbox/script"
	"darkroom/client/text"
)

// Server is the embedded gateway as an http.Handler, safe for concurrent use.
type Server struct {
	opts    Options
	key     string
	owners  map[string]string // their keys
	keys    access.Keys
	now     func() time.Time
	random  io.Reader // safe for concurrent use
	rules   func() (*catalog.Catalog, error)
	models  func() ([]byte, error) // body of the model list
	store   *store
	studio  *studio
	routes  []route
	bodyCap int64         // bytes of a request body
	large   chan struct{} // slots of large bodies
	stop    context.CancelFunc
	counts  counters
	faults  script.Script // of the options
	turns   turns
	course  *script.Course
}

// New makes a server. It opens or makes the state folder and loads nothing, so that a program can
// call it before its first frame. Close releases it.
func New(o Options) (*Server, error) {
	if _, err := o.Timing.span(kindVideo); err != nil {
		return nil, err
	}
	faults, err := script.OfOptions(o.Fault)
	if err != nil {
		return nil, fmt.Errorf("sandbox: options: %w", err)
	}
	s := &Server{opts: o, faults: faults, now: o.Clock, random: rand.Reader, bodyCap: bodyCap, large: make(chan struct{}, bodySlots)}
	if s.now == nil {
		s.now = time.Now
	}
	if o.Random != nil {
		s.random = &lockedReader{r: o.Random}
	}
	if err := s.makeKeys(); err != nil {
		return nil, err
	}
	s.rules = sync.OnceValues(func() (*catalog.Catalog, error) {
		if o.Catalog != nil {
			return o.Catalog, nil
		}
		return catalog.Embedded()
	})
	s.models = sync.OnceValues(s.modelList)
	s.course = script.NewCourse(o.Seed, s.now())
	if s.store, err = openStore(o.Dir, s.now); err != nil {
		return nil, err
	}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	s.studio = newStudio(ctx, s.store)
	s.routes = s.table()
	return s, nil
}

// makeKeys makes the keys that the options leave open.
func (s *Server) makeKeys() error {
	made := func(key string) (string, error) {
		if key != "" {
			return key, nil
		}
		secret, err := randomText(s.random, 20)
		return "sk-sandbox-" + secret, err
	}
	var err error
	if s.key, err = made(s.opts.Key); err != nil {
		return err
	}
	s.owners = map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.opts.Owners)) {
		if s.owners[name], err = made(s.opts.Owners[name]); err != nil {
			return err
		}
	}
	if s.keys, err = access.NewKeys(s.key, s.owners); err != nil {
		return fmt.Errorf("sandbox: options: %w", err)
	}
	return nil
}

// Key returns the first API key that the server lets in. It is a secret.
func (s *Server) Key() string { return s.key }

// Owners returns the keys of the further owners, by name. They are secrets.
func (s *Server) Owners() map[string]string { return maps.Clone(s.owners) }

// Close stops what is being made and releases the state folder. The tasks stay.
func (s *Server) Close() error {
	s.stop()
	s.studio.wait()
	return s.store.close()
}

// Creates returns how many creates of any kind were accepted: with a state folder, by all servers
// that ever used it. Each is a line of creates.log there.
func (s *Server) Creates() int64 { return s.store.countCreates() }

// Stats are counts since the server was made, except Creates: see [Server.Creates].
type Stats struct {
	Creates      int64 `json:"creates"`
	Requests     int64 `json:"requests"`
	Queries      int64 `json:"queries"`
	Downloads    int64 `json:"downloads"` // of results, ranges and HEAD included
	Made         int64 `json:"made"`      // media made, not taken from the cache
	ClientErrors int64 `json:"client_errors"`
	ServerErrors int64 `json:"server_errors"`
}

type counters struct {
	requests, queries, downloads, clientErrors, serverErrors atomic.Int64
}

// Stats returns the counts.
func (s *Server) Stats() Stats {
	return Stats{
		Creates: s.Creates(), Requests: s.counts.requests.Load(), Queries: s.counts.queries.Load(),
		Downloads: s.counts.downloads.Load(), Made: s.studio.made.Load(),
		ClientErrors: s.counts.clientErrors.Load(), ServerErrors: s.counts.serverErrors.Load(),
	}
}

// requestID is the header that names an answer.
const requestID = "X-Request-Id"

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.counts.requests.Add(1)
	began := time.Now()
	id, err := randomText(s.random, 10)
	rec := &recorder{ResponseWriter: w}
	defer leave(rec)
	if err == nil {
		rec.Header().Set(requestID, "req_"+id)
		rec.Header().Set("X-Content-Type-Options", "nosniff")
		err = s.guarded(rec, r)
	}
	if err != nil && !rec.wrote {
		writeError(rec, err)
	}
	if rec.bent != nil {
		rec.settle()
		defer rec.send(r.Method)
	}
	switch status := cmp.Or(rec.status, http.StatusOK); {
	case status >= 500:
		s.counts.serverErrors.Add(1)
	case status >= 400:
		s.counts.clientErrors.Add(1)
	}
	if s.opts.Logf != nil {
		s.opts.Logf("%s %q %d %s req_%s", text.Clip(r.Method, 16), text.Clip(loggedPath(r.URL.Path), 200),
			cmp.Or(rec.status, http.StatusOK), time.Since(began).Round(time.Microsecond), id)
	}
}

// guarded turns a panic into an error, so that a mistake here costs one answer and not the program
// that the server lives in. An answer that was begun is cut off.
func (s *Server) guarded(w *recorder, r *http.Request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if w.wrote {
				panic(http.ErrAbortHandler)
			}
			err = internal("a mistake of the embedded gateway", panicError(p))
		}
	}()
	return s.serve(w, r)
}

// panicError returns the value of a panic as an error.
func panicError(p any) error { return fmt.Errorf("panic: %s", text.Clip(fmt.Sprint(p), 200)) }

// loggedPath returns a path without the secret part of result URLs.
func loggedPath(path string) string {
	rest, ok := strings.CutPrefix(path, "/files/")
	if !ok {
		return path
	}
	dir, name, _ := strings.Cut(rest, "/")
	id, _, _ := cutToken(dir)
	return "/files/" + id + "-…/" + name
}

// serve finds the handler. The key is checked before anything is told about a path; only results
// need none, since clients send result hosts no key.
func (s *Server) serve(w *recorder, r *http.Request) error {
	rt, vars := s.match(r)
	if rt == nil || !rt.open {
		if err := s.authorize(w, r); err != nil {
			return err
		}
	}
	if rt != nil {
		w.class = rt.class
	}
	if err := s.arm(w, r); err != nil {
		return err
	}
	if rt == nil {
		return noRoute(r)
	}
	return rt.handle(w, r, vars)
}

// authorize checks the Bearer token in constant time (GATEWAY: Authentication), and notes whose it is.
func (s *Server) authorize(w *recorder, r *http.Request) error {
	h := r.Header.Values("Authorization")
	if !s.opts.BearerOnly && len(h) == 0 && googlePath(r.URL.Path) {
		for _, key := range r.Header[googleKey] {
			h = append(h, "Bearer "+key)
		}
	}
	if len(h) == 0 {
		return unauthorized("no API key: send the header Authorization: Bearer <API_KEY>")
	}
	scheme, token, ok := strings.Cut(h[0], " ")
	if len(h) > 1 || !ok || !strings.EqualFold(scheme, "Bearer") {
		return unauthorized("the Authorization header must be one Bearer token")
	}
	if w.owner, ok = s.keys.Owner(strings.TrimSpace(token)); !ok {
		return unauthorized("the API key is not one of this gateway")
	}
	return nil
}

// googleKey is the header in which clients of the /v1beta paths send the key. Newer ones
// ask for the model list at /v1/models.
const googleKey = "X-Goog-Api-Key"

func googlePath(path string) bool {
	return strings.HasPrefix(path, "/v1beta/") || path == "/v1/models" || strings.HasPrefix(path, "/v1/models/")
}

type lockedReader struct {
	mu sync.Mutex
	r  io.Reader
}

func (l *lockedReader) Read(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.r.Read(p)
}

// pause waits for real time to pass, or for the client to leave.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
