package inspect

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
)

// TestTimesAreSwitched by one key; what came without a zone stays as it was sent.
func TestTimesAreSwitched(t *testing.T) {
	b := start(t, 120, 34)
	r := running()
	r.Task.CreatedAt, r.Task.AsSent = r.Task.UpdatedAt, client.AsSent{Ended: "2026-03-01 20:15:00"}
	b.gw.answers["videos"] = r
	b.ask("vid_1")
	assert.Contains(t, b.View(), "Created   2026-03-01 11:59:40 +0000  20 s ago")
	assert.Contains(t, b.View(), "Asked     2026-03-01 12:00:00 +0000")
	b.Key("T")
	assert.Contains(t, b.View(), "Created   2026-03-01 11:59:40Z  20 s ago")
	b.Key("T")
	assert.Contains(t, b.View(), "Created   20 s ago")
	assert.Contains(t, b.View(), "Asked     now")
	assert.Contains(t, b.View(), "2026-03-01 20:15:00  as sent, without a")
}
