package script

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Apply bends a JSON body; one that cannot be read stays as it is.
func (f Forms) Apply(body []byte, status int) []byte {
	if f == (Forms{}) || len(bytes.TrimSpace(body)) == 0 {
		return body
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return body
	}
	if m, ok := v.(map[string]any); ok && f.Flat && status >= 400 {
		v = flatError(m)
	}
	if f.NoURL {
		v = dropURLs(v)
	}
	if f.ErrorURL && status < 400 {
		v = errorAsURL(v)
	}
	if f.Millis {
		v = inMillis("", v)
	}
	if f.Zone != "" {
		v = f.inZone("", v)
	}
	if f.Types {
		v = otherTypes("", v)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return body
	}
	return append(out, '\n')
}

// flatError is the other error shape that gateways use.
func flatError(m map[string]any) any {
	e, ok := m["error"].(map[string]any)
	if !ok {
		return m
	}
	return map[string]any{"code": e["code"], "message": e["message"], "data": nil}
}

var resultKeys = map[string]bool{"video_url": true, "url": true, "cover_url": true, "last_frame_url": true, "watermarked_url": true,
	"audio_url": true, "image_url": true, "result_url": true, "b64_json": true}

// dropURLs removes every member that names a result, even in JSON within a string.
func dropURLs(v any) any {
	switch t := v.(type) {
	case map[string]any:
		for k, x := range t {
			if resultKeys[k] {
				delete(t, k)
				continue
			}
			t[k] = dropURLs(x)
		}
	case []any:
		for i := range t {
			t[i] = dropURLs(t[i])
		}
	case string:
		var inner any
		if strings.HasPrefix(t, "[") && json.Unmarshal([]byte(t), &inner) == nil {
			if b, err := json.Marshal(dropURLs(inner)); err == nil {
				return string(b)
			}
		}
	}
	return v
}

// errorAsURL moves the error of a failed task into result_url, where some gateways
// leave it.
func errorAsURL(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for _, k := range []string{"data", "output"} {
		if inner, ok := m[k].(map[string]any); ok {
			m[k] = errorAsURL(inner)
			return m
		}
	}
	text := ""
	for _, k := range []string{"error", "fail_reason", "err_code", "message", "code"} {
		switch t := m[k].(type) {
		case map[string]any:
			text, _ = t["message"].(string)
		case string:
			text = t
		}
		if text != "" {
			break
		}
	}
	if text == "" {
		return m
	}
	for _, k := range []string{"error", "fail_reason", "err_code", "message", "code"} {
		delete(m, k)
	}
	m["result_url"] = text
	return m
}

var timeKeys = map[string]bool{"created_at": true, "updated_at": true, "started_at": true, "completed_at": true, "created": true,
	"submit_time": true, "start_time": true, "finish_time": true, "scheduled_time": true, "end_time": true}

// inMillis turns times in seconds into milliseconds.
func inMillis(key string, v any) any {
	switch t := v.(type) {
	case map[string]any:
		for k, x := range t {
			t[k] = inMillis(k, x)
		}
	case []any:
		for i := range t {
			t[i] = inMillis("", t[i])
		}
	case json.Number:
		if n, err := t.Int64(); err == nil && timeKeys[key] && n > 0 && n < 1e11 {
			return json.Number(strconv.FormatInt(n*1000, 10))
		}
	}
	return v
}

// otherTypes gives values types other than the documented ones: numbers become text, digits
// numbers, items null, other lists of results text, and progress a percentage.
func otherTypes(key string, v any) any {
	switch t := v.(type) {
	case map[string]any:
		for k, x := range t {
			t[k] = otherTypes(k, x)
		}
	case []any:
		for i := range t {
			t[i] = otherTypes("", t[i])
		}
		if key == "creations" {
			if b, err := json.Marshal(t); err == nil {
				return string(b)
			}
		}
	case json.Number:
		if key == "progress" {
			return t.String() + "%"
		}
		return t.String()
	case string:
		switch {
		case key == "items":
			return nil
		case (key == "created_at" || key == "seconds") && strings.Trim(t, "0123456789") == "" && t != "":
			return json.Number(t)
		}
	}
	return v
}
