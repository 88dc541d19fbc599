package lookup

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// pages is a history whose search finds many jobs, a page at a time.
type pages struct {
	history
	err error
}

func (p pages) List(ctx context.Context, q jobs.Query) (jobs.Page, error) {
	if p.err != nil || q.Text == "" {
		page, _ := p.history.List(ctx, q)
		return page, p.err
	}
	from := 0
	_, _ = fmt.Sscan(q.Before, &from)
	page := jobs.Page{Jobs: p.history[from:min(from+q.Limit, len(p.history))]}
	if from+q.Limit < len(p.history) {
		page.Next = fmt.Sprint(from + q.Limit)
	}
	return page, nil
}

func TestNamed(t *testing.T) {
	h := pages{}
	for i := range 450 {
		h.history = append(h.history, jobs.Job{ID: fmt.Sprintf("0195-%06d", i), TaskID: fmt.Sprint("task-", i/2)})
	}
	h.history[440].Draft = client.Draft{Cut: true}
	for _, c := range []struct {
		word  string
		least int
		want  []string
		ended bool
	}{
		{"0195-000007", 4, []string{"0195-000007"}, false},
		{"task-3", 4, []string{"0195-000006", "0195-000007"}, false},
		{"000441", 4, []string{"0195-000441"}, true},
		{"9944", 4, nil, true},
		{"044", 4, nil, false},
		{"00441", 0, nil, false},
		{"17", 2, []string{"0195-000017", "0195-000117", "0195-000217", "0195-000317", "0195-000417"}, true},
	} {
		got, ended, err := Named(t.Context(), h, c.word, c.least)
		require.NoError(t, err)
		var ids []string
		for _, j := range got {
			ids = append(ids, j.ID)
		}
		assert.Equal(t, c.want, ids, c.word)
		assert.Equal(t, c.ended, ended, c.word)
	}
	j, err := Whole(t.Context(), h, jobs.Job{ID: "0195-000441", Draft: client.Draft{Cut: true}})
	require.NoError(t, err)
	assert.Equal(t, "task-220", j.TaskID, "read anew")
	_, _, err = Named(t.Context(), pages{err: errors.New("away")}, "x", 1)
	require.EqualError(t, err, "away")
}
