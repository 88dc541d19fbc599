package sandbox

import (
	"net/http"
	"strings"

	"darkroom/client"
	"darkroom/client/text"
)

// responseAnswer is a response object (GATEWAY: Response object), with every field
// that is named there; those without a meaning here are null.
type responseAnswer struct {
	ID                string            `json:"id"`
	Object            string            `json:"object"`
	CreatedAt         int64             `json:"created_at"`
	Status            string            `json:"status"`
	Model             string            `json:"model"`
	Error             *taskError        `json:"error"`
	IncompleteDetails any               `json:"incomplete_details"`
	Instructions      any               `json:"instructions"`
	Metadata          map[string]string `json:"metadata"`
	Output            []outputItem      `json:"output"`
	ParallelToolCalls bool              `json:"parallel_tool_calls"`
	Temperature       any               `json:"temperature"`
	ToolChoice        string            `json:"tool_choice"`
	Tools             []any             `json:"tools"`
	TopP              any               `json:"top_p"`
	MaxOutputTokens   any               `json:"max_output_tokens"`
	PreviousID        any               `json:"previous_response_id"`
	Reasoning         any               `json:"reasoning"`
	Text              any               `json:"text"`
	Truncation        any               `json:"truncation"`
	Usage             any               `json:"usage"`
	User              any               `json:"user"`
	Store             any               `json:"store"`
}

type outputItem struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	Status string `json:"status"`
	Result any    `json:"result"` // null: the picture is behind url
	URL    string `json:"url,omitempty"`
}

// responseBody returns the state of an asynchronous image task.
func responseBody(r *record, st state, l links) responseAnswer {
	out := responseAnswer{ID: r.ID, Object: "response", CreatedAt: r.created().Unix(), Status: st.status(), Model: r.Model,
		Error: st.err(), Metadata: map[string]string{}, Output: []outputItem{}, Tools: []any{}, ToolChoice: "auto"}
	if r.Image.Note != "" {
		out.Metadata["note"] = r.Image.Note
	}
	if r.ExternalID != "" {
		out.Metadata["external_task_id"] = r.ExternalID
	}
	if st.phase == phaseQueued {
		return out
	}
	suffix := strings.TrimPrefix(r.ID, r.Kind.prefix())
	for i := 1; i <= r.Image.N; i++ {
		name := imageName(i)
		item := outputItem{ID: "ig_" + suffix + "_" + strings.TrimSuffix(strings.TrimPrefix(name, imagePrefix), ".png"),
			Type: "image_generation_call", Status: st.status()}
		if st.phase == phaseCompleted {
			item.URL = l.file(r, name)
		}
		out.Output = append(out.Output, item)
	}
	return out
}

func (s *Server) getResponse(w http.ResponseWriter, r *http.Request, vars []string) error {
	s.counts.queries.Add(1)
	t, err := s.find(w, r, vars[0], kindResponse)
	if err != nil {
		return err
	}
	if t == nil {
		return notFound("no response %q on this gateway: the id must be complete", text.Clip(vars[0], 80))
	}
	writeJSON(w, http.StatusOK, responseBody(t, t.at(s.now()), s.links(r)))
	return nil
}

// postResponse creates a response object. GATEWAY.md does not show its request; this
// is the public form: {model, input, background}. Image models only.
func (s *Server) postResponse(w http.ResponseWriter, r *http.Request, _ []string) error {
	body, err := s.readBody(w, r, false)
	if err != nil {
		return err
	}
	background, err := liftInput(body)
	if err != nil {
		return err
	}
	a, err := s.check(w, r, client.Image, "", body)
	if err != nil {
		return err
	}
	rec := &record{Kind: kindResponse, Sync: !background}
	if rec.Image, err = s.imagePlan(a); err != nil {
		return err
	}
	if err := s.accept(w, rec, a); err != nil {
		return err
	}
	st := state{phase: phaseQueued}
	if !background {
		if err := pause(r.Context(), rec.takes()); err != nil {
			return nil // nobody is there to answer
		}
		st = rec.at(s.now())
	}
	writeJSON(w, http.StatusOK, responseBody(rec, st, s.links(r)))
	return nil
}

// liftInput turns the public form of a response request, whose input is text or messages of texts
// and pictures, into an image request.
func liftInput(body map[string]any) (background bool, err error) {
	background, _ = body["background"].(bool)
	var texts []string
	var images []any
	switch in := body["input"].(type) {
	case nil:
	case string:
		texts = append(texts, in)
	case []any:
		texts, images = inputParts(in)
	default:
		return false, badRequest("input", "input: text or a list of messages is required")
	}
	if _, ok := body[client.FieldPrompt]; !ok && len(texts) > 0 {
		body[client.FieldPrompt] = strings.Join(texts, "\n")
	}
	if _, ok := body["image_urls"]; !ok && len(images) > 0 {
		body["image_urls"] = images
	}
	for _, k := range []string{"input", "background", "tools", "tool_choice", "store", "stream", "metadata", "instructions"} {
		delete(body, k)
	}
	return background, nil
}

func inputParts(items []any) (texts []string, images []any) {
	for _, it := range items {
		o, ok := it.(map[string]any)
		if !ok {
			continue
		}
		switch c := o["content"].(type) {
		case string:
			texts = append(texts, c)
		case []any:
			t, i := inputParts(c)
			texts, images = append(texts, t...), append(images, i...)
		}
		if t, ok := o["text"].(string); ok {
			texts = append(texts, t)
		}
		if u := urlIn(o); u != "" {
			images = append(images, u)
		}
	}
	return texts, images
}

// getStats answers with the counts of this server.
func (s *Server) getStats(w http.ResponseWriter, _ *http.Request, _ []string) error {
	writeJSON(w, http.StatusOK, s.Stats())
	return nil
}
