package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

func TestDrift(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.Contains(t, w.ok("drift").out, "nothing in 0 kept answers")
	job := w.ok("-p", "sandbox", "create", "video", "waves", "--wait", "-o", "json").object(t)
	r := w.ok("-p", "sandbox", "drift", "--elsewhere")
	require.Regexp(t, `(?m)^videos +create +1 +\S+ \S+ [+-]\d{4} +`+jobs.ShortID(text(t, job, "id"))+` +progress \(a whole number\) is not listed \(seen at other gateways\)$`, r.out)
	require.Regexp(t, `(?m)^videos +query +\d+ .* cover_url \(text\) is not listed \(the embedded gateway's own\)$`, r.out)
	require.Regexp(t, `^nothing in \d+ kept answers that the interface does not name\n$`, w.ok("-p", "sandbox", "drift").out, "the embedded gateway alarms nobody")
	r = w.ok("-p", "sandbox", "inspect", text(t, job, "task_id"))
	require.Contains(t, r.out, "which are the embedded gateway's own")
	require.NotContains(t, r.out, "not as the interface has it")
	require.NotContains(t, w.ok("-p", "sandbox", "drift", "--elsewhere").out, "prompt (text)", "the request that we sent is no answer")
	rows := w.ok("-p", "sandbox", "drift", "--elsewhere", "--days", "1", "-o", "json").array(t)
	require.Equal(t, "videos", rows[0].(map[string]any)["format"])
	require.Equal(t, "create", rows[0].(map[string]any)["of"])
	w.fails(kit.ExitUsage, []string{"--days -1"}, "drift", "--days", "-1")
}

// TestDriftOfOthersTasks is counted when they are looked up, though no job keeps their answers.
func TestDriftOfOthersTasks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	support(t, w)
	w.ok("inspect", "700000000004")
	w.ok("inspect", "700000000004", "700000000002")
	r := w.ok("drift")
	require.Regexp(t, `(?m)^ent +query +2 +\S+ \S+ [+-]\d{4} +700000000004 +state is "napping", a term that is not listed$`, r.out)
	require.Contains(t, w.ok("drift", "--days", "1").out, "napping")
}
