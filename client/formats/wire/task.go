package wire

import (
	"encoding/json"
	"errors"
	"slices"

	"darkroom/client"
)

// Task is the tolerant reading of an answer about one task: where its object sits
// (itself, or inside data, output, result, ...), its ids, state, progress, error, times,
// usage. Assets are added by the readers of a kind: [Task.Videos], [Task.Songs],
// [Task.Images].
type Task struct {
	client.Task
	top  *Obj // the whole answer
	main *Obj // the object that is the task
	// path leads from top to main, both included; via names the members between them.
	path []*Obj
	via  []string
	// within are main and what its containers hold.
	within []*Obj
	// termed says that the answer had a status term or a done flag.
	termed bool
}

// containers hold a task's object, or parts of it.
var containers = []string{"data", "output", "result", "task", "response"}

const maxLayers = 4

// Read reads an answer. It fails on a body that is not a JSON object and on an answer that is only
// an error; a failed task is no error.
func Read(body []byte, format string) (*Task, error) {
	top, err := parse(body)
	if err != nil {
		return nil, err
	}
	t := &Task{top: top}
	t.Format, t.Raw, t.Progress = format, body, -1
	t.path, t.via = locate(top)
	t.main = t.path[len(t.path)-1]
	t.within = inner(t.main)
	t.readIDs()
	t.readStatus()
	t.readRest()
	if e, ok := t.refusal(); ok {
		return nil, &Error{e}
	}
	return t, nil
}

// trail is a path down from the top.
type trail struct {
	objs []*Obj
	via  []string
}

// locate finds the first object with an id of a task; failing that, the innermost with
// a state (an outer "status" is often only that of the call); failing that, the top.
func locate(top *Obj) ([]*Obj, []string) {
	if top.id(false) != "" && !top.envelope() { // as in most answers
		return []*Obj{top}, nil
	}
	found := trail{objs: []*Obj{top}}
	level := []trail{found}
	for range maxLayers {
		var next []trail
		var stated *trail
		for _, p := range level {
			o := p.objs[len(p.objs)-1]
			if o.id(len(p.via) > 0) != "" && !o.envelope() {
				return p.objs, p.via
			}
			if stated == nil && o.term() != "" {
				stated = &p
			}
			for _, c := range containers {
				if in := o.inside(c); in != nil {
					next = append(next, trail{append(slices.Clone(p.objs), in), append(slices.Clone(p.via), c)})
				}
			}
		}
		if stated != nil {
			found = *stated
		}
		level = next
	}
	return found.objs, found.via
}

// envelope reports an object that only wraps a task, though it has an id of its own.
func (o *Obj) envelope() bool {
	return o.Has("code", "success") && o.holdsTask()
}

// holdsTask reports an object with a task in one of its containers.
func (o *Obj) holdsTask() bool {
	for _, c := range containers {
		if o.Obj(c).task() {
			return true
		}
	}
	return false
}

// task reports an object with both an id and a state.
func (o *Obj) task() bool { return o != nil && o.id(true) != "" && o.term() != "" }

// term is the status term of an object.
func (o *Obj) term() string {
	if s := o.Str(statusNames...); s != "" {
		return s
	}
	return o.Obj("status").Str("state", "status", "phase", "name")
}

// inner are the task's object and the objects in its containers.
func inner(main *Obj) []*Obj {
	out := []*Obj{main}
	for i := 0; i < len(out) && len(out) < 12; i++ {
		for _, c := range containers {
			if in := out[i].Obj(c); in != nil {
				out = append(out, in)
			}
		}
	}
	return out
}

