package wire

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
)

// The names of ids, likeliest first. Inside an envelope "id" is often a row number of the
// gateway's own, so that task_id comes first there.
var (
	idNames     = []string{"id", "task_id", "taskId", "video_id", "response_id", "taskID", "job_id", "jobId", "uuid", "generation_id", "record_id"}
	taskIDNames = []string{"task_id", "taskId", "taskID", "id", "video_id", "response_id", "job_id", "jobId", "uuid", "generation_id", "record_id"}
	// ownIDNames are the names under which answers have the id of their own task.
	ownIDNames = []string{"task_id", "taskId", "taskID", "id", "response_id"}
	altIDNames = idNames[:5]
)

// idIn is an id in an answer: a text that can be one, or a whole number above 0 with all its
// digits. A number written as a float may have lost some.
func idIn(raw json.RawMessage) (id string, number bool) {
	s := text(raw)
	if s == "" {
		return "", false
	}
	if raw[0] == '"' {
		if client.PlausibleID(s) {
			return s, false
		}
		return "", false
	}
	if n, err := strconv.ParseUint(s, 10, 64); err == nil && n > 0 {
		return s, true
	}
	return "", false
}

// id is the id of an object: a number counts only where no text does, a name only if it is the name
// of an operation.
func (o *Obj) id(inner bool) string {
	if o == nil || o.somethingElse() {
		return ""
	}
	names := idNames
	if inner {
		names = taskIDNames
	}
	first := ""
	for _, n := range names {
		id, number := idIn(o.get(n))
		switch {
		case id == "":
		case !number:
			o.take(n)
			return id
		case first == "" && (n == "id" || n == "task_id" || n == "taskId"):
			first = n
		}
	}
	if name := o.get("name"); strings.Contains(text(name), "operations/") {
		if id, _ := idIn(name); id != "" {
			o.take("name")
			return id
		}
	}
	if first == "" {
		return ""
	}
	return o.Text(first)
}

// somethingElse reports an object that says it is not a task: its id is not a task's.
func (o *Obj) somethingElse() bool {
	raw := o.get("object")
	if len(raw) == 0 || raw[0] != '"' {
		return false
	}
	kind := text(raw)
	return kind == "list" || kind == "model" || kind == "text_completion" || strings.HasPrefix(kind, "chat.")
}

func (t *Task) readIDs() {
	t.ID = t.main.id(len(t.path) > 1)
	for _, o := range t.within {
		for _, n := range altIDNames {
			id, number := idIn(o.get(n))
			if id == "" || number {
				continue
			}
			o.take(n)
			if id != t.ID && !slices.Contains(t.AltIDs, id) && len(t.AltIDs) < 8 {
				t.AltIDs = append(t.AltIDs, id)
			}
		}
	}
	t.readOwn(ownIDNames)
}

// readOwn finds the ids by which the answer names its task. An object deeper than one envelope, or
// one whose state has a vendor's name, may be the task of a vendor behind the gateway, with ids of
// its own (GATEWAY: second vendor-style format, the path has the id that the create returned).
func (t *Task) readOwn(names []string) {
	t.Own = client.Own{}
	if len(t.path) > 2 || t.main.Has("task_status", "taskStatus") || t.main.somethingElse() {
		return
	}
	for _, n := range names {
		switch id, number := idIn(t.main.get(n)); {
		case id == "":
		case !number:
			t.Own.Texts = append(t.Own.Texts, id)
		case len(t.path) == 1:
			t.Own.Numbers = append(t.Own.Numbers, id)
		}
	}
	if len(t.Own.Texts) == 0 && strings.Contains(t.ID, "operations/") {
		t.Own.Texts = []string{t.ID}
	}
}

// Named takes the answer's name for its id where it has no other (GATEWAY: Native long-running
// operation).
func (t *Task) Named() *Task {
	if id, number := idIn(t.main.get("name")); id != "" && !number && t.ID == "" {
		t.main.take("name")
		t.ID, t.Own.Texts = id, []string{id}
	}
	return t
}

// bareID reads {code, message, data: "<id>"} (GATEWAY: Music, create response).
func (t *Task) bareID() {
	for _, o := range append(slices.Clone(t.path), t.within...) {
		for _, n := range []string{"data", "result"} {
			s, _ := idIn(o.get(n))
			s = strings.TrimSpace(s)
			if s == "" || len(s) > 512 || strings.ContainsAny(s, "{[<\"' \t\r\n") || goodCode(s) || status(s) != client.StatusUnknown {
				continue
			}
			o.take(n)
			t.ID = s
			return
		}
	}
}
