package sandbox

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/drift"
)

// What the answers have that the interface does not name is what other gateways send, too, or listed as
// this gateway's own; and what is listed is there.
func TestWhatIsOursIsListed(t *testing.T) {
	b := newBench(t)
	l, err := drift.Embedded()
	require.NoError(t, err)
	own := map[string]bool{}
	check := func(format string, of drift.Of, method, path, body string) map[string]any {
		w := b.do(method, path, body)
		require.Equal(t, http.StatusOK, w.Code, "%s %s: %s", method, path, w.Body)
		for _, x := range l.Own(l.Check(format, of, w.Body.Bytes())) {
			assert.False(t, x.Alarm(), "%s %s: %s", format, of, x.Text())
			if x.Own {
				own[format+" "+string(of)+" "+x.Path] = true
			}
		}
		return object(t, w)
	}
	for _, c := range []struct{ format, create, body, id, query string }{
		{"videos", "/v1/videos", `{"model":"famA3","external_task_id":"e-1",` + small, "id", "/v1/videos/%s"},
		{"content", "/api/v3/contents/generations/tasks", `{"model":"famI-omni","duration":4,"fps":2`, "id", "/api/v3/contents/generations/tasks/%s"},
		{"ent", "/ent/v2/img2video", `{"model":"famJq3-turbo"`, "task_id", "/ent/v2/tasks/%s/creations"},
		{"tasks", "/v1/videos", `{"model":"famC-1.0-t2v","seconds":1,"fps":2`, "id", "/api/v1/tasks/%s"},
		{"status", "/v1/videos", `{"model":"famF-video","model_name":"famF-v3","mode":"t2v","seconds":1,"fps":2`, "id", "/famF/v1/videos/image2video/%s"},
		{"music", "/famN/submit/music", `{"model":"famN_music"`, "data", "/famN/fetch/%s"},
		{"responses", "/v1/responses", `{"model":"famL","background":true`, "id", "/v1/responses/%s"},
	} {
		for _, prompt := range []string{"a kite", "a kite [[sandbox:fail]]"} {
			created := c.format
			if c.create == "/v1/videos" {
				created = "videos"
			}
			id := check(created, drift.Create, "POST", c.create, c.body+`,"prompt":"`+prompt+`"}`)[c.id].(string)
			for range 3 {
				check(c.format, drift.Query, "GET", replace(c.query, id), "")
				b.clock.advance(2500 * time.Millisecond)
			}
			check(c.format, drift.Query, "GET", replace(c.query, id), "")
		}
	}
	check("images", drift.Create, "POST", "/v1/images/generations", `{"model":"famL","prompt":"a fox","image":"https://example.com/a.png"}`)
	for _, want := range []string{"videos create external_task_id", "videos query external_task_id", "videos query started_at", "videos query cover_url", "videos query last_frame_url",
		"content query usage.scaled_from", "content query usage.input_images", "ent query scaled_from", "ent query input_images", "tasks query usage.input_images",
		"tasks query usage.scaled_from", "status query metadata.scaled_from", "status query metadata.input_images", "images create note"} {
		assert.True(t, own[want], "%s is listed and not sent", want)
	}
	assert.Len(t, own, 14)
}
