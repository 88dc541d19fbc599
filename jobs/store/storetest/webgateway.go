package storetest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"darkroom/client"
)

// WebGateway is a minimal gateway client for processes that a test kills: a server of the test
// counts what it creates and queries, and answers with tasks as JSON.
type WebGateway struct{ Base string }

// Create implements jobs.Gateway. Only the prompt is sent.
func (g WebGateway) Create(ctx context.Context, d client.Draft, _ string) (client.Task, error) {
	t, err := g.ask(ctx, http.MethodPost, "/create", []byte(d.Prompt))
	if err != nil {
		return t, &client.CreateError{Outcome: client.OutcomeAmbiguous, Err: err}
	}
	return t, nil
}

// Query implements jobs.Gateway.
func (g WebGateway) Query(ctx context.Context, _, id string) (client.Task, error) {
	return g.ask(ctx, http.MethodGet, "/query/"+id, nil)
}

func (g WebGateway) ask(ctx context.Context, method, path string, body []byte) (t client.Task, err error) {
	req, err := http.NewRequestWithContext(ctx, method, g.Base+path, bytes.NewReader(body))
	if err != nil {
		return t, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return t, err
	}
	defer func() { _ = resp.Body.Close() }()
	err = json.NewDecoder(resp.Body).Decode(&t)
	return t, err
}
