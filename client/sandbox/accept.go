package sandbox

import (
	"errors"
	"net/http"
	"unicode/utf8"

	"darkroom/client"
)

// accept makes the record durable under a new id. When it returns nil the task exists.
func (s *Server) accept(w http.ResponseWriter, r *record, a *asked) error {
	sp, err := s.opts.Timing.span(r.Kind)
	if err != nil {
		return internal("timing", err)
	}
	now := s.now()
	if r.ID, err = r.newID(s.random, now); err != nil {
		return internal("id", err)
	}
	if r.Token, err = randomText(s.random, 20); err != nil {
		return internal("id", err)
	}
	r.Version = recordVersion
	r.Model, r.ModelName, r.Mode = a.Model, a.ModelName, a.Mode
	r.Prompt, r.Script, r.Seed = cutBytes(a.Prompt, promptKept), a.script, a.seed
	r.ExternalID = cutBytes(a.text(client.FieldExternalTaskID), 1024)
	r.schedule(sp, now)
	var refused *apiError
	if err := s.store.put(r); errors.As(err, &refused) {
		return refused
	} else if err != nil {
		return internal("the task could not be kept", err)
	}
	leave(w)
	return nil
}

// find returns a task as this request is to see it, after its script had its say about
// the answer.
func (s *Server) find(w http.ResponseWriter, r *http.Request, id string, kinds ...kind) (*record, error) {
	t := s.store.get(id, kinds...)
	if t == nil {
		return nil, nil
	}
	if len(t.Script.Answers) > 0 || t.Script.Forms != (forms{}) {
		if err := s.play(w, r, t.Script, t.ID); err != nil {
			return nil, err
		}
	}
	rec, ok := w.(*recorder)
	if !ok || rec.class != classQuery {
		return t, nil
	}
	if sc := rec.script.task(); !sc.idle() {
		seen := *t // records are shared and never changed
		seen.Script = t.Script.with(sc)
		return &seen, nil
	}
	return t, nil
}

// idle says whether a script leaves the state of a task alone.
func (sc script) idle() bool { return !sc.fails() && sc.Stay == "" && sc.Term == "" && sc.First == "" }

// fails says whether the task is to fail; an error in place of a result's URL is one.
func (sc script) fails() bool { return sc.Fail || sc.Forms.ErrorURL }

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
	if !sc.fails() {
		return nil
	}
	code, message := sc.failure()
	return &apiError{status: http.StatusBadRequest, Code: code, Message: message, Type: typeInvalid}
}
