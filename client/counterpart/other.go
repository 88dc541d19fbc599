package counterpart

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"path"
	"time"
)

func (s *Server) nativeModels(a *answer) {
	var all []any
	for _, m := range models() { // without models/ in front, and most of it null
		all = append(all, map[string]any{"name": m, "displayName": m, "version": nil, "description": nil, "inputTokenLimit": nil, "outputTokenLimit": nil, "supportedGenerationMethods": nil})
	}
	a.send(200, map[string]any{"models": all})
}

func (s *Server) listModels(a *answer) {
	var all []any
	for _, m := range models() {
		all = append(all, map[string]any{"id": m, "object": "model", "created": 1626777600, "owned_by": "someone", "supported_endpoint_types": []any{}})
	}
	a.send(200, map[string]any{"object": "list", "data": all, "success": true})
}

// postSong takes no model: the path says it. A model that is sent has to be a known one.
func (s *Server) postSong(a *answer) {
	if a.body["model"] == nil && a.valid {
		a.body["model"] = songWord + "_music"
	}
	if t, ok := s.create(a, "song", "task_", a.text("prompt")); ok {
		a.send(200, map[string]any{"code": "success", "message": "", "data": t.id})
	}
}

// getSong stays at "0%" until the end, and has no address on success beside those of the songs.
func (s *Server) getSong(a *answer, t *task) {
	var songs any
	if t.state() == 2 && !t.fails() {
		songs = []any{map[string]any{
			"id": "clip-a", "title": "Night", "status": "complete", "audio_url": s.fileURL("a.mp3"), "image_url": s.fileURL("cover.png"), "model_name": "s-4",
			"metadata": map[string]any{"tags": "slow", "prompt": "[Verse]\nla", "duration": 120.5, "error_message": nil},
		}}
	}
	a.send(200, t.envelope(songWord, "MUSIC", songs))
}

func (s *Server) postImage(a *answer) {
	if a.valid && a.text("prompt") == "" && a.text("model") != "" {
		a.flat(400, "invalid_request", "prompt is required")
		return
	}
	if _, ok := s.create(a, "image", "", a.text("prompt")); !ok {
		return
	}
	one := map[string]any{"url": s.fileURL("picture.png"), "revised_prompt": a.text("prompt")}
	if a.text("response_format") == "b64_json" {
		one = map[string]any{"b64_json": base64.StdEncoding.EncodeToString(picture())}
	}
	a.send(200, map[string]any{"created": time.Now().Unix(), "data": []any{one}, "usage": map[string]any{"total_tokens": 100, "input_tokens": 50, "output_tokens": 50}})
}

func (s *Server) postChat(a *answer) {
	messages, _ := a.body["messages"].([]any)
	model := a.text("model")
	switch {
	case !a.valid || model == "":
		a.nested(400, "Model name not specified", "new_api_error", "")
		return
	case len(messages) == 0:
		a.nested(500, "field messages is required (request id: "+a.request+")", "new_api_error", "invalid_request")
		return
	case !a.offered(model):
		return
	}
	usage := map[string]any{"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
	if stream, _ := a.body["stream"].(bool); !stream {
		a.send(200, map[string]any{"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": model, "usage": usage,
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": "Hello there"}}}})
		return
	}
	a.w.Header().Set("Content-Type", "text/event-stream")
	for _, data := range []string{
		`{"choices":[{"delta":{"role":"assistant","content":""},"index":0}],"model":%q}`, `{"choices":[{"delta":{"content":"Hello"},"index":0}],"model":%q}`,
		`{"choices":[{"delta":{"content":" there"},"index":0}],"model":%q}`, `{"choices":[{"delta":{},"finish_reason":"stop","index":0}],"model":%q}`,
		`{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3},"model":%q}`, // unasked
	} {
		_, _ = fmt.Fprintf(a.w, "data: "+data+"\n\n", model)
	}
	_, _ = io.WriteString(a.w, "data: [DONE]\n\n")
}

// file serves what a result names. It needs no key.
func (s *Server) file(a *answer) {
	switch path.Ext(a.r.URL.Path) {
	case ".mp4":
		s.bytes(a, "video/mp4", movie())
	case ".mp3":
		s.bytes(a, "audio/mpeg", song())
	case ".png":
		s.bytes(a, "image/png", picture())
	default:
		a.w.WriteHeader(http.StatusNotFound)
	}
}

// bytes announces ranges, and ignores them.
func (s *Server) bytes(a *answer, kind string, b []byte) {
	h := a.w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", fmt.Sprint(len(b)))
	h.Set("Accept-Ranges", "bytes")
	h.Set("Cache-Control", "public, max-age=86400")
	h.Set("Last-Modified", "Tue, 14 Nov 2023 22:13:20 GMT")
	_, _ = a.w.Write(b)
}

// movie is the shell of an MP4 file.
func movie() []byte {
	box := func(kind string, body []byte) []byte {
		return append(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), append([]byte(kind), body...)...)
	}
	return append(box("ftyp", []byte("mp42\x00\x00\x00\x00mp42isom")), box("mdat", make([]byte, 8192))...)
}

func song() []byte {
	return append([]byte("ID3\x04\x00\x00\x00\x00\x00\x00\xff\xfb\x90\x00"), make([]byte, 4096)...)
}

func picture() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		panic(err) // a picture of eight pixels has a form
	}
	return b.Bytes()
}
