package sandbox

import (
	"net/http"
	"strings"
)

// chatAnswer is the body of POST /v1/chat/completions in the public form; GATEWAY.md
// does not show it.
type chatAnswer struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []chatChoice `json:"choices"`
	Usage   chatUsage    `json:"usage"`
}

type chatChoice struct {
	Index        int         `json:"index"`
	Message      chatMessage `json:"message"`
	FinishReason string      `json:"finish_reason"`
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type chatUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// postChat answers honestly that nobody thinks here, with what was said last.
func (s *Server) postChat(w http.ResponseWriter, r *http.Request, _ []string) error {
	body, err := s.readBody(w, r, false)
	if err != nil {
		return err
	}
	model, _ := body["model"].(string)
	if model == "" {
		return badRequest("model", "model is required, as text")
	}
	if on, _ := body["stream"].(bool); on {
		return badRequest("stream", "stream: the embedded gateway answers whole, send false")
	}
	last, words, err := lastWords(body["messages"])
	if err != nil {
		return err
	}
	id, err := randomText(s.random, 15)
	if err != nil {
		return internal("id", err)
	}
	text := "This is the embedded gateway: no language model runs here. You wrote: " + shorten(last, 2000)
	out := len(strings.Fields(text))
	writeJSON(w, http.StatusOK, chatAnswer{ID: "chatcmpl-" + id, Object: "chat.completion", Created: s.now().Unix(), Model: model,
		Choices: []chatChoice{{Message: chatMessage{"assistant", text}, FinishReason: "stop"}},
		Usage:   chatUsage{words, out, words + out}})
	return nil
}

// lastWords checks the messages and returns the text of the last one of the user, and
// how many words all of them have (the tokens of this gateway).
func lastWords(v any) (last string, words int, err error) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return "", 0, badRequest("messages", "messages: a list of {role, content} with at least one item is required")
	}
	for i, it := range list {
		m, _ := it.(map[string]any)
		role, _ := m["role"].(string)
		switch role {
		case "system", "user", "assistant":
		default:
			return "", 0, badRequest("messages", "messages[%d].role %q: allowed are system, user, assistant", i, shorten(role, 40))
		}
		text, _ := m["content"].(string)
		if parts, ok := m["content"].([]any); ok {
			t, _ := inputParts(parts)
			text = strings.Join(t, "\n")
		}
		words += len(strings.Fields(text))
		if role == "user" {
			last = text
		}
	}
	return last, words, nil
}
