package sandbox

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"darkroom/client/sandbox/reply"
	"darkroom/client/sandbox/script"
	"darkroom/client/text"
)

// chatAnswer is the body of POST /v1/chat/completions in the public form; GATEWAY.md
// does not show it. A chunk of a stream has the same shape, with delta for message.
type chatAnswer struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []chatChoice `json:"choices"`
	Usage   *chatUsage   `json:"usage,omitempty"`
}

type chatChoice struct {
	Index        int          `json:"index"`
	Message      *chatMessage `json:"message,omitempty"`
	Delta        *chatMessage `json:"delta,omitempty"`
	FinishReason *string      `json:"finish_reason"`
}

type chatMessage struct {
	Role    string `json:"role,omitempty"`
	Content string `json:"content"`
}

// chatUsage counts words, which are the tokens of this gateway.
type chatUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

const chatStop = "stop"

// postChat answers without any language model: see reply.
func (s *Server) postChat(w http.ResponseWriter, r *http.Request, _ []string) error {
	body, err := s.readBody(w, r, false)
	if err != nil {
		return err
	}
	model, _ := body["model"].(string)
	if model == "" {
		return badRequest("model", "model is required, as text")
	}
	stream, ok := body["stream"].(bool)
	if v, set := body["stream"]; set && v != nil && !ok {
		return badRequest("stream", "stream must be true or false")
	}
	talk, err := readTalk(body["messages"])
	if err != nil {
		return err
	}
	sc, last, err := script.OfPrompt(talk.last)
	if err != nil {
		return badRequest("messages", "messages: %s", err)
	}
	asked := talk.system + talk.last
	sc = s.course.Decide(s.faults.Task().With(requested(w).Task()).With(sc), model, func() []byte { return []byte(model + "\x00" + asked) }, s.now())
	if err := s.play(w, r, sc, talk.last); err != nil {
		return err
	}
	talk.last = last
	if sc.Fails() {
		return failSync(sc)
	}
	id, err := randomText(s.random, 15)
	if err != nil {
		return internal("id", err)
	}
	said := reply.To(talk.system, talk.last, func(i int64, of string) uint64 { return mix(s.opts.Seed+i, of) })
	n := len(strings.Fields(said))
	out := chatAnswer{ID: "chatcmpl-" + id, Object: "chat.completion", Created: s.now().Unix(), Model: model,
		Usage: &chatUsage{talk.words, n, talk.words + n}}
	pace := s.opts.Timing.chat(sc.Slow)
	if stream {
		return streamChat(w, r, out, pieces(said), pace)
	}
	if pause(r.Context(), time.Duration(n)*pace) != nil {
		return nil // nobody is there to answer
	}
	stop := chatStop
	out.Choices = []chatChoice{{Message: &chatMessage{"assistant", said}, FinishReason: &stop}}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// chat is the time between two words, slow times as long when that is set.
func (t Timing) chat(slow float64) time.Duration {
	d := 15 * time.Millisecond
	switch t {
	case Instant:
		return 0
	case Real:
		d = 60 * time.Millisecond
	}
	if slow > 0 {
		d = time.Duration(float64(d) * slow)
	}
	return d
}

// streamChat sends the answer word by word as server-sent events: a chunk with the
// role, the words, a chunk with the reason of the end, one with the usage and no
// choice, and [DONE].
func streamChat(w http.ResponseWriter, r *http.Request, a chatAnswer, words []string, pace time.Duration) error {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	usage := a.Usage
	a.Object, a.Usage = "chat.completion.chunk", nil
	rc := http.NewResponseController(w)
	send := func(c []chatChoice) bool {
		a.Choices = c
		b, err := json.Marshal(a)
		return err == nil && event(w, rc, string(b))
	}
	if !send([]chatChoice{{Delta: &chatMessage{Role: "assistant"}}}) {
		return nil
	}
	for _, word := range words {
		if pause(r.Context(), pace) != nil || !send([]chatChoice{{Delta: &chatMessage{Content: word}}}) {
			return nil // nobody is there to answer
		}
	}
	stop := chatStop
	if !send([]chatChoice{{Delta: &chatMessage{}, FinishReason: &stop}}) {
		return nil
	}
	a.Usage = usage
	if send([]chatChoice{}) {
		event(w, rc, "[DONE]")
	}
	return nil
}

// event sends one server-sent event, and says whether it went out.
func event(w http.ResponseWriter, rc *http.ResponseController, data string) bool {
	if _, err := w.Write([]byte("data: " + data + "\n\n")); err != nil {
		return false
	}
	_ = rc.Flush() // a writer that cannot flush sends at the end
	return true
}

// pieces cuts a said after its blanks, so that the pieces joined are the text.
func pieces(text string) []string { return strings.SplitAfter(text, " ") }

// talk is the content of a chat's messages.
type talk struct {
	system string // what the system messages say
	last   string // the last message of the user
	words  int    // of all messages
}

// readTalk checks the messages: a list of {role: system, user or assistant; content}.
func readTalk(v any) (talk, error) {
	var t talk
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return t, badRequest("messages", "messages: a list of {role, content} with at least one item is required")
	}
	for i, it := range list {
		m, _ := it.(map[string]any)
		role, _ := m["role"].(string)
		var said string
		switch c := m["content"].(type) {
		case string:
			said = c
		case []any:
			parts, _ := inputParts(c)
			said = strings.Join(parts, "\n")
		case nil:
		default:
			return t, badRequest("messages", "messages[%d].content: text or a list of parts is required", i)
		}
		t.words += len(strings.Fields(said))
		switch role {
		case "system":
			t.system += said + "\n"
		case "user":
			t.last = said
		case "assistant":
		default:
			return t, badRequest("messages", "messages[%d].role %q: allowed are system, user, assistant", i, text.Clip(role, 40))
		}
	}
	return t, nil
}
