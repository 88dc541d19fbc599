package sandbox

import (
	"encoding/json"
	"net/http"
	"strings"

	"darkroom/client"
)

// ChatModel is the name under which this gateway lists what answers chats. It takes any other name as
// well, as the interface names none.
const ChatModel = "sandbox-chat"

// getModels lists the models of the catalog (GATEWAY: Model list).
func (s *Server) getModels(w http.ResponseWriter, _ *http.Request, _ []string) error {
	b, err := s.models()
	if err != nil {
		return internal("catalog", err)
	}
	writeJSON(w, http.StatusOK, json.RawMessage(b))
	return nil
}

// modelInfo is an entry of the model list. Token limits have no meaning for media and
// are 0.
type modelInfo struct {
	Name             string   `json:"name"`
	Version          string   `json:"version"`
	DisplayName      string   `json:"displayName"`
	Description      string   `json:"description"`
	InputTokenLimit  int      `json:"inputTokenLimit"`
	OutputTokenLimit int      `json:"outputTokenLimit"`
	Methods          []string `json:"supportedGenerationMethods"`
}

func (s *Server) modelList() ([]byte, error) {
	cat, err := s.rules()
	if err != nil {
		return nil, err
	}
	out := struct {
		Models []modelInfo `json:"models"`
	}{Models: []modelInfo{}}
	methods := map[client.Modality]string{client.Video: "generateVideos", client.Image: "generateImages",
		client.Music: "generateMusic", client.Speech: "generateMusic", client.Chat: "generateContent"}
	for _, m := range cat.Models("") {
		_, version, _ := strings.Cut(m.ID, "-")
		info := modelInfo{Name: "models/" + m.ID, Version: version, DisplayName: m.ID, Methods: []string{methods[m.Modality]},
			Description: m.Family + ", " + string(m.Modality) + ", served by the embedded gateway"}
		out.Models = append(out.Models, info)
	}
	out.Models = append(out.Models, modelInfo{Name: "models/" + ChatModel, Version: "1", DisplayName: ChatModel, Methods: []string{methods[client.Chat]},
		Description: "answers chats by rules, served by the embedded gateway"})
	return json.Marshal(out)
}

// openAIModel is an entry of the list at /v1/models, whose path GATEWAY.md does not
// show (Endpoints, rule 7): it is the one that public clients use.
type openAIModel struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"` // Unix seconds
	OwnedBy string `json:"owned_by"`
}

// modelsSince stands for the unknown age of a model.
const modelsSince = 1_767_225_600

// getOpenAIModels lists the models as the OpenAI format has it. Clients of the other list
// that ask here (they are known by their header) get theirs.
func (s *Server) getOpenAIModels(w http.ResponseWriter, r *http.Request, vars []string) error {
	if len(r.Header[googleKey]) > 0 && !s.opts.BearerOnly {
		return s.getModels(w, r, vars)
	}
	cat, err := s.rules()
	if err != nil {
		return internal("catalog", err)
	}
	out := struct {
		Object string        `json:"object"`
		Data   []openAIModel `json:"data"`
	}{"list", []openAIModel{}}
	for _, m := range cat.Models("") {
		out.Data = append(out.Data, openAIModel{m.ID, "model", modelsSince, m.Family})
	}
	out.Data = append(out.Data, openAIModel{ChatModel, "model", modelsSince, "darkroom"})
	writeJSON(w, http.StatusOK, out)
	return nil
}
