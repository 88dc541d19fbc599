package history

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// narrow is a history whose pages are smaller than what was asked for, as those of large jobs are, and
// that fails at a job.
type narrow struct {
	jobs.Store
	page int
	fail string
}

var errNarrow = errors.New("no more")

func (n *narrow) Records(ctx context.Context, after string, limit int) ([]jobs.Record, error) {
	list, err := n.Store.Records(ctx, after, min(limit, n.page))
	if err == nil && n.fail != "" && slices.ContainsFunc(list, func(r jobs.Record) bool { return r.Job.ID == n.fail }) {
		return nil, errNarrow
	}
	return list, err
}

// filled is a history of n jobs, and their ids in order.
func filled(t *testing.T, n int) (*storetest.Mem, []string) {
	t.Helper()
	m := storetest.NewMem()
	var all []jobs.Change
	var ids []string
	for range n {
		j := storetest.NewJob("x")
		all, ids = append(all, storetest.Plan(j)), append(ids, j.ID)
	}
	require.NoError(t, m.Insert(t.Context(), all))
	slices.Sort(ids)
	return m, ids
}

func read(t *testing.T, s jobs.Store) (ids []string, err error) {
	t.Helper()
	pages, stop := ahead(t.Context(), s)
	defer stop()
	for p := range pages {
		for i := range p.records {
			ids = append(ids, p.records[i].Job.ID)
		}
		err = p.err
	}
	return ids, err
}

func TestEachRecordIsReadOnceInOrder(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, exportPage - 1, exportPage, exportPage + 1, 3*exportPage + 7} {
		m, ids := filled(t, n)
		for _, page := range []int{exportPage, 7} {
			got, err := read(t, &narrow{Store: m, page: page})
			require.NoError(t, err)
			assert.Equal(t, ids, got, "%d jobs, pages of %d", n, page)
		}
	}
}

// A part is a range of ids: what is removed or comes while others are read changes none of the rest.
func TestWhatChangesWhileItIsRead(t *testing.T) {
	t.Parallel()
	m, ids := filled(t, 4*exportPage)
	cut := &cutting{Mem: m, ids: ids}
	got, err := read(t, cut)
	require.NoError(t, err)
	left := slices.Clone(ids)
	assert.Equal(t, slices.Delete(left, exportPage/2, exportPage+exportPage/2), got)
}

// cutting takes some jobs at the seam of two parts out once the parts are known.
type cutting struct {
	*storetest.Mem
	ids []string
}

func (c *cutting) Records(ctx context.Context, after string, limit int) ([]jobs.Record, error) {
	list, err := c.Mem.Records(ctx, after, limit+exportPage)
	gone := c.ids[exportPage/2 : exportPage+exportPage/2]
	list = slices.DeleteFunc(list, func(r jobs.Record) bool { return slices.Contains(gone, r.Job.ID) })
	return list[:min(limit, len(list))], err
}

func TestAFailureEndsTheReading(t *testing.T) {
	t.Parallel()
	m, ids := filled(t, 3*exportPage)
	got, err := read(t, &narrow{Store: m, page: 50, fail: ids[exportPage+60]})
	require.ErrorIs(t, err, errNarrow)
	assert.Equal(t, ids[:exportPage+50], got, "what came before is there, and nothing after")
}

func TestTheReadingIsGivenUp(t *testing.T) {
	t.Parallel()
	m, _ := filled(t, 10*exportPage)
	pages, stop := ahead(t.Context(), m)
	for range pages {
		break
	}
	stop() // returns, or the test hangs
}
