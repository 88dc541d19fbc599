package jobs_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
	"darkroom/jobs/store/storetest"
)

// filler is a gateway that tells something else each time, at length.
func filler(size int) *gateway {
	return &gateway{
		create: func(client.Draft, int) (client.Task, error) {
			t := task("t", client.StatusQueued, "queued")
			t.Raw = fmt.Appendf(nil, `{"id":"t","pad":"%s"}`, bytes.Repeat([]byte("c "), size/2))
			return t, nil
		},
		query: func(id string, n int) (client.Task, error) {
			t := task(id, client.StatusRunning, fmt.Sprint("step ", n))
			t.Raw = fmt.Appendf(nil, `{"n":%d,"pad":"%s"}`, n, bytes.Repeat([]byte("p "), size/2))
			return t, nil
		},
	}
}

// TestAnswersOfAJobAreBounded: a gateway cannot fill the disk with what it says of one job; the
// answer to the create stays, and what is not kept is said.
func TestAnswersOfAJobAreBounded(t *testing.T) {
	t.Parallel()
	st, g := storetest.NewMem(), filler(900<<10)
	e := running(t, jobs.Options{Store: st, Gateway: g, Profile: "p", Curve: schedule.Curve{First: time.Millisecond, Early: 0.001, Knee: time.Millisecond, Max: time.Millisecond}})
	ids, err := e.Submit(t.Context(), []jobs.Submission{{Draft: client.Draft{Modality: client.Video, Model: "m", Prompt: "p"}, Format: "videos"}})
	require.NoError(t, err)
	becomes(t, e, ids[0], func(jobs.Job) bool { return len(g.polls("t")) > 30 })
	n, err := st.KeptBytes(t.Context(), ids[0])
	require.NoError(t, err)
	assert.LessOrEqual(t, n, int64(16<<20)+1<<20)
	assert.Greater(t, n, int64(8<<20))
	d, err := e.Detail(t.Context(), ids[0])
	require.NoError(t, err)
	assert.Contains(t, d.Events[len(d.Events)-1].Message, "not kept")
	for _, ev := range d.Events {
		if ev.Kind == jobs.EventAccepted {
			assert.NotEmpty(t, ev.PayloadSHA)
		}
	}
}

// TestOneAnswerIsBounded: a single answer to a query beyond the bound is told of, not kept; one
// of its length to the create is kept whole.
func TestOneAnswerIsBounded(t *testing.T) {
	t.Parallel()
	st, g := storetest.NewMem(), filler(5<<18) // a quarter more than is kept
	full := false
	e := running(t, jobs.Options{Store: st, Gateway: g, Profile: "p", Room: func() bool { return !full },
		Curve: schedule.Curve{First: time.Millisecond, Early: 0.001, Knee: time.Millisecond, Max: time.Millisecond}})
	ids, err := e.Submit(t.Context(), []jobs.Submission{{Draft: client.Draft{Modality: client.Video, Model: "m", Prompt: "p"}, Format: "videos"}})
	require.NoError(t, err)
	becomes(t, e, ids[0], func(jobs.Job) bool { return len(g.polls("t")) > 3 })
	r, err := st.Records(t.Context(), "", 1)
	require.NoError(t, err)
	large := 0
	for _, b := range r[0].Bodies {
		if len(b) > 1<<20 {
			large++
		}
	}
	assert.Equal(t, 1, large, "the create's")
	d, err := e.Detail(t.Context(), ids[0])
	require.NoError(t, err)
	assert.Contains(t, string(d.Answer), "are kept")
}

// TestAFullDiskKeepsNoAnswers: ids and states are, and it is said.
func TestAFullDiskKeepsNoAnswers(t *testing.T) {
	t.Parallel()
	st, g := storetest.NewMem(), filler(1<<10)
	e := running(t, jobs.Options{Store: st, Gateway: g, Profile: "p", Room: func() bool { return false },
		Curve: schedule.Curve{First: time.Millisecond, Early: 0.001, Knee: time.Millisecond, Max: time.Millisecond}})
	ids, err := e.Submit(t.Context(), []jobs.Submission{{Draft: client.Draft{Modality: client.Video, Model: "m", Prompt: "p"}, Format: "videos"}})
	require.NoError(t, err)
	j := becomes(t, e, ids[0], func(j jobs.Job) bool { return len(g.polls("t")) > 3 && j.State == jobs.Running })
	assert.Equal(t, "t", j.TaskID)
	d, err := e.Detail(t.Context(), ids[0])
	require.NoError(t, err)
	assert.Contains(t, d.Events[len(d.Events)-1].Message, "disk is nearly full")
	assert.Contains(t, string(d.Answer), "c c c", "the create's")
}

// TestACreateThatSaysTooMuchIsAccepted: of a request and an answer that are too long is told what
// they are; the id is kept.
func TestACreateThatSaysTooMuchIsAccepted(t *testing.T) {
	t.Parallel()
	st, g := storetest.NewMem(), filler(1<<10)
	long := fmt.Appendf(nil, `{"id":"t","pad":"%s"}`, bytes.Repeat([]byte("c "), 16<<19))
	g.create = func(client.Draft, int) (client.Task, error) {
		t := task("t", client.StatusQueued, "queued")
		t.Raw = long
		return t, nil
	}
	e := running(t, jobs.Options{Store: st, Gateway: g, Profile: "p", Curve: schedule.Curve{First: time.Hour, Early: 1, Knee: time.Hour, Max: time.Hour},
		RequestBody: func(client.Draft, string) ([]byte, error) { return long, nil }})
	ids, err := e.Submit(t.Context(), []jobs.Submission{{Draft: client.Draft{Modality: client.Video, Model: "m", Prompt: "p"}, Format: "videos"}})
	require.NoError(t, err)
	becomes(t, e, ids[0], func(j jobs.Job) bool { return j.TaskID == "t" })
	d, err := e.Detail(t.Context(), ids[0])
	require.NoError(t, err)
	for _, body := range [][]byte{d.Request, d.Answer} {
		require.Less(t, len(body), 200)
		assert.Equal(t, fmt.Sprintf(`{"darkroom": "this body has %d bytes; of its kind up to 16777216 are kept"}`, len(long)), string(body))
	}
}

// TestARecordIsThatOfTheJob: ids that differ in the last digit alone are told apart.
func TestARecordIsThatOfTheJob(t *testing.T) {
	t.Parallel()
	st := storetest.NewMem()
	var changes []jobs.Change
	for _, last := range "09af" {
		j := jobs.Job{ID: "019515a0-0000-7000-8000-00000000a11" + string(last), Profile: "p", State: jobs.Completed, CreatedAt: time.Unix(1, 0), Remark: string(last)}
		changes = append(changes, jobs.Change{Job: j, Payloads: []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte(`{"n":"` + string(last) + `"}`)}}})
	}
	require.NoError(t, st.Insert(t.Context(), changes))
	e := jobs.NewEngine(jobs.Options{Store: st, Profile: "p"})
	for _, c := range changes {
		r, err := e.Record(t.Context(), c.Job.ID)
		require.NoError(t, err)
		assert.Equal(t, c.Job.ID, r.Job.ID)
		assert.Equal(t, c.Payloads[0].Body, r.Bodies[r.Current[jobs.PayloadAnswer]])
	}
	for _, no := range []string{"", "0", "019515a0-0000-7000-8000-00000000a111", "019515a0-0000-7000-8000-00000000a11", "019515a0-0000-7000-8000-00000000a11g", "\x00"} {
		_, err := e.Record(t.Context(), no)
		assert.ErrorIs(t, err, jobs.ErrNotFound, "%q", no)
	}
}
