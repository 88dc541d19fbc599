package inspect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRead(t *testing.T) {
	id := func(v, from string) Subject { return Subject{KindID, v, from} }
	for name, x := range map[string]struct {
		text string
		want []Subject
	}{
		"nothing":              {" \n\t", nil},
		"an id":                {"  video_abc123 \n", []Subject{id("video_abc123", "")}},
		"in quotes":            {"\"task-9\",", []Subject{id("task-9", "")}},
		"digits of a job":      {"1a2b3c4d", []Subject{id("1a2b3c4d", "")}},
		"any word":             {"operations/abc", []Subject{id("operations/abc", "")}},
		"unseen characters":    {"\u200bvideo_\u202eabc123\u200b", []Subject{id("video_abc123", "")}},
		"many lines":           {"a-1\nb-2\r\na-1\n\nc-3", []Subject{id("a-1", ""), id("b-2", ""), id("c-3", "")}},
		"from a terminal":      {"a-1\rb 2\rc-3\r", []Subject{id("a-1", ""), id("c-3", "")}},
		"a letter":             {"Hello support,\n\nmy task_id=vid_1 hangs.\nBye", []Subject{id("vid_1", "task_id in the text")}},
		"a key beside an id":   {`curl -H "Authorization: Bearer 0123456789abcdef0123456789abcdef" -H 'x-api-key: 0190c7e2-1111-7abc-8def-0123456789ab' task_id=t-77`, []Subject{id("t-77", "task_id in the text")}},
		"a query address":      {"https://gw.example/v1/videos/video_1/content?x=1", []Subject{id("video_1", "the path of an address")}},
		"an escaped path":      {"/api/v1/tasks/a%20b%2Fc", []Subject{id("a b/c", "a path")}},
		"a result":             {"https://cdn.example/r/a.mp4?sig=x%2Fy", []Subject{{KindResult, "https://cdn.example/r/a.mp4?sig=x%2Fy", ""}}},
		"a line of a log":      {`2026-11-22T10:00:00Z WARN poll failed task_id=cgt-20261122-x7 status=500 request_id="4f-9"`, []Subject{id("cgt-20261122-x7", "task_id in the text"), {KindRequest, "4f-9", "request_id in the text"}}},
		"one word of a log":    {"task_id=77", []Subject{id("77", "task_id in the text")}},
		"a header":             {"X-Oneapi-Request-Id: 20261122aa", []Subject{{KindRequest, "20261122aa", "x-oneapi-request-id in the text"}}},
		"a paragraph":          {"Hello, my video (task 88412) is stuck since yesterday; the page was https://cdn.example/a.mp4.", []Subject{{KindResult, "https://cdn.example/a.mp4", "an address in the text"}, id("88412", "task in the text")}},
		"words that name none": {"the task failed and the job was lost, id please", nil},
		"a UUID in a sentence": {"look at 0190c7e2-1111-7abc-8def-0123456789ab, please", []Subject{id("0190c7e2-1111-7abc-8def-0123456789ab", "looks like one")}},
		"a curl":               {`curl -H "Authorization: Bearer x" https://gw.example/famN/fetch/task_9`, []Subject{id("task_9", "the path of an address")}},
		"a body":               {`{"id":"v-1","task_id":"v-1x","status":"queued"}`, []Subject{id("v-1", "id in a JSON body")}},
		"output and request":   {`{"output":{"task_id":"t-1"},"request_id":"r-1"}`, []Subject{{KindRequest, "r-1", "request_id in a JSON body"}, id("t-1", "task_id in a JSON body")}},
		"a music create":       {`{"code":"success","data":"task_1"}`, []Subject{id("task_1", "data in a JSON body")}},
		"an operation":         {`{"name":"models/m/operations/o-1"}`, []Subject{id("models/m/operations/o-1", "name in a JSON body")}},
		"an image's number":    {`{"id":12345678901234567890}`, []Subject{id("12345678901234567890", "id in a JSON body")}},
		"a list":               {`[{"id":"a"},{"id":"b"},"c"]`, []Subject{id("a", "id in a JSON body"), id("b", "id in a JSON body"), id("c", "")}},
		"a body in a log":      {`WARN answer {"task_id":"z-1"}`, []Subject{id("z-1", "task_id in a JSON body in a line")}},
		"bodies in lines":      {"{\"id\":\"a\"}\n{\"id\":\"b\"}\nc-3 ", []Subject{id("a", "id in a JSON body"), id("b", "id in a JSON body"), id("c-3", "")}},
		"broken JSON":          {`{"task_id": "z-2", `, []Subject{id("z-2", "task_id in the text")}},
	} {
		assert.Equal(t, x.want, Read(x.text), name)
	}
	assert.Len(t, []rune(Read(strings.Repeat("ü", 2*maxValue))[0].Value), maxValue)
	assert.Len(t, Read(strings.Repeat("{\"id\":", 1000)), 0)
}

func TestColumn(t *testing.T) {
	head := []string{"Ticket", "ID", " Task_ID ", "Customer"}
	assert.Equal(t, 2, Column(head, ""))
	assert.Equal(t, 0, Column(head, "ticket"))
	assert.Equal(t, -1, Column(head, "video"))
	assert.Equal(t, -1, Column([]string{"a", "b"}, ""))
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"video_1", "https://e.com/v1/videos/a%zz", `{"id":["x"]}`, "task id: \x00", "[[[[", "request-id 1\n\n{"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		seen := map[Subject]bool{}
		for _, x := range Read(s) {
			key := Subject{Kind: x.Kind, Value: x.Value}
			if x.Value == "" || seen[key] || strings.ContainsAny(x.Value, "\n\r\x1b") {
				t.Fatalf("%+v", x)
			}
			seen[key] = true
		}
	})
}
