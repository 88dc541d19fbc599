package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/client/catalog"
)

// shapes are answers of each format with a state that is to be put in.
var shapes = map[string]string{
	"videos":    `{"id":"x","status":%q}`,
	"content":   `{"id":"x","status":%q}`,
	"ent":       `{"id":"x","state":%q}`,
	"tasks":     `{"output":{"task_id":"x","task_status":%q}}`,
	"status":    `{"task_id":"x","status":%q}`,
	"responses": `{"id":"x","object":"response","status":%q}`,
	"music":     `{"id":"x","status":%q}`,
}

// stateSentences are "States and transitions": each listed term, in its format and field,
// and what it means.
func stateSentences() []sentence {
	states := func(id, format, terms string) sentence {
		return sentence{id: id, says: terms, holds: func(t *testing.T, _ *catalog.Catalog) {
			for pair := range strings.FieldsSeq(terms) {
				term, want, _ := strings.Cut(pair, "=")
				task := queried(t, format, fmt.Sprintf(shapes[format], term))
				assert.Equal(t, client.Status(want), task.Status, pair)
				assert.Equal(t, term, task.RawStatus, "the term is kept as it came")
				assert.Equal(t, want == "completed" || want == "failed", task.Status.Terminal(), pair)
			}
		}}
	}
	out := []sentence{
		states("states.common", "videos", "completed=completed failed=failed"),
		states("states.content", "content", "queued=queued running=running succeeded=completed failed=failed"),
		states("states.ent", "ent", "created=queued queueing=queued processing=running success=completed failed=failed"),
		states("states.tasks", "tasks", "PENDING=queued RUNNING=running SUCCEEDED=completed FAILED=failed UNKNOWN=unknown"),
		states("states.status", "status", "queued=queued in_progress=running completed=completed failed=failed"),
		states("states.responses", "responses", "queued=queued in_progress=running completed=completed failed=failed"),
		{id: "states.native", says: "done", holds: func(t *testing.T, _ *catalog.Catalog) {
			assert.Equal(t, client.StatusRunning, queried(t, "native", `{"name":"o","done":false}`).Status)
			assert.Equal(t, client.StatusCompleted, queried(t, "native", `{"name":"o","done":true,"response":{}}`).Status)
			assert.Equal(t, client.StatusFailed, queried(t, "native", `{"name":"o","done":true,"error":{"message":"no"}}`).Status)
		}},
		states("states.not-shown", "videos", "contemplating=unknown almost_completed=unknown"),
	}
	for format := range shapes {
		out = append(out, states("states.general", format,
			"queuing=queued queued=queued running=running in_progress=running succeeded=completed completed=completed failed=failed"))
	}
	return out
}
