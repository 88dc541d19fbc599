package sandbox

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// fileURL is where a file of a task is served: below the address that the client
// used, so that it holds after a restart on another port. The name holds 160 random
// bits, since result URLs carry no key.
func (r *record) fileURL(base, name string) string {
	return base + "/files/" + r.ID + "-" + r.Token + "/" + name
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
	if t == nil || t.at(s.now()).phase != phaseCompleted {
		return nil, "", false
	}
	return t, segs[2], true
}

// getFile serves a result. It needs no key, since result hosts get none.
func (s *Server) getFile(w http.ResponseWriter, r *http.Request, vars []string) error {
	t := s.lookFile(vars[0], vars[1])
	if t != nil {
		if _, err := s.find(w, r, t.ID, t.Kind); err != nil {
			return err
		}
	}
	if t == nil || t.at(s.now()).phase != phaseCompleted {
		return notFound("no such file")
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
