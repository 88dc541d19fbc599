package drifted

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client/drift"
	"darkroom/jobs"
)

func TestHowFarTheLookIs(t *testing.T) {
	t.Parallel()
	require.Equal(t, "120 of 4000 jobs looked through, 700 answers", words(120, 700, 4000))
	require.Equal(t, "1 job looked through, 1 answer", words(1, 1, -1), "of the last days, nobody knows how many")
	require.Equal(t, "0 of 0 jobs looked through, 0 answers", words(0, 0, 0))
}

// pages is a history that hands over two records at a time.
type pages []jobs.Record

func (p pages) Count(context.Context) (int64, error) { return int64(len(p)), nil }

func (p pages) Records(ctx context.Context, after string, _ int) ([]jobs.Record, error) {
	i := slices.IndexFunc(p, func(r jobs.Record) bool { return r.Job.ID > after })
	if i < 0 || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return p[i:min(i+2, len(p))], nil
}

func record(id, profile, body string) jobs.Record {
	return jobs.Record{Job: jobs.Job{ID: id, TaskID: "t-" + id, Profile: profile, Format: "videos"},
		Bodies: map[string][]byte{"sha": []byte(body)}, Current: map[jobs.PayloadKind]string{jobs.PayloadAnswer: "sha"}}
}

func TestAllAnswersOfTheHistoryAreCounted(t *testing.T) {
	t.Parallel()
	const odd = `{"id":"v","status":"completed","cover_url":"x"}`
	now := time.Now()
	old, fresh := firstID(now.Add(-72*time.Hour)), firstID(now)
	h := pages{record(old, "work", odd), record(fresh, "sandbox", odd), record(strings.Replace(fresh, "0000-0000-0000", "0000-0000-0001", 1), "work", `{"id":"v","status":"completed"}`)}
	l := Look{History: h, Embedded: "sandbox"}
	var (
		c   drift.Counter
		far []string
	)
	require.NoError(t, l.Count(t.Context(), &c, func(s string) { far = append(far, s) }))
	require.Equal(t, 3, c.Answers)
	require.Len(t, c.Rows(false), 1, "the embedded gateway's own is no alarm")
	require.Len(t, c.Rows(true), 2)
	require.Equal(t, old, c.Rows(false)[0].Example)
	require.Equal(t, "0 of 3 jobs looked through, 0 answers", far[0])
	require.Equal(t, "3 of 3 jobs looked through, 3 answers", far[len(far)-1])

	l.Since, c, far = now.Add(-time.Hour), drift.Counter{}, nil
	require.NoError(t, l.Count(t.Context(), &c, func(s string) { far = append(far, s) }))
	require.Equal(t, 2, c.Answers)
	require.Equal(t, "2 jobs looked through, 2 answers", far[len(far)-1])

	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("enough"))
	require.ErrorIs(t, l.Count(ctx, &c, func(string) {}), context.Canceled)
}