func (t *Task) readStatus() {
	t.Status = client.StatusUnknown
	for _, o := range t.within {
		if s := o.term(); s != "" {
			t.RawStatus, t.Status, t.termed = s, status(s), true
			return
		}
	}
	if n := t.main.digits(statusNames...); n != "" && n != "200" && t.ID != "" {
		t.RawStatus, t.termed = n, true // a number that nobody listed
		return
	}
	switch string(t.main.get("done")) {
	case "true":
		t.RawStatus, t.Status, t.termed = "done", client.StatusCompleted, true
		if t.main.Has("error") {
			t.Status = client.StatusFailed
		}
	case "false":
		t.RawStatus, t.Status, t.termed = "not done", client.StatusRunning, true
	default:
		return
	}
	t.main.Take("done")
}

func (t *Task) readRest() {
	t.Model = t.main.Str("model", "model_name", "origin_model_name")
	if t.Model == "" {
		t.Model = t.main.Obj("properties").Str("origin_model_name")
	}
	for _, o := range t.within {
		if t.Progress < 0 {
			for _, n := range progressNames {
				if p := progress(o.get(n)); p >= 0 {
					t.Progress = p
					o.Take(n)
					break
				}
			}
		}
		t.readTimes(o)
	}
	if t.Progress < 0 {
		t.Progress = t.itemProgress()
	}
	t.Usage = t.main.Raw("usage")
	for i := len(t.path) - 2; i >= 0 && t.Usage == nil; i-- {
		t.Usage = t.path[i].Raw("usage")
	}
	t.Title = t.main.Str("title")
	if t.Status == client.StatusFailed {
		t.Error = t.failure()
	}
}

// readTimes takes the times of one object, where no earlier one had them. The end time of a task
// that has not ended is its last change.
func (t *Task) readTimes(o *Obj) {
	o.moment(&t.CreatedAt, &t.AsSent.Created, createdNames...)
	o.moment(&t.StartedAt, &t.AsSent.Started, startedNames...)
	if t.Status.Terminal() {
		o.moment(&t.EndedAt, &t.AsSent.Ended, endedNames...)
	} else {
		o.moment(&t.UpdatedAt, &t.AsSent.Updated, endedNames...)
	}
	o.moment(&t.UpdatedAt, &t.AsSent.Updated, updatedNames...)
}

// Created makes the task of a create's answer: there must be an id, a result, or a failure.
func (t *Task) Created() (client.Task, error) {
	if t.ID == "" && !t.Status.Terminal() {
		t.bareID()
	}
	if t.ID == "" && (!t.Status.Terminal() || t.Status == client.StatusCompleted && len(t.Assets) == 0 && t.Text == "") {
		return client.Task{}, errors.New("the answer holds neither an id nor a result")
	}
	if !t.termed && !t.Status.Terminal() {
		t.Status = client.StatusQueued // accepted, and nothing said yet
	}
	return t.done(), nil
}

// Queried makes the task of a query's answer: it must tell something about a task.
func (t *Task) Queried() (client.Task, error) {
	if !t.termed && t.ID == "" && len(t.Assets) == 0 {
		return client.Task{}, errors.New("the answer holds neither a state nor an id nor a result")
	}
	return t.done(), nil
}

// done collects the members that nobody read.
func (t *Task) done() client.Task {
	t.Extra = t.main.Rest()
	for i := len(t.path) - 2; i >= 0; i-- {
		t.path[i].Take("code", "message", "msg", "success")
		t.path[i].Take(t.via[i])
		for k, v := range t.path[i].Rest() {
			if t.Extra == nil {
				t.Extra = make(map[string]json.RawMessage)
			}
			if _, ok := t.Extra[k]; !ok {
				t.Extra[k] = v
			}
		}
	}
	return t.Task
}

// ended says whether assets may be looked for: at success, and where an answer has no state at all.
// Before that, URLs only repeat the request.
func (t *Task) ended() bool {
	return t.Status == client.StatusCompleted || !t.termed
}

// settle makes an answer without any state, but with a result, a success.
func (t *Task) settle() {
	if !t.termed && len(t.Assets) > 0 {
		t.Status = client.StatusCompleted
	}
}
