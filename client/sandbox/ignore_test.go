package sandbox

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIgnoreLosesWhatItNames: the task is accepted and finished as if that had not been sent.
func TestIgnoreLosesWhatItNames(t *testing.T) {
	b := newBench(t)
	body := `{"model":"famA3","mode":"i2v","prompt":"a kite%","image_url":"https://example.com/a.png","seconds":8,"size":"1280x720","seed":42}`
	made := func(rule string) map[string]any {
		id := b.video(replaced(body, rule))["id"].(string)
		_, m := b.phases("/v1/videos/"+id, "status", "completed", "failed")
		meta, ok := m["metadata"].(map[string]any)
		require.True(t, ok, "%v", m)
		return meta
	}
	whole := made("")
	assert.Equal(t, []any{"1", "8", "1280x720", "42"}, texts(whole, "input_images", "duration", "scaled_from", "seed"))
	lost := made(" [[sandbox:ignore images duration size seed]]")
	assert.Equal(t, []any{"0", "5", "720p"}, texts(lost, "input_images", "duration", "scaled_from"))
	assert.NotEqual(t, "42", texts(lost, "seed")[0])

	for _, wrong := range []string{"ignore", "ignore colours", "ignore images=2 x"} {
		require.Error(t, CheckFault(wrong), wrong)
	}
	require.NoError(t, CheckFault("ignore images size; 500 on=query times=1"))
}

func replaced(body, rule string) string { return strings.ReplaceAll(body, "%", rule) }

func texts(m map[string]any, keys ...string) []any {
	out := make([]any, 0, len(keys))
	for _, k := range keys {
		out = append(out, fmt.Sprint(m[k]))
	}
	return out
}
