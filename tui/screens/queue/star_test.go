package queue

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/filter"
)

func TestStars(t *testing.T) {
	js := many(4)
	js[1].Tags = []string{"kept", jobs.Star}
	b := open(t, 120, 34, js...)
	assert.Contains(t, b.View(), "★ a red kite")
	b.Key("s")
	assert.Equal(t, []string{"tag [starred] [] " + jobID(4)}, b.f.done)
	assert.Equal(t, "starred 1 job", b.toast(t).Text)
	b.f.took()
	b.Key("down", "down", "s")
	assert.Equal(t, []string{"tag [] [starred] " + jobID(2)}, b.f.done)
	assert.Contains(t, b.View(), "★ kept", "the detail has both")
	b.f.took()
	b.Key(" ", "s")
	assert.Equal(t, []string{"tag [] [starred] " + jobID(2)}, b.f.done, "the marked one")
	b.f.took()
	b.Key("v", "home", " ", " ", " ", "s")
	assert.Equal(t, []string{"tag [starred] [] " + jobID(2), "tag [starred] [] " + jobID(3), "tag [starred] [] " + jobID(4)}, b.f.done, "some have none: all get one")
}

func TestFilterForStars(t *testing.T) {
	q, err := filter.Parse("is:starred tag:kept kite", start)
	require.NoError(t, err)
	assert.Equal(t, jobs.Query{Starred: true, Tag: "kept", Text: "kite"}, q)
	q, err = filter.Parse("is:", start)
	require.NoError(t, err)
	assert.False(t, q.Starred)
	_, err = filter.Parse("is:good", start)
	require.ErrorContains(t, err, "is:starred")

	js := many(6)
	js[2].Tags = []string{jobs.Star}
	b := open(t, 80, 24, js...)
	b.Key("v", "/")
	b.Paste("is:star")
	b.Key("enter")
	b.Settle(10*time.Second, "the filter", func() bool { return b.m.list.jobs.shown.Starred && !b.m.list.jobs.loading })
	assert.Equal(t, 1, b.m.list.jobs.Len())
	assert.Equal(t, jobID(3), b.row())
	assert.Contains(t, b.View(), "★")
}

func TestWarningsAreSeen(t *testing.T) {
	js := many(2)
	js[1].Warnings = []string{"asked 10 s, got 5 s"}
	b := open(t, 120, 34, js...)
	assert.Contains(t, b.View(), "⚠ a red kite")
	assert.Contains(t, b.View(), "⚠ asked 10 s, got 5 s")
	b.Key("down")
	assert.NotContains(t, b.View(), "asked 10 s")
}
