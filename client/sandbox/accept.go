package sandbox

import (
	"net/http"
	"sync"
	"unicode/utf8"

	"darkroom/client"
)

// accept makes the record durable under a new id, and plays the script's part at the
// create. When it returns nil the task exists.
func (s *Server) accept(r *record, a *asked) error {
	if err := s.scripted(a, false); err != nil {
		return err
	}
	sp, err := s.opts.Timing.span(r.Kind)
	if err != nil {
		return internal("timing", err)
	}
	id, err := randomText(s.random, 15)
	if err != nil {
		return internal("id", err)
	}
	if r.Token, err = randomText(s.random, 20); err != nil {
		return internal("id", err)
	}
	r.Version, r.ID = recordVersion, r.Kind.prefix()+id
	r.Model, r.ModelName, r.Mode = a.Model, a.ModelName, a.Mode
	r.Prompt, r.Script, r.Seed = cutBytes(a.Prompt, promptKept), a.script, a.seed
	r.ExternalID = cutBytes(a.text(client.FieldExternalTaskID), 1024)
	r.schedule(sp, s.now())
	if err := s.store.put(r); err != nil {
		return internal("the task could not be kept", err)
	}
	return s.scripted(a, true)
}

// scripted is the HTTP error that a directive asks for, before or after the task is
// made.
func (s *Server) scripted(a *asked, after bool) error {
	sc := a.script
	if sc.HTTP == 0 || sc.After != after {
		return nil
	}
	if sc.Times > 0 && !s.retries.under(a.Prompt, sc.Times) {
		return nil
	}
	e := statusError(sc.HTTP)
	e.retryAfter = sc.RetryAfter
	return e
}

// attempts counts the creates of one text, for directives with times=N.
type attempts struct {
	mu sync.Mutex
	n  map[uint64]int
}

func (t *attempts) under(text string, times int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n == nil || len(t.n) > 10_000 {
		t.n = map[uint64]int{}
	}
	k := mix(int64(times), text)
	t.n[k]++
	return t.n[k] <= times
}

// cutBytes cuts text to at most n bytes, between runes.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// failSync is the answer of a synchronous create whose script says fail.
func (sc script) failSync() error {
	if !sc.Fail {
		return nil
	}
	code, message := sc.failure()
	return &apiError{status: http.StatusBadRequest, Code: code, Message: message, Type: typeInvalid}
}
