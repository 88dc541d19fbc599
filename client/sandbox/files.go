package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"darkroom/client/sandbox/access"
)

// fileURL is where a file of a task is served: below the address that the client
// used, so that it holds after a restart on another port. The name holds 160 random
// bits, since result URLs carry no key.
func (r *record) fileURL(base, name string) string {
	return base + "/files/" + r.ID + "-" + r.Token + "/" + name
}

// links write the addresses of results into one answer.
type links struct {
	base string
	now  time.Time
}

func (s *Server) links(r *http.Request) links { return links{baseURL(r), s.now()} }

// file is the address of a file of a task, signed where the task's addresses end.
func (l links) file(t *record, name string) string {
	u := t.fileURL(l.base, name)
	e := t.Script.Expire
	if e.After == 0 {
		return u
	}
	from := l.now
	if e.Fixed {
		from = t.at(l.now).ended
	}
	return access.Sign(u, t.fileURL("", name), t.Token, from.Add(time.Duration(e.After)*time.Second))
}

// expired is the answer at the address of a result that has ended or was changed.
type expired struct {
	status int
	reason error
}

func (e *expired) Error() string { return e.reason.Error() }

// send answers as the hosts of results do, which know nothing of the gateway's error shape.
func (e *expired) send(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(e.status)
	_, _ = fmt.Fprintf(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>AccessDenied</Code><Message>%s</Message></Error>\n", e.reason)
}

// admits says why a query does not open a file of a task, nil where it does.
func (r *record) admits(query url.Values, name string, now time.Time) *expired {
	e := r.Script.Expire
	if err := access.Check(query, r.fileURL("", name), r.Token, e.After > 0, now); err != nil {
		return &expired{cmp.Or(e.Status, http.StatusForbidden), err}
	}
	return nil
}

// baseURL is the address that a request came to, as its Host header tells; a header
// that is no host is answered with the loopback address.
func baseURL(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + cleanHost(r.Host)
}

func cleanHost(h string) string {
	host, port, err := net.SplitHostPort(h)
	if err != nil {
		host, port = strings.Trim(h, "[]"), ""
	}
	if net.ParseIP(host) == nil && (host == "" || strings.Trim(strings.ToLower(host), "abcdefghijklmnopqrstuvwxyz0123456789.-_") != "") {
		host = "127.0.0.1"
	}
	if n, err := strconv.Atoi(port); err == nil && n > 0 && n < 1<<16 {
		return net.JoinHostPort(host, port)
	}
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

// lookFile finds the task of a file path: "<task id>-<token>" and a name that the task
// has. The token is compared in constant time.
func (s *Server) lookFile(dir, name string) *record {
	id, token, ok := cutToken(dir)
	if !ok {
		return nil
	}
	t := s.store.get(id, kindVideo, kindMusic, kindImage, kindResponse)
	if t == nil || subtle.ConstantTimeCompare([]byte(t.Token), []byte(token)) != 1 {
		return nil
	}
	if _, ok := t.group(name); !ok {
		return nil
	}
	return t
}

// ownFile finds the task behind a result URL of this server. The host does not
// matter, as the port changes with every start: the token proves it.
func (s *Server) ownFile(u *url.URL) (t *record, name string, ok bool) {
	segs := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(segs) != 3 || segs[0] != "files" {
		return nil, "", false
	}
	t = s.lookFile(segs[1], segs[2])
	if t == nil || t.at(s.now()).phase != phaseCompleted || t.admits(u.Query(), segs[2], s.now()) != nil {
		return nil, "", false
	}
	return t, segs[2], true
}

// getFile serves a result. It needs no key, since result hosts get none.
func (s *Server) getFile(w http.ResponseWriter, r *http.Request, vars []string) error {
	t := s.lookFile(vars[0], vars[1])
	if t == nil {
		return notFound("no such file")
	}
	if err := s.playTask(w, r, t); err != nil {
		return err
	}
	if t.at(s.now()).phase != phaseCompleted {
		return notFound("no such file")
	}
	if e := t.admits(r.URL.Query(), vars[1], s.now()); e != nil {
		e.send(w)
		return nil
	}
	return s.serveFile(w, r, t, vars[1])
}

var mediaTypes = map[string]string{".mp4": "video/mp4", ".png": "image/png", ".wav": "audio/wav"}

// serveFile answers with a file of a task: ranges, conditional requests and HEAD
// included. The entity tag is the hash of the bytes.
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request, t *record, name string) error {
	s.counts.downloads.Add(1)
	b, err := s.studio.file(r.Context(), t, name)
	switch {
	case errors.Is(err, errNoFile):
		return notFound("no such file")
	case errors.Is(err, context.Canceled) && r.Context().Err() != nil:
		return nil // nobody is there to answer
	case err != nil:
		return internal("the result could not be made", err)
	}
	sum := sha256.Sum256(b)
	h := w.Header()
	h.Set("Content-Type", mediaTypes[path.Ext(name)])
	h.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	h.Set("Cache-Control", "private, max-age=86400")
	http.ServeContent(w, r, "", t.at(s.now()).ended, bytes.NewReader(b))
	return nil
}
