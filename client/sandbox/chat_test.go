package sandbox

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const chatPath = "/v1/chat/completions"

// ask sends one message of the user, after one of the system when there is any.
func (b *bench) ask(system, user string) string {
	b.t.Helper()
	messages := []map[string]string{{"role": "user", "content": user}}
	if system != "" {
		messages = append([]map[string]string{{"role": "system", "content": system}}, messages...)
	}
	raw, err := json.Marshal(map[string]any{"model": "any", "messages": messages})
	require.NoError(b.t, err)
	text, ok := at(b.ok("POST", chatPath, string(raw)), "choices.0.message.content").(string)
	require.True(b.t, ok)
	return text
}

// events are the data lines of a stream.
func events(t *testing.T, body string) []string {
	t.Helper()
	var out []string
	sc := bufio.NewScanner(strings.NewReader(body))
	for sc.Scan() {
		if sc.Text() == "" {
			continue
		}
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		require.True(t, ok, "%q", sc.Text())
		out = append(out, data)
	}
	return out
}

func TestChatStream(t *testing.T) {
	b := newBench(t, instant)
	const messages = `"messages":[{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":"hello wide world"}]}]`
	whole := b.ok("POST", chatPath, `{"model":"any",`+messages+`}`)
	w := b.do("POST", chatPath, `{"model":"any","stream":true,"stream_options":{"include_usage":true},`+messages+`}`)
	require.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, "text/event-stream; charset=utf-8", w.Header().Get("Content-Type"))
	assert.True(t, w.Flushed)
	list := events(t, w.Body.String())
	require.Greater(t, len(list), 5)
	assert.Equal(t, "[DONE]", list[len(list)-1])
	var text strings.Builder
	ids := map[any]bool{}
	for i, data := range list[:len(list)-1] {
		var m map[string]any
		require.NoError(t, json.Unmarshal([]byte(data), &m))
		ids[m["id"]] = true
		assert.Equal(t, "chat.completion.chunk", m["object"])
		assert.Equal(t, "any", m["model"])
		switch i {
		case 0:
			assert.Equal(t, "assistant", at(m, "choices.0.delta.role"))
		case len(list) - 2:
			assert.Equal(t, []any{}, m["choices"], "the chunk with the usage has no choice")
			assert.NotZero(t, at(m, "usage.total_tokens"))
		case len(list) - 3:
			assert.Equal(t, "stop", at(m, "choices.0.finish_reason"))
		default:
			assert.Nil(t, at(m, "choices.0.finish_reason"))
			text.WriteString(at(m, "choices.0.delta.content").(string))
		}
	}
	assert.Len(t, ids, 1)
	assert.Equal(t, at(whole, "choices.0.message.content"), text.String())
	assert.Contains(t, text.String(), "hello wide world")
	assert.Equal(t, json.Number("5"), at(whole, "usage.prompt_tokens"))
}

// lateWriter notes when each event was written.
type lateWriter struct {
	discard
	times []time.Time
}

func (l *lateWriter) Write(p []byte) (int, error) {
	l.times = append(l.times, time.Now())
	return len(p), nil
}

func TestChatStreamTakesTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		r, err := http.NewRequestWithContext(t.Context(), "POST", chatPath, strings.NewReader(`{"model":"x","stream":true,"messages":[{"role":"user","content":"one two three"}]}`))
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+testKey)
		w := &lateWriter{discard: discard{http.Header{}}}
		b.s.ServeHTTP(w, r)
		require.Greater(t, len(w.times), 10)
		assert.Equal(t, 15*time.Millisecond, w.times[5].Sub(w.times[4]))
	})
}

func TestChatFaults(t *testing.T) {
	b := newBench(t, instant)
	body := func(text string) string {
		return fmt.Sprintf(`{"model":"x","messages":[{"role":"user","content":%q}]}`, text)
	}
	assert.Equal(t, "E3", b.refused(http.StatusBadRequest, "POST", chatPath, body("x [[sandbox:fail code=E3]]")).Code)
	b.refused(http.StatusTooManyRequests, "POST", chatPath, body("x [[sandbox:429 times=1]]"))
	text := at(b.ok("POST", chatPath, body("x [[sandbox:429 times=1]]")), "choices.0.message.content")
	assert.NotContains(t, text, "sandbox:", "directives are not repeated")
	assert.Contains(t, b.refused(http.StatusBadRequest, "POST", chatPath, body("[[sandbox:explode]]")).Message, "allowed")
}

func TestImprovePrompt(t *testing.T) {
	b := newBench(t, instant)
	for name, c := range map[string]struct{ system, user, keeps string }{
		"by the system":    {"You improve prompts for a video model. Answer with the prompt alone.", "a red kite over a salt flat", "A red kite over a salt flat, "},
		"quoted":           {"", `Please improve this prompt: "a red kite"`, "A red kite, "},
		"after a colon":    {"", "Enhance the following prompt for video: a red kite", "A red kite, "},
		"after a line":     {"", "Rewrite my prompt with more detail\n\na red kite", "A red kite, "},
		"before":           {"", "a red kite. improve this prompt", "A red kite, "},
		"fenced":           {"", "Can you enrich this prompt?\n```\na red kite\n```", "A red kite, "},
		"in another tense": {"", "I would like this prompt optimised: ein roter Drachen.", "Ein roter Drachen, "},
	} {
		t.Run(name, func(t *testing.T) {
			first := b.ask(c.system, c.user)
			assert.True(t, strings.HasPrefix(first, c.keeps), first)
			assert.Greater(t, len(first), len(c.keeps)+40)
			assert.True(t, strings.HasSuffix(first, "."))
			assert.Equal(t, first, b.ask(c.system, c.user), "the same prompt becomes the same text")
			assert.NotContains(t, first, "language model")
		})
	}
	system := "You improve prompts."
	said := b.ask(system, "wide shot of a calm sea at dawn, slow pan, fine detail")
	assert.Contains(t, said, "carefully composed", "nothing is said twice")
	assert.NotContains(t, b.ask(system, "a photo of a cat"), "camera")
	assert.NotEqual(t, strings.TrimPrefix(b.ask(system, "a cat"), "A cat"), strings.TrimPrefix(b.ask(system, "a whale"), "A whale"))
	assert.NotEmpty(t, b.ask(system, ""))
	assert.Contains(t, b.ask("", "what is a prompt?"), "no language model runs here")
}

func TestOpenAIModels(t *testing.T) {
	b := newBench(t)
	m := b.ok("GET", "/v1/models", "")
	assert.Equal(t, "list", m["object"])
	cat, err := loadCatalog()
	require.NoError(t, err)
	list := m["data"].([]any)
	assert.Len(t, list, len(cat.Models(""))+1, "and one to talk to")
	for _, x := range list {
		assert.Equal(t, "model", at(x, "object"))
		for _, k := range []string{"id", "created", "owned_by"} {
			assert.NotEmpty(t, at(x, k))
		}
	}
}
