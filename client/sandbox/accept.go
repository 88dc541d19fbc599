package sandbox

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"darkroom/client"
	"darkroom/client/sandbox/script"
	"darkroom/client/text"
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
	r.Version, r.Owner = recordVersion, a.owner
	r.Model, r.ModelName, r.Mode = a.Model, a.ModelName, a.Mode
	r.Prompt, r.Script, r.Seed = text.Head(a.Prompt, promptKept), a.script, a.seed
	r.ExternalID = text.Head(a.text(client.FieldExternalTaskID), 1024)
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
// the answer; nil for one that is not known here, not known any more, or another key's, which is
// answered alike.
func (s *Server) find(w http.ResponseWriter, r *http.Request, id string, kinds ...kind) (*record, error) {
	t, err := s.known(w, r, id, kinds...)
	if t != nil && t.forgotten(s.now(), 0) {
		return nil, err
	}
	return t, err
}

// forgotten says whether the task is too old to be known: as its script has it, else after so long, 0
// for never.
func (r *record) forgotten(now time.Time, after time.Duration) bool {
	if r.Script.Forget > 0 {
		after = time.Duration(r.Script.Forget) * time.Second
	}
	return after > 0 && now.Sub(r.created()) >= after
}

// playTask lets the script of a task act on the answer under way.
func (s *Server) playTask(w http.ResponseWriter, r *http.Request, t *record) error {
	if len(t.Script.Answers) > 0 || t.Script.Forms != (script.Forms{}) {
		return s.play(w, r, t.Script, t.ID)
	}
	return nil
}

// owned is the task of that id, kind and owner, nil for none.
func (s *Server) owned(owner, id string, kinds ...kind) *record {
	if t := s.store.get(id, kinds...); t != nil && t.Owner == owner {
		return t
	}
	return nil
}

// known is find without a look at the task's age.
func (s *Server) known(w http.ResponseWriter, r *http.Request, id string, kinds ...kind) (*record, error) {
	t := s.owned(ownerOf(w), id, kinds...)
	if t == nil {
		return nil, nil
	}
	if err := s.playTask(w, r, t); err != nil {
		return nil, err
	}
	rec, ok := w.(*recorder)
	if !ok || rec.class != script.Query {
		return t, nil
	}
	if sc := rec.script.Task(); !sc.Idle() {
		seen := *t // records are shared and never changed
		seen.Script = t.Script.With(sc)
		return &seen, nil
	}
	return t, nil
}

// failSync is the answer of a synchronous create whose script says fail.
func failSync(sc script.Script) error {
	if !sc.Fails() {
		return nil
	}
	code, message := sc.Failure()
	return &apiError{status: http.StatusBadRequest, Code: code, Message: message, Type: typeInvalid}
}

// ignore takes out of a request what its script has it lose, once the request was accepted.
func (a *asked) ignore() {
	for _, what := range a.script.Ignore {
		fields := []string{what}
		switch what {
		case script.IgnoreImages:
			fields = append(slices.Clone(imageFields), "subject_image_list", "scene_image", "style_image", "human_image", "cloth_image")
			if items := a.Values.List("content"); len(items) > 0 {
				a.Values["content"] = slices.DeleteFunc(slices.Clone(items), func(x any) bool {
					item, ok := x.(map[string]any)
					return ok && item["type"] == "image_url"
				})
			}
		case script.IgnoreSize:
			fields = []string{"size", "aspect_ratio", "resolution"}
		}
		for _, f := range fields {
			delete(a.Values, f)
			delete(a.parameters, f)
		}
	}
}
