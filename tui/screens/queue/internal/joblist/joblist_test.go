package joblist_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screens/queue/internal/joblist"
)

func job(n, polls int) *jobs.Job {
	return &jobs.Job{ID: fmt.Sprintf("%04d", n), Profile: "a", Polls: polls, UpdatedAt: time.Unix(int64(n), 0)}
}

func ids(l *joblist.List) (out []string) {
	for i := range l.Len() {
		out = append(out, l.At(i).ID)
	}
	return out
}

func mostPolls(a, b *jobs.Job) int { return cmp.Compare(b.Polls, a.Polls) }

func TestTheNewestIsFirst(t *testing.T) {
	l := joblist.New(nil)
	for _, n := range []int{2, 3, 1} {
		l.Put(job(n, 0))
	}
	assert.Equal(t, []string{"0003", "0002", "0001"}, ids(&l))
	i, ok := l.Index("0002")
	assert.True(t, ok)
	assert.Equal(t, 1, i)
	l.Remove("0002")
	l.Remove("none")
	_, ok = l.Index("0002")
	assert.False(t, ok)
	assert.Equal(t, []string{"0003", "0001"}, ids(&l))
	assert.Nil(t, l.At(2))
	assert.Nil(t, l.At(-1))
}

// TestAChangedJobMoves to where the sort has it; equal ones stand newest first.
func TestAChangedJobMoves(t *testing.T) {
	l := joblist.New(mostPolls)
	for n, polls := range []int{5, 9, 5, 1} {
		l.Put(job(n, polls))
	}
	assert.Equal(t, []string{"0001", "0002", "0000", "0003"}, ids(&l))
	l.Put(job(3, 7))
	assert.Equal(t, []string{"0001", "0003", "0002", "0000"}, ids(&l))
	i, ok := l.Index("0003")
	assert.True(t, ok)
	assert.Equal(t, 1, i)
	_, ok = l.Index("none")
	assert.False(t, ok)
}

// TestTheNewerCopyStays, whichever comes first, and a draft that is whole stays whole.
func TestTheNewerCopyStays(t *testing.T) {
	l := joblist.New(nil)
	old, fresh := *job(1, 1), *job(1, 2)
	old.Seq, fresh.Seq = 1, 2
	fresh.Draft = client.Draft{Prompt: "whole"}
	l.Put(&fresh)
	l.Put(&old)
	assert.Equal(t, 2, l.Get("0001").Polls)
	read := *job(1, 3) // from the disk, later
	read.UpdatedAt = read.UpdatedAt.Add(time.Second)
	read.Draft = client.Draft{Prompt: "who", Cut: true}
	l.Put(&read)
	assert.Equal(t, 3, l.Get("0001").Polls)
	assert.Equal(t, "whole", l.Get("0001").Draft.Prompt)
	l.Fill(&jobs.Job{ID: "0001", Draft: client.Draft{Prompt: "other"}})
	assert.Equal(t, "other", l.Get("0001").Draft.Prompt)
	l.Fill(&jobs.Job{ID: "none"})
	assert.Nil(t, l.Get("none"))
}

func TestJobsOfSeveralProfilesAreMixed(t *testing.T) {
	l := joblist.New(mostPolls)
	l.Put(job(1, 1))
	l.Put(job(2, 1))
	assert.False(t, l.Mixed())
	other := job(2, 5)
	other.Profile = "b"
	l.Put(other)
	assert.True(t, l.Mixed())
	l.Remove("0002")
	assert.False(t, l.Mixed())
}

// TestAnyOrderOfChanges keeps the list sorted, with each job in its place once.
func TestAnyOrderOfChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, compare := range []func(a, b *jobs.Job) int{nil, mostPolls} {
		l, want := joblist.New(compare), map[string]int{}
		for range 3000 {
			j := job(r.IntN(40), r.IntN(6))
			if r.IntN(4) == 0 {
				l.Remove(j.ID)
				delete(want, j.ID)
				continue
			}
			l.Put(j)
			want[j.ID] = j.Polls
			require.Equal(t, len(want), l.Len())
		}
		for i := range l.Len() {
			j := l.At(i)
			assert.Equal(t, want[j.ID], j.Polls)
			at, ok := l.Index(j.ID)
			assert.True(t, ok)
			assert.Equal(t, i, at)
			if i > 0 {
				assert.Negative(t, l.Compare(l.At(i-1), j))
			}
		}
	}
}
