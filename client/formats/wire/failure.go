package wire

import (
	"strings"

	"darkroom/client"
)

// failure finds a failed task's own error, the nearest words first.
func (t *Task) failure() *client.TaskError {
	for _, o := range t.within {
		if e, ok := o.told(); ok {
			return &e
		}
	}
	for i := len(t.path) - 2; i >= 0; i-- {
		if e, ok := t.path[i].told(); ok {
			return &e
		}
	}
	for _, o := range t.within {
		for _, n := range []string{"items", "creations", "data", "songs", "clips", "videos", "output", "results"} {
			for _, raw := range o.many(n) {
				in := object(raw)
				if e, ok := in.told(); ok {
					return &e
				}
				if s := in.Obj("metadata").Str("error_message", "error_type"); s != "" {
					return &client.TaskError{Message: s}
				}
			}
		}
	}
	return nil
}

// told reads the error in an object, in any of its shapes.
func (o *Obj) told() (client.TaskError, bool) {
	if o == nil {
		return client.TaskError{}, false
	}
	for _, n := range []string{"error", "errors"} {
		if e, ok := client.ErrorIn(o.get(n)); ok {
			o.Take(n)
			return e, true
		}
	}
	e := client.TaskError{
		Code: o.Text("err_code", "error_code", "errorCode", "fail_code", "failure_code", "failureCode", "errCode"),
		Message: o.Str("fail_reason", "failure_reason", "failReason", "error_message", "errorMessage", "error_msg", "err_msg", "task_status_msg", "status_msg",
			"failed_reason", "failure", "status_message", "statusMessage", "errMsg", "error_detail", "fail_msg", "reason", "detail"),
	}
	if e.Message == "" {
		e.Message = o.Obj("incomplete_details").Str("reason")
	}
	if base := o.Obj("base_resp"); base != nil && e.Message == "" { // the status of the call, apart from the task's
		if c := base.Text("status_code"); !goodCode(c) {
			e.Code, e.Message = c, base.Str("status_msg")
		}
	}
	if c := o.Text("code"); c != "" && !goodCode(c) {
		if e.Code == "" {
			e.Code = c
		}
		o.Take("code")
	}
	if e.Message == "" {
		if m := o.Str("message", "msg"); !goodCode(m) {
			e.Message = m
		}
	}
	if e.Message == "" {
		// A failed task's result_url was seen to hold the error's text.
		if s := text(o.get("result_url")); s != "" {
			if _, web := webURL(s); !web {
				e.Message = s
				o.Take("result_url")
			}
		}
	}
	if e.Message == "" {
		return e, e.Code != ""
	}
	if in, ok := client.ErrorIn([]byte(e.Message)); ok {
		if in.Code == "" {
			in.Code = e.Code
		}
		e = in
	}
	return e, true
}

// goodCode reports codes and messages of envelopes that mean success.
func goodCode(c string) bool {
	switch strings.ToLower(strings.TrimSpace(c)) {
	case "", "0", "200", "201", "202", "success", "succeed", "successful", "ok":
		return true
	default:
		return false
	}
}

// refusal reports an answer that names no state and consists only of an error.
func (t *Task) refusal() (client.TaskError, bool) {
	if t.termed {
		return client.TaskError{}, false
	}
	for _, o := range t.path {
		if e, ok := client.ErrorIn(o.get("error")); ok {
			return e, true
		}
		code := o.Text("code")
		if code == "" {
			code = o.Obj("base_resp").Text("status_code")
		}
		if t.ID != "" || code == "" || goodCode(code) {
			continue
		}
		if e, ok := o.told(); ok {
			return e, true
		}
	}
	return client.TaskError{}, false
}
