package wire_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats/wire"
	"darkroom/client/formattest"
)

func body(t *testing.T, b *wire.Body) string {
	raw, err := b.Bytes()
	require.NoError(t, err)
	require.True(t, json.Valid(raw))
	return string(raw)
}

func TestBodyKeepsOrderDigitsAndText(t *testing.T) {
	b := wire.NewBody()
	require.NoError(t, b.Set("z", "<a href=\"x\">&\u2028\x01"))
	require.NoError(t, b.Set("a", json.Number("1.50")))
	require.NoError(t, b.Set("p.ratio", "16:9"))
	require.NoError(t, b.Set("p", map[string]any{"seed": json.Number("9007199254740993")}))
	require.NoError(t, b.Set("p.deep.er", true))
	require.NoError(t, b.Set("z", "again"))
	assert.Equal(t, `{"z":"again","a":1.50,"p":{"ratio":"16:9","seed":9007199254740993,"deep":{"er":true}}}`, body(t, b))
	require.Error(t, b.Set("a.b", 1), "a number is no object")
	require.Error(t, b.Set("", 1))
	require.NoError(t, b.Merge(map[string]json.RawMessage{"a": json.RawMessage(" null "), "n": json.RawMessage(`[1, 2]`)}))
	assert.Equal(t, `{"z":"again","a":null,"p":{"ratio":"16:9","seed":9007199254740993,"deep":{"er":true}},"n":[1,2]}`, body(t, b))
}

func TestBodyRefusesWhatIsNoJSON(t *testing.T) {
	for _, v := range []any{json.Number(""), json.Number("1e"), json.Number("0x1"), json.Number(`1,"x":2`), func() {}} {
		b := wire.NewBody()
		require.NoError(t, b.Set("x", v))
		_, err := b.Bytes()
		require.Error(t, err, "%v", v)
	}
	var deep any = "x"
	for range 100 {
		deep = []any{deep}
	}
	b := wire.NewBody()
	require.NoError(t, b.Set("x", deep))
	_, err := b.Bytes()
	require.Error(t, err)
}

func TestBodyTextSurvives(t *testing.T) {
	for _, s := range []string{"", "plain", "a\"b\\c\n\t\x7f", "雨 🪁", "</script>", strings.Repeat("A", 100_000)} {
		b := wire.NewBody()
		require.NoError(t, b.Set("s", s))
		var got struct{ S string }
		require.NoError(t, json.Unmarshal([]byte(body(t, b)), &got))
		assert.Equal(t, s, got.S)
	}
}

func TestStatusTerms(t *testing.T) {
	for want, terms := range map[client.Status]string{
		client.StatusQueued:    "queued QUEUED Queueing queuing pending created submitted NOT_START not-started waiting",
		client.StatusRunning:   "running RUNNING processing in_progress In-Progress IN_PROGRESS generating streaming",
		client.StatusCompleted: "completed complete succeeded SUCCEEDED succeed success SUCCESS done finished",
		client.StatusFailed:    "failed FAILED failure FAILURE fail error cancelled canceled CANCELED expired timeout rejected incomplete",
		client.StatusUnknown:   "unknown UNKNOWN - ? created! deleted2",
	} {
		for _, term := range strings.Fields(terms) {
			assert.Equal(t, want, wire.Status(term), term)
		}
	}
	assert.Equal(t, client.StatusUnknown, wire.Status(""))
	assert.Equal(t, client.StatusRunning, wire.Status(" in progress "))
}

// Fields that only look like an end: completed_at was seen on running tasks, as was an
// empty metadata.url.
func TestOnlyTheStateEndsATask(t *testing.T) {
	task, err := wire.Read([]byte(`{"id":"task_1","status":"in_progress","progress":100,"completed_at":1763646000,
		"metadata":{"url":""},"video_url":"https://h/v.mp4","expires_at":1763649600}`), "videos")
	require.NoError(t, err)
	got, err := task.Videos().Queried()
	require.NoError(t, err)
	assert.Equal(t, client.StatusRunning, got.Status)
	assert.Empty(t, got.Assets)
}

func TestWebURL(t *testing.T) {
	for _, s := range []string{"https://h/x", "http://127.0.0.1:8400/f?a=b", "HTTPS://h/x", "/files/a.mp4"} {
		_, ok := wire.WebURL(s)
		assert.True(t, ok, s)
	}
	for _, s := range []string{
		"", "moderation_failure", "http://", "https:///x", "file:///etc/passwd", "javascript:x", "data:image/png;base64,AA",
		"//h/x", "/", "ftp://h/x", "https://u:p@h/x", "see https://h/x", "https://h/a b", "/9j/4AAQSkZJRg", "https://h/\x1b[2J",
	} {
		_, ok := wire.WebURL(s)
		assert.False(t, ok, s)
	}
}

