package counterpart

import (
	"fmt"
	"strings"
	"time"
)

// fails reports whether a task is to fail.
func (t *task) fails() bool { return strings.HasPrefix(t.prompt, Fail) }

// state is where a task is: it goes on with each query, from 0 to 2, which is the end.
func (t *task) state() int { return min(t.polls-1, 2) }

func (s *Server) fileURL(name string) string { return s.URL + "/files/" + name }

// object is the task as the common format has it.
func (t *task) object(status string, progress int) map[string]any {
	o := map[string]any{"id": t.id, "object": "video", "model": t.model, "status": status, "progress": progress, "created_at": t.made.Unix()}
	if t.seconds != nil {
		o["seconds"] = t.seconds
	}
	if t.size != "" {
		o["size"] = t.size
	}
	return o
}

// postVideo takes seconds as a string only.
func (s *Server) postVideo(a *answer) {
	if _, number := a.body["seconds"].(float64); number {
		a.flat(400, "invalid_json", "json: cannot unmarshal number into Go struct field .seconds of type string")
		return
	}
	if a.valid && a.text("model") != "" && a.text("prompt") == "" {
		a.flat(400, "invalid_request", "prompt is required")
		return
	}
	t, ok := s.create(a, "video", "task_", a.text("prompt"))
	if !ok {
		return
	}
	t.size = a.text("size")
	if v, sent := a.body["seconds"]; sent {
		t.seconds = v
	}
	o := t.object("queued", 0)
	o["task_id"] = t.id
	a.send(200, o)
}

// getVideo says "unknown" first, names the model "" and a completed_at all the while, and the
// address in metadata alone.
func (s *Server) getVideo(a *answer, t *task) {
	o := t.object([]string{"unknown", "in_progress", "completed"}[t.state()], []int{0, 37, 100}[t.state()])
	o["completed_at"] = time.Now().Unix()
	o["metadata"] = map[string]any{"url": ""}
	o["model"] = ""
	switch {
	case t.state() == 2 && t.fails():
		o["status"], o["error"] = "failed", map[string]any{"code": "InputTextSensitiveContentDetected", "message": "the text may hold sensitive information"}
	case t.state() == 2 && t.model != "sora-2": // which has to be asked for its content
		o["metadata"] = map[string]any{"url": s.fileURL(t.id + ".mp4")}
	}
	a.send(200, o)
}

func (s *Server) content(a *answer, t *task) {
	if t.state() < 2 {
		a.nested(400, "Task is not completed yet, current status: NOT_START", "invalid_request_error", nil)
		return
	}
	s.bytes(a, "video/mp4", movie())
}

// postContent is the content-array format as its vendor has it: the answer is an id alone, and
// the text is in content.
func (s *Server) postContent(a *answer) {
	prompt := a.text("prompt")
	items, _ := a.body["content"].([]any)
	for _, x := range items {
		m, _ := x.(map[string]any)
		if text, ok := m["text"].(string); ok && prompt == "" {
			prompt = text
		}
	}
	if t, ok := s.create(a, "content", "cgt-20260101-", prompt); ok {
		a.send(200, map[string]any{"id": t.id})
	}
}

func (s *Server) getContent(a *answer, t *task) {
	o := map[string]any{
		"id": t.id, "model": t.model, "status": []string{"queued", "running", "succeeded"}[t.state()],
		"created_at": t.made.Unix(), "updated_at": time.Now().Unix(), "error": nil,
	}
	switch {
	case t.state() == 2 && t.fails():
		o["status"], o["error"] = "failed", map[string]any{"code": "SensitiveContentDetected", "message": "sensitive"}
	case t.state() == 2:
		o["content"] = map[string]any{"video_url": s.fileURL(t.id + ".mp4")}
		o["usage"] = map[string]any{"completion_tokens": 1, "total_tokens": 1, "tool_usage": nil}
		o["ratio"], o["duration"], o["framespersecond"] = "16:9", 5, 24
	}
	a.send(200, o)
}

func (s *Server) postEnt(a *answer) {
	if t, ok := s.create(a, "ent", "", a.text("prompt")); ok {
		delete(s.tasks, t.id)
		t.id = fmt.Sprint(time.Now().UnixNano())
		s.tasks[t.id] = t
		a.send(200, map[string]any{"task_id": t.id, "state": "created", "model": t.model, "prompt": t.prompt, "credits": 4, "bgm": false, "created_at": t.made.UTC().Format(time.RFC3339Nano)})
	}
}

