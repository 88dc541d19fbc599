package sandbox

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"

	"darkroom/client/text"
)

const (
	partsCap  = 200
	formField = 1 << 20 // bytes of a form value that is not a file
	formDepth = 6       // names inside a name
	// formValues bounds the values of a form value that is JSON; one with more is text.
	formValues = 10_000
)

// readForm turns a form into the object that the JSON form would be. A name that comes
// twice, or ends in "[]", is a list; "a[b]" is the field b of the object a, and "a[0]"
// an item of the list a, as public SDKs write them.
func readForm(mr *multipart.Reader) (map[string]any, error) {
	out := map[string]any{}
	for range partsCap + 1 {
		p, err := mr.NextPart()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, readError(err)
		}
		v, err := partValue(p)
		if err != nil {
			return nil, err
		}
		name := p.FormName()
		path, ok := formPath(name)
		if ok {
			out[path[0]], ok = putForm(out[path[0]], path[1:], v)
		}
		if !ok {
			return nil, badRequest("", "the form has a value named %q, which does not fit the others: allowed are field, field[], field[0] and field[name]", text.Clip(name, 60))
		}
	}
	return nil, badRequest("", "the form has more than %d parts", partsCap)
}

// formPath splits the name of a form value at its brackets: "content[0][text]" becomes content, 0,
// text.
func formPath(name string) ([]string, bool) {
	first, rest, nested := strings.Cut(name, "[")
	path := []string{first}
	if !nested {
		return path, true
	}
	rest, closed := strings.CutSuffix(rest, "]")
	path = append(path, strings.Split(rest, "][")...)
	return path, closed && first != "" && len(path) <= formDepth
}

// putForm puts a value where the path says, below what is there already. It is false
// where an object would have to be a list, or the other way round.
func putForm(old any, path []string, v any) (any, bool) {
	if len(path) == 0 {
		switch o := old.(type) {
		case nil:
			return v, true
		case []any:
			return append(o, v), true
		default:
			return []any{old, v}, true
		}
	}
	if path[0] == "" || only(path[0], idDigits) {
		list, isList := old.([]any)
		i := itemAt(list, path)
		if old != nil && !isList || i < 0 || i > len(list) {
			return nil, false
		}
		if i == len(list) {
			list = append(list, nil)
		}
		var ok bool
		list[i], ok = putForm(list[i], path[1:], v)
		return list, ok
	}
	object, isObject := old.(map[string]any)
	if old == nil {
		object = map[string]any{}
	} else if !isObject {
		return nil, false
	}
	var ok bool
	object[path[0]], ok = putForm(object[path[0]], path[1:], v)
	return object, ok
}

// itemAt is the place in a list that a path names. "[]" is a new one, or the last while
// that is an object without the field of the path.
func itemAt(list []any, path []string) int {
	if path[0] != "" {
		if i, err := strconv.Atoi(path[0]); err == nil {
			return i
		}
		return -1
	}
	if len(list) > 0 && len(path) > 1 {
		if o, ok := list[len(list)-1].(map[string]any); ok {
			if _, taken := o[path[1]]; !taken {
				return len(list) - 1
			}
		}
	}
	return len(list)
}

// partValue is a form value as JSON would carry it. A value that is itself a JSON
// object or list stands for it.
func partValue(p *multipart.Part) (any, error) {
	b, err := io.ReadAll(p)
	if err != nil {
		return nil, readError(err)
	}
	if p.FileName() != "" {
		mt, _, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
		if err != nil || mt == "application/octet-stream" {
			mt, _, _ = mime.ParseMediaType(http.DetectContentType(b))
		}
		return "data:" + mt + ";base64," + base64.StdEncoding.EncodeToString(b), nil
	}
	if len(b) > formField && !bytes.HasPrefix(b, []byte("data:")) {
		return nil, badRequest(p.FormName(), "%s: form values are limited to 1 MiB", text.Clip(p.FormName(), 60))
	}
	if t := bytes.TrimSpace(b); len(t) > 0 && (t[0] == '{' || t[0] == '[') && countValues(t) <= formValues {
		dec := json.NewDecoder(bytes.NewReader(t))
		dec.UseNumber()
		var v any
		if dec.Decode(&v) == nil && dec.InputOffset() == int64(len(t)) {
			return v, nil
		}
	}
	return string(b), nil
}
