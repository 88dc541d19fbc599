package chat_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats/chat"
	"darkroom/client/formattest"
)

const whole = `{"id":"chatcmpl-1","object":"chat.completion","created":1795181346,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12},"system_fingerprint":"fp"}`

func cases() formattest.Cases {
	return formattest.Cases{
		Creates: []formattest.Create{
			{Name: "plain", Draft: client.Draft{Modality: client.Chat, Model: "some-model", Mode: "x", Prompt: "hi <there>", Values: client.Values{"temperature": json.Number("1")}}, Dropped: []string{"mode", "temperature"}},
			{Name: "full", Draft: client.Draft{Modality: client.Chat, Model: "some-model", Prompt: "and now?", Values: client.Values{
				"system": "be brief", "messages": []any{
					map[string]any{"role": "user", "content": "hi"}, map[string]any{"role": "assistant", "content": "hello"},
				},
			}}},
		},
		Refused: []formattest.Refused{
			{Field: "system", Draft: client.Draft{Values: client.Values{"system": true}}},
			{Field: "messages", Draft: client.Draft{Values: client.Values{"messages": "hi"}}},
			{Field: "messages", Draft: client.Draft{Values: client.Values{"messages": []any{map[string]any{"content": "hi"}}}}},
		},
		Answers: []formattest.Answer{
			{Name: "whole", Create: true, Body: whole, Status: client.StatusCompleted},
			{Name: "content null", Create: true, Body: `{"id":"c","choices":[{"message":{"role":"assistant","content":null,"refusal":"no"},"finish_reason":"stop"}]}`, Status: client.StatusCompleted},
			{Name: "an error at 200", Create: true, Body: `{"error":{"message":"no","type":"t"}}`, Fails: true},
			{Name: "nothing", Body: `{"x":1}`, Fails: true},
		},
	}
}

func TestSuite(t *testing.T) { formattest.Suite(t, chat.New(), cases()) }

func FuzzDecode(f *testing.F) { formattest.Fuzz(f, chat.New(), whole) }

func BenchmarkChat(b *testing.B) { formattest.Bench(b, chat.New(), cases()) }

func TestAnswersOfManyShapes(t *testing.T) {
	for name, k := range map[string]struct{ body, text, finish string }{
		"usual":       {whole, "Hello", "stop"},
		"parts":       {`{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"image_url"},"b"]},"finish_reason":"length"}]}`, "ab", "length"},
		"old":         {`{"choices":[{"text":"a","finish_reason":null}]}`, "a", ""},
		"in envelope": {`{"code":0,"data":{"choices":[{"message":{"content":"a"}}]}}`, "a", ""},
		"two choices": {`{"choices":[{"index":0,"message":{"content":"a"}},{"index":1,"message":{"content":"b"}}]}`, "a", ""},
		"output_text": {`{"output_text":"a"}`, "a", ""},
		"tool calls":  {`{"choices":[{"message":{"content":null,"tool_calls":[]},"finish_reason":"tool_calls"}]}`, "", "tool_calls"},
	} {
		a, err := chat.New().DecodeChat(formattest.OK(k.body))
		require.NoError(t, err, name)
		assert.Equal(t, k.text, a.Text, name)
		assert.Equal(t, k.finish, a.Finish, name)
	}
	for _, body := range []string{`{"choices":[]}`, `{"error":"no"}`, `{"code":"x","message":"no"}`, `<html>`, ``, `{}`} {
		_, err := chat.New().DecodeChat(formattest.OK(body))
		require.Error(t, err, body)
	}
	task, err := chat.New().DecodeCreate(formattest.OK(whole))
	require.NoError(t, err)
	assert.Equal(t, "Hello", task.Text)
	assert.Equal(t, []string{"chatcmpl-1"}, task.AltIDs)
	assert.JSONEq(t, `{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}`, string(task.Usage))
}

// play feeds a stream and returns its text, its answer and its error.
func play(body string) (string, client.ChatAnswer, error) {
	s := chat.New().NewStream()
	var text strings.Builder
	for _, line := range strings.SplitAfter(body, "\n") {
		if line == "" {
			continue
		}
		delta, done, err := s.Line([]byte(strings.TrimRight(line, "\n")))
		text.WriteString(delta)
		if done || err != nil {
			return text.String(), s.Answer(), err
		}
	}
	delta, err := s.End()
	text.WriteString(delta)
	return text.String(), s.Answer(), err
}

