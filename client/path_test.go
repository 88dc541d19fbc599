package client_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func TestCheckTaskID(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"video_68f0a1b2c3", "task_1", "t", "7", "cgt-20251120093015-x7k2p", "843912055871232001", "resp_68e9c0ffee",
		"0198c0de-0000-7000-8000-000000000001", "models/famA3/operations/abc-123",
		"projects/p/locations/us-central1/publishers/x/models/famA3.1/operations/0f3c:7", "dGFzazox+/8=", "a.b~c!d*e(f),g;h@i&j$k%20",
		"video_" + strings.Repeat("x", 4000),
	} {
		require.NoError(t, client.CheckTaskID(id))
	}
	for id, says := range map[string]string{
		"": "give the task id", " ": "neither", "...": "neither", "/": "neither", "task 7": "' '", "task-7\n": `'\n'`, "a\x1b[31m": "is in no task id",
		"a\u202eb": "is in no task id", "a\xffb": "is in no task id", "vidéo": "'é'", `"video_1"`: `'"'`, "<id>": "'<'", "a?b=c": "'?'", "a\\b": "is in no task id",
		"https://gateway.example/v1/videos/video_1": "an address", strings.Repeat("x", 4097): "4097 bytes, 4096 are the most",
	} {
		err := client.CheckTaskID(id)
		require.ErrorContains(t, err, says, "%q", id)
		assert.Equal(t, client.CleanLine(err.Error()), err.Error(), "%q", id)
	}
}