// getEnt has no task_id, and creations that are null while it runs.
func (s *Server) getEnt(a *answer, t *task) {
	o := map[string]any{"id": t.id, "state": []string{"queueing", "processing", "success"}[t.state()], "err_code": "", "credits": 4, "payload": "", "bgm": false, "off_peak": false, "creations": nil}
	switch {
	case t.state() == 2 && t.fails():
		o["state"], o["err_code"] = "failed", "AuditSubmitIllegal"
	case t.state() == 2:
		o["creations"] = []any{map[string]any{"id": "c1", "url": s.fileURL(t.id + ".mp4"), "cover_url": s.fileURL("cover.png"), "watermarked_url": ""}}
	}
	a.send(200, o)
}

// postTask is the create of the second vendor-style format, whose errors are flat.
func (s *Server) postTask(a *answer) {
	in, _ := a.body["input"].(map[string]any)
	prompt, _ := in["prompt"].(string)
	if prompt == "" {
		a.send(400, map[string]any{"code": "InvalidParameter", "message": "input.prompt is required", "request_id": a.request})
		return
	}
	if t, ok := s.create(a, "task", "", prompt); ok {
		delete(s.tasks, t.id)
		t.id = fmt.Sprintf("%08x-0000-4000-8000-%012x", t.made.Unix(), t.made.UnixNano()&0xffffffffffff)
		s.tasks[t.id] = t
		a.send(200, map[string]any{"request_id": a.request, "output": map[string]any{"task_id": t.id, "task_status": "PENDING"}})
	}
}

// getTask has times without a zone, and usage on success only.
func (s *Server) getTask(a *answer, t *task) {
	const clock = "2006-01-02 15:04:05.000"
	out := map[string]any{"task_id": t.id, "task_status": []string{"PENDING", "RUNNING", "SUCCEEDED"}[t.state()], "submit_time": t.made.Format(clock)}
	o := map[string]any{"request_id": a.request, "output": out}
	switch {
	case t.state() == 2 && t.fails():
		out["task_status"], out["code"], out["message"] = "FAILED", "DataInspectionFailed", "inappropriate content"
	case t.state() == 2:
		out["video_url"], out["end_time"], out["orig_prompt"] = s.fileURL(t.id+".mp4"), time.Now().Format(clock), t.prompt
		o["usage"] = map[string]any{"video_duration": 5, "SR": 480, "video_count": 1}
	}
	a.send(200, o)
}

// postFilm answers as the common format does; model is required, model_name alone is not
// enough.
func (s *Server) postFilm(a *answer) {
	if t, ok := s.create(a, "film", "task_", a.text("prompt")); ok {
		o := t.object("queued", 0)
		o["task_id"] = t.id
		a.send(200, o)
	}
}

// envelope is the task envelope around what a vendor said.
func (t *task) envelope(platform, action string, vendor any) map[string]any {
	d := map[string]any{
		"id": 7, "task_id": t.id, "platform": platform, "user_id": 1, "group": "default", "channel_id": 5, "quota": 50000, "action": action,
		"status": []string{"NOT_START", "IN_PROGRESS", "SUCCESS"}[t.state()], "progress": []string{"0%", "0%", "100%"}[t.state()],
		"fail_reason": "", "submit_time": t.made.Unix(), "created_at": t.made.Unix(), "updated_at": time.Now().Unix(),
		"properties": map[string]any{"input": "", "upstream_model_name": t.model, "origin_model_name": t.model}, "data": vendor,
	}
	if t.state() == 2 && t.fails() {
		// The text of the error stands where an address is expected.
		d["status"], d["fail_reason"], d["result_url"] = "FAILURE", "refused by the upstream", "refused by the upstream"
	}
	return map[string]any{"code": "success", "message": "", "data": d}
}

func (s *Server) getFilm(a *answer, t *task) {
	vendor := map[string]any{"task_id": "8620", "task_status": []string{"submitted", "processing", "succeed"}[t.state()], "created_at": t.made.UnixMilli()}
	done := t.state() == 2 && !t.fails()
	if done {
		vendor["task_result"] = map[string]any{"videos": []any{map[string]any{"id": "v1", "url": s.fileURL(t.id + ".mp4"), "duration": "5.1"}}}
	}
	o := t.envelope("50", "generate", map[string]any{"code": 0, "message": "SUCCEED", "data": vendor})
	if d, _ := o["data"].(map[string]any); done {
		d["result_url"] = s.fileURL(t.id + ".mp4")
	}
	a.send(200, o)
}
