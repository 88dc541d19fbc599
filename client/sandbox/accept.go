package sandbox

import (
	"errors"
	"net/http"
	"slices"

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
	r.Version = recordVersion
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
// the answer.
func (s *Server) find(w http.ResponseWriter, r *http.Request, id string, kinds ...kind) (*record, error) {
	t := s.store.get(id, kinds...)
	if t == nil {
		return nil, nil
	}
	if len(t.Script.Answers) > 0 || t.Script.Forms != (script.Forms{}) {
		if err := s.play(w, r, t.Script, t.ID); err != nil {
			return nil, err
		}
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
