package formats_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// clothes put an answer into envelopes of the kinds that gateways were seen to use.
func clothes(t *testing.T) map[string]func(json.RawMessage) json.RawMessage {
	pack := func(v any) json.RawMessage {
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		return raw
	}
	return map[string]func(json.RawMessage) json.RawMessage{
		"envelope": func(b json.RawMessage) json.RawMessage {
			return pack(map[string]any{"code": 0, "message": "ok", "data": b})
		},
		"envelope of text": func(b json.RawMessage) json.RawMessage {
			return pack(map[string]any{"code": "success", "data": string(b)})
		},
		"two envelopes": func(b json.RawMessage) json.RawMessage {
			return pack(map[string]any{"data": map[string]any{"data": b}})
		},
		"result":            func(b json.RawMessage) json.RawMessage { return pack(map[string]any{"result": b}) },
		"a list of one":     func(b json.RawMessage) json.RawMessage { return pack([]any{b}) },
		"text":              func(b json.RawMessage) json.RawMessage { return pack(string(b)) },
		"a byte order mark": func(b json.RawMessage) json.RawMessage { return append([]byte("\xef\xbb\xbf \n"), b...) },
		"fields of its own": func(b json.RawMessage) json.RawMessage {
			return pack(map[string]any{"code": 200, "success": true, "msg": "ok", "trace_id": "t", "data": b})
		},
		"a list in envelope": func(b json.RawMessage) json.RawMessage { return pack(map[string]any{"code": 200, "data": []any{b}}) },
	}
}

// notInLists are recordings whose object does not show that it is a task once it is an
// item of a list: an item may as well be a song, or a row of anything else.
var notInLists = map[string]bool{
	"music.query.flat": true, "native.query.done": true, "videos.query.operation-done": true,
	"videos.query.data-list-of-one": true, "videos.query.numeric-state": true,
}

// TestRecordingsInOtherClothes decodes our recorded queries inside envelopes: what they
// say has to be found all the same.
func TestRecordingsInOtherClothes(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "recorded", "*.query.*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		raw, err := os.ReadFile(filepath.Clean(file))
		require.NoError(t, err)
		var rec recording
		require.NoError(t, json.Unmarshal(raw, &rec))
		body := rec.Response.Body
		if rec.Want == nil || rec.Want.Refused || len(body) == 0 || body[0] != '{' {
			continue
		}
		base := strings.TrimSuffix(filepath.Base(file), ".json")
		for name, dress := range clothes(t) {
			if name == "a list in envelope" && notInLists[base] {
				continue
			}
			t.Run(base+" in "+name, func(t *testing.T) {
				dressed := rec
				dressed.Response.Body = dress(body)
				task, err := byName(t, formatOf(rec.Request.Path)).DecodeQuery(dressed.response())
				checkWanted(t, *rec.Want, task, err)
			})
		}
	}
}