func TestTimes(t *testing.T) {
	want := time.Date(2026, 11, 20, 13, 29, 6, 0, time.UTC).Unix()
	for _, s := range []string{`1795181346`, `"1795181346"`, `1795181346000`, `"1795181346000"`, `1795181346000000`, `"2026-11-20T13:29:06Z"`, `"2026-11-20T21:29:06+08:00"`} {
		task := read(t, `{"id":"x","status":"queued","created_at":`+s+`}`)
		assert.Equal(t, want, task.CreatedAt.Unix(), s)
	}
	for _, s := range []string{`0`, `null`, `""`, `"soon"`, `-5`, `1e300`, `"0000-00-00 00:00:00"`, `{}`} {
		task := read(t, `{"id":"x","status":"queued","created_at":`+s+`}`)
		assert.True(t, task.CreatedAt.IsZero(), s)
		assert.Contains(t, task.Extra, "created_at", "what was not understood is kept")
	}
}

func TestTimesOfAnEndedTask(t *testing.T) {
	task := read(t, `{"id":"x","status":"completed","created_at":10,"start_time":20,"completed_at":30,"updated_at":40}`)
	assert.Equal(t, []int64{10, 20, 30, 40}, []int64{task.CreatedAt.Unix(), task.StartedAt.Unix(), task.EndedAt.Unix(), task.UpdatedAt.Unix()})
	assert.Empty(t, task.Extra)
	task = read(t, `{"id":"x","status":"running","completed_at":30}`)
	assert.True(t, task.EndedAt.IsZero(), "what goes on has not ended, whatever is stamped")
	assert.Equal(t, int64(30), task.UpdatedAt.Unix())
}

func TestTimesWithoutAZoneAreKeptAsSent(t *testing.T) {
	task := read(t, `{"output":{"task_id":"x","task_status":"SUCCEEDED","submit_time":"2026-11-20 13:29:06.123","scheduled_time":"2026-11-20T13:29:07","end_time":"2026-11-20 13:30:00"}}`)
	assert.Equal(t, client.AsSent{Created: "2026-11-20 13:29:06.123", Started: "2026-11-20T13:29:07", Ended: "2026-11-20 13:30:00"}, task.AsSent)
	assert.True(t, task.CreatedAt.IsZero() && task.StartedAt.IsZero() && task.EndedAt.IsZero())
	assert.Empty(t, task.Extra)
}

func read(t *testing.T, body string) client.Task {
	r, err := wire.Read([]byte(body), "test")
	require.NoError(t, err)
	task, err := r.Videos().Queried()
	require.NoError(t, err)
	return task
}

func TestProgress(t *testing.T) {
	for s, want := range map[string]float64{
		`37`: 37, `37.5`: 37.5, `"30%"`: 30, `"30"`: 30, `" 5 % "`: 5, `0`: 0, `"0%"`: 0, `250`: 100,
		`null`: -1, `""`: -1, `"half"`: -1, `-3`: -1, `true`: -1, `{}`: -1, `"NaN"`: -1,
	} {
		assert.InDelta(t, want, read(t, `{"id":"x","status":"running","progress":`+s+`}`).Progress, 1e-9, s)
	}
}

func TestAnEnvelopesOwnStatusIsNotTheTasks(t *testing.T) {
	task := read(t, `{"status":"success","data":{"status":"running"}}`)
	assert.Equal(t, client.StatusRunning, task.Status)
	task = read(t, `{"code":0,"id":"req-1","status":"success","data":{"task_id":"t-1","status":"running"}}`)
	assert.Equal(t, client.StatusRunning, task.Status)
	assert.Equal(t, "t-1", task.ID)
}

func TestSegment(t *testing.T) {
	for id, want := range map[string]string{
		"task_1": "task_1", "a/b?c": "a%2Fb%3Fc", "..": "%2E%2E", ".": "%2E", "a b": "a%20b", "x#y": "x%23y", "%41": "%2541",
	} {
		assert.Equal(t, want, wire.Segment(id))
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range formattest.Hostile() {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, look := range []func(*wire.Task) *wire.Task{(*wire.Task).Videos, (*wire.Task).Songs, (*wire.Task).Images} {
			r, err := wire.Read(body, "test")
			if err != nil {
				assert.Equal(t, err.Error(), client.CleanLine(err.Error()))
				return
			}
			if task, err := look(r).Queried(); err == nil {
				formattest.Sane(t, task)
			}
		}
	})
}
