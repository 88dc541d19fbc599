package wire

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzSplit holds the reader of objects against encoding/json.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		`{}`, ` { } `, `{"a":1}`, `{"a":{"b":[1,{"c":"}"}]},"d":"\"]"}`, `{"a":1,"a":2}`, `{"a\u0062":"\ud83d\ude00","x":-1.5e3 , "y" : null }`,
		"{\"\xff\":\"\xff\"}", `{"a":true}`, "{\n\"a\"\t:\r[ ]\n}", `{"":""}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var want map[string]json.RawMessage
		if json.Unmarshal(b, &want) != nil || want == nil {
			_, _ = parse(b) // it may take more, but never panics
			return
		}
		o, err := parse(b)
		require.NoError(t, err)
		require.Len(t, o.list, len(want))
		for k, v := range want {
			require.Equal(t, string(v), string(o.get(k)), "%q", k)
			var s string
			if json.Unmarshal(v, &s) == nil && v[0] == '"' {
				require.Equal(t, s, o.Str(k))
			}
		}
	})
}

// FuzzPacked reads answers of any shape for every kind of result: what a string pretends to
// hold never breaks the reader.
func FuzzPacked(f *testing.F) {
	for _, n := range []string{"items", "creations", "results", "videos", "songs", "data", "output", "error"} {
		for _, v := range []string{`"{"`, `"{bad"`, `"{\"status\":\"failed\",\"error\":\"x"`, `"[{"`, `"{}"`, `"{} {"`, `["{"]`, `"\"{"`} {
			for _, status := range []string{"completed", "failed", "running"} {
				f.Add([]byte(`{"id":"x","status":"` + status + `","` + n + `":` + v + `}`))
				f.Add([]byte(`{"` + n + `":` + v + `}`))
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, kind := range []func(*Task) *Task{(*Task).Videos, (*Task).Songs, (*Task).Images} {
			if task, err := Read(b, "f"); err == nil {
				got, _ := kind(task).Queried()
				require.LessOrEqual(t, got.Progress, 100.0)
			}
		}
		_, _, _ = ParseList(b, "data", "models")
	})
}

func TestManyMembersAreFoundByName(t *testing.T) {
	var m members
	for i := range 3 * fewMembers {
		m.set(string(rune('A'+i)), json.RawMessage{byte(i)})
	}
	m.set("A", json.RawMessage("x"))
	require.Len(t, m.list, 3*fewMembers)
	require.Equal(t, "x", string(m.get("A")))
	require.Equal(t, byte(3*fewMembers-1), m.get(string(rune('A' + 3*fewMembers - 1)))[0])
	require.Nil(t, m.get("nothing"))
}
