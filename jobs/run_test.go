package jobs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// ofRun is a submission for a slot of a run.
func ofRun(run, cell string) jobs.Submission {
	s := sub("a kite")
	s.Run, s.Cell = run, cell
	return s
}

// TestRunAndCell: a job says which slot of which run it is for, on the board, in the history and
// where it is sent again by a person; a run of five hundred is one transaction.
func TestRunAndCell(t *testing.T) {
	t.Parallel()
	inserts := 0
	run(t, func(r *rig, o *jobs.Options) {
		r.store.Fail = func(op string, c *jobs.Change) error {
			if op == "insert" {
				inserts++
				if c.Job.Cell == "broken" {
					return errBroken
				}
			}
			return nil
		}
		r.gate.create = func(client.Draft, int) (client.Task, error) {
			return client.Task{}, &client.CreateError{Outcome: client.OutcomeAmbiguous, Err: errBroken}
		}
		o.MaxCreates = 1
	}, func(r *rig) {
		a, b := uuid.Must(uuid.NewV7()).String(), uuid.Must(uuid.NewV7()).String()
		var subs []jobs.Submission
		for i := range 500 {
			subs = append(subs, ofRun(a, fmt.Sprintf("%d.%d", i/3+1, i%3+1)))
		}
		_, ids, err := jobs.SubmitGroup(ctx0, r.e, append(subs, ofRun(b, "12.w1")))
		require.NoError(t, err)
		require.Len(t, ids, 501)
		assert.Equal(t, 501, inserts)
		r.pass(1)
		for i, id := range []string{ids[1], ids[500]} {
			want := []string{a, "1.2", b, "12.w1"}[2*i:][:2]
			for _, j := range []jobs.Job{r.job(id), r.kept(id).Job} {
				assert.Equal(t, want, []string{j.Run, j.Cell})
			}
		}
		p, err := r.e.List(ctx0, jobs.Query{Run: b})
		require.NoError(t, err)
		require.Len(t, p.Jobs, 1)
		assert.Equal(t, ids[500], p.Jobs[0].ID)

		r.pass(1)
		require.Equal(t, jobs.Ambiguous, r.job(ids[0]).State)
		again, err := r.e.Resend(ctx0, ids[0])
		require.NoError(t, err)
		assert.Equal(t, []string{a, "1.1"}, []string{r.job(again).Run, r.job(again).Cell}, "a person may; nothing else does")

		_, _, err = jobs.SubmitGroup(ctx0, r.e, []jobs.Submission{ofRun(b, "1.1"), ofRun(b, "broken")})
		require.ErrorIs(t, err, errBroken)
		p, err = r.e.List(ctx0, jobs.Query{Run: b})
		require.NoError(t, err)
		assert.Len(t, p.Jobs, 1, "all of a run, or none")
	})
}

// TestUnfitRuns: a run has the id of one, and a slot a short plain name; both or none.
func TestUnfitRuns(t *testing.T) {
	t.Parallel()
	run(t, nil, func(r *rig) {
		id := uuid.Must(uuid.NewV7()).String()
		for _, bad := range [][2]string{
			{id, ""}, {"", "1.1"}, {"run", "1.1"}, {strings.ToUpper(id), "1.1"}, {"{" + id + "}", "1.1"},
			{id, "1 1"}, {id, "1\n"}, {id, "é"}, {id, strings.Repeat("1", jobs.MaxCell+1)},
		} {
			_, err := r.e.Submit(ctx0, []jobs.Submission{ofRun(bad[0], bad[1])})
			require.Error(t, err, bad)
			j := storetest.NewJob("x")
			j.Run, j.Cell = bad[0], bad[1]
			rec := jobs.Record{Job: j}
			require.Error(t, rec.Check(), bad)
		}
		_, err := r.e.Submit(ctx0, []jobs.Submission{ofRun(id, strings.Repeat("~", jobs.MaxCell))})
		require.NoError(t, err)
	})
}
