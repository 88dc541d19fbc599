package client_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func talk() client.ChatRequest {
	return client.ChatRequest{Model: "m-1", Messages: []client.ChatMessage{{Role: client.RoleUser, Content: "hi"}}}
}

func piece(text, finish string) string {
	return fmt.Sprintf("data: {\"choices\":[{\"delta\":{\"content\":%q},\"finish_reason\":%s}]}\n\n", text, finish)
}

func streaming(parts ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		w.Header().Set("X-Request-Id", "req-7")
		for _, p := range parts {
			_, _ = io.WriteString(w, p)
			_ = http.NewResponseController(w).Flush()
		}
	}
}

func TestChatStreams(t *testing.T) {
	g := serve(t, streaming(piece("Hel", "null"), ": ping\n\n", piece("lo "+secret, `"stop"`), "data: {\"choices\":[],\"usage\":{\"total_tokens\":3}}\n\n", "data: [DONE]\n\n"))
	var got []string
	a, err := newClient(t, g.URL).Chat(t.Context(), talk(), func(s string) { got = append(got, s) })
	require.NoError(t, err)
	assert.Equal(t, []string{"Hel", "lo <key>"}, got, "an echoed key is hidden")
	assert.Equal(t, "Hello <key>", a.Text)
	assert.Equal(t, "stop", a.Finish)
	assert.Equal(t, "m-1", a.Model)
	assert.Equal(t, "req-7", a.Meta.RequestID)
	assert.JSONEq(t, `{"total_tokens":3}`, string(a.Usage))
	assert.Equal(t, "Bearer "+secret, g.seen()[0].Header.Get("Authorization"))
}

func TestChatArrivesPieceByPiece(t *testing.T) {
	first := make(chan struct{})
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		streaming(piece("a", "null"))(w, r)
		select {
		case <-first: // only sent once the first piece has been told
		case <-r.Context().Done():
			return
		}
		_, _ = io.WriteString(w, piece("b", `"stop"`)+"data: [DONE]\n\n")
	})
	a, err := newClient(t, g.URL).Chat(t.Context(), talk(), func(s string) {
		if s == "a" {
			close(first)
		}
	})
	require.NoError(t, err)
	assert.Equal(t, "ab", a.Text)
}

func TestChatKeepsWhatCameBeforeAFailure(t *testing.T) {
	for name, k := range map[string]struct{ tail, says string }{
		"cut off": {"", "ended before"},
		"error":   {"data: {\"error\":{\"message\":\"overloaded\"}}\n\n", "overloaded"},
	} {
		t.Run(name, func(t *testing.T) {
			g := serve(t, streaming(piece("half", "null"), k.tail))
			a, err := newClient(t, g.URL).Chat(t.Context(), talk(), func(string) {})
			require.ErrorContains(t, err, k.says)
			assert.Equal(t, "half", a.Text)
			assert.Equal(t, 1, g.count("POST"))
		})
	}
	g := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, piece("half", "null"))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	a, err := newClient(t, g.URL).Chat(t.Context(), talk(), func(string) {})
	require.ErrorContains(t, err, "broke off")
	assert.Equal(t, "half", a.Text)
}

func TestChatWhole(t *testing.T) {
	g := serve(t, answer(200, `{"id":"c","choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]}`))
	c := newClient(t, g.URL)
	a, err := c.Chat(t.Context(), talk(), nil)
	require.NoError(t, err)
	assert.Equal(t, "Hello", a.Text)
	var got strings.Builder
	_, err = c.Chat(t.Context(), talk(), func(s string) { got.WriteString(s) })
	require.NoError(t, err, "a stream was asked for, and the whole came")
	assert.Equal(t, "Hello", got.String())
}

func TestChatRefusals(t *testing.T) {
	g := serve(t, answer(429, `{"error":{"message":"slow down","code":"busy"}}`))
	c := newClient(t, g.URL)
	for _, f := range []func(string){nil, func(string) {}} {
		_, err := c.Chat(t.Context(), talk(), f)
		assert.Equal(t, "busy", asAPI(t, err).Code)
	}
	_, err := c.Chat(t.Context(), client.ChatRequest{Model: "m"}, nil)
	require.ErrorContains(t, err, "messages")
	_, err = newClient(t, g.URL, func(o *client.Options) { o.Formats = nil }).Chat(t.Context(), talk(), nil)
	require.ErrorContains(t, err, "conversations")
}

func TestChatHidesAKeyThatComesInPieces(t *testing.T) {
	half := len(secret) / 2
	g := serve(t, streaming(piece("it is "+secret[:half], "null"), piece(secret[half:]+"!", "null"), piece(secret[:3], `"stop"`), "data: [DONE]\n\n"))
	var got strings.Builder
	a, err := newClient(t, g.URL).Chat(t.Context(), talk(), func(s string) { got.WriteString(s) })
	require.NoError(t, err)
	assert.Equal(t, "it is <key>!"+secret[:3], got.String(), "the beginning of a key is none")
	assert.Equal(t, got.String(), a.Text)
}