func chunk(text, finish string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		return ""
	}
	fin := "null"
	if finish != "" {
		fin = `"` + finish + `"`
	}
	return `data: {"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":` + string(raw) + `},"finish_reason":` + fin + `}]}` + "\n\n"
}

func TestStreams(t *testing.T) {
	const usage = `data: {"choices":[],"usage":{"total_tokens":12}}` + "\n\n"
	const done = "data: [DONE]\n\n"
	for name, k := range map[string]struct {
		body, text, fails string
	}{
		"usual":                {chunk("", "") + chunk("Hel", "") + chunk("lo", "") + chunk("", "stop") + usage + done, "Hello", ""},
		"comments and events":  {": hi\n\nevent: x\nid: 1\nretry: 5\n" + chunk("a", "stop") + ": ping\n" + done, "a", ""},
		"CR LF and BOM":        {"\xef\xbb\xbf" + strings.ReplaceAll(chunk("a", "stop")+done, "\n", "\r\n"), "a", ""},
		"no blank lines":       {strings.ReplaceAll(chunk("a", "")+chunk("b", "stop")+done, "\n\n", "\n"), "ab", ""},
		"no blank after data:": {strings.ReplaceAll(chunk("a", "stop")+done, "data: ", "data:"), "a", ""},
		"split over lines":     {"data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n" + done, "a", ""},
		"no [DONE]":            {chunk("a", "stop"), "a", ""},
		"last line unfinished": {strings.TrimRight(chunk("a", "stop"), "\n"), "a", ""},
		"delta null":           {`data: {"choices":[{"delta":null}]}` + "\n\n" + chunk("a", "stop") + done, "a", ""},
		"cut off":              {chunk("a", ""), "a", "ended before"},
		"empty":                {"", "", "without an answer"},
		"error in the middle":  {chunk("a", "") + `data: {"error":{"message":"overloaded","code":"x"}}` + "\n\n" + chunk("b", "stop"), "a", "overloaded"},
		"flat error":           {`data: {"code":"x","message":"no","data":null}` + "\n\n", "", "no"},
		"error without data:":  {`{"error":{"message":"no credit"}}` + "\n", "", "no credit"},
		"no JSON":              {"data: what\n\n", "", "not JSON"},
		"after the end":        {chunk("a", "stop") + done + chunk("b", "stop"), "a", ""},
		"emoji":                {chunk("🪁 雨", "stop") + done, "🪁 雨", ""},
	} {
		t.Run(name, func(t *testing.T) {
			text, a, err := play(k.body)
			assert.Equal(t, k.text, text)
			assert.Equal(t, k.text, a.Text)
			if k.fails != "" {
				require.ErrorContains(t, err, k.fails)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "stop", a.Finish)
		})
	}
	_, a, err := play(chunk("a", "stop") + usage + done)
	require.NoError(t, err)
	assert.JSONEq(t, `{"total_tokens":12}`, string(a.Usage))
	assert.Equal(t, "m", a.Model)
	assert.Equal(t, "c1", a.ID)
}

func FuzzStream(f *testing.F) {
	f.Add(chunk("a", "") + chunk("b", "stop") + "data: [DONE]\n\n")
	for _, s := range formattest.Hostile() {
		f.Add("data: " + s + "\n\n")
	}
	f.Fuzz(func(t *testing.T, body string) {
		text, a, err := play(body)
		assert.Equal(t, text, a.Text)
		if err != nil {
			assert.NotEmpty(t, err.Error())
		}
	})
}

func BenchmarkStream(b *testing.B) {
	body := strings.Repeat(chunk("word ", ""), 200) + chunk("", "stop") + "data: [DONE]\n\n"
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, _, err := play(body); err != nil {
			b.Fatal(err)
		}
	}
}

func TestRequests(t *testing.T) {
	req, err := chat.New().EncodeChat(client.ChatRequest{
		Model: "m", Messages: []client.ChatMessage{{Role: "system", Content: "s"}, {Role: "user", Content: "u"}},
		Extra: map[string]json.RawMessage{"temperature": json.RawMessage("0.5")},
	}, true)
	require.NoError(t, err)
	assert.Equal(t, "/v1/chat/completions", req.Path)
	assert.Equal(t, `{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}],"stream":true,"temperature":0.5}`, string(req.Body)) //nolint:testifylint // the very bytes
	for _, r := range []client.ChatRequest{{}, {Model: "m"}, {Model: "m", Messages: []client.ChatMessage{{Content: "x"}}}} {
		_, err := chat.New().EncodeChat(r, false)
		require.Error(t, err)
	}
}
