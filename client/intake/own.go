package intake

import (
	"encoding/json"
	"slices"

	"darkroom/client"
	"darkroom/client/places"
)

// unwrap takes the request out of a JSON object that the program wrote: out of a preview (body and
// path), a job (draft), or the file beside a result (request).
func unwrap(members map[string]any, path string) (inner map[string]any, at, format string) {
	for range 3 { // a job within what is told of it, a request within what is shown of it
		own, _ := members["format"].(string)
		body, isShown := members["body"].(map[string]any)
		where, hasPath := members["path"].(string)
		draft, isJob := members["draft"].(map[string]any)
		request, isRequest := members["request"].(map[string]any)
		job, isDetail := members["job"].(map[string]any)
		switch {
		case isShown && hasPath:
			return body, pathOf(where), own
		case members[client.FieldModel] != nil: // a request itself
			return members, path, format
		case isJob:
			return draft, path, own
		case isRequest:
			members, format = request, own
		case isDetail:
			members = job
		default:
			return members, path, format
		}
	}
	return members, path, format
}

func (r Reader) has(format string) bool {
	return slices.ContainsFunc(r.Formats, func(f client.Format) bool { return f.Name() == format })
}

// ownDraft reads a draft as the program itself writes it; format is the one named around it.
func ownDraft(body map[string]any, format string) (Result, bool, error) {
	values, hasValues := body["values"].(map[string]any)
	_, hasKind := body["modality"].(string)
	if !hasKind || body["values"] != nil && !hasValues {
		return Result{}, false, nil
	}
	delete(values, "")
	out := Result{Format: format}
	if inner, ok := body["format"].(string); ok && format == "" {
		out.Format = inner
	}
	err := json.Unmarshal(raw(body), &out.Draft)
	for place := range out.Draft.Extra {
		if _, bad := places.Check(place); bad != nil && err == nil {
			err = bad
		}
	}
	return out, true, err
}
